// aureole texture: pictures of textures that grow, and what is said of bad ones.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "cli_test.h"
#include "image/exr/exr.h"
#include "image/image_file.h"

namespace aureole {

namespace {

const std::string kSpec = R"({ "type": "reaction_diffusion", "size": [50, 34], "steps": 60, "seed": 3, "spots": 4,
  "feed": 0.037, "kill": 0.06 })";

std::string bytesOf(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::pair<float, float> extremes(const Image& image) {
    const auto& values = image.channels.front().values;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return {*low, *high};
}

class TextureTest : public CliTest {
protected:
    /// Of a spec, given by its text, to a file in this test's folder; on lavapipe.
    Outcome grow(const std::string& spec, const std::string& out, Arguments more = {}) const {
        Arguments arguments = {"texture", write("spec.json", spec), "-o", path(out), "--allow-cpu"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return expectDone(arguments);
    }
    void expectBad(const std::string& spec, const std::vector<std::string>& words) const {
        expectFailure(kBadInput, {"texture", write("spec.json", spec), "-o", path("bad.png"), "--backend", "reference"},
                      words);
    }
    /// The spec with more keys.
    static std::string with(const std::string& keys) {
        nlohmann::json spec = parseJson(kSpec);
        spec.merge_patch(parseJson("{" + keys + "}"));
        return spec.dump();
    }
};

TEST_F(TextureTest, TheDeviceAndTheReferenceGrowTheSame) {
    grow(kSpec, "device.exr", {"--device", "0"});
    expectDone({"texture", path("spec.json"), "-o", path("cpu.exr"), "--backend", "reference"});
    const Image device = readExr(path("device.exr"));
    EXPECT_EQ(device.width, 50U);
    EXPECT_EQ(device.height, 34U);
    EXPECT_LT(largestDifference(device, readExr(path("cpu.exr"))), 1e-4);
    const auto [low, high] = extremes(device);
    EXPECT_LT(low, 0.05F);
    EXPECT_GT(high, 0.3F);
    EXPECT_NE(device.attributes.at("aureole.texture").find("60 steps"), std::string::npos);
}

TEST_F(TextureTest, TheSameSeedGivesTheSameBytes) {
    for (const char* storage : {"fp32", "fp16"}) {
        const std::string spec = with(std::string(R"("storage": ")") + storage + "\"");
        grow(spec, "a.png");
        grow(spec, "b.png");
        EXPECT_EQ(bytesOf(path("a.png")), bytesOf(path("b.png")));
        grow(spec, "c.png", {"--set", "/seed=4"});
        EXPECT_NE(bytesOf(path("a.png")), bytesOf(path("c.png")));
    }
}

TEST_F(TextureTest, FramesShowTheGrowth) {
    grow(kSpec, "grows.##.exr", {"--frames", "3", "--progress", "none"});
    grow(kSpec, "end.exr");
    grow(kSpec, "start.exr", {"--set", "/steps=0"});
    grow(kSpec, "half.exr", {"--set", "/steps=30"});
    EXPECT_EQ(largestDifference(readExr(path("grows.00.exr")), readExr(path("start.exr"))), 0.0);
    EXPECT_EQ(largestDifference(readExr(path("grows.01.exr")), readExr(path("half.exr"))), 0.0);
    EXPECT_EQ(largestDifference(readExr(path("grows.02.exr")), readExr(path("end.exr"))), 0.0);
    EXPECT_FALSE(std::filesystem::exists(path("grows.03.exr")));
    EXPECT_GT(largestDifference(readExr(path("start.exr")), readExr(path("end.exr"))), 0.01);
    expectFailure(kUsage, {"texture", path("spec.json"), "-o", path("one.png"), "--frames", "2"}, {"run of #"});
}

TEST_F(TextureTest, TheProgressIsTold) {
    const Outcome outcome = grow(with(R"("steps": 1500)"), "a.png", {"--progress", "json"});
    EXPECT_NE(outcome.err.find("\"texture\""), std::string::npos) << outcome.err;
}

TEST_F(TextureTest, PicturesMayHaveAnotherSizeAndPalette) {
    const std::string palette = R"("pixels": [100, 20], "steps": 0, "range": [0.0, 0.5],
        "palette": [[1, 0, 0.25], [0, 1, 0.25]])";
    grow(with(palette), "a.exr");
    const Image image = readExr(path("a.exr"));
    EXPECT_EQ(image.width, 100U);
    EXPECT_EQ(image.height, 20U);
    for (std::size_t i = 0; i < image.pixelCount(); ++i) {
        const float r = image.find("R")->values[i];
        EXPECT_NEAR(r + image.find("G")->values[i], 1.0F, 1e-6F);
        EXPECT_EQ(image.find("B")->values[i], 0.25F);
        EXPECT_GE(r, 0.49F); // v is a quarter at most, half of the range
    }
}

TEST_F(TextureTest, TextIsSownAndInfluencesTheRates) {
    // Nothing lives at the rates around the letter.
    const std::string spec = R"({ "type": "reaction_diffusion", "size": [100, 100], "steps": 600, "border": "clamped",
        "feed": 0.02, "kill": 0.075, "seed_image": { "text": "I", "feed": 0.037, "kill": 0.06 } })";
    grow(spec, "i.exr");
    const auto most = [](const Image& image, std::uint32_t x0, std::uint32_t x1) {
        float value = 0.0F;
        for (std::uint32_t y = 0; y < 100; ++y) {
            for (std::uint32_t x = x0; x < x1; ++x) {
                value = std::max(value, pixel(image, x, y)[0]);
            }
        }
        return value;
    };
    const Image image = readExr(path("i.exr"));
    EXPECT_GT(most(image, 30, 70), 0.7F);
    EXPECT_LT(most(image, 0, 25), 0.01F);
    EXPECT_LT(most(image, 75, 100), 0.01F);
    grow(spec, "dead.exr", {"--set", "/seed_image/feed=0.02", "--set", "/seed_image/kill=0.075"});
    EXPECT_LT(most(readExr(path("dead.exr")), 0, 100), 0.01F);
}

TEST_F(TextureTest, APictureIsSownWhereItIsBright) {
    Image seed = makeImage(4, 2, {"R", "G", "B"});
    for (Channel& channel : seed.channels) {
        channel.values = {0, 0, 1, 1, 0, 0, 0, 0};
    }
    writeImage(path("seed.png"), seed);
    for (const char* key : {R"("seed_image": "seed.png")", R"("seed_image": {"file": "seed.png"})"}) {
        grow(R"({ "type": "reaction_diffusion", "size": [40, 20], "steps": 0, )" + std::string(key) + "}", "a.exr");
        const Image image = readExr(path("a.exr"));
        EXPECT_LT(pixel(image, 5, 2)[0], 0.01F);
        EXPECT_LT(pixel(image, 34, 17)[0], 0.01F);
        EXPECT_NEAR(pixel(image, 34, 2)[0], 0.25F / 0.35F, 0.02F);
    }
    expectFailure(kUsage, {"texture", path("spec.json"), "-o", path("seed.png"), "--allow-cpu"}, {"seed.png"});
}

TEST_F(TextureTest, TheRangeStandsForThePalettesEnds) {
    grow(with(R"("range": [0, 1])"), "whole.exr");
    grow(with(R"("range": [0.1, 0.3])"), "part.exr");
    const Image whole = readExr(path("whole.exr"));
    const Image part = readExr(path("part.exr"));
    for (std::size_t i = 0; i < whole.pixelCount(); ++i) {
        const float v = whole.find("R")->values[i];
        ASSERT_NEAR(part.find("R")->values[i], std::clamp((v - 0.1F) / 0.2F, 0.0F, 1.0F), 1e-5F) << i;
    }
}

// Without diffusion and kill, a step changes v by dt (u v^2 - F v): where all is sown, with u at a half within a
// hundredth, it tells the feed.
TEST_F(TextureTest, RatesRunAlongTheirWay) {
    const auto feedAt = [&](const std::string& along, std::uint32_t x, std::uint32_t y) {
        const std::string spec = with(R"("diffusion": [0, 0], "kill": 0, "dt": 0.5, "radius": 100, "range": [0, 1],
            "feed": {"from": 0.2, "to": 1, "along": ")" +
                                      along + "\"}");
        grow(spec, "before.exr", {"--set", "/steps=0"});
        grow(spec, "after.exr", {"--set", "/steps=1"});
        const float before = pixel(readExr(path("before.exr")), x, y)[0];
        const float after = pixel(readExr(path("after.exr")), x, y)[0];
        return 0.5F * before - (after - before) / (0.5F * before);
    };
    for (const auto& [x, y] : {std::pair{0U, 33U}, std::pair{30U, 4U}}) {
        const double right = (x + 0.5) / 50.0;
        const double down = (y + 0.5) / 34.0;
        const double away = std::min(std::hypot(right - 0.5, down - 0.5) / std::sqrt(0.5), 1.0);
        EXPECT_NEAR(feedAt("x", x, y), 0.2 + 0.8 * right, 0.003) << x << ' ' << y;
        EXPECT_NEAR(feedAt("y", x, y), 0.2 + 0.8 * down, 0.003) << x << ' ' << y;
        EXPECT_NEAR(feedAt("radius", x, y), 0.2 + 0.8 * away, 0.003) << x << ' ' << y;
    }
}

TEST_F(TextureTest, RatesMayRunFromOneValueToAnother) {
    for (const char* along : {"x", "y", "radius"}) {
        const std::string rate = R"({"from": 0.02, "to": 0.05, "along": ")" + std::string(along) + "\"}";
        grow(with(R"("steps": 300, "feed": )" + rate + R"(, "kill": 0.058)"), along + std::string(".exr"));
    }
    EXPECT_GT(largestDifference(readExr(path("x.exr")), readExr(path("y.exr"))), 0.01);
    EXPECT_GT(largestDifference(readExr(path("x.exr")), readExr(path("radius.exr"))), 0.01);
}

TEST_F(TextureTest, BadSpecsNameTheKeyAndTheRange) {
    expectBad(R"({ "size": [8, 8] })", {"spec.json", "type"});
    expectBad(R"({ "type": "reaction-diffusion" })", {"/type", "'reaction_diffusion'"});
    expectBad("{\n\"type\": \"reaction_diffusion\",\n\"sise\": 3}", {"spec.json:3: /sise", "did you mean 'size'?"});
    expectBad(with(R"("dt": 3)"), {"/dt", "found a time step of 3", "'dt' of at most 1.4", "'cell' of at least 1.676"});
    expectBad(with(R"("cell": 0.5)"), {"/cell", "cells of 0.5", "'dt' of at most 0.4", "'cell' of at least 0.7"});
    expectBad(with(R"("dt": 20)"), {"/dt", "'dt' of at most 1.4"});
    expectBad(with(R"("diffusion": [-1, 0])"), {"/diffusion/0", "-1"});
    expectBad(with(R"("diffusion": [1, 0.5])"), {"/dt", "'dt' of at most 0.35", "'cell' of at least 1.7"});
    expectBad(with(R"("border": "open")"), {"/border", "'open'", "'periodic'", "'clamped'"});
    expectBad(with(R"("range": [0.5, 0.5])"), {"/range", "first below the second"});
    expectBad(with(R"("palette": ["#ffffff"])"), {"/palette", "2 to 256 colours"});
    expectBad(with(R"("palette": {"cosine": {"a": [0,0,0], "b": [0,0,0], "c": [0,0,0]}})"), {"/palette/cosine", "'d'"});
    expectBad(with(R"("pixels": [0, 5])"), {"/pixels/0", "1", "16384"});
    expectBad(with(R"("pixels": [2.5, 5])"), {"/pixels/0", "2.5", "a whole number from 1 to 16384"});
    expectBad(with(R"("size": [8, 8, 8])"), {"/size", "an array of 3", "two whole numbers from 1 to 16384"});
    expectBad(with(R"("size": 8)"), {"/size", "found 8", "two whole numbers"});
    expectBad(with(R"("palette": "rainbow")"), {"/palette", "'rainbow'", "2 to 256 colours", "'cosine'"});
    expectBad(with(R"("seed_image": 5)"), {"/seed_image", "found 5", "a file's name", "'text'"});
    expectBad(R"({ "type": "reaction_diffusion", "feed": 1.5 })", {"/feed", "1.5"});
    expectBad(R"({ "type": "reaction_diffusion", "kill": {"from": 0.05} })", {"/kill", "'to'"});
    expectBad(R"({ "type": "reaction_diffusion", "spots": 0 })", {"/spots", "nothing would grow"});
    expectBad(R"({ "type": "reaction_diffusion", "seed_image": {} })", {"/seed_image", "neither 'file' nor 'text'"});
    expectBad(R"({ "type": "reaction_diffusion", "seed_image": {"text": "50 %"} })",
              {"spec.json: /seed_image: text: found '%'"});
    expectBad(R"({ "type": "reaction_diffusion", "seed_image": "none.png" })", {"/seed_image", "none.png"});
    expectBad("[]", {"spec.json", "an array"});
    expectBad("{", {"spec.json:1"});
}

TEST_F(TextureTest, BadUsesAreRefused) {
    const std::string spec = write("spec.json", kSpec);
    expectFailure(kUsage, {"texture", spec, "-o", path("a.jpg")}, {"a.jpg", ".png"});
    expectFailure(kUsage, {"texture", spec, "-o", path("a.png"), "--frames", "1"}, {"--frames"});
    expectFailure(kUsage, {"texture", spec, "-o", path("a.png"), "--backend", "reference", "--device", "0"},
                  {"--device", "reference"});
    expectFailure(kUsage, {"texture", spec, "-o", path("a.png"), "--backend", "reference", "--allow-cpu"},
                  {"--allow-cpu", "reference"});
    expectFailure(kBadInput, {"texture", path("none.json"), "-o", path("a.png")}, {"none.json"});
    expectFailure(kBadInput, {"texture", spec, "-o", path("a.png"), "--set", "/feed=7"}, {"/feed", "--set"});
    expectFailure(kCannotWrite, {"texture", spec, "-o", path("none/a.png")}, {"none"});
    EXPECT_FALSE(std::filesystem::exists(path("a.png")));
}

} // namespace

} // namespace aureole
