
#include <gtest/gtest.h>

#include "image/exr/exr.h"
#include "import/pictures/texture_file.h"
#include "import_files.h"
#include "model/texture_pack.h"
#include "model/texture_sample.h"

namespace aureole::test {
namespace {

Texture decode(const std::string& file) {
    return decodeTexture(std::as_bytes(std::span(file)), "pic");
}

/// CRC-32 bit by bit, as the PNG specification defines it.
std::uint32_t crc32(const std::string& bytes) {
    std::uint32_t crc = ~0U;
    for (const char c : bytes) {
        crc ^= static_cast<unsigned char>(c);
        for (int i = 0; i < 8; ++i) {
            crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xedb88320U : 0U);
        }
    }
    return ~crc;
}

std::string bigEndian(std::uint32_t value) {
    return {static_cast<char>(value >> 24U), static_cast<char>(value >> 16U), static_cast<char>(value >> 8U),
            static_cast<char>(value)};
}

std::string pngChunk(const std::string& id, const std::string& content) {
    return bigEndian(static_cast<std::uint32_t>(content.size())) + id + content + bigEndian(crc32(id + content));
}

/// A PNG put together by hand, its rows (each with its filter byte) in one stored deflate block.
std::string rawPng(std::uint32_t width, std::uint32_t height, char depth, char type, const std::string& rows,
                   const std::string& extra = "") {
    std::uint32_t a = 1;
    std::uint32_t b = 0;
    for (const char c : rows) {
        a = (a + static_cast<unsigned char>(c)) % 65521;
        b = (b + a) % 65521;
    }
    std::string data("\x78\x01\x01", 3);
    append(data, static_cast<std::uint16_t>(rows.size()));
    append(data, static_cast<std::uint16_t>(~rows.size()));
    data += rows + bigEndian((b << 16U) | a);
    const std::string header = bigEndian(width) + bigEndian(height) + depth + type + std::string(3, '\0');
    return std::string("\x89PNG\r\n\x1a\n", 8) + pngChunk("IHDR", header) + extra + pngChunk("IDAT", data) +
           pngChunk("IEND", "");
}

TEST(DecodeTexture, ReadsEveryKindOfPng) {
    using Bytes = std::vector<std::uint8_t>;
    EXPECT_EQ(decode(makePng(1, 2, {1, 2, 3, 4, 5, 6, 7, 8})).rgba, (Bytes{1, 2, 3, 4, 5, 6, 7, 8}));
    // RGB of 16 bits, rounded: 0x8000 is 127.998 of 255.
    EXPECT_EQ(decode(rawPng(1, 1, 16, 2, std::string("\0\xff\xff\x80\0\0\0", 7))).rgba, (Bytes{255, 128, 0, 255}));
    // Grey of 1 bit, and grey with alpha.
    EXPECT_EQ(decode(rawPng(2, 1, 1, 0, std::string("\0\x40", 2))).rgba, (Bytes{0, 0, 0, 255, 255, 255, 255, 255}));
    EXPECT_EQ(decode(rawPng(1, 1, 8, 4, std::string("\0\x32\x64", 3))).rgba, (Bytes{50, 50, 50, 100}));
    // A palette with transparency.
    const std::string palette =
        pngChunk("PLTE", std::string("\1\2\3\4\5\6", 6)) + pngChunk("tRNS", std::string("\x07", 1));
    EXPECT_EQ(decode(rawPng(2, 1, 8, 3, std::string("\0\1\0", 3), palette)).rgba, (Bytes{4, 5, 6, 255, 1, 2, 3, 7}));
    // A gamma chunk changes nothing.
    const std::string gamma = pngChunk("gAMA", bigEndian(100000));
    EXPECT_EQ(decode(rawPng(1, 1, 8, 2, std::string("\0\x0a\x14\x1e", 4), gamma)).rgba, (Bytes{10, 20, 30, 255}));
}

TEST(DecodeTexture, ReadsJpeg) {
    const Texture texture = decode(makeJpeg(17, 9, 200, 100, 50));
    EXPECT_EQ(texture.width, 17U);
    EXPECT_EQ(texture.height, 9U);
    ASSERT_EQ(texture.rgba.size(), 17U * 9U * 4U);
    EXPECT_NEAR(texture.rgba[0], 200, 2);
    EXPECT_NEAR(texture.rgba[1], 100, 2);
    EXPECT_NEAR(texture.rgba[2], 50, 2);
    EXPECT_EQ(texture.rgba[3], 255);
}

/// Light beyond 1 stays; what is below 0 or no number is none. The bytes are those of data that end at 1.
TEST(DecodeTexture, LightKeepsItsValues) {
    Image image = makeImage(2, 1, {"R", "G", "B", "A"});
    const float nan = std::numeric_limits<float>::quiet_NaN();
    constexpr std::array<float, 2> kRed = {12.5F, 0.2F};
    for (std::size_t i = 0; i < kRed.size(); ++i) {
        image.channels[0].values[i] = kRed.at(i);
        image.channels[1].values[i] = i == 0 ? -1.0F : nan;
        image.channels[2].values[i] = 0.5F;
        image.channels[3].values[i] = 0.4F;
    }
    const std::vector<std::byte> exr = encodeExr(image, {}, "lamp.exr");
    const Texture texture = decodeTexture(exr, "lamp.exr");
    ASSERT_EQ(texture.light.size(), 2U);
    EXPECT_EQ(texture.light[0], glm::vec3(12.5F, 0.0F, 0.5F));
    EXPECT_EQ(texture.light[1], glm::vec3(0.2F, 0.0F, 0.5F));
    EXPECT_EQ(texture.rgba, (std::vector<std::uint8_t>{255, 0, 128, 102, 51, 0, 128, 102}));
    TextureSlot slot;
    slot.texture = 0;
    slot.srgb = true; // the curve is not theirs
    slot.nearest = true;
    EXPECT_EQ(sampleTexture(texture, slot, {0.25F, 0.5F}), glm::vec4(12.5F, 0.0F, 0.5F, 102.0F / 255.0F));
    // Joined with an opacity, colours are bytes through the curve.
    const Texture joined = packAlpha(&texture, texture);
    EXPECT_TRUE(joined.light.empty());
    EXPECT_EQ(joined.rgba, (std::vector<std::uint8_t>{255, 0, 188, 102, 124, 0, 188, 102}));
    const std::string_view hdr("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\n\x80\x40\x00\x84", 49);
    EXPECT_EQ(decodeTexture(std::as_bytes(std::span(hdr)), "lamp.hdr").light.at(0), glm::vec3(8.0F, 4.0F, 0.0F));
}

TEST(DecodeTexture, DamageIsAnError) {
    const std::string png = makePng(8, 8, std::vector<std::uint8_t>(256, 7));
    for (std::size_t length = 0; length + 12 < png.size(); length += 3) { // up to IEND, which ends nothing
        EXPECT_TRUE(containsAll(messageOf([&] { decode(png.substr(0, length)); }), {"pic"})) << length;
    }
    std::string flipped = png;
    const std::size_t data = png.find("IDAT") + 6;
    flipped[data] = static_cast<char>(flipped[data] ^ 0x55);
    EXPECT_TRUE(containsAll(messageOf([&] { decode(flipped); }), {"pic", "cannot be decoded as PNG"}));
    const std::string jpeg = makeJpeg(64, 64, 1, 2, 3);
    for (const std::size_t length : {std::size_t{3}, std::size_t{20}, jpeg.size() / 2}) {
        EXPECT_TRUE(containsAll(messageOf([&] { decode(jpeg.substr(0, length)); }), {"pic", "damaged JPEG"})) << length;
    }
    EXPECT_TRUE(
        containsAll(messageOf([&] { decode("GIF8....."); }),
                    {"pic", "found a GIF file", "expected a picture: EXR, PNG, JPEG, WebP, TGA, BMP or Radiance HDR"}));
    EXPECT_TRUE(containsAll(messageOf([&] { decode(""); }),
                            {"pic", "expected a picture: EXR, PNG, JPEG, WebP, TGA, BMP or Radiance HDR"}));
}

TEST(DecodeTexture, SizesAreCappedBeforeAnythingIsAllocated) {
    EXPECT_TRUE(containsAll(messageOf([&] { decode(rawPng(1U << 30U, 1, 8, 6, "")); }), {"pic"}));
    EXPECT_TRUE(
        containsAll(messageOf([&] { decode(rawPng(kMaxTextureSide + 1, 1, 8, 6, "")); }), {"pic", "16385", "16384"}));
    std::string jpeg = makeJpeg(8, 8, 1, 2, 3);
    const std::size_t frame = jpeg.find("\xff\xc0");
    jpeg.replace(frame + 5, 4, "\x7f\xff\x7f\xff");
    EXPECT_TRUE(containsAll(messageOf([&] { decode(jpeg); }), {"pic", "32767", "16384"}));
}

} // namespace
} // namespace aureole::test
