#include <cmath>
#include <filesystem>
#include <random>

#include <gtest/gtest.h>
#include <unistd.h>

#include "error_of.h"
#include "exr_bytes.h"
#include "foreign_png.h"
#include "image/png/png.h"

namespace aureole {
namespace {

using testing::errorOf;
using testing::toBytes;

/// The sRGB values of a few codes in linear light, from the tables of IEC 61966-2-1 evaluated elsewhere.
constexpr double kLinear128 = 0.2158605;
constexpr double kLinear10 = 0.0030352698;
constexpr double kLinear11 = 0.0033465358;
constexpr double kLinear12 = 0.0036765073;

std::vector<float> valuesOf(const Image& image, const std::string& channel) {
    return image.find(channel)->values;
}

TEST(PngReading, ReadsRgbThroughTheSrgbCurve) {
    const Image image = decodePng(toBytes(foreign::kRgb8), "rgb.png");
    ASSERT_EQ(image.width, 2U);
    ASSERT_EQ(image.height, 2U);
    ASSERT_EQ(image.channels.size(), 3U);
    EXPECT_EQ(valuesOf(image, "R")[0], 1.0F);
    EXPECT_EQ(valuesOf(image, "G")[0], 0.0F);
    EXPECT_EQ(valuesOf(image, "G")[1], 1.0F);
    EXPECT_NEAR(valuesOf(image, "G")[2], kLinear128, 1e-7);
    EXPECT_NEAR(valuesOf(image, "R")[3], kLinear10, 1e-9);
    EXPECT_NEAR(valuesOf(image, "G")[3], kLinear11, 1e-9);
    EXPECT_NEAR(valuesOf(image, "B")[3], kLinear12, 1e-9);
}

TEST(PngReading, ReadsRawValues) {
    const Image image = decodePng(toBytes(foreign::kRgb8), "rgb.png", PngTransfer::Linear);
    EXPECT_EQ(valuesOf(image, "G")[2], 128.0F / 255.0F);
    EXPECT_EQ(valuesOf(image, "B")[3], 12.0F / 255.0F);
}

/// Rows of all kinds, in more than one block of the stream, come back from libpng as they were.
TEST(PngWriting, LongStreamsComeBack) {
    std::mt19937 random(7);
    // 309 and 618 kB before they are deflated.
    for (const int depth : {8, 16}) {
        const std::size_t most = depth == 8 ? 255 : 65535;
        Image image = makeImage(301, 257, {"R", "G", "B", "A"});
        for (std::size_t c = 0; c < 4; ++c) {
            std::vector<float>& values = image.channels[c].values;
            for (std::size_t i = 0; i < values.size(); ++i) {
                const std::size_t row = i / 301;
                const std::size_t code = row % 3 == 0 ? random() : row % 3 == 1 ? i * (c + 1) : row * row;
                values[i] = static_cast<float>(code % most) / static_cast<float>(most);
            }
        }
        const std::vector<std::byte> bytes = encodePng(image, {depth, PngTransfer::Linear}, "long.png");
        const Image back = decodePng(bytes, "long.png", PngTransfer::Linear);
        for (std::size_t c = 0; c < 4; ++c) {
            EXPECT_EQ(back.channels[c].values, image.channels[c].values) << depth << " " << c;
        }
    }
}

TEST(PngReading, ReadsSixteenBitsAndAlpha) {
    const Image image = decodePng(toBytes(foreign::kRgba16), "rgba.png", PngTransfer::Linear);
    ASSERT_EQ(image.channels.size(), 4U);
    EXPECT_EQ(valuesOf(image, "G")[0], 256.0F / 65535.0F);
    EXPECT_EQ(valuesOf(image, "B")[0], 1.0F);
    EXPECT_EQ(valuesOf(image, "A")[0], 32768.0F / 65535.0F);
    EXPECT_EQ(valuesOf(image, "R")[1], 1.0F / 65535.0F);
    const Image curved = decodePng(toBytes(foreign::kRgba16), "rgba.png");
    EXPECT_EQ(valuesOf(curved, "A")[0], 32768.0F / 65535.0F) << "alpha has no curve";
    EXPECT_NEAR(valuesOf(curved, "G")[0], 256.0 / 65535.0 / 12.92, 1e-9);
}

TEST(PngReading, ReadsOneBitGrey) {
    const Image image = decodePng(toBytes(foreign::kGrey1), "grey.png");
    ASSERT_EQ(image.channels.size(), 1U);
    EXPECT_EQ(valuesOf(image, "Y"), (std::vector<float>{1, 0, 1, 1, 0, 0, 0, 1, 0}));
    EXPECT_EQ(image.rgb("grey.png")[2], image.channels.data());
}

TEST(PngReading, ReadsAPaletteWithTransparency) {
    const Image image = decodePng(toBytes(foreign::kPalette2), "palette.png");
    EXPECT_EQ(valuesOf(image, "R"), (std::vector<float>{0, 0, 1}));
    EXPECT_EQ(valuesOf(image, "G"), (std::vector<float>{0, 1, 0}));
    EXPECT_EQ(valuesOf(image, "B"), (std::vector<float>{1, 0, 0}));
    EXPECT_EQ(valuesOf(image, "A"), (std::vector<float>{1.0F, 51.0F / 255.0F, 1.0F}));
}

TEST(PngReading, ReadsGreyWithAlphaAndAFilter) {
    const Image image = decodePng(toBytes(foreign::kGreyAlpha8Sub), "ga.png", PngTransfer::Linear);
    EXPECT_EQ(valuesOf(image, "Y"), (std::vector<float>{10.0F / 255, 20.0F / 255, 30.0F / 255}));
    EXPECT_EQ(valuesOf(image, "A"), (std::vector<float>{1.0F, 128.0F / 255, 0.0F}));
}

TEST(PngReading, EveryTruncationIsAnError) {
    for (const std::vector<std::byte>& file : {toBytes(foreign::kRgb8), toBytes(foreign::kPalette2)}) {
        for (std::size_t size = 0; size < file.size(); ++size) {
            const auto caught = errorOf([&] { decodePng(std::span(file).first(size), "cut.png"); });
            ASSERT_EQ(caught.code, ExitCode::BadInput) << "cut to " << size << " bytes";
            ASSERT_TRUE(caught.names("cut.png: byte ")) << caught.message;
        }
    }
}

TEST(PngReading, NamesDamage) {
    std::vector<std::byte> file = toBytes(foreign::kRgb8);
    file[45] ^= std::byte{0x10}; // within the pixels
    EXPECT_TRUE(errorOf([&] { decodePng(file, "bad.png"); }).names("bad.png: byte"));
    std::vector<std::byte> huge = toBytes(foreign::kRgb8);
    huge[16] = std::byte{0x7F}; // the width's highest byte
    EXPECT_EQ(errorOf([&] { decodePng(huge, "huge.png"); }).code, ExitCode::BadInput);
    const std::vector<std::byte> text(100, std::byte{'x'});
    EXPECT_EQ(errorOf([&] { decodePng(text, "text.png"); }).code, ExitCode::BadInput);
}

TEST(PngReading, SurvivesFlippedBytes) {
    std::mt19937 random(2);
    const std::vector<std::vector<std::byte>> files = {toBytes(foreign::kRgb8), toBytes(foreign::kRgba16),
                                                       toBytes(foreign::kGrey1), toBytes(foreign::kPalette2),
                                                       toBytes(foreign::kGreyAlpha8Sub)};
    std::size_t errors = 0;
    for (int round = 0; round < 4000; ++round) {
        std::vector<std::byte> damaged = files[static_cast<std::size_t>(round) % files.size()];
        damaged[random() % damaged.size()] = static_cast<std::byte>(random() % 256);
        errors += errorOf([&] { decodePng(damaged, "flipped.png"); }).code == ExitCode::BadInput ? 1U : 0U;
    }
    EXPECT_GT(errors, 3000U);
}

/// The code of an sRGB value by bisection over the decoding formula, the other way round than the writer.
int expectedCode(double linear, int largest) {
    int best = 0;
    for (int code = 0; code <= largest; ++code) {
        const double encoded = (code - 0.5) / largest;
        const double threshold = encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
        if (linear < threshold) {
            break;
        }
        best = code;
    }
    return best;
}

TEST(PngWriting, RoundsToTheNearestSrgbCode) {
    Image image = makeImage(50, 1, {"R", "G", "B"});
    for (std::size_t i = 0; i < 50; ++i) {
        const float value = static_cast<float>(i * i) / 2401.0F;
        image.channels[0].values[i] = value;
        image.channels[1].values[i] = 0.01F * value;
        image.channels[2].values[i] = 1.0F - value;
    }
    const Image raw = decodePng(encodePng(image, {}, "out.png"), "out.png", PngTransfer::Linear);
    for (std::size_t c = 0; c < 3; ++c) {
        for (std::size_t i = 0; i < 50; ++i) {
            EXPECT_EQ(std::lround(raw.channels[c].values[i] * 255.0F), expectedCode(image.channels[c].values[i], 255));
        }
    }
}

TEST(PngWriting, ClipsAndWritesNanAsBlack) {
    Image image = makeImage(5, 1, {"Y"});
    image.channels[0].values = {-1.0F, 2.0F, std::nanf(""), HUGE_VALF, -HUGE_VALF};
    const Image back = decodePng(encodePng(image, {}, "out.png"), "out.png");
    EXPECT_EQ(valuesOf(back, "Y"), (std::vector<float>{0, 1, 0, 1, 0}));
}

TEST(PngWriting, KeepsEveryCode) {
    for (const int depth : {8, 16}) {
        const std::uint32_t codes = depth == 8 ? 256 : 65536;
        for (const PngTransfer transfer : {PngTransfer::Srgb, PngTransfer::Linear}) {
            Image image = makeImage(codes / 16, 16, {"R", "G", "B", "A"});
            for (std::size_t c = 0; c < 4; ++c) {
                for (std::size_t i = 0; i < codes; ++i) {
                    const double v = static_cast<double>((i + 37 * c) % codes) / (codes - 1);
                    const bool curved = transfer == PngTransfer::Srgb && c < 3;
                    image.channels[c].values[i] =
                        static_cast<float>(!curved        ? v
                                           : v <= 0.04045 ? v / 12.92
                                                          : std::pow((v + 0.055) / 1.055, 2.4));
                }
            }
            const Image back = decodePng(encodePng(image, {depth, transfer}, "out.png"), "out.png", transfer);
            for (std::size_t c = 0; c < 4; ++c) {
                EXPECT_EQ(back.channels[c].name, image.channels[c].name);
                EXPECT_EQ(back.channels[c].values, image.channels[c].values) << depth;
            }
        }
    }
}

TEST(PngWriting, WritesGreyAsGrey) {
    EXPECT_EQ(decodePng(encodePng(makeImage(3, 2, {"Y"}), {}, "a"), "a").channels.size(), 1U);
    EXPECT_EQ(decodePng(encodePng(makeImage(3, 2, {"Y", "A"}), {}, "a"), "a").channels.size(), 2U);
    EXPECT_EQ(decodePng(encodePng(makeImage(3, 2, {"G", "R", "B", "depth.Z"}), {}, "a"), "a").channels.size(), 3U);
}

TEST(PngWriting, RefusesWhatItCannotWrite) {
    EXPECT_EQ(errorOf([] { encodePng(makeImage(2, 2, {"R"}), {9, PngTransfer::Srgb}, "a"); }).code, ExitCode::Usage);
    EXPECT_EQ(errorOf([] { encodePng(makeImage(0, 2, {"R"}), {}, "a"); }).code, ExitCode::CannotWrite);
    EXPECT_EQ(errorOf([] { encodePng(makeImage(2, 2, {"N.X", "N.Y"}), {}, "a"); }).code, ExitCode::BadInput);
}

TEST(PngWriting, WritesAFileAndReadsItBack) {
    const std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("aureole_png_" + std::to_string(::getpid()) + ".png");
    Image image = makeImage(2, 1, {"R", "G", "B"});
    image.channels[0].values = {1.0F, 0.0F};
    writePng(path, image);
    const Image back = readPng(path);
    std::filesystem::remove(path);
    EXPECT_EQ(back.channels[0].values, image.channels[0].values);
    EXPECT_EQ(errorOf([&] { readPng(path); }).code, ExitCode::BadInput);
}

} // namespace
} // namespace aureole
