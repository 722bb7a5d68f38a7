#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>

#include "cli_test.h"
#include "image/colour/srgb.h"
#include "image/exr/exr.h"
#include "image/png/png.h"
#include "matches.h"

namespace aureole {

namespace {

class CompareTest : public CliTest {
protected:
    /// A picture of one colour, but for a strip on the right that is `strip` times as bright.
    std::string picture(const std::string& name, const std::vector<float>& colour, float strip = 1.0F) const {
        Image image = makeImage(32, 12, {"R", "G", "B"});
        for (std::size_t c = 0; c < 3; ++c) {
            for (std::size_t i = 0; i < image.pixelCount(); ++i) {
                image.channels[c].values[i] = colour[c] * (i % 32 < 24 ? 1.0F : strip);
            }
        }
        if (name.ends_with(".exr")) {
            writeExr(path(name), image);
        } else {
            writePng(path(name), image, {.bitDepth = 16});
        }
        return path(name);
    }

    std::string grey(const std::string& name, float value, float strip = 1.0F) const {
        return picture(name, {value, value, value}, strip);
    }
};

/// The number after `name` on a line of its own.
double valueOf(const std::string& text, const std::string& name) {
    const auto lines = matchesOf(text, "(?:^|\n)" + name + " ([0-9.e-]+)\n");
    EXPECT_FALSE(lines.empty()) << name << " in\n" << text;
    return !lines.empty() ? std::stod(lines[0][1]) : std::numeric_limits<double>::quiet_NaN();
}

/// A pixel's colour in sRGB of 8 bits.
std::vector<int> bytesAt(const Image& image, std::uint32_t x, std::uint32_t y) {
    std::vector<int> bytes;
    for (const float value : pixel(image, x, y)) {
        bytes.push_back(static_cast<int>(std::lround(srgbEncode(value) * 255.0)));
    }
    return bytes;
}

const std::vector<int> kNone = {0, 0, 4};      // the dark end of magma
const std::vector<int> kAll = {252, 253, 191}; // the light end

TEST_F(CompareTest, LooksAtEveryChannelForWhatIsNotFinite) {
    Image image = readExr(grey("plain.exr", 0.5F));
    image.add("A", 1.0F);
    image.add("depth.Z", 2.0F);
    writeExr(path("good.exr"), image);
    expectDone({"compare", path("good.exr"), path("good.exr")});
    for (const char* const channel : {"A", "depth.Z"}) {
        for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
            Image broken = image;
            broken.find(channel)->values[33] = bad;
            writeExr(path("bad.exr"), broken);
            const std::string where =
                std::string("bad.exr: 1 value that is not finite, the first in channel ") + channel + " at (1, 1)";
            expectFailure(kComparisonFailed, {"compare", path("bad.exr"), path("good.exr")}, {where});
            expectFailure(kComparisonFailed, {"compare", path("good.exr"), path("bad.exr")}, {where});
        }
    }
}

TEST_F(CompareTest, TellsOfLayersThatOneSideLacks) {
    Image image = readExr(grey("plain.exr", 0.5F));
    for (const char* const channel : {"A", "sun.R", "sun.G", "sun.B"}) {
        image.add(channel, 1.0F);
    }
    writeExr(path("layers.exr"), image);
    const std::string warning = "plain.exr: found no A, sun, which ";
    EXPECT_NE(expectDone({"compare", path("plain.exr"), path("layers.exr")}).err.find(warning), std::string::npos);
    EXPECT_NE(expectDone({"compare", path("layers.exr"), path("plain.exr")}).err.find(warning), std::string::npos);
    EXPECT_EQ(expectDone({"compare", path("layers.exr"), path("layers.exr")}).err, "");

    // Y stands for R, G and B.
    Image single = makeImage(32, 12, {"Y"});
    writeExr(path("y.exr"), single);
    EXPECT_EQ(expectDone({"compare", path("y.exr"), path("plain.exr")}).err, "");
}

TEST_F(CompareTest, CropsAreComparedWhereTheyLie) {
    const std::string scene = write("scene.json", shadedScene());
    const auto render = [&](const std::string& name, const Arguments& options) {
        Arguments arguments = {"render", scene, "-o", path(name), "--backend", "reference"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        expectDone(arguments);
        return path(name);
    };
    const std::string whole = render("whole.exr", {});
    const std::string left = render("left.exr", {"--crop", "0,0,20,16"});
    const std::string right = render("right.exr", {"--crop", "12,4,32,20"});
    for (const auto& [a, b] :
         std::vector<std::pair<std::string, std::string>>{{whole, left}, {right, whole}, {left, right}, {left, left}}) {
        EXPECT_EQ(expectDone({"compare", a, b}).out, "mse 0\n");
    }
    EXPECT_NE(expectDone({"compare", left, right}).err.find("crop 12,4,20,16 is compared"), std::string::npos);
    EXPECT_EQ(expectDone({"compare", left, left}).err, "");
    expectFailure(kBadInput, {"compare", left, render("far.exr", {"--crop", "24,0,32,16"})},
                  {"left.exr: found crop 0,0,20,16", "crop 24,0,32,16 of "});
    expectFailure(kBadInput, {"compare", left, render("other.exr", {"--crop", "0,0,20,16", "--size", "40x30"})},
                  {"left.exr: found 32 x 24 pixels", "40 x 30"});
    // What does not tell is the whole picture, or the same part.
    Image bare = readExr(whole);
    bare.attributes.clear();
    writeExr(path("bare.exr"), bare);
    EXPECT_EQ(expectDone({"compare", path("bare.exr"), right}).out, "mse 0\n");
    bare = readExr(right);
    bare.attributes.clear();
    writeExr(path("part.exr"), bare);
    EXPECT_EQ(expectDone({"compare", path("part.exr"), right}).out, "mse 0\n");
}

/// As other programs write crops.
TEST_F(CompareTest, DataWindowsWithinTheDisplayWindowAreCrops) {
    const std::string whole = grey("whole.exr", 0.5F, 2.0F);
    Image part = makeImage(16, 6, {"R", "G", "B"});
    for (Channel& channel : part.channels) {
        channel.values.assign(part.pixelCount(), 0.5F);
    }
    writeExr(path("part.exr"), part);
    std::ifstream in(path("part.exr"), std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(in), {}};
    const std::string name("displayWindow\0box2i\0\x10\0\0\0", 24);
    const std::size_t at = bytes.find(name);
    ASSERT_NE(at, std::string::npos);
    const std::array<std::int32_t, 4> window = {0, 0, 31, 11};
    std::memcpy(bytes.data() + at + name.size(), window.data(), sizeof(window));
    std::ofstream(path("part.exr"), std::ios::binary) << bytes;
    const Outcome outcome = expectDone({"compare", path("part.exr"), whole});
    EXPECT_EQ(outcome.out, "mse 0\n");
    EXPECT_NE(outcome.err.find("crop 0,0,16,6 is compared"), std::string::npos) << outcome.err;
}

TEST_F(CompareTest, LayersAreComparedOnRequest) {
    Image image = readExr(grey("plain.exr", 0.5F));
    for (const char* const channel : {"N.X", "N.Y", "N.Z", "depth.Z", "sun.R", "sun.G", "sun.B"}) {
        image.add(channel, 1.0F);
    }
    writeExr(path("a.exr"), image);
    std::ranges::fill(image.find("N.Y")->values, 1.5F);
    std::ranges::fill(image.find("depth.Z")->values, 3.0F);
    std::ranges::fill(image.find("sun.R")->values, 4.0F);
    writeExr(path("b.exr"), image);
    const auto compared = [&](const Arguments& options) {
        Arguments arguments = {"compare", path("a.exr"), path("b.exr")};
        arguments.insert(arguments.end(), options.begin(), options.end());
        return valueOf(expectDone(arguments).out, "mse");
    };
    EXPECT_EQ(compared({}), 0.0);
    EXPECT_NEAR(compared({"--layer", "N"}), 0.25 / 3.0, 1e-6);
    EXPECT_EQ(compared({"--layer", "depth"}), 4.0);
    EXPECT_EQ(compared({"--layer", "sun"}), 3.0);
    expectFailure(kBadInput, {"compare", path("a.exr"), path("b.exr"), "--layer", "dept"},
                  {"a.exr: found no layer 'dept', expected one of N, depth, sun", "did you mean 'depth'?"});
    expectFailure(kBadInput, {"compare", path("a.exr"), path("plain.exr"), "--layer", "sun"},
                  {"plain.exr: found no layer 'sun', expected none"});
    // As pictures of their own.
    expectDone({"convert", path("b.exr"), "-o", path("sun.exr"), "--layer", "sun"});
    EXPECT_EQ(pixel(readExr(path("sun.exr")), 3, 3), (std::vector<float>{4.0F, 1.0F, 1.0F}));
    EXPECT_EQ(readExr(path("sun.exr")).channels.size(), 3U);
    expectDone({"convert", path("b.exr"), "-o", path("n.exr"), "--layer", "N"});
    EXPECT_EQ(pixel(readExr(path("n.exr")), 3, 3), (std::vector<float>{1.0F, 1.5F, 1.0F}));
    expectDone({"convert", path("b.exr"), "-o", path("depth.png"), "--layer", "depth", "--tonemap", "linear",
                "--exposure", "-2"});
    const Image depth = readPng(path("depth.png"));
    EXPECT_NEAR(depth.channels.at(0).values[0], 0.75F, 0.005F);
}

// 0.451898 is what NVIDIA's flip-evaluator finds between greys of 0.5 and 0.25 in linear light.
TEST_F(CompareTest, FlipOfPngFilesIsForDisplay) {
    const std::string a = grey("a.png", 0.5F);
    const std::string b = grey("b.png", 0.25F);
    const std::string out = expectDone({"compare", a, b, "--metric", "flip"}).out;
    EXPECT_NEAR(valueOf(out, "flip"), 0.451898, 1e-4); // of 16 bits a channel
    EXPECT_NEAR(valueOf(out, "weighted median"), 0.451898, 1e-4);
    EXPECT_NEAR(valueOf(out, "maximum"), 0.451898, 1e-4);
    EXPECT_EQ(out.find("exposures"), std::string::npos) << out;
    EXPECT_EQ(expectDone({"compare", a, a, "--metric", "flip"}).out, "flip 0\nweighted median 0\nmaximum 0\n");
}

// 0.144833 and the exposure are those of flip-evaluator for 2 against 1.
TEST_F(CompareTest, FlipOfExrFilesIsOfHighDynamicRange) {
    const std::string out = expectDone({"compare", grey("a.exr", 2.0F), grey("b.exr", 1.0F), "--metric", "flip"}).out;
    EXPECT_NEAR(valueOf(out, "flip"), 0.144833, 1e-4);
    EXPECT_NE(out.find("\nexposures 2 from 1.0833 to 1.0833\n"), std::string::npos) << out;
}

TEST_F(CompareTest, FlipDependsOnPixelsPerDegree) {
    const std::string a = grey("a.png", 0.25F, 1.2F);
    const std::string b = grey("b.png", 0.25F);
    const auto flip = [&](const std::string& pixels) {
        return valueOf(expectDone({"compare", a, b, "--metric", "flip", "--ppd", pixels}).out, "flip");
    };
    EXPECT_NEAR(flip("67.0206433"), valueOf(expectDone({"compare", a, b, "--metric", "flip"}).out, "flip"), 1e-7);
    EXPECT_GT(std::abs(flip("20") - flip("67")), 0.001);
    expectFailure(kUsage, {"compare", a, b, "--metric", "flip", "--ppd", "0.5"}, {"--ppd", "0.5", "1000"});
    expectFailure(kUsage, {"compare", a, b, "--ppd", "20"}, {"--ppd", "mse", "flip"});
}

TEST_F(CompareTest, FlipFailsBeyondTheLimitAndOnMixedFiles) {
    const std::string a = grey("a.png", 0.5F);
    const std::string b = grey("b.png", 0.25F);
    expectDone({"compare", a, b, "--metric", "flip", "--max", "0.46"});
    expectFailure(kComparisonFailed, {"compare", a, b, "--metric", "flip", "--max", "0.44"},
                  {"a.png", "found flip 0.45", "expected at most 0.44"});
    const std::string light = grey("light.exr", 0.5F);
    expectFailure(kUsage, {"compare", light, b, "--metric", "flip"},
                  {"light.exr", "b.png", "an EXR and a PNG", "HDR-FLIP"});
    expectFailure(kUsage, {"compare", b, light, "--metric", "flip"}, {"a PNG and an EXR", "LDR-FLIP"});
    expectFailure(kUsage, {"compare", a, b, "--metric", "filp"}, {"did you mean 'flip'?"});
    const std::string nan = grey("nan.exr", std::numeric_limits<float>::quiet_NaN());
    expectFailure(kComparisonFailed, {"compare", nan, light, "--metric", "flip"}, {"nan.exr"});
    expectFailure(kBadInput, {"compare", path("none.png"), b, "--metric", "flip"}, {"none.png"});
}

TEST_F(CompareTest, DifferencesOfFlipAreItsErrorMap) {
    const std::string b = grey("b.exr", 1.0F);
    const std::string a = grey("a.exr", 1.0F, 0.25F);
    const std::string out = expectDone({"compare", a, b, "--metric", "flip", "--diff", path("map.exr")}).out;
    const Image map = readExr(path("map.exr"));
    ASSERT_EQ(map.channels.size(), 2U);
    const std::vector<float>& errors = map.find("Y")->values;
    double sum = 0.0;
    for (const float error : errors) {
        sum += error;
    }
    EXPECT_NEAR(valueOf(out, "flip"), sum / static_cast<double>(errors.size()), 1e-7);
    EXPECT_EQ(errors[6 * 32 + 2], 0.0F);
    EXPECT_GT(errors[6 * 32 + 29], 0.1F);
    ASSERT_NE(map.find("exposure"), nullptr);
    EXPECT_NEAR(map.find("exposure")->values[6 * 32 + 29], 1.0833, 1e-4);

    grey("a.png", 0.5F);
    grey("b.png", 0.25F);
    expectDone({"compare", path("a.png"), path("b.png"), "--metric", "flip", "--diff", path("display.exr")});
    ASSERT_EQ(readExr(path("display.exr")).channels.size(), 1U);
    EXPECT_EQ(readExr(path("display.exr")).channels[0].name, "Y");
}

TEST_F(CompareTest, FalseColoursShowTheErrorOfFlip) {
    const std::string green = picture("green.png", {0.0F, 1.0F, 0.0F});
    const std::string blue = picture("blue.png", {0.0F, 0.0F, 1.0F});
    expectDone({"compare", green, blue, "--metric", "flip", "--diff", path("all.png")});
    EXPECT_EQ(bytesAt(readPng(path("all.png")), 5, 5), kAll);
    const std::string strip = picture("strip.png", {0.0F, 0.25F, 0.0F}, 3.0F);
    const std::string none = picture("none.png", {0.0F, 0.25F, 0.0F});
    expectDone({"compare", strip, none, "--metric", "flip", "--diff", path("part.png")});
    const Image part = readPng(path("part.png"));
    EXPECT_EQ(bytesAt(part, 2, 6), kNone);
    EXPECT_GT(bytesAt(part, 30, 6)[0], 60);
}

TEST_F(CompareTest, FalseColoursShowTheErrorOfEveryMetric) {
    const std::string a = grey("a.exr", 1.0F, 3.0F);
    const std::string b = grey("b.exr", 1.0F);
    for (const std::string metric : {"mse", "rmse", "psnr", "relmse", "ssim"}) {
        expectDone({"compare", a, b, "--metric", metric, "--diff", path("colours.png")});
        const Image colours = readPng(path("colours.png"));
        EXPECT_EQ(bytesAt(colours, 2, 6), kNone) << metric;
        if (metric == "ssim") {
            EXPECT_GT(bytesAt(colours, 24, 6)[0], 100);
        } else {
            EXPECT_EQ(bytesAt(colours, 30, 6), kAll) << metric; // off by 2, and by twice as much as there is
        }
    }
    // Half of the scale, of the colours of matplotlib's magma.
    expectDone({"compare", grey("half.exr", 1.5F), b, "--metric", "rmse", "--diff", path("half.png")});
    EXPECT_EQ(bytesAt(readPng(path("half.png")), 3, 3), (std::vector<int>{183, 55, 121}));
    // The differences themselves in an EXR, whatever the metric.
    expectDone({"compare", a, b, "--metric", "relmse", "--diff", path("difference.exr")});
    EXPECT_EQ(pixel(readExr(path("difference.exr")), 30, 6), (std::vector<float>{2.0F, 2.0F, 2.0F}));
}

} // namespace

} // namespace aureole
