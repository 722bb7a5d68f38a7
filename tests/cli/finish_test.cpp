// The finishing chain from the command line: render and bloom, their options and the scene's key.

#include <cmath>
#include <numeric>

#include <nlohmann/json.hpp>

#include "cli_test.h"
#include "image/exr/exr.h"
#include "image/png/png.h"

namespace aureole {

namespace {

class FinishTest : public CliTest {
protected:
    void SetUp() override {
        CliTest::SetUp();
        scene_ = write("scene.json", boxScene());
        Image relief = makeImage(8, 6, {"Y"});
        std::iota(relief.channels[0].values.begin(), relief.channels[0].values.end(), 0.0F); // rises to the lower right
        writeExr(path("relief.exr"), relief);
    }

    /// The picture of `scene` with a few samples and these options. It is finished alike whoever has rendered it, and
    /// the reference backend starts sooner.
    Image rendered(const std::string& name, const Arguments& options, const std::string& scene = {},
                   const std::string& backend = "reference") const {
        Arguments arguments = {"render", scene.empty() ? scene_ : scene, "-o", path(name), "--spp", "2", "--backend",
                               backend};
        arguments.insert(arguments.end(), options.begin(), options.end());
        expectDone(arguments);
        return readExr(path(name));
    }

    std::string scene_;
};

/// Every step, by options.
Arguments allSteps(const std::string& relief) {
    return {"--palette",         "#000000,#ff8000,#ffffff",
            "--palette-range",   "0,2,0.5",
            "--relief",          relief,
            "--relief-strength", "0.25",
            "--relief-angle",    "90",
            "--thin-film",       "350,1.4,0.2,0.7",
            "--bulge",           "0.2,0.4,0.25,0.5",
            "--distortion",      "-0.1,0.02",
            "--vignette",        "0.4",
            "--grain",           "0.1,2,9"};
}

TEST_F(FinishTest, StepsOfARenderAreThoseOfItsOptions) {
    const Image plain = rendered("plain.exr", {}, scene_, "gpu");
    const Image dark = rendered("dark.exr", {"--vignette", "0.75"}, scene_, "gpu");
    EXPECT_EQ(dark.attributes.at("aureole.finish"), "R, G, B: vignette 0.75; of samples 0:2");
    EXPECT_FALSE(dark.attributes.contains("aureole.samples"));
    for (const auto& [x, y] : {std::pair{0U, 0U}, std::pair{31U, 23U}, std::pair{16U, 12U}}) {
        // The cosine of the pixel's angle, where the corner, 20 pixels from the middle, stands at 45 degrees.
        const double square = (std::pow(x - 15.5, 2.0) + std::pow(y - 11.5, 2.0)) / 400.0;
        EXPECT_NEAR(pixel(dark, x, y)[1], pixel(plain, x, y)[1] / std::pow(1.0 + square, 2.0), 1e-5) << x << ' ' << y;
    }
    const Image all = rendered("all.exr", allSteps(path("relief.exr")));
    EXPECT_EQ(all.attributes.at("aureole.finish"),
              "R, G, B: palette of 3 from 0 to 2 by 0.5, relief of strength 0.25 at 90 degrees, thin film of 350 nm, "
              "index 1.4, spread 0.2, by 0.7, bulge 0.2 within 0.4 at 0.25,0.5, distortion -0.1,0.02, vignette 0.4, "
              "grain 0.1 of 2 pixels with seed 9; of samples 0:2");
    EXPECT_EQ(largestDifference(all, rendered("again.exr", allSteps(path("relief.exr")))), 0.0);
}

TEST_F(FinishTest, ASceneSaysTheSame) {
    nlohmann::json scene = parseJson(boxScene());
    scene["finish"] = {{"palette", {{"colours", {"#000000", "#ff8000", "#ffffff"}}, {"high", 2}, {"amount", 0.5}}},
                       {"relief", {{"image", "relief.exr"}, {"strength", 0.25}, {"angle", 90}}},
                       {"thinFilm", {{"thickness", 350}, {"index", 1.4}, {"spread", 0.2}, {"amount", 0.7}}},
                       {"bulge", {{"amount", 0.2}, {"radius", 0.4}, {"centre", {0.25, 0.5}}}},
                       {"distortion", {{"k1", -0.1}, {"k2", 0.02}}},
                       {"vignette", 0.4},
                       {"grain", {{"amount", 0.1}, {"size", 2}, {"seed", 9}}}};
    const std::string finished = write("finished.json", scene.dump());
    const Image byScene = rendered("scene.exr", {}, finished);
    const Image byOptions = rendered("options.exr", allSteps(path("relief.exr")));
    EXPECT_EQ(largestDifference(byScene, byOptions), 0.0);
    EXPECT_EQ(byScene.attributes.at("aureole.finish"), byOptions.attributes.at("aureole.finish"));
    // Options change the scene's own steps, or come after none of them.
    EXPECT_NE(rendered("other.exr", {"--vignette", "0"}, finished).attributes.at("aureole.finish").find("grain"),
              std::string::npos);
    const Image none = rendered("none.exr", {"--no-finish"}, finished);
    EXPECT_FALSE(none.attributes.contains("aureole.finish"));
    EXPECT_EQ(largestDifference(none, rendered("plain.exr", {})), 0.0);
    // Parts go without, so that merging them is possible.
    const Outcome part = expectDone({"render", finished, "-o", path("part.exr"), "--samples", "0:2", "--crop",
                                     "0,0,16,24", "--backend", "reference"});
    EXPECT_NE(part.err.find("finish is left out because of --samples"), std::string::npos) << part.err;
    EXPECT_FALSE(readExr(path("part.exr")).attributes.contains("aureole.finish"));
}

TEST_F(FinishTest, APaletteMayBeCosines) {
    const Arguments cosines = {"--palette", "0.5,0.5,0.5;0.5,0.5,0.5;1,1,1;0,0.33,0.67"};
    nlohmann::json scene = parseJson(boxScene());
    scene["finish"]["palette"]["colours"]["cosine"] = {
        {"a", {0.5, 0.5, 0.5}}, {"b", {0.5, 0.5, 0.5}}, {"c", {1, 1, 1}}, {"d", {0, 0.33, 0.67}}};
    const Image byScene = rendered("scene.exr", {}, write("cosine.json", scene.dump()));
    EXPECT_EQ(largestDifference(byScene, rendered("options.exr", cosines)), 0.0);
    // The sky's luminance is 1, the palette's end: 0.5 + 0.5 cos(2 pi (1 + d)).
    const std::vector<float> sky = pixel(byScene, 0, 0);
    EXPECT_NEAR(sky[0], 1.0, 1e-4);
    EXPECT_NEAR(sky[1], 0.5 + 0.5 * std::cos(2.0 * 3.14159265 * 0.33), 1e-3);
}

TEST_F(FinishTest, BloomFinishesAnImage) {
    rendered("plain.exr", {});
    Arguments arguments = {"bloom", path("plain.exr"), "-o", path("bloomed.exr"), "--kernel-size", "9", "--allow-cpu"};
    const Arguments steps = allSteps(path("relief.exr"));
    arguments.insert(arguments.end(), steps.begin(), steps.end());
    expectDone(arguments);
    const Image bloomed = readExr(path("bloomed.exr"));
    EXPECT_NE(bloomed.attributes.at("aureole.finish").find("R, G, B: palette of 3"), std::string::npos);
    expectFailure(3, {"merge", path("bloomed.exr"), "-o", path("merged.exr")}, {"bloomed.exr", "bloom went over"});
    rendered("grainy.exr", {"--grain", "0.2"});
    expectFailure(3, {"merge", path("grainy.exr"), "-o", path("merged.exr")},
                  {"grainy.exr", "aureole.finish", "grain"});
    expectFailure(2, {"bloom", "--kernel-size", "9", "--kernel-out", path("k.exr"), "--vignette", "0.5"},
                  {"--vignette"});
    expectFailure(2, {"bloom", path("plain.exr"), "-o", path("relief.exr"), "--relief", path("relief.exr")},
                  {"--output", "--relief"});
    expectDone(
        {"render", scene_, "-o", path("crop.exr"), "--spp", "2", "--crop", "0,0,16,12", "--backend", "reference"});
    const Outcome crop = expectDone(
        {"bloom", path("crop.exr"), "-o", path("dark.exr"), "--kernel-size", "9", "--vignette", "0.5", "--allow-cpu"});
    EXPECT_NE(crop.err.find("a crop of 16x12 pixels, expected the picture of 32x24: --vignette"), std::string::npos)
        << crop.err;
}

TEST_F(FinishTest, AnyPictureIsFinished) {
    const auto finished = [&](const std::string& from, const std::string& to, const Arguments& options) {
        Arguments arguments = {"finish", path(from), "-o", path(to)};
        arguments.insert(arguments.end(), options.begin(), options.end());
        return expectDone(arguments);
    };
    // One of ours gets what render would have done.
    rendered("plain.exr", {});
    const Image whole = rendered("whole.exr", allSteps(path("relief.exr")));
    finished("plain.exr", "later.exr", allSteps(path("relief.exr")));
    const Image later = readExr(path("later.exr"));
    EXPECT_EQ(largestDifference(later, whole), 0.0);
    EXPECT_EQ(later.attributes.at("aureole.finish"), whole.attributes.at("aureole.finish"));
    nlohmann::json scene = parseJson(boxScene());
    scene["finish"]["vignette"] = 0.75;
    write("dark.json", scene.dump());
    finished("plain.exr", "dark.exr", {"--scene", path("dark.json")});
    EXPECT_EQ(largestDifference(readExr(path("dark.exr")), rendered("black.exr", {"--vignette", "0.75"})), 0.0);
    finished("plain.exr", "half.exr", {"--scene", path("dark.json"), "--set", "/finish/vignette=0.5"});
    EXPECT_EQ(largestDifference(readExr(path("half.exr")), rendered("half_too.exr", {"--vignette", "0.5"})), 0.0);
    // A part of the picture's channels, and the others as they are.
    Image layers = makeImage(4, 4, {"R", "G", "B", "diffuse.R", "diffuse.G", "diffuse.B"});
    for (Channel& channel : layers.channels) {
        std::fill(channel.values.begin(), channel.values.end(), 0.5F);
    }
    writeExr(path("layers.exr"), layers);
    finished("layers.exr", "black.exr", {"--layer", "diffuse", "--palette", "#000000,#000000"});
    EXPECT_EQ(readExr(path("black.exr")).find("diffuse.G")->values[3], 0.0F);
    EXPECT_EQ(readExr(path("black.exr")).find("G")->values[3], 0.5F);
    // A PNG stays one for display: light is halved in the corner, where the cosine's fourth power is.
    Image photo = makeImage(400, 300, {"R", "G", "B"});
    for (Channel& channel : photo.channels) {
        std::fill(channel.values.begin(), channel.values.end(), 0.6F);
    }
    writePng(path("photo.png"), photo);
    finished("photo.png", "film.png", {"--vignette", "0.5"});
    EXPECT_NEAR(pixel(readPng(path("film.png")), 200, 150)[0], 0.6, 5e-3);
    EXPECT_NEAR(pixel(readPng(path("film.png")), 0, 0)[0], 0.3, 5e-3);
    finished("layers.exr", "shown.png", {"--vignette", "0", "--grain", "0", "--exposure", "1", "--tonemap", "linear"});
    EXPECT_NEAR(pixel(readPng(path("shown.png")), 1, 1)[0], 1.0, 1e-6);

    finished("layers.exr", "white.png",
             {"--vignette", "1e-3", "--exposure", "auto", "--exposure-percentile", "50", "--tonemap", "linear"});
    EXPECT_NEAR(pixel(readPng(path("white.png")), 1, 1)[0], 1.0, 5e-3); // half of the pixels stay below white

    expectFailure(2, {"finish", path("plain.exr"), "-o", path("o.exr")}, {"nothing to do", "--vignette"});
    expectFailure(2, {"finish", path("plain.exr"), "-o", path("o.exr"), "--vignette", "0.5", "--exposure", "1"},
                  {"--exposure", "o.exr"});
    expectFailure(2, {"finish", path("plain.exr"), "-o", path("relief.exr"), "--relief", path("relief.exr")},
                  {"--output", "--relief"});
    expectFailure(2, {"finish", path("layers.exr"), "-o", path("o.png"), "--layer", "diffuse", "--vignette", "1e-3"},
                  {"--layer", "o.png"});
    expectFailure(2, {"finish", path("plain.exr"), "-o", path("o.exr"), "--scene", scene_, "--vignette", "0.5"},
                  {"--vignette", "--scene"});
    expectFailure(3, {"finish", path("plain.exr"), "-o", path("o.exr"), "--scene", scene_}, {"without finish"});
}

TEST_F(FinishTest, AThinFilmInTheShadeNeedsARelief) {
    const Image shaded =
        rendered("shade.exr", {"--relief", path("relief.exr"), "--thin-film", "350,1.4,0.2,0.7,shade"});
    EXPECT_NE(shaded.attributes.at("aureole.finish").find("by 0.7 in the shade"), std::string::npos);
    expectFailure(2, {"render", scene_, "-o", path("out.exr"), "--thin-film", "350,shade"}, {"shade", "--relief"});
    nlohmann::json scene = parseJson(boxScene());
    scene["finish"]["thinFilm"] = {{"shade", true}};
    const std::string file = write("film.json", scene.dump());
    expectFailure(3, {"validate", file}, {"/finish", "'shade'", "'relief'"});
    scene["finish"]["thinFilm"] = {
        {"thickness", 350}, {"index", 1.4}, {"spread", 0.2}, {"amount", 0.7}, {"shade", true}};
    scene["finish"]["relief"]["image"] = "relief.exr";
    EXPECT_EQ(largestDifference(rendered("scene.exr", {}, write("film.json", scene.dump())), shaded), 0.0);
}

// Whoever blooms and finishes later, or merges parts before, gets the same picture.
TEST_F(FinishTest, RenderAndBloomDoTheSame) {
    const std::string scene = write("bloom.json", bloomScene());
    Arguments steps = allSteps(path("relief.exr"));
    const Image whole = rendered("whole.exr", steps, scene, "gpu");
    rendered("plain.exr", {"--no-bloom"}, scene, "gpu");
    expectDone({"render", scene, "-o", path("part.0.exr"), "--samples", "0:1"});
    expectDone({"render", scene, "-o", path("part.1.exr"), "--samples", "1:2"});
    expectDone({"merge", path("part.0.exr"), path("part.1.exr"), "-o", path("merged.exr")});
    const auto bloomed = [&](const std::string& name) {
        Arguments arguments = {"bloom", path(name), "-o", path("bloomed." + name), "--allow-cpu"};
        arguments.insert(arguments.end(), steps.begin(), steps.end());
        expectDone(arguments);
        return readExr(path("bloomed." + name));
    };
    const Image later = bloomed("plain.exr");
    EXPECT_EQ(largestDifference(later, whole), 0.0);
    const std::string mark = whole.attributes.at("aureole.finish");
    EXPECT_EQ(later.attributes.at("aureole.finish").substr(0, 60), mark.substr(0, 60));
    EXPECT_LT(largestDifference(bloomed("merged.exr"), whole), 1e-5);
}

TEST_F(FinishTest, FramesHaveGrainOfTheirOwn) {
    const Arguments turning = {"--set",    R"(/animation={"camera": "front", "turntable": {"frames": 4}})",
                               "--frames", "1:3",
                               "--grain",  "0.5,1,9"};
    Arguments arguments = {"render", scene_, "-o", path("turn.#.exr"), "--spp", "2", "--backend", "reference"};
    arguments.insert(arguments.end(), turning.begin(), turning.end());
    expectDone(arguments);
    for (const char* frame : {"1", "2"}) {
        const Image image = readExr(path(std::string("turn.") + frame + ".exr"));
        const std::string seed = frame == std::string("1") ? "10" : "11";
        EXPECT_NE(image.attributes.at("aureole.finish").find("with seed " + seed), std::string::npos)
            << image.attributes.at("aureole.finish");
    }
    // So has a frame that is finished later.
    arguments.erase(arguments.end() - 2, arguments.end());
    arguments[3] = path("plain.#.exr");
    expectDone(arguments);
    expectDone({"bloom", path("plain.2.exr"), "-o", path("later.exr"), "--sharpen", "1", "--kernel-size", "3",
                "--grain", "0.5,1,9", "--allow-cpu"});
    EXPECT_LT(largestDifference(readExr(path("later.exr")), readExr(path("turn.2.exr"))), 1e-5);
    // The sky in the corners is even but for the grain.
    EXPECT_GT(std::abs(pixel(readExr(path("turn.1.exr")), 0, 0)[0] - pixel(readExr(path("turn.2.exr")), 0, 0)[0]),
              0.001F);
}

TEST_F(FinishTest, WhatIsWrongIsNamed) {
    const auto refused = [&](const Arguments& options, const std::vector<std::string>& fragments, int code = 2) {
        Arguments arguments = {"render", scene_, "-o", path("out.exr")};
        arguments.insert(arguments.end(), options.begin(), options.end());
        expectFailure(code, arguments, fragments);
    };
    refused({"--vignette", "1"}, {"--vignette", "'1'", "0 to 0.99"});
    refused({"--distortion", "-0.6"}, {"--distortion", "'-0.6'", "twice"});
    refused({"--distortion", "1,2,3"}, {"--distortion", "K1 or K1,K2"});
    refused({"--bulge", "0.5,0.5,0.5"}, {"--bulge", "Y after X"});
    refused({"--grain", "0.1,0.5"}, {"--grain", "'0.5'", "1 to 16"});
    refused({"--thin-film", "0"}, {"--thin-film", "1 to 2000"});
    refused({"--palette", "red"}, {"--palette", "'red'", "'#ff8000'"});
    refused({"--palette", "#ffffff"}, {"--palette", "two or more"});
    refused({"--palette", "1;2;3;4"}, {"--palette", "a;b;c;d"});
    refused({"--palette-range", "0,1"}, {"--palette-range", "without --palette"});
    refused({"--palette", "#000000,#ffffff", "--palette-range", "1,1"}, {"--palette-range", "LOW below HIGH"});
    refused({"--relief-strength", "2"}, {"--relief-strength", "without --relief"});
    refused({"--vignette", "0.5", "--samples", "0:2"}, {"--vignette", "--samples"});
    refused({"--grain", "0.1", "--crop", "0,0,4,4"}, {"--grain", "--crop"});
    refused({"--relief", path("nothing.exr")}, {"nothing.exr"}, 3);
    // A scene that names a damaged one is told so by its place, an option by its file alone.
    const std::string damaged = write("damaged.exr", "no image");
    refused({"--relief", damaged}, {"error: " + damaged}, 3);
    nlohmann::json withRelief = nlohmann::json::parse(boxScene());
    withRelief["finish"]["relief"]["image"] = "damaged.exr";
    const std::string named = write("relief.json", withRelief.dump());
    const std::vector<std::string> words = {"relief.json:1: /finish/relief/image", "damaged.exr"};
    expectFailure(3, {"validate", named}, words);
    expectFailure(3, {"render", named, "-o", path("out.exr")}, words);
    const std::string bad = write("bad.json", [] {
        nlohmann::json scene = parseJson(boxScene());
        scene["finish"] = {{"vignete", 0.5},
                           {"grain", {{"size", 2}}},
                           {"distortion", {{"k1", -0.5}}},
                           {"palette", {{"colours", nlohmann::json::array()}, {"low", 2}}}};
        return scene.dump(2);
    }());
    expectFailure(3, {"validate", bad},
                  {"/finish/vignete", "'vignette'", "/finish/grain", "'amount'", "/finish/distortion", "twice",
                   "/finish/palette/colours", "2 to 256", "'low' below 'high'"});
}

} // namespace

} // namespace aureole
