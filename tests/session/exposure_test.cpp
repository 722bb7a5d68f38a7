// Automatic exposure: of stills, of frames that follow one another, and of what is converted later.

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <nlohmann/json.hpp>

#include "cli_test.h"
#include "core/error.h"
#include "image/attributes.h"
#include "image/colour/meter.h"
#include "image/exr/exr.h"
#include "image/png/png.h"
#include "session/adaptation.h"

namespace aureole {

namespace {

constexpr int kFrames = 4;

class ExposureTest : public CliTest {
protected:
    void SetUp() override {
        CliTest::SetUp();
        nlohmann::json scene = parseJson(boxScene());
        // The field of view grows, and with it how much of the sky is seen.
        scene["animation"] = {
            {"camera", "front"},
            {"path", {{"keys", {{{"frame", 0}, {"verticalFov", 10}}, {{"frame", 3}, {"verticalFov", 90}}}}}}};
        scene["film"]["exposure"] = "auto";
        scene["film"]["tonemap"] = "filmic"; // as convert has it
        scene["film"]["exposureFrames"] = 2;
        scene["integrator"]["samplesPerPixel"] = 2;
        scene_ = write("scene.json", scene.dump());
    }

    /// Metering is the same whoever has rendered, and the reference backend starts sooner.
    Arguments command(const std::string& output, const std::string& frames,
                      const Arguments& options = {"--backend", "reference"}) const {
        Arguments arguments = {"render", scene_, "-o", path(output), "--frames", frames};
        arguments.insert(arguments.end(), options.begin(), options.end());
        return arguments;
    }

    std::string bytes(const std::string& name) const {
        std::ifstream file(path(name), std::ios::binary);
        EXPECT_TRUE(file) << name;
        return {std::istreambuf_iterator<char>(file), {}};
    }

    double stops(const std::string& name) const { return exposureIn(path(name)).value(); }

    std::string scene_;
};

TEST(Adaptation, AFrameWithoutLightKeepsTheStops) {
    EXPECT_EQ(adaptedStops(2.0, std::nullopt, 8.0), 2.0);
    EXPECT_EQ(adaptedStops(std::nullopt, 3.0, 8.0), 3.0);
    EXPECT_EQ(adaptedStops(std::nullopt, std::nullopt, 8.0), std::nullopt);
    EXPECT_EQ(adaptedStops(2.0, std::nullopt, 0.0), std::nullopt) << "no frame knows of another";
    Image image;
    for (const std::optional<double>& stops : {std::optional(-1.5), std::optional<double>()}) {
        image.attributes[kExposureAttribute] = exposureText(stops);
        EXPECT_EQ(exposureOf(image, "frame"), stops);
    }
    for (const char* wrong : {"nan", "inf", "1e300", "1 stop", ""}) {
        image.attributes[kExposureAttribute] = wrong;
        EXPECT_THROW(exposureOf(image, "frame"), Error) << wrong;
    }
}

TEST_F(ExposureTest, AStillIsMetered) {
    const auto still = [&](const std::string& name, const Arguments& options) {
        Arguments arguments = {"render",          scene_,      "-o",       path(name), "--set",
                               "/animation=null", "--backend", "reference"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        expectDone(arguments);
    };
    still("still.exr", {});
    const Image linear = readExr(path("still.exr"));
    EXPECT_EQ(stops("still.exr"), meteredStops(linear, 0.0, true, "still").value());
    EXPECT_NE(stops("still.exr"), 0.0);
    // The PNG is what convert makes of the EXR, and what the same number of stops makes of it.
    still("still.png", {});
    EXPECT_EQ(stops("still.png"), stops("still.exr"));
    expectDone({"convert", path("still.exr"), "-o", path("converted.png"), "--exposure", "auto"});
    EXPECT_TRUE(bytes("converted.png") == bytes("still.png"));
    expectDone({"convert", path("still.exr"), "-o", path("set.png"), "--exposure", exposureText(stops("still.exr"))});
    EXPECT_EQ(largestDifference(readPng(path("set.png")), readPng(path("still.png"))), 0.0);
    EXPECT_FALSE(readPng(path("set.png")).attributes.contains(kExposureAttribute));
    still("bright.png", {"--exposure-percentile", "90"});
    EXPECT_EQ(stops("bright.png"), meteredStops(linear, 90.0, true, "still").value());
    expectDone({"convert", path("still.exr"), "-o", path("as_bright.png"), "--exposure", "auto",
                "--exposure-percentile", "90"});
    EXPECT_TRUE(bytes("as_bright.png") == bytes("bright.png"));
    expectFailure(kUsage, {"render", scene_, "-o", path("idle.png"), "--exposure", "1", "--exposure-percentile", "90"},
                  {"--exposure-percentile", "found 90 with an exposure of 1 stops", "'auto'"});
    // Options and cameras set it; a part is metered once it is whole.
    still("fixed.exr", {"--set", "/cameras/front/exposure=-1"});
    EXPECT_EQ(readExr(path("fixed.exr")).attributes.at(kExposureAttribute), "-1");
    still("part.exr", {"--crop", "0,0,16,24"});
    EXPECT_EQ(readExr(path("part.exr")).attributes.at(kExposureAttribute), "auto");
}

TEST_F(ExposureTest, FramesAdapt) {
    expectDone(command("f.#.exr", "0:4", {}));
    expectDone(command("f.#.png", "0:4", {}));
    double expected = 0.0;
    double most = 0.0;
    for (int frame = 0; frame < kFrames; ++frame) {
        const std::string name = "f." + std::to_string(frame);
        const double metered = stops(name + ".exr"); // of the frame alone
        expected = frame == 0 ? metered : expected + (1.0 - std::exp(-0.5)) * (metered - expected);
        EXPECT_NEAR(stops(name + ".png"), expected, 1e-12) << frame;
        most = std::max(most, std::abs(metered - expected));
    }
    EXPECT_GT(most, 0.05) << "the frames must differ for this test to tell anything";
    // What is converted later is the same, in one go or in parts.
    const Arguments convert = {"convert", path("f.#.exr"),     "-o", path("c.#.png"), "--exposure",
                               "auto",    "--exposure-frames", "2",  "--frames"};
    for (const char* range : {"0:1", "1:4"}) {
        Arguments arguments = convert;
        arguments.emplace_back(range);
        expectDone(arguments);
    }
    for (int frame = 0; frame < kFrames; ++frame) {
        const std::string number = std::to_string(frame);
        EXPECT_TRUE(bytes("c." + number + ".png") == bytes("f." + number + ".png")) << frame;
    }
}

/// However frames are split and resumed, each has the bytes of a render that was not.
TEST_F(ExposureTest, SplitAndResumedFramesAreTheSame) {
    expectDone(command("whole.#.png", "0:4"));
    expectDone(command("split.#.png", "0:2"));
    expectDone(command("split.#.png", "2:4"));
    std::filesystem::copy_file(path("whole.0.png"), path("some.0.png"));
    std::filesystem::copy_file(path("whole.2.png"), path("some.2.png"));
    expectDone(command("some.#.png", "0:4", {"--backend", "reference", "--skip-existing"}));
    for (int frame = 0; frame < kFrames; ++frame) {
        const std::string number = std::to_string(frame);
        EXPECT_TRUE(bytes("split." + number + ".png") == bytes("whole." + number + ".png")) << frame;
        EXPECT_TRUE(bytes("some." + number + ".png") == bytes("whole." + number + ".png")) << frame;
    }
    // Without the frame before there is nothing to adapt from: refused, not made up.
    expectFailure(2, command("late.#.png", "2:4"), {"late.1.png", "the frame before 2", "exposureFrames"});
    expectDone(command("late.#.png", "2:3", {"--backend", "reference", "--exposure-frames", "0"}));
    expectDone(command("late.#.exr", "2:3"));
    expectDone(command("fixed.#.png", "1:2", {"--backend", "reference", "--exposure", "1"}));
    expectFailure(3, command("fixed.#.png", "2:3"), {"fixed.1.png", "aureole.exposure"});
}

TEST_F(ExposureTest, WhatIsWrongIsNamed) {
    expectFailure(2, {"render", scene_, "-o", path("a.png"), "--exposure", "aut"}, {"--exposure", "'aut'", "or auto"});
    expectFailure(2, {"render", scene_, "-o", path("a.exr"), "--exposure", "auto"}, {"--exposure", "a.exr"});
    expectFailure(3, {"validate", scene_, "--set", "/film/exposure=aut"}, {"/film/exposure", "'auto'"});
    expectDone({"render", scene_, "-o", path("a.exr"), "--set", "/animation=null", "--backend", "reference"});
    // Without frames there is nothing to adapt to, and without metering nothing that adapts: the default too is
    // refused.
    const Arguments render = {"render", scene_, "-o", path("a.png")};
    const Arguments convert = {"convert", path("a.exr"), "-o", path("a.png")};
    const auto refused = [this](Arguments arguments, const Arguments& options, const std::vector<std::string>& words) {
        arguments.insert(arguments.end(), options.begin(), options.end());
        expectFailure(kUsage, arguments, words);
    };
    for (const Arguments& command : {render, convert}) {
        refused(command, {"--exposure", "auto", "--exposure-frames", "8"}, {"--exposure-frames", "without --frames"});
        refused(command, {"--exposure", "2", "--exposure-percentile", "0"},
                {"--exposure-percentile", "found 0 with an exposure of 2 stops, expected it with 'auto' alone"});
    }
    const std::string idle = "found 8 with an exposure of 2 stops, expected it with 'auto' alone";
    const Arguments fixed = {"--exposure", "2", "--exposure-frames", "8", "--frames", "0:1"};
    refused({"render", scene_, "-o", path("a.#.png")}, fixed, {"--exposure-frames", idle});
    refused({"convert", path("a.#.exr"), "-o", path("a.#.png")}, fixed, {"--exposure-frames", idle});
    refused({"convert", path("a.exr"), "-o", path("b.exr")}, {"--exposure", "auto", "--exposure-frames", "3"},
            {"b.exr", "an EXR is linear"});
    for (const char* key : {"exposureFrames", "exposurePercentile"}) {
        expectFailure(3, {"validate", scene_, "--set", R"(/film={"exposure": 2, ")" + std::string(key) + "\": 8}"},
                      {std::string("/film/") + key, "found 8 with an exposure of 2 stops", "/film/exposure"});
    }
}

} // namespace

} // namespace aureole
