#include <cmath>
#include <csignal>
#include <filesystem>
#include <numeric>

#include <nlohmann/json.hpp>

#include "cli_test.h"
#include "image/exr/exr.h"
#include "image/png/png.h"
#include "occurrences.h"
#include "vox_bytes.h"

namespace aureole {

namespace {

namespace fs = std::filesystem;

class FramesTest : public CliTest {
protected:
    void SetUp() override {
        CliTest::SetUp();
        scene_ = write("scene.json", boxScene());
    }

    static Arguments turntable(const std::string& frames) {
        return {"--set", R"(/animation={"camera": "front", "turntable": {"frames": 4}})", "--frames", frames};
    }

    Arguments command(const std::string& output, const std::string& frames, const Arguments& options = {}) const {
        Arguments arguments = {"render", scene_, "-o", path(output)};
        const Arguments animated = turntable(frames);
        arguments.insert(arguments.end(), animated.begin(), animated.end());
        arguments.insert(arguments.end(), options.begin(), options.end());
        return arguments;
    }

    /// That frame 2 is what a camera there, after half a turn, renders with its seed.
    void expectFromBehind(const std::string& frame, const std::string& backend) const {
        expectDone({"render", scene_, "-o", path("there.exr"), "--backend", backend, "--seed", "3", "--set",
                    "/cameras/front/position=[0,0,-3]"});
        const Image a = readExr(path(frame));
        const Image b = readExr(path("there.exr"));
        EXPECT_LT(largestDifference(a, b), 0.26) << backend;
        EXPECT_LT(std::abs(meanRed(a) - meanRed(b)), 0.003) << backend;
    }

    static double meanRed(const Image& image) {
        const std::vector<float>& red = image.find("R")->values;
        return std::accumulate(red.begin(), red.end(), 0.0) / static_cast<double>(red.size());
    }

    /// Three frames of one to three cells in a row.
    static std::string walkingModel() {
        const test::vox::Voxels cells = {{0, 0, 0, 1}, {1, 0, 0, 2}, {2, 0, 0, 3}};
        std::string models;
        for (std::uint32_t width = 1; width < 4; ++width) {
            models += test::vox::model(width, 1, 1, {cells.begin(), cells.begin() + width});
        }
        return test::vox::voxFile(models);
    }

    std::string scene_;
};

TEST_F(FramesTest, AreNumberedAndEachIsItsOwnPicture) {
    const Outcome outcome = expectDone(command("turn.###.exr", "1:4", {"--stats-json", path("stats.json")}));
    EXPECT_FALSE(fs::exists(path("turn.000.exr")));
    EXPECT_FALSE(fs::exists(path("turn.004.exr")));
    for (int frame = 1; frame < 4; ++frame) {
        const Image image = readExr(path("turn.00" + std::to_string(frame) + ".exr"));
        EXPECT_EQ(image.attributes.at("aureole.frame"), std::to_string(frame));
        EXPECT_EQ(image.attributes.at("aureole.seed"), std::to_string(1 + frame)) << "the noise must not stand still";
        EXPECT_EQ(image.attributes.at("aureole.samples"), "0:4");
        EXPECT_EQ(image.attributes.at("aureole.camera"), "front");
    }
    // A quarter of a turn about a cube in an even sky shows the same but for the noise; the octree is built once.
    EXPECT_LT(largestDifference(readExr(path("turn.001.exr")), readExr(path("turn.002.exr"))), 0.6);
    EXPECT_GT(largestDifference(readExr(path("turn.001.exr")), readExr(path("turn.002.exr"))), 0.0);
    expectFromBehind("turn.002.exr", "gpu");
    const nlohmann::json stats = readJson(path("stats.json"));
    EXPECT_EQ(stats.at("frames"), 3);
    EXPECT_GE(stats.at("rays"), 3 * 32 * 24 * 4);
}

/// A frame is what a camera in its place renders, with its seed.
TEST_F(FramesTest, AreThePicturesOfTheirCameras) {
    expectDone(command("a#.exr", "1:3", {"--backend", "reference"}));
    expectFromBehind("a2.exr", "reference");
}

/// Of a model that moves: frame n shows its frame n, before a camera that stands, as it does by itself.
TEST_F(FramesTest, OfAModelAreItsOwn) {
    const std::string model = write("walk.vox", walkingModel());
    const Arguments quick = {"--size", "16x12", "--spp", "1", "--backend", "reference"};
    const auto rendered = [&](Arguments arguments) {
        arguments.insert(arguments.end(), quick.begin(), quick.end());
        expectDone(arguments);
    };
    rendered({"render", model, "-o", path("m.#.exr"), "--frames", "1:3"});
    for (const std::string frame : {"1", "2"}) {
        const Image image = readExr(path("m." + frame + ".exr"));
        rendered({"render", model, "-o", path("still.exr"), "--set", "/instances/model/frame=" + frame, "--seed",
                  image.attributes.at("aureole.seed")});
        EXPECT_EQ(largestDifference(image, readExr(path("still.exr"))), 0.0) << frame;
        EXPECT_EQ(image.attributes.at("aureole.frame"), frame);
    }
    EXPECT_GT(largestDifference(readExr(path("m.1.exr")), readExr(path("m.2.exr"))), 0.05);
    expectFailure(kUsage, {"render", model, "-o", path("m.#.exr"), "--frames", "1:4"}, {"found 1:4", "within 0:3"});
    expectFailure(kUsage,
                  {"render", model, "-o", path("m.#.exr"), "--frames", "1:3", "--set", "/instances/model/frame=2"},
                  {"--set: found /instances/model/frame=2 with --frames", "expected one of them"});
    const auto withWhole = [&](const std::string& frame) -> Arguments {
        return {"render",   model, "-o",    path("w.#.exr"),
                "--frames", "2:3", "--set", R"(/instances/model={"asset": "model", "lights": false)" + frame + "}"};
    };
    expectFailure(kUsage, withWhole(R"(, "frame": 1)"), {"--set: found /instances/model={", "/instances/model/frame"});
    rendered(withWhole(""));
    EXPECT_EQ(largestDifference(readExr(path("w.2.exr")), readExr(path("m.2.exr"))), 0.0);
}

/// Each frame has an octree and a backend of its own there. The first that is rendered may be any, and tells of itself.
TEST_F(FramesTest, OfAModelAreItsOwnOnADevice) {
    const std::string model = write("walk.vox", walkingModel());
    const auto rendered = [&](const std::string& output, const std::string& frames, const Arguments& options = {}) {
        Arguments arguments = {"render", model,   "-o", path(output), "--frames",
                               frames,   "--spp", "16", "--size",     "16x12"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        return expectDone(arguments).err;
    };
    rendered("m.#.exr", "1:2"); // whose octree is in the cache now
    const std::string said = rendered("m.#.exr", "1:3", {"--skip-existing"});
    EXPECT_NE(said.find("scene    "), std::string::npos) << said;
    rendered("r.#.exr", "1:3", {"--backend", "reference"});
    const auto apart = [&](const char* first, const char* second) {
        return std::abs(meanRed(readExr(path(first))) / meanRed(readExr(path(second))) - 1.0);
    };
    EXPECT_LT(apart("m.2.exr", "r.2.exr"), 0.06);
    EXPECT_GT(apart("r.1.exr", "r.2.exr"), 0.12);
}

/// Such films stay on their device: what is bloomed there is what 'aureole bloom' makes of the pictures without. Three
/// samples, because dividing by them rounds.
TEST_F(FramesTest, AreBloomedAsSavedOnesAre) {
    scene_ = write("bloom.json", bloomScene());
    expectDone(command("bloomed.#.exr", "1:3", {"--spp", "3"}));
    expectDone(command("plain.#.exr", "1:3", {"--spp", "3", "--no-bloom"}));
    for (const std::string frame : {"1", "2"}) {
        const std::string plain = path("plain." + frame + ".exr");
        expectDone({"bloom", plain, "-o", path("after.exr"), "--scene", scene_});
        const Image rendered = readExr(path("bloomed." + frame + ".exr"));
        const Image after = readExr(path("after.exr"));
        EXPECT_LT(largestDifference(rendered, after), 1e-6) << frame;
        EXPECT_GT(largestDifference(rendered, readExr(plain)), 1e-3) << frame;
        EXPECT_EQ(rendered.attributes.at("aureole.bloom"), after.attributes.at("aureole.bloom"));
    }
}

/// A frame that cannot be written ends the run, and the frames after it are not written.
TEST_F(FramesTest, StopWhereOneCannotBeWritten) {
    fs::create_directories(path("f.1.exr/in the way"));
    expectFailure(kCannotWrite, command("f.#.exr", "0:4", {"--spp", "1", "--backend", "reference"}), {"f.1.exr"});
    EXPECT_TRUE(fs::exists(path("f.0.exr")));
    EXPECT_FALSE(fs::exists(path("f.2.exr")));
    EXPECT_FALSE(fs::exists(path("f.3.exr")));
    for (const fs::directory_entry& entry : fs::directory_iterator(path("."))) {
        EXPECT_EQ(entry.path().string().find(".part"), std::string::npos) << entry.path();
    }
}

TEST_F(FramesTest, ThatExistAreSkippedOnRequest) {
    const Image other = makeImage(1, 1, {"Y"});
    writePng(path("f.01.png"), other);
    expectDone(command("f.##.png", "0:3", {"--skip-existing", "--backend", "reference"}));
    EXPECT_EQ(readPng(path("f.01.png")).width, 1U) << "it is left as it is";
    EXPECT_EQ(readPng(path("f.00.png")).width, 32U);
    expectDone(command("f.##.png", "0:3", {"--backend", "reference"}));
    EXPECT_EQ(readPng(path("f.01.png")).width, 32U) << "it is replaced without --skip-existing";
}

/// Left behind by another program, or by a disk that was full.
TEST_F(FramesTest, ThatAreEmptyOrDamagedAreRenderedAgain) {
    for (const std::string extension : {"png", "exr"}) {
        const Arguments arguments = command("f.#." + extension, "0:3", {"--skip-existing", "--backend", "reference"});
        expectDone(arguments);
        const std::uintmax_t whole = fs::file_size(path("f.0." + extension));
        fs::resize_file(path("f.0." + extension), 0);
        fs::resize_file(path("f.1." + extension), fs::file_size(path("f.1." + extension)) - 20);
        const Outcome again = expectDone(arguments);
        EXPECT_NE(again.err.find("f.0." + extension), std::string::npos) << again.err;
        EXPECT_EQ(occurrences(again.err, "the frame is rendered again"), 2U) << again.err;
        EXPECT_NE(again.err.find("2 frames"), std::string::npos) << again.err;
        EXPECT_GE(fs::file_size(path("f.0." + extension)), whole / 2);
        EXPECT_EQ(expectDone(arguments).err.find("rendered again"), std::string::npos);
    }
}

/// They would stand among others unlike them.
TEST_F(FramesTest, OfAnotherSceneAreNotSkipped) {
    expectDone(command("f.#.exr", "1:2", {"--spp", "1", "--backend", "reference"}));
    const fs::file_time_type written = fs::last_write_time(path("f.1.exr"));
    expectFailure(kBadInput, command("f.#.exr", "0:3", {"--skip-existing", "--set", "/environment/radiance=2"}),
                  {"f.1.exr: found a frame of another scene, or with other settings (aureole.scene_hash is "});
    EXPECT_FALSE(fs::exists(path("f.0.exr"))) << "it is told of first";
    EXPECT_EQ(fs::last_write_time(path("f.1.exr")), written);
    expectDone(command("f.#.exr", "0:3", {"--skip-existing", "--spp", "2", "--backend", "reference"}));
    EXPECT_EQ(fs::last_write_time(path("f.1.exr")), written);
    fs::copy_file(path("f.1.exr"), path("f.3.exr"));
    expectFailure(kBadInput, command("f.#.exr", "0:4", {"--skip-existing"}),
                  {"f.3.exr: found frame 1 of this scene (aureole.frame), expected frame 3"});
    expectDone(command("f.#.exr", "1:2", {"--set", "/environment/radiance=2", "--backend", "reference"}));
    EXPECT_NE(fs::last_write_time(path("f.1.exr")), written);
}

TEST_F(FramesTest, WrongOptionsAreErrors) {
    expectFailure(kUsage, command("f.exr", "0:2"), {"f.exr", "#", "out.####.exr"});
    expectFailure(kUsage, command("f.##.##.exr", "0:2"), {"one run of #"});
    expectFailure(kUsage, command("f.#.exr", "2:5"), {"--frames", "2:5", "0:4"});
    expectFailure(kUsage, command("f.#.exr", "2:2"), {"--frames", "2:2"});
    expectFailure(kUsage, command("f.#.exr", "0:2", {"--camera", "back"}), {"--camera", "'back'", "'front'"});
    expectFailure(kUsage, {"render", scene_, "-o", path("f.#.exr"), "--frames", "0:2"}, {"no animation", "scene.json"});
    expectFailure(kUsage, {"render", scene_, "-o", path("f.exr"), "--skip-existing"}, {"--skip-existing", "--frames"});
}

TEST_F(FramesTest, AnInterruptSaysWhichFramesThereAre) {
    Arguments arguments = command(
        "f.#.exr", "0:4", {"--spp", "100000000", "--progress", "json", "--skip-existing", "--backend", "reference"});
    writeExr(path("f.0.exr"), makeImage(1, 1, {"Y"}));
    const pid_t process = start(arguments);
    ASSERT_TRUE(waitForError(process, R"("stage":"render")")) << errorsSoFar();
    ASSERT_EQ(::kill(process, SIGINT), 0);
    const Outcome outcome = finish(process);
    EXPECT_EQ(outcome.code, kInterrupted) << outcome.err;
    EXPECT_NE(outcome.err.find("interrupted: of the frames 0:4 there are 0:1"), std::string::npos) << outcome.err;
    EXPECT_FALSE(fs::exists(path("f.1.exr"))) << "a frame without all its samples was written";
}

/// The value of a PNG's pixel in the middle, 0 to 1.
TEST_F(FramesTest, ExposureIsTheCamerasUnlessTheCommandLineHasOne) {
    const auto stops = [&](const Arguments& options) {
        Arguments arguments = {"render", scene_,      "-o",        path("e.exr"), "--spp",
                               "1",      "--backend", "reference", "--set",       "/film/exposure=1"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        expectDone(arguments);
        return std::stod(readExr(path("e.exr")).attributes.at("aureole.exposure"));
    };
    EXPECT_EQ(stops({}), 1.0);
    EXPECT_EQ(stops({"--set", "/cameras/front/exposure=-2"}), -2.0);
    const Arguments photograph = {"--set", "/cameras/front/fNumber=8",      "--set", "/cameras/front/apertureRadius=0",
                                  "--set", "/cameras/front/shutter=0.0625", "--set", "/cameras/front/iso=100"};
    EXPECT_NEAR(stops(photograph), std::log2(683.0 / 1.2) - 10.0, 1e-5);
    // And the PNG has it: radiance 1/2 at -1 stop is 1/4.
    const auto value = [&](const Arguments& options) {
        Arguments picture = {"render", scene_,      "-o",     path("e.png"), "--spp",
                             "16",     "--tonemap", "linear", "--backend",   "reference"};
        picture.insert(picture.end(), {"--set", "/cameras/front/exposure=-1"});
        picture.insert(picture.end(), options.begin(), options.end());
        expectDone(picture);
        return pixel(readPng(path("e.png")), 16, 12)[0];
    };
    EXPECT_NEAR(value({}), 0.25, 0.03);
    EXPECT_NEAR(value({"--exposure", "-2"}), 0.125, 0.02);
}

TEST_F(FramesTest, BloomNeedsAFlatPictureWithAngles) {
    const std::string bloomed = write("bloom.json", bloomScene());
    const Arguments orthographic = {"--set", R"(/cameras/front={"projection": "orthographic", "height": 2,
        "position": [0, 0, 3], "target": [0, 0, 0]})"};
    Arguments arguments = {"render", bloomed, "-o", path("b.exr"), "--backend", "reference"};
    arguments.insert(arguments.end(), orthographic.begin(), orthographic.end());
    expectFailure(kBadInput, arguments, {"orthographic", "'front'", "--no-bloom"});
    arguments.push_back("--no-bloom");
    expectDone(arguments);
    EXPECT_EQ(readExr(path("b.exr")).attributes.count("aureole.degrees_per_pixel"), 0U);
    expectFailure(kBadInput,
                  {"render", bloomed, "-o", path("b.exr"), "--set",
                   R"(/cameras/front={"projection": "equirectangular", "position": [0, 0, 3], "target": [0, 0, 0]})"},
                  {"equirectangular", "flat"});
}

TEST_F(FramesTest, SamplersAndStrategiesAreOptions) {
    // Of a constant sky all strategies make the same picture.
    const std::string scene = write("shaded.json", shadedScene());
    const auto render = [&](const std::string& output, const Arguments& options) {
        Arguments arguments = {"render", scene, "-o", path(output), "--backend", "reference", "--spp", "64"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        expectDone(arguments);
        return readExr(path(output));
    };
    const Image plain = render("a.exr", {});
    for (const Arguments& options : {Arguments{"--sampler", "independent"}, Arguments{"--sampling", "uniform"},
                                     Arguments{"--sampling", "cosine", "--light-sampling", "bsdf"}}) {
        const Image other = render("b.exr", options);
        EXPECT_GT(largestDifference(plain, other), 0.0) << options[1];
        EXPECT_LT(largestDifference(plain, other), 0.35) << options[1];
        EXPECT_NE(plain.attributes.at("aureole.scene_hash"), other.attributes.at("aureole.scene_hash"));
    }
    expectFailure(kUsage, {"render", scene_, "-o", path("a.exr"), "--sampler", "sobel"}, {"'sobel'", "sobol"});
    expectFailure(kUsage, {"render", scene_, "-o", path("a.exr"), "--sampling", "x"}, {"cosine"});
    expectFailure(kUsage, {"render", scene_, "-o", path("a.exr"), "--light-sampling", "x"}, {"lights"});
}

} // namespace

} // namespace aureole
