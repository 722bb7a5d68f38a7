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

} // namespace

} // namespace aureole
