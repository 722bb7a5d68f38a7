// What a scene file says arrives in the Scene.

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "foreign_png.h"
#include "json_test_util.h"

namespace aureole {
namespace {

constexpr double kPiHere = 3.14159265358979323846;

class JsonScene : public SceneJsonTest {
protected:
    void SetUp() override {
        SceneJsonTest::SetUp();
        write("texture.png", tinyPng());
        write("model.mtl", "newmtl red\nKd 1 0 0\nnewmtl green\nKd 0 1 0\n");
        write("model.obj", "mtllib model.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nusemtl red\nf 1 2 3\n"
                           "usemtl green\nf 1 3 4\n");
    }
    static const MeshInstance& instanceOf(const Scene& scene, std::string_view meshName) {
        for (const MeshInstance& instance : scene.meshInstances) {
            if (scene.meshes[instance.mesh].name == meshName) {
                return instance;
            }
        }
        throw std::runtime_error("no mesh " + std::string(meshName));
    }
    static void expectNear(const glm::dvec3& found, const glm::dvec3& expected) {
        EXPECT_LT(glm::length(found - expected), 1e-6) << found.x << ' ' << found.y << ' ' << found.z;
    }
};

TEST_F(JsonScene, DefaultsAreThoseOfTheData) {
    const Scene scene = load(minimalScene());
    EXPECT_EQ(scene.file, folder / "scene.json");
    EXPECT_EQ(scene.film.width, FilmSettings{}.width);
    EXPECT_EQ(scene.film.filterRadius, 1.5);
    EXPECT_EQ(scene.voxels.resolution, 512U);
    EXPECT_EQ(scene.voxels.surface, SurfaceKind::Cubes);
    EXPECT_EQ(scene.voxels.error, 0.25);
    EXPECT_FALSE(scene.bloom.enabled);
    EXPECT_FALSE(scene.environment.sun.has_value());
    EXPECT_EQ(scene.environment.radiance, glm::vec3(0.0F));
    EXPECT_EQ(scene.hash.size(), 16U);
    EXPECT_EQ(load(minimalScene(), {{"/film/filter", "box"}}).film.filterRadius, 0.5);
}

TEST_F(JsonScene, MaterialsAndTextures) {
    const Scene scene = load(fullScene(kGradientEnvironment));
    const Material& plain = scene.materials[0];
    EXPECT_EQ(plain.name, "plain");
    EXPECT_NEAR(plain.albedo.x, 1.0F, 1e-6F);
    EXPECT_NEAR(plain.albedo.y, 0.21586F, 1e-5F) << "0x80 through the sRGB curve";
    EXPECT_EQ(plain.albedo.z, 0.0F);
    EXPECT_EQ(plain.emission, glm::vec3(6.0F));
    const Material& rich = scene.materials[1];
    EXPECT_EQ(rich.albedo, glm::vec3(0.1F, 0.2F, 0.3F));
    EXPECT_EQ(rich.alphaMode, AlphaMode::Mask);
    EXPECT_EQ(rich.alphaCutoff, 0.25F);
    EXPECT_TRUE(rich.normalGreenDown);
    const TextureSlot& slot = rich.albedoTexture;
    EXPECT_EQ(slot.wrap, (std::array<Wrap, 2>{Wrap::Clamp, Wrap::Mirror}));
    EXPECT_TRUE(slot.nearest);
    EXPECT_FALSE(slot.srgb);
    EXPECT_EQ(slot.uvSet, 1U);
    // Scaled by (2, 4), turned by 90 degrees counter-clockwise as seen with v downwards, shifted by (1/2, 1/4).
    const glm::vec3 at = slot.transform * glm::vec3(1.0F, 0.0F, 1.0F);
    EXPECT_NEAR(at.x, 0.5F, 1e-6F);
    EXPECT_NEAR(at.y, 0.25F - 2.0F, 1e-6F);
    EXPECT_TRUE(rich.emissionTexture.srgb);
    EXPECT_FALSE(rich.normalTexture.srgb);
    // One file is one texture, however often it is used.
    EXPECT_EQ(rich.normalTexture.texture, slot.texture);
    EXPECT_EQ(scene.textures[slot.texture].rgba, (std::vector<std::uint8_t>{0x80, 0x80, 0x80, 0xff}));
}

std::string bytesOfPng(std::span<const unsigned char> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// A scene in which materials a0, a1... show the pictures 0.png, 1.png...
std::string sceneOfPictures(std::size_t count) {
    std::string materials = "\"materials\": { ";
    for (std::size_t i = 0; i < count; ++i) {
        materials += fmt::format(R"("a{0}": {{ "albedoTexture": {{ "file": "{0}.png" }} }}, )", i);
    }
    std::string text = minimalScene();
    const std::string begin = "\"materials\": {";
    return text.replace(text.find(begin), begin.size(), materials);
}

// Decoded at once, each picture comes to its own material, and what is wrong with some is told of each in order.
TEST_F(JsonScene, ManyPicturesComeToTheirMaterials) {
    constexpr std::size_t kCount = 11;
    const std::array<std::string, 3> pictures = {tinyPng(), bytesOfPng(foreign::kRgb8), bytesOfPng(foreign::kPalette2)};
    const std::array<glm::uvec2, 3> sizes = {glm::uvec2(1, 1), glm::uvec2(2, 2), glm::uvec2(3, 1)};
    for (std::size_t i = 0; i < kCount; ++i) {
        write(fmt::format("{}.png", i), pictures[i % 3]);
    }
    const Scene scene = load(sceneOfPictures(kCount));
    ASSERT_EQ(scene.textures.size(), kCount);
    for (std::size_t i = 0; i < kCount; ++i) {
        const auto material = std::find_if(scene.materials.begin(), scene.materials.end(),
                                           [&](const Material& m) { return m.name == fmt::format("a{}", i); });
        ASSERT_NE(material, scene.materials.end());
        const Texture& texture = scene.textures.at(material->albedoTexture.texture);
        EXPECT_EQ(glm::uvec2(texture.width, texture.height), sizes[i % 3]) << i;
    }
    for (const int broken : {2, 5, 6}) {
        write(fmt::format("{}.png", broken), fmt::format("no picture {}", broken));
    }
    const std::vector<SceneProblem> found = problems(sceneOfPictures(kCount));
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[0].pointer, "/materials/a2/albedoTexture/file");
    EXPECT_EQ(found[1].pointer, "/materials/a5/albedoTexture/file");
    EXPECT_EQ(found[2].pointer, "/materials/a6/albedoTexture/file");
}

TEST_F(JsonScene, ATextureIsNotHiddenByAFactorOfZero) {
    const Scene scene =
        load(minimalScene(), {{"/materials/wall/emissionTexture", R"({"file": "texture.png"})"},
                              {"/materials/wall/metallicRoughnessTexture", R"({"file": "texture.png"})"}});
    EXPECT_EQ(scene.materials[0].emission, glm::vec3(1.0F));
    EXPECT_EQ(scene.materials[0].metalness, 1.0F);
}

TEST_F(JsonScene, TransformsApplyScaleThenRotationThenTranslation) {
    const Scene scene = load(fullScene(kGradientEnvironment));
    // Angles of 10, 20 and 30 degrees about X, then Y, then Z, one rotation after the other.
    glm::dvec3 p(0.0, 2.0, 0.0);
    const auto turn = [](double& a, double& b, double degrees) {
        const double c = std::cos(degrees * kPiHere / 180.0);
        const double s = std::sin(degrees * kPiHere / 180.0);
        const double rotated = c * a - s * b;
        b = s * a + c * b;
        a = rotated;
    };
    turn(p.y, p.z, 10.0);
    turn(p.z, p.x, 20.0);
    turn(p.x, p.y, 30.0);
    const glm::dmat4& a = instanceOf(scene, "ball").worldFromMesh;
    expectNear(a * glm::dvec4(0, 1, 0, 1), p + glm::dvec3(1, 2, 3));
    const glm::dmat4& b = instanceOf(scene, "block").worldFromMesh;
    expectNear(b * glm::dvec4(1, 1, 1, 1), {-2, 1, -3});
    expectNear(instanceOf(scene, "tip").worldFromMesh * glm::dvec4(0, 0, 0, 1), {5, 6, 7});
}

TEST_F(JsonScene, InlineMeshesAndShapes) {
    const Scene scene = load(fullScene(kGradientEnvironment));
    const Mesh& tip = scene.meshes[instanceOf(scene, "tip").mesh];
    EXPECT_EQ(tip.positions[1], glm::vec3(1, 0, 0));
    EXPECT_EQ(tip.triangles[0], glm::uvec3(0, 1, 2));
    EXPECT_EQ(tip.normals[0], glm::vec3(0, 0, 1)) << "made of unit length";
    EXPECT_EQ(tip.uvs[0][2], glm::vec2(0, 1));
    EXPECT_EQ(scene.meshes[instanceOf(scene, "ball").mesh].triangles.size(), 80U);
    const MeshInstance& block = instanceOf(scene, "block");
    EXPECT_EQ(block.material, kNone);
    EXPECT_EQ(scene.materials[scene.meshes[block.mesh].material].name, "default");
}

TEST_F(JsonScene, MaterialsOfAModelAreReplacedByName) {
    const Scene scene = load(fullScene(kGradientEnvironment));
    std::vector<std::string> names;
    for (const MeshInstance& instance : scene.meshInstances) {
        const Mesh& mesh = scene.meshes[instance.mesh];
        const std::string own = scene.materials[mesh.material].name;
        if (own == "red" || own == "green") {
            const std::uint32_t worn = instance.material == kNone ? mesh.material : instance.material;
            names.push_back(own + ":" + scene.materials[worn].name);
        }
    }
    std::sort(names.begin(), names.end());
    EXPECT_EQ(names, (std::vector<std::string>{"green:green", "red:plain"}));
    const auto found = problems(fullScene(kGradientEnvironment), {{"/instances/e/materials", R"({"rde": "plain"})"}});
    ASSERT_EQ(found.size(), 1U) << join(found);
    EXPECT_EQ(found[0].pointer, "/instances/e/materials/rde");
    EXPECT_NE(found[0].message.find("did you mean 'red'"), std::string::npos) << found[0].message;
}

TEST_F(JsonScene, InstancesMayBeMissing) {
    nlohmann::json document = nlohmann::json::parse(minimalScene());
    for (const bool listed : {true, false}) {
        document["instances"] = nlohmann::json::object();
        if (!listed) {
            document.erase("instances");
        }
        const Scene scene = load(document.dump());
        EXPECT_TRUE(scene.meshInstances.empty() && scene.voxelInstances.empty());
    }
}

TEST_F(JsonScene, CamerasWithTheChosenOneFirst) {
    const Scene scene = load(fullScene(kGradientEnvironment));
    ASSERT_EQ(scene.cameras.size(), 3U);
    EXPECT_EQ(scene.cameras[0].name, "main");
    EXPECT_EQ(scene.cameras[0].verticalFov, 35.0);
    EXPECT_EQ(scene.cameras[0].focusDistance, 4.0);
    EXPECT_EQ(scene.cameras[1].name, "far");
    EXPECT_EQ(scene.cameras[0].blades, 6U);
    EXPECT_EQ(scene.cameras[0].bladeRotation, 15.0);
    EXPECT_EQ(scene.cameras[0].exposure, 0.5);
    EXPECT_EQ(scene.cameras[0].photograph->iso, 400.0);
    EXPECT_EQ(scene.cameras[2].projection, Projection::Orthographic);
    EXPECT_EQ(scene.cameras[2].height, 3.0);
    EXPECT_EQ(scene.animation->keys.at(1).target, glm::dvec3(0, 2, 0));
    EXPECT_FALSE(scene.animation->smooth);
    EXPECT_EQ(load(fullScene(kGradientEnvironment), {{"/camera", "far"}}).cameras[0].name, "far");
    EXPECT_TRUE(scene.hasDefaultCamera);
    EXPECT_FALSE(load(fullScene(kGradientEnvironment), {{"/camera", "null"}}).hasDefaultCamera)
        << "which of the three?";
    EXPECT_TRUE(load(minimalScene()).hasDefaultCamera) << "there is but one";
    const auto found = problems(fullScene(kConstantEnvironment), {{"/camera", "null"}});
    ASSERT_EQ(found.size(), 1U) << join(found);
    EXPECT_EQ(found[0].pointer, "/animation");
    EXPECT_NE(found[0].message.find("'far', 'main', 'map'"), std::string::npos) << found[0].message;
}

TEST_F(JsonScene, LightsAndEnvironments) {
    const Scene scene = load(fullScene(kGradientEnvironment));
    ASSERT_EQ(scene.lights.size(), 3U);
    EXPECT_EQ(scene.lights[0].type, LightType::Point);
    EXPECT_EQ(scene.lights[0].intensity, glm::vec3(10, 9, 8));
    EXPECT_EQ(scene.lights[1].type, LightType::Spot);
    EXPECT_EQ(scene.lights[1].direction, glm::dvec3(0, -1, 0));
    EXPECT_EQ(scene.lights[1].outerConeAngle, 20.0);
    EXPECT_EQ(scene.lights[2].type, LightType::Directional);
    EXPECT_EQ(scene.environment.type, EnvironmentType::Gradient);
    EXPECT_EQ(scene.environment.horizon, glm::vec3(1.0F));
    ASSERT_TRUE(scene.environment.sun.has_value());
    expectNear(scene.environment.sun->direction, glm::dvec3(1, 2, 3) / std::sqrt(14.0));
    EXPECT_EQ(scene.environment.sun->angularDiameter, 2.0);
    EXPECT_EQ(load(fullScene(kConstantEnvironment)).environment.radiance, glm::vec3(0.25F));
    const Environment image = load(fullScene(kImageEnvironment)).environment;
    EXPECT_EQ(image.type, EnvironmentType::Image);
    EXPECT_EQ(image.rotation, 30.0);
    EXPECT_EQ(image.scale, 2.0F);
    ASSERT_EQ(image.image.channels.size(), 3U);
    EXPECT_EQ(image.image.channels[0].name, "R");
    EXPECT_EQ(image.image.channels[2].name, "B");
    EXPECT_NEAR(image.image.channels[1].values.at(0), 0.21586F, 1e-5F);
}

TEST_F(JsonScene, Settings) {
    const Scene scene = load(fullScene(kGradientEnvironment));
    EXPECT_EQ(scene.film.width, 64U);
    EXPECT_EQ(scene.film.height, 48U);
    EXPECT_EQ(scene.film.filter, PixelFilter::Box);
    EXPECT_EQ(scene.film.filterRadius, 0.75);
    EXPECT_EQ(scene.film.exposure, -1.5);
    EXPECT_EQ(scene.film.tonemap, ToneMap::Agx);
    EXPECT_EQ(scene.film.denoiseQuality, DenoiseQuality::Fast);
    EXPECT_EQ(scene.film.denoiseRays, 5U);
    EXPECT_EQ(scene.film.aovs.text(), "normal,groups");
    EXPECT_TRUE(scene.film.transparent);
    EXPECT_EQ(scene.integrator.clamp, 2.5);
    EXPECT_EQ(scene.integrator.noise, 0.03125);
    EXPECT_EQ(scene.voxels.normals, VoxelNormals::Face);
    EXPECT_EQ(scene.voxels.surface, SurfaceKind::Planes);
    EXPECT_EQ(scene.voxels.error, 0.5);
    EXPECT_EQ(scene.integrator.maxDepth, 5U);
    EXPECT_EQ(scene.integrator.seed, 7U);
    EXPECT_EQ(scene.integrator.lightSampling, LightSampling::Lights);
    EXPECT_TRUE(scene.bloom.enabled);
    EXPECT_EQ(scene.bloom.kernel, std::filesystem::canonical(folder / "texture.png"));
    EXPECT_EQ(scene.bloom.kernelSize, 129U);
    EXPECT_EQ(scene.bloom.airy.fNumber, 22.0);
    EXPECT_EQ(scene.bloom.airy.diameter, 1.5);
    EXPECT_EQ(scene.bloom.aperture.lens.sensorHeight, 36.0);
    EXPECT_EQ(scene.bloom.aperture.blades, 7U);
    EXPECT_EQ(scene.bloom.aperture.scratches, 4U);
    EXPECT_EQ(scene.bloom.aperture.image, scene.bloom.kernel);
    EXPECT_EQ(scene.bloom.eye.flareLines, 150U);
    ASSERT_EQ(scene.bloom.gaussians.size(), 2U);
    EXPECT_EQ(scene.bloom.gaussians[0].colour, glm::vec3(1.0F));
    EXPECT_EQ(scene.bloom.gaussians[1].colour, glm::vec3(1.0F, 0.5F, 0.25F));
    for (const char* kernel : {"default", "airy", "aperture", "eye", "gaussians"}) {
        EXPECT_EQ(load(fullScene(kGradientEnvironment), {{"/bloom/kernel", kernel}}).bloom.kernel, kernel);
    }
    EXPECT_EQ(load(minimalScene(), {{"/bloom/eye/adaptation", "5"}}).bloom.eye.adaptation, 5.0);
}

TEST_F(JsonScene, HashFollowsWhatChangesPixels) {
    const std::string text = fullScene(kGradientEnvironment);
    const std::string hash = load(text).hash;
    EXPECT_EQ(load(text).hash, hash);
    EXPECT_EQ(load(text, {{"/integrator/samplesPerPixel", "9"}}).hash, hash);
    EXPECT_EQ(load(text, {{"/description", "other"}}).hash, hash);
    EXPECT_EQ(load("\n\n " + text).hash, hash);
    EXPECT_NE(load(text, {{"/integrator/seed", "8"}}).hash, hash);
    EXPECT_NE(load(text, {{"/materials/plain/albedo", "0.1"}}).hash, hash);
    EXPECT_NE(load(text, {{"/voxels/resolution", "128"}}).hash, hash);
    EXPECT_NE(load(text, {{"/voxels/surface", "field"}}).hash, hash);
    EXPECT_NE(load(text, {{"/voxels/error", "0.125"}}).hash, hash);
    write("model.obj", "v 0 0 0\nv 1 0 0\nv 0 2 0\nusemtl red\nf 1 2 3\nmtllib model.mtl\n");
    const std::string otherModel = load(text).hash;
    EXPECT_NE(otherModel, hash);
    write("model.mtl", "newmtl red\nKd 1 1 0\n");
    EXPECT_NE(load(text).hash, otherModel);
}

TEST_F(JsonScene, HashFollowsTheContentOfTextures) {
    const std::string text = R"({ "version": 1, "assets": { "q": { "quad": {} } },
        "instances": { "q": { "asset": "q" } }, "cameras": { "c": { "position": [0, 1, 5], "target": [0, 0, 0] } },
        "bloom": { "kernel": "texture.png" } })";
    const std::string hash = load(text).hash;
    write("texture.png", tinyPng() + " ");
    EXPECT_NE(load(text).hash, hash);
}

} // namespace
} // namespace aureole
