#include <algorithm>
#include <cmath>
#include <filesystem>
#include <future>
#include <limits>
#include <random>
#include <tuple>

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/file.h"
#include "core/threads/loop_threads.h"
#include "error_of.h"
#include "exr_bytes.h"
#include "image/exr/exr.h"

namespace aureole {
namespace {

using testing::attributeOf;
using testing::channelsOf;
using testing::errorOf;
using testing::load;

using Size = std::pair<std::uint32_t, std::uint32_t>;

/// Smooth, noisy, negative, huge, tiny and special values, so that every compressor meets something it likes and
/// something it does not. Values fit a half.
Image testImage(Size size, const std::vector<std::string>& channels) {
    Image image = makeImage(size.first, size.second, channels);
    std::mt19937 random(size.first * 1000 + size.second);
    std::uniform_real_distribution<float> noise(-300.0F, 300.0F);
    for (std::size_t c = 0; c < image.channels.size(); ++c) {
        std::vector<float>& values = image.channels[c].values;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const float smooth = static_cast<float>(i / size.first) * 0.125F + static_cast<float>(c);
            values[i] = c % 3 == 0 ? smooth : c % 3 == 1 ? noise(random) : 2.5F;
        }
        if (values.size() > 8) {
            values[1] = std::numeric_limits<float>::infinity();
            values[2] = -std::numeric_limits<float>::infinity();
            values[3] = -0.0F;
            values[4] = 6.0e-6F;
            values[5] = 65504.0F;
        }
    }
    return image;
}

/// Whether b is a half next to a: within half a step of the 10-bit mantissa, or of the smallest half.
bool isHalfOf(float a, float b) {
    if (!std::isfinite(a)) {
        return a == b;
    }
    const double step = std::max(std::ldexp(1.0, std::ilogb(a == 0.0F ? 1e-30F : a) - 10), std::ldexp(1.0, -24));
    return std::abs(double{a} - double{b}) <= 0.5 * step &&
           std::fmod(double{b},
                     std::max(std::ldexp(1.0, std::ilogb(b == 0.0F ? 1.0F : b) - 10), std::ldexp(1.0, -24))) == 0.0;
}

class ExrRoundTrip : public ::testing::TestWithParam<std::tuple<ExrCompression, ExrPixelType, Size>> {};

TEST_P(ExrRoundTrip, KeepsEveryValueAndName) {
    const auto [compression, type, size] = GetParam();
    const Image image = testImage(size, {"B", "G", "R", "depth.Z"});
    const Image back = decodeExr(encodeExr(image, {compression, type}, "test.exr"), "test.exr");
    ASSERT_EQ(back.width, size.first);
    ASSERT_EQ(back.height, size.second);
    ASSERT_EQ(back.channels.size(), image.channels.size());
    for (std::size_t c = 0; c < image.channels.size(); ++c) {
        EXPECT_EQ(back.channels[c].name, image.channels[c].name);
        for (std::size_t i = 0; i < image.pixelCount(); ++i) {
            const float a = image.channels[c].values[i];
            const float b = back.channels[c].values[i];
            ASSERT_TRUE(type == ExrPixelType::Float ? std::memcmp(&a, &b, sizeof(a)) == 0 : isHalfOf(a, b))
                << a << " became " << b << " at " << i << " of " << image.channels[c].name;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    All, ExrRoundTrip,
    ::testing::Combine(::testing::Values(ExrCompression::None, ExrCompression::Rle, ExrCompression::Zips,
                                         ExrCompression::Zip, ExrCompression::Piz),
                       ::testing::Values(ExrPixelType::Float, ExrPixelType::Half),
                       ::testing::Values(Size{1, 1}, Size{2, 1}, Size{1, 2}, Size{1, 33}, Size{33, 1}, Size{7, 5},
                                         Size{17, 16}, Size{16, 17}, Size{31, 32}, Size{33, 65}, Size{128, 96})));

TEST(ExrWriting, SortsChannelsWhateverTheirOrder) {
    Image image = makeImage(3, 2, {"R", "G", "B", "A", "albedo.R", "N.X", "a", "Z", "albedo.B"});
    for (std::size_t c = 0; c < image.channels.size(); ++c) {
        std::fill(image.channels[c].values.begin(), image.channels[c].values.end(), static_cast<float>(c) + 1.0F);
    }
    const std::vector<std::byte> bytes = encodeExr(image, {ExrCompression::None, ExrPixelType::Float}, "test.exr");
    const std::vector<std::string> expected = {"A", "B", "G", "N.X", "R", "Z", "a", "albedo.B", "albedo.R"};
    const auto listed = channelsOf(bytes);
    ASSERT_EQ(listed.size(), expected.size());
    // Uncompressed, the last row ends the file: one run of three values per channel, in the order of the list.
    const std::size_t lastRow = bytes.size() - expected.size() * 3 * sizeof(float);
    for (std::size_t c = 0; c < expected.size(); ++c) {
        EXPECT_EQ(listed[c].name, expected[c]);
        EXPECT_EQ(listed[c].type, 2U);
        EXPECT_EQ(load<float>(bytes, lastRow + c * 3 * sizeof(float)), image.find(expected[c])->values[0]);
    }
}

TEST(ExrWriting, PutsTheTopRowFirst) {
    Image image = makeImage(1, 2, {"Y"});
    image.channels[0].values = {10.0F, 20.0F};
    const auto bytes = encodeExr(image, {ExrCompression::None, ExrPixelType::Float}, "test.exr");
    EXPECT_EQ(load<float>(bytes, bytes.size() - sizeof(float)), 20.0F);
    EXPECT_EQ(load<float>(bytes, bytes.size() - 12 - sizeof(float)), 10.0F);
}

TEST(ExrWriting, GivesStandardAttributes) {
    const auto bytes = encodeExr(makeImage(5, 3, {"Y"}), {}, "test.exr");
    EXPECT_EQ(load<std::uint32_t>(bytes, 0), 20000630U);
    EXPECT_EQ(load<std::uint32_t>(bytes, 4), 2U);
    for (const char* window : {"dataWindow", "displayWindow"}) {
        const auto box = load<std::array<std::int32_t, 4>>(bytes, attributeOf(bytes, window).offset);
        EXPECT_EQ(box, (std::array<std::int32_t, 4>{0, 0, 4, 2})) << window;
    }
    EXPECT_EQ(load<float>(bytes, attributeOf(bytes, "pixelAspectRatio").offset), 1.0F);
    EXPECT_EQ(load<float>(bytes, attributeOf(bytes, "screenWindowWidth").offset), 1.0F);
    EXPECT_EQ(load<std::uint8_t>(bytes, attributeOf(bytes, "lineOrder").offset), 0);
    EXPECT_EQ(load<std::uint8_t>(bytes, attributeOf(bytes, "compression").offset), 3) << "ZIP is the default";
    EXPECT_EQ(channelsOf(bytes).at(0).type, 2U) << "fp32 is the default";
    const auto primaries = attributeOf(bytes, "chromaticities");
    EXPECT_EQ(primaries.type, "chromaticities");
    const auto xy = load<std::array<float, 8>>(bytes, primaries.offset);
    EXPECT_EQ(xy, (std::array<float, 8>{0.64F, 0.33F, 0.3F, 0.6F, 0.15F, 0.06F, 0.3127F, 0.329F}));
}

TEST(ExrWriting, KeepsTextAttributes) {
    Image image = makeImage(2, 2, {"R", "G", "B"});
    image.attributes = {{"aureole.version", "0.1.0"},
                        {"aureole.command", "render scene.json -o out.exr"},
                        {"aureole.empty", ""},
                        {"owner", "somebody \xC3\xA9"},
                        {std::string(200, 'n'), std::string(5000, 'v')}};
    const auto bytes = encodeExr(image, {}, "test.exr");
    EXPECT_EQ(attributeOf(bytes, "aureole.version").type, "string");
    EXPECT_EQ(load<std::uint32_t>(bytes, 4), 2U | 0x400U) << "names of more than 31 bytes are to be announced";
    EXPECT_EQ(decodeExr(bytes, "test.exr").attributes, image.attributes);
}

TEST(ExrWriting, KeepsAttributesOfOtherTypes) {
    Image image = makeImage(2, 2, {"Y"});
    std::vector<std::byte> matrix(64, std::byte{7});
    image.typedAttributes["worldToCamera"] = {"m44f", matrix};
    image.typedAttributes["fps"] = {"rational", std::vector<std::byte>(8, std::byte{1})};
    image.attributes["note"] = "text";
    const Image back = decodeExr(encodeExr(image, {}, "typed.exr"), "typed.exr");
    ASSERT_EQ(back.typedAttributes.size(), 2U);
    EXPECT_EQ(back.typedAttributes.at("worldToCamera").type, "m44f");
    EXPECT_EQ(back.typedAttributes.at("worldToCamera").value, matrix);
    EXPECT_EQ(back.typedAttributes.at("fps").value.size(), 8U);
    EXPECT_EQ(back.attributes.size(), 1U);

    image.typedAttributes["note"] = {"float", std::vector<std::byte>(4)};
    EXPECT_THROW(encodeExr(image, {}, "typed.exr"), Error);
    image.typedAttributes.erase("note");
    image.typedAttributes["dataWindow"] = {"box2i", std::vector<std::byte>(16)};
    EXPECT_THROW(encodeExr(image, {}, "typed.exr"), Error);
}

TEST(ExrWriting, ClampsWhatAHalfCannotHold) {
    Image image = makeImage(4, 1, {"Y"});
    image.channels[0].values = {70000.0F, -1e30F, 65519.0F, std::numeric_limits<float>::infinity()};
    const Image back = decodeExr(encodeExr(image, {ExrCompression::None, ExrPixelType::Half}, "test.exr"), "test.exr");
    EXPECT_EQ(back.channels[0].values, (std::vector<float>{65504.0F, -65504.0F, 65504.0F, HUGE_VALF}));
}

TEST(ExrWriting, KeepsNan) {
    Image image = makeImage(1, 1, {"Y"});
    image.channels[0].values = {std::nanf("")};
    for (const ExrPixelType type : {ExrPixelType::Float, ExrPixelType::Half}) {
        const Image back = decodeExr(encodeExr(image, {ExrCompression::Zip, type}, "test.exr"), "test.exr");
        EXPECT_TRUE(std::isnan(back.channels[0].values[0]));
    }
}

TEST(ExrWriting, RefusesWhatAFileCannotHold) {
    const auto refuse = [](const Image& image) { return errorOf([&] { encodeExr(image, {}, "test.exr"); }); };
    EXPECT_EQ(refuse(makeImage(0, 2, {"Y"})).code, ExitCode::CannotWrite);
    EXPECT_EQ(refuse(makeImage(2, 2, {})).code, ExitCode::CannotWrite);
    EXPECT_EQ(refuse(makeImage(65537, 1, {"Y"})).code, ExitCode::CannotWrite);
    EXPECT_EQ(refuse(makeImage(1, 1, {std::string(256, 'x')})).code, ExitCode::CannotWrite);
    Image twice = makeImage(1, 1, {"R", "G"});
    twice.channels[1].name = "R";
    EXPECT_TRUE(refuse(twice).names("'R' twice"));
    Image reserved = makeImage(1, 1, {"R"});
    reserved.attributes["dataWindow"] = "all of it";
    EXPECT_TRUE(refuse(reserved).names("'dataWindow'"));
    Image ragged = makeImage(2, 2, {"R"});
    ragged.channels[0].values.pop_back();
    EXPECT_EQ(refuse(ragged).code, ExitCode::Internal);
}

/// Several are encoded at a time where frames are rendered, by threads that they share.
TEST(ExrWriting, GivesTheSameBytesByAnyThreadsAndBesideOthers) {
    const Image image = testImage({70, 300}, {"B", "G", "R", "depth.Z"});
    const auto encodedBy = [&](unsigned threads) {
        const LoopThreads own(threads);
        return encodeExr(image, {}, "test.exr");
    };
    const std::vector<std::byte> expected = encodedBy(1);
    EXPECT_EQ(encodedBy(4), expected);
    std::vector<std::future<std::vector<std::byte>>> others;
    for (unsigned i = 0; i < 8; ++i) {
        others.push_back(std::async(std::launch::async, encodedBy, 1 + i % 2));
    }
    for (auto& other : others) {
        EXPECT_EQ(other.get(), expected);
    }
}

TEST(ExrWriting, WritesAFileAndReadsItBack) {
    const std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("aureole_exr_" + std::to_string(::getpid()) + ".exr");
    const Image image = testImage({20, 10}, {"B", "G", "R"});
    writeExr(path, image);
    const Image back = readExr(path);
    std::filesystem::remove(path);
    EXPECT_EQ(back.channels[1].values, image.channels[1].values);
    EXPECT_EQ(errorOf([&] { readExr(path); }).code, ExitCode::BadInput);
    EXPECT_EQ(errorOf([&] { writeExr(path / "none" / "x.exr", image); }).code, ExitCode::CannotWrite);
}

} // namespace
} // namespace aureole
