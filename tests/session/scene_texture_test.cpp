// Simulated textures of scenes: what every command that uses surfaces makes of them.

#include "cli_test.h"
#include "image/exr/exr.h"
#include "image/image_file.h"

namespace aureole {

namespace {

/// A wall that fills the picture of 32 x 24 pixels, and no light but what `environment` sends. `slot` are keys of the
/// wall's material.
std::string wallScene(const std::string& slot, const std::string& environment) {
    return R"({ "version": 1,
      "materials": { "wall": {)" +
           slot + R"(} },
      "assets": { "wall": { "quad": { "corner": [-1, -1, 0], "u": [2, 0, 0], "v": [0, 2, 0] } } },
      "instances": { "wall": { "asset": "wall", "material": "wall" } },
      "cameras": { "front": { "projection": "orthographic", "height": 1.4, "position": [0, 0, 4],
                              "target": [0, 0, 0] } },
      "environment": { "type": "constant", "radiance": )" +
           environment + R"( },
      "film": { "size": [32, 24], "filter": "box", "filterRadius": 0.5 },
      "voxels": { "resolution": 32 },
      "integrator": { "samplesPerPixel": 32, "lightSampling": "bsdf" } })"; // which has no noise under an even sky
}

/// Sown and not grown: 0 on the left and, within a hundredth, 1 on the right.
const std::string kHalves = R"("texture": { "type": "reaction_diffusion", "size": [32, 32], "steps": 0,
    "seed_image": "half.png", "range": [0, 0.25], "palette": )";

class SceneTextureTest : public CliTest {
protected:
    void SetUp() override {
        CliTest::SetUp();
        Image seed = makeImage(64, 2, {"R", "G", "B"});
        for (Channel& channel : seed.channels) {
            for (std::size_t i = 0; i < channel.values.size(); ++i) {
                channel.values[i] = i % 64 < 32 ? 0.0F : 1.0F;
            }
        }
        writeImage(path("half.png"), seed);
    }

    /// The colours of the left and the right half, far from where they meet.
    std::pair<std::vector<float>, std::vector<float>> halves(const std::string& scene, const std::string& backend) {
        Arguments arguments = {"render", write("scene.json", scene), "-o", path("out.exr"), "--backend", backend};
        if (backend == "gpu") {
            arguments.emplace_back("--allow-cpu");
        }
        expectDone(arguments);
        const Image image = readExr(path("out.exr"));
        return {pixel(image, 6, 12), pixel(image, 25, 12)};
    }

    static void expectNear(const std::vector<float>& found, const std::vector<float>& expected) {
        for (std::size_t c = 0; c < 3; ++c) {
            EXPECT_NEAR(found[c], expected[c], 0.04F * expected[c] + 1e-6F) << "channel " << c;
        }
    }
};

TEST_F(SceneTextureTest, LightsByTheMeshsCoordinates) {
    const std::string scene = wallScene(
        R"("albedo": 0, "emissionStrength": 4, "emissionTexture": {)" + kHalves + "[0, [0.5, 0.25, 0]] } }", "0");
    for (const char* backend : {"reference", "gpu"}) {
        SCOPED_TRACE(backend);
        const auto [left, right] = halves(scene, backend);
        expectNear(left, {0, 0, 0});
        expectNear(right, {2, 1, 0});
    }
}

// Across z, u is x over the tile: the picture begins at x = 0 and repeats.
TEST_F(SceneTextureTest, LightsByTriplanarMapping) {
    const std::string scene =
        wallScene(R"("albedo": 0, "emissionStrength": 4, "emissionTexture": { "mapping": "triplanar", "tile": 2,)" +
                      kHalves + "[0, [0.5, 0.25, 0]] } }",
                  "0");
    for (const char* backend : {"reference", "gpu"}) {
        SCOPED_TRACE(backend);
        const auto [left, right] = halves(scene, backend);
        expectNear(left, {2, 1, 0});
        expectNear(right, {0, 0, 0});
    }
}

TEST_F(SceneTextureTest, ColoursTheAlbedo) {
    const std::string scene =
        wallScene(R"("albedo": 1, "albedoTexture": {)" + kHalves + "[[0.2, 0.1, 0.4], [0.8, 0.4, 0.2]] } }", "1");
    for (const char* backend : {"reference", "gpu"}) {
        SCOPED_TRACE(backend);
        const auto [left, right] = halves(scene, backend);
        expectNear(left, {0.2F, 0.1F, 0.4F});
        expectNear(right, {0.8F, 0.4F, 0.2F});
    }
}

// A wall of metal, seen head on under a sky that is bright above: where it is rough it shows more of that. Each half is
// to look as a wall does that has its roughness all over.
TEST_F(SceneTextureTest, RoughnessReachesThePicture) {
    const std::string sky = R"({ "type": "gradient", "zenith": [4, 4, 4], "horizon": [0, 0, 0], "ground": [0, 0, 0] })";
    const auto seen = [&](const std::string& roughness, const std::string& backend) {
        nlohmann::json scene = nlohmann::json::parse(wallScene(R"("albedo": 1, "metalness": 1, )" + roughness, "1"));
        scene["environment"] = nlohmann::json::parse(sky);
        return halves(scene.dump(), backend);
    };
    // Beyond the range of V, so that no noise is left: 51 and 204 of 255.
    const std::string texture = R"("metallicRoughnessTexture": { "texture": { "type": "reaction_diffusion",
        "size": [32, 32], "steps": 0, "seed_image": "half.png", "range": [0, 0.2], "palette": [0.2, 0.8] } })";
    for (const char* backend : {"reference", "gpu"}) {
        SCOPED_TRACE(backend);
        const auto [left, right] = seen(texture, backend);
        const auto [smooth, smoothRight] = seen(R"("roughness": 0.2)", backend);
        const auto [roughLeft, rough] = seen(R"("roughness": 0.8)", backend);
        EXPECT_GT(rough[1], smoothRight[1] + 0.05F); // it shows at all
        for (std::size_t c = 0; c < 3; ++c) {
            EXPECT_NEAR(left[c], smooth[c], 1e-4F) << c;
            EXPECT_NEAR(right[c], rough[c], 1e-4F) << c;
        }
    }
}

TEST_F(SceneTextureTest, AChangedTextureIsNoLongerTheCachedOne) {
    const auto red = [&](const std::string& palette) {
        return halves(wallScene(R"("albedo": 1, "albedoTexture": {)" + kHalves + palette + "} }", "1"), "gpu")
            .second.front();
    };
    EXPECT_NEAR(red("[0, 0.5]"), 0.5F, 0.02F);
    EXPECT_NEAR(red("[0, 0.25]"), 0.25F, 0.02F);
    EXPECT_NEAR(red("[0, 0.5]"), 0.5F, 0.02F); // from the cache
}

TEST_F(SceneTextureTest, VoxelizeMakesThemOnTheCpu) {
    const std::string scene = wallScene(R"("albedo": 1, "albedoTexture": {)" + kHalves + "[0, 1] } }", "1");
    const Outcome outcome = expectDone({"voxelize", write("scene.json", scene), "-o", path("wall.avo")});
    EXPECT_NE(outcome.err.find("0 steps of 32x32 cells on the CPU"), std::string::npos) << outcome.err;
}

TEST_F(SceneTextureTest, ATextThatCannotBeDrawnIsFoundByRenderAndValidate) {
    const std::string scene =
        write("scene.json", wallScene(R"("albedoTexture": { "texture": { "type": "reaction_diffusion",
        "seed_image": { "text": "a_b" } } })",
                                      "1"));
    const std::vector<std::string> words = {"scene.json:3", "/materials/wall/albedoTexture/texture/seed_image", "'_'"};
    expectFailure(kBadInput, {"validate", scene}, words);
    expectFailure(kBadInput, {"render", scene, "-o", path("out.exr"), "--backend", "reference"}, words);
    expectFailure(kBadInput, {"voxelize", scene, "-o", path("wall.avo")},
                  {"/materials/wall/albedoTexture/texture", "'_'"});
}

} // namespace

} // namespace aureole
