#include <cmath>

#include <nlohmann/json.hpp>

#include "cli_test.h"
#include "image/exr/exr.h"
#include "image/png/png.h"
#include "matches.h"

namespace aureole {

namespace {

class RenderTest : public CliTest {
protected:
    Image render(const std::string& scene, Arguments options, const std::string& output = "out.exr") const {
        Arguments arguments = {"render", scene, "-o", path(output)};
        arguments.insert(arguments.end(), options.begin(), options.end());
        expectDone(arguments);
        return readExr(path(output));
    }
};

constexpr std::uint32_t kWidth = 32;
constexpr std::uint32_t kHeight = 24;

/// The mean over the three colours and the block of 8 x 8 pixels in the middle of a 32 x 24 picture.
double middle(const Image& image) {
    double sum = 0.0;
    for (std::uint32_t y = 8; y < 16; ++y) {
        for (std::uint32_t x = 12; x < 20; ++x) {
            const std::vector<float> colour = pixel(image, x, y);
            sum += colour[0] + colour[1] + colour[2];
        }
    }
    return sum / (3.0 * 64.0);
}

TEST_F(RenderTest, BoxInAnEvenSkyHasTheRadianceOfTheory) {
    const std::string scene = write("scene.json", boxScene());
    const Image image = render(scene, {"--spp", "16"});
    ASSERT_EQ(image.width, kWidth);
    ASSERT_EQ(image.height, kHeight);
    EXPECT_NEAR(middle(image), 0.5, 0.01);
    for (const std::uint32_t x : {0U, kWidth - 1}) {
        for (const std::uint32_t y : {0U, kHeight - 1}) {
            EXPECT_EQ(pixel(image, x, y), (std::vector<float>{1.0F, 1.0F, 1.0F}));
        }
    }
}

TEST_F(RenderTest, ReferenceBackendAgreesAndNeedsNoDevice) {
    const std::string scene = write("scene.json", boxScene());
    const Arguments arguments = {"render", scene, "-o", path("out.exr"), "--spp", "16", "--backend", "reference"};
    expectDone(arguments, {{"VK_ICD_FILENAMES", "/none.json"}, {"VK_DRIVER_FILES", "/none.json"}});
    const Image image = readExr(path("out.exr"));
    EXPECT_NEAR(middle(image), 0.5, 0.01);
    EXPECT_EQ(pixel(image, 0, 0), (std::vector<float>{1.0F, 1.0F, 1.0F}));
    EXPECT_EQ(image.attributes.at("aureole.backend"), "reference");
}

TEST_F(RenderTest, SkyIsUpAndTheBackCameraSeesLess) {
    const std::string scene = write("scene.json", boxScene());
    const Image image = render(
        scene,
        {"--backend", "reference", "--camera", "back", "--set",
         R"(/environment={"type": "gradient", "zenith": [0, 0, 1], "horizon": [0, 0, 0.5], "ground": [1, 0, 0]})"});
    EXPECT_GT(pixel(image, 0, 0)[2], 0.4F); // blue above
    EXPECT_EQ(pixel(image, 0, 0)[0], 0.0F);
    EXPECT_EQ(pixel(image, 0, kHeight - 1)[2], 0.0F);
    EXPECT_EQ(pixel(image, 0, kHeight - 1)[0], 1.0F); // red below
    EXPECT_EQ(image.attributes.at("aureole.camera"), "back");
}

TEST_F(RenderTest, OptionsReachTheScene) {
    const std::string scene = write("scene.json", boxScene());
    const Image image =
        render(scene, {"--size", "16x12", "--resolution", "32", "--seed", "9", "--set", "/materials/grey/albedo=0",
                       "--allow-cpu", "--stats-json", path("stats.json"), "--progress", "none"});
    EXPECT_EQ(image.width, 16U);
    EXPECT_EQ(image.height, 12U);
    EXPECT_EQ(pixel(image, 8, 6), (std::vector<float>{0.0F, 0.0F, 0.0F}));
    EXPECT_EQ(image.attributes.at("aureole.seed"), "9");
    EXPECT_EQ(image.attributes.at("aureole.size"), "16x12");

    const nlohmann::json stats = readJson(path("stats.json"));
    const std::string help = expectDone({"render", "--help"}).out;
    const std::string listed = help.substr(help.find("Write figures:"));
    for (const auto& [key, value] : stats.items()) {
        EXPECT_FALSE(matchesOf(listed, "[ (]" + key + "[,\\s]").empty()) << key;
    }
    EXPECT_EQ(stats.at("version"), AUREOLE_VERSION);
    EXPECT_EQ(stats.at("scene"), scene);
    EXPECT_EQ(stats.at("scene_hash"), image.attributes.at("aureole.scene_hash"));
    EXPECT_EQ(stats.at("device"), image.attributes.at("aureole.device"));
    EXPECT_EQ(stats.at("driver"), image.attributes.at("aureole.driver"));
    EXPECT_EQ(stats.at("backend"), "gpu");
    EXPECT_EQ(stats.at("samples"), 4);
    EXPECT_EQ(stats.at("interrupted"), false);
    EXPECT_TRUE(stats.at("bloom_milliseconds").is_null());
    // The shell of a cube of 32 voxels a side at least; at most all of it.
    EXPECT_GE(stats.at("voxels"), 32 * 32 * 32 - 30 * 30 * 30);
    EXPECT_LE(stats.at("voxels"), 34 * 34 * 34);
    EXPECT_GT(stats.at("octree_bytes"), 0);
    EXPECT_GE(stats.at("rays"), 16 * 12 * 4);
    EXPECT_GT(stats.at("rays_per_second"), 0.0);
    for (const char* stage : {"load", "build", "upload", "render", "bloom", "write", "total"}) {
        EXPECT_GE(stats.at("seconds").at(stage), 0.0) << stage;
    }
}

TEST_F(RenderTest, DepthCutsReflectedLight) {
    const std::string scene = write("scene.json", closedBoxScene());
    const Image direct = render(scene, {"--max-depth", "1", "--backend", "reference"});
    EXPECT_EQ(pixel(direct, 3, 3), (std::vector<float>{1.0F, 1.0F, 1.0F}));
    const Image full = render(scene, {"--backend", "reference"});
    double sum = 0.0;
    for (std::uint32_t i = 0; i < full.pixelCount(); ++i) {
        sum += pixel(full, i % full.width, i / full.width)[0];
    }
    EXPECT_NEAR(sum / static_cast<double>(full.pixelCount()), 2.0, 0.05);
}

TEST_F(RenderTest, NotesWhatTheImageIs) {
    const std::string scene = write("scene.json", boxScene());
    const Outcome outcome =
        expectDone({"render", scene, "-o", path("out.exr"), "--no-cache", "--set", "/film/filter=box"});
    const auto attributes = readExr(path("out.exr")).attributes;
    EXPECT_EQ(attributes.at("aureole.version"), AUREOLE_VERSION);
    EXPECT_EQ(attributes.at("aureole.samples"), "0:4");
    EXPECT_EQ(attributes.at("aureole.seed"), "1");
    EXPECT_EQ(attributes.at("aureole.camera"), "front");
    EXPECT_EQ(attributes.at("aureole.crop"), "0,0,32,24");
    EXPECT_EQ(attributes.at("aureole.scene_hash").size(), 16U);
    EXPECT_EQ(attributes.at("aureole.command"),
              "aureole render " + scene + " -o " + path("out.exr") + " --no-cache --set /film/filter=box");
    // The summary.
    for (const std::string figure :
         {"voxels", "bytes", "built in", "4 samples per pixel", "rays", "Mray/s", "out.exr"}) {
        EXPECT_NE(outcome.err.find(figure), std::string::npos) << figure << '\n' << outcome.err;
    }
    EXPECT_NE(outcome.err.find(attributes.at("aureole.device")), std::string::npos) << "the device is not named";
    EXPECT_EQ(outcome.out, "");
}

TEST_F(RenderTest, SamplesLeaveTheSceneHashAloneAndTheResolutionDoesNot) {
    const std::string scene = write("scene.json", boxScene());
    const auto hash = [&](const Arguments& options) {
        return render(scene, options).attributes.at("aureole.scene_hash");
    };
    const std::string plain = hash({"--spp", "1", "--backend", "reference"});
    EXPECT_EQ(hash({"--spp", "2", "--backend", "reference"}), plain);
    expectDone({"render", scene, "-o", path("out.png"), "--spp", "1", "--exposure", "1", "--tonemap", "aces",
                "--backend", "reference", "--stats-json", path("stats.json")});
    EXPECT_EQ(readJson(path("stats.json")).at("scene_hash"), plain);
    EXPECT_NE(hash({"--spp", "1", "--resolution", "17"}), plain);
}

TEST_F(RenderTest, PngIsToneMapped) {
    const std::string scene = write("scene.json", boxScene());
    const auto mapped = [&](const char* name, const char* stops) {
        expectDone(
            {"render", scene, "-o", path(name), "--tonemap", "linear", "--exposure", stops, "--backend", "reference"});
    };
    mapped("plain.png", "0");
    mapped("dark.png", "-2");
    // The sky's radiance is 1: white, or a quarter of it two stops down. readPng undoes the sRGB curve.
    EXPECT_EQ(pixel(readPng(path("plain.png")), 0, 0), (std::vector<float>{1.0F, 1.0F, 1.0F}));
    EXPECT_NEAR(pixel(readPng(path("dark.png")), 0, 0)[1], 0.25, 0.005);
}

TEST_F(RenderTest, ModelsRenderWithDefaults) {
    const std::string model = write("model.obj", "v -1 0 -1\nv 1 0 -1\nv 0 0 1\nv 0 2 0\n"
                                                 "f 1 2 3\nf 1 4 2\nf 2 4 3\nf 3 4 1\n");
    const Image image = render(model, {"--size", "16x12", "--resolution", "16", "--spp", "1", "--no-bloom"});
    EXPECT_EQ(image.width, 16U);
    for (const float value : pixel(image, 8, 6)) {
        EXPECT_TRUE(std::isfinite(value) && value > 0.0F) << value;
    }
}

TEST_F(RenderTest, ModelsStandOnTheStageThatIsAskedFor) {
    const std::string model = write("model.obj", "v -1 0 -1\nv 1 0 -1\nv 0 0 1\nv 0 2 0\n"
                                                 "f 1 2 3\nf 1 4 2\nf 2 4 3\nf 3 4 1\n");
    const std::vector<std::string> small = {"--size", "16x12", "--spp", "16", "--backend", "reference"};
    const auto with = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.end(), small.begin(), small.end());
        return arguments;
    };
    expectDone(with({"render", model, "-o", path("white.png"), "--stage", "white", "--view", "iso"}));
    const Image white = readPng(path("white.png"));
    for (const float value : pixel(white, 0, 0)) {
        EXPECT_GT(value, 0.97F) << "the backdrop is white";
    }
    EXPECT_NE(white.attributes.at("aureole.denoise").find("of samples 0:16"), std::string::npos) << "a PNG tells it";
    expectFailure(kUsage, with({"render", model, "-o", path("none.exr"), "--view", "0,-30"}),
                  {"--view", "-30", "0 to 90", "--stage none"});
    expectDone(with({"render", model, "-o", path("none.exr"), "--stage", "none", "--view", "0,-30"}));
    // Seen from below, above all is the sky, darker towards the zenith, and no floor is in the way.
    const Image none = readExr(path("none.exr"));
    EXPECT_FALSE(none.attributes.contains("aureole.denoise")) << "an EXR stays as it was sampled";
    EXPECT_LT(pixel(none, 0, 0)[1], pixel(none, 0, 11)[1]);
    EXPECT_GT(pixel(none, 0, 0)[1], 0.05F) << "which is no darker";
}

} // namespace

} // namespace aureole
