// What render refuses, what it does not, and that validate says the same.

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>

#include "cli_test.h"
#include "image/exr.h"

namespace aureole {

namespace {

namespace fs = std::filesystem;

constexpr int kBadInput = 3;

class RefusalsTest : public CliTest {
protected:
    void SetUp() override {
        CliTest::SetUp();
        scene_ = write("scene.json", boxScene());
    }

    Arguments render(const Arguments& options, const std::string& output = "a.exr") const {
        Arguments arguments = {"render", scene_, "-o", path(output), "--backend", "reference"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        return arguments;
    }

    std::string scene_;
};

/// A picture of one pixel, half box and half sky, that 65536 samples leave with far more noise than is asked for.
TEST_F(RefusalsTest, NoiseHasItsCapWithTimeToo) {
    const auto samples = [&](const Arguments& options) {
        Arguments arguments = render({"--size", "1x1", "--time", "30s", "--stats-json", path("stats.json")});
        arguments.insert(arguments.end(), options.begin(), options.end());
        expectDone(arguments);
        return nlohmann::json::parse(std::ifstream(path("stats.json"))).at("samples").get<int>();
    };
    EXPECT_EQ(samples({"--noise", "0.00001"}), 65536);
    EXPECT_EQ(samples({"--set", "/integrator/noise=0.00001", "--set", "/integrator/samplesPerPixel=null"}), 65536);
    EXPECT_EQ(samples({"--noise", "0.00001", "--spp", "96"}), 96);
    EXPECT_EQ(samples({"--set", "/integrator/noise=0.00001", "--set", "/integrator/samplesPerPixel=80"}), 80);
}

/// A camera that comes to stand on its target in frame 4 spoils that frame alone.
TEST_F(RefusalsTest, ABlindFrameIsAnErrorWhereItIsAskedFor) {
    const std::string path5 = R"({"camera": "front", "path": {"keys": [{"frame": 0, "position": [0, 0, 3],
        "target": [0, 0, 0]}, {"frame": 4, "position": [1, 1, 1], "target": [1, 1, 1]}]}})";
    const Arguments base = render({"--set", "/animation=" + path5, "--spp", "1"}, "f.#.exr");
    const auto frames = [&](const std::string& range) {
        Arguments arguments = base;
        arguments.insert(arguments.end(), {"--frames", range});
        return arguments;
    };
    expectDone(render({"--set", "/animation=" + path5, "--spp", "1"}));
    expectDone(frames("0:2"));
    EXPECT_TRUE(fs::exists(path("f.1.exr")));
    const std::string fault = "/animation/path/keys/1: found 'target' equal to 'position'";
    expectFailure(kBadInput, frames("3:5"), {fault, "frame 4"});
    EXPECT_FALSE(fs::exists(path("f.3.exr"))) << "the good frames before it would have cost time";
    expectFailure(kBadInput, {"validate", scene_, "--set", "/animation=" + path5}, {fault, "frame 4"});
}

TEST_F(RefusalsTest, MergeSaysThatAWholePictureHasNoSums) {
    expectDone(render({"--samples", "0:2"}, "part.exr"));
    expectDone(render({"--spp", "2"}, "whole.exr"));
    const std::string fault =
        "whole.exr: found no sums (no channel moment.R), as in a picture rendered without --samples";
    expectFailure(kBadInput, {"merge", path("part.exr"), path("whole.exr"), "-o", path("m.exr")}, {fault});
    expectFailure(kBadInput, {"merge", path("whole.exr"), path("part.exr"), "-o", path("m.exr")}, {fault});
}

} // namespace

} // namespace aureole
