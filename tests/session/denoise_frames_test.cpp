// 'aureole denoise --frames' from the command line.

#include <filesystem>

#include "cli_test.h"
#include "image/exr/exr.h"

namespace aureole {

namespace {

class DenoiseFramesTest : public CliTest {
protected:
    void SetUp() override {
        CliTest::SetUp();
        scene_ = write("scene.json", shadedScene());
        render("in.#.exr", "0:4", {"--aov", "albedo,normal,depth,halves"});
    }

    void render(const std::string& name, const std::string& frames, const Arguments& options) const {
        Arguments arguments = {"render",
                               scene_,
                               "-o",
                               path(name),
                               "--backend",
                               "reference",
                               "--no-bloom",
                               "--spp",
                               "8",
                               "--frames",
                               frames,
                               "--set",
                               R"(/animation={"camera": "front", "turntable": {"frames": 48}})"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        expectDone(arguments);
    }

    Arguments denoise(const std::string& to, const std::string& frames, const Arguments& options = {}) const {
        Arguments arguments = {"denoise", path("in.#.exr"), "-o", path(to), "--frames", frames};
        arguments.insert(arguments.end(), options.begin(), options.end());
        return arguments;
    }

    std::string scene_;
};

TEST_F(DenoiseFramesTest, AFrameDoesNotDependOnTheRange) {
    expectDone(denoise("all.#.exr", "0:4"));
    expectDone(denoise("one.#.exr", "1:2", {"--denoise-keep-noisy"}));
    EXPECT_FALSE(std::filesystem::exists(path("one.0.exr")));
    const Image one = readExr(path("one.1.exr"));
    EXPECT_EQ(largestDifference(one, readExr(path("all.1.exr"))), 0.0);
    EXPECT_EQ(one.attributes.at("aureole.denoise"),
              "R, G, B: aureole's own filter, by halves, albedo, normal, depth, beside 3 other frames; of samples 0:8");
    EXPECT_EQ(one.find("noisy.R")->values, readExr(path("in.1.exr")).find("R")->values);
    std::filesystem::copy_file(path("in.1.exr"), path("in.4294967293.exr"));
    expectDone(denoise("last.#.exr", "4294967293:4294967294"));
    EXPECT_TRUE(std::filesystem::exists(path("last.4294967293.exr")));
    expectDone({"denoise", path("in.1.exr"), "-o", path("alone.exr"), "--denoiser", "builtin"});
    EXPECT_GT(largestDifference(one, readExr(path("alone.exr"))), 0.0) << "the others helped";
}

/// What camera rays tell of a frame, its file keeps for those beside it.
TEST_F(DenoiseFramesTest, CameraRaysHelpFramesToo) {
    render("in.#.exr", "0:2", {"--aov", "albedo,normal,depth,emission,halves", "--denoise-rays", "2"});
    std::filesystem::remove(path("in.2.exr"));
    std::filesystem::remove(path("in.3.exr"));
    expectDone(denoise("out.#.exr", "0:1"));
    EXPECT_EQ(
        readExr(path("out.0.exr")).attributes.at("aureole.denoise"),
        "R, G, B: aureole's own filter, by halves, albedo, normal, depth, emission, of 16 camera rays more, beside "
        "1 other frame; of samples 0:8");
}

TEST_F(DenoiseFramesTest, FramesThatDoNotFitAreRefused) {
    expectFailure(kUsage, denoise("out.#.exr", "0:4", {"--denoiser", "oidn"}), {"--denoiser", "builtin"});
    expectFailure(kUsage, denoise("out.exr", "0:4"), {"out.exr", "one run of #"});
    expectFailure(kUsage, denoise("in.#.exr", "1:2"), {"in.1.exr", "--output"});
    expectFailure(kUsage, denoise("in.#.exr", "1:3"), {"in.1.exr", "--output"});
    expectFailure(3, denoise("out.#.exr", "2:5"), {"in.4.exr: found no such file", "--frames 2:5"});
    render("in.#.exr", "4:5", {"--aov", "albedo,normal,depth,halves", "--size", "20x10"});
    expectFailure(3, denoise("out.#.exr", "3:4"), {"in.4.exr: found 20x10 pixels", "in.0.exr"});
    render("in.#.exr", "4:5", {"--aov", "halves", "--set", "/environment/scale=2"});
    expectFailure(3, denoise("out.#.exr", "3:4"), {"in.4.exr: found aureole.scene_hash", "in.0.exr"});
    render("in.#.exr", "4:5", {"--aov", "halves", "--denoise", "builtin"});
    expectFailure(3, denoise("out.#.exr", "3:4"), {"in.4.exr", "is denoised"});
    render("in.#.exr", "0:1", {});
    expectFailure(3, denoise("out.#.exr", "1:2"), {"in.0.exr"});
    Image image = readExr(path("in.2.exr"));
    image.attributes["aureole.world_to_pixel"] = "1 2 3";
    writeExr(path("in.2.exr"), image);
    std::filesystem::remove(path("in.0.exr"));
    std::filesystem::remove(path("in.4.exr"));
    expectFailure(3, denoise("out.#.exr", "3:4"), {"in.2.exr", "aureole.world_to_pixel", "\"1 2 3\""});
    EXPECT_FALSE(std::filesystem::exists(path("out.1.exr")));
}

} // namespace

} // namespace aureole
