// Pictures of 8 bits and Radiance pictures, against files of another writer and bytes put together by hand.

#include <cmath>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "error_of.h"
#include "exr_bytes.h"
#include "foreign_pictures.h"
#include "image/colour/srgb.h"
#include "image/image_file.h"
#include "image/pictures/rgba8.h"

namespace aureole {
namespace {

using testing::Caught;
using testing::errorOf;
using testing::toBytes;
using Bytes = std::vector<std::byte>;

constexpr std::uint32_t kSide = 100;
const std::vector<std::uint8_t> kPixels = {255, 0,  0,  255, 0,   255, 0,  128, 0,   0,   255, 0,
                                           10,  20, 30, 255, 200, 100, 50, 64,  255, 255, 255, 255};

std::vector<std::uint8_t> opaque(std::vector<std::uint8_t> pixels) {
    for (std::size_t i = 3; i < pixels.size(); i += 4) {
        pixels[i] = 255;
    }
    return pixels;
}

Bytes bytesOf(const std::string& text) {
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

struct Foreign {
    std::string name;
    Bytes bytes;
    std::vector<std::uint8_t> rgba;
    bool alpha;
};

std::vector<Foreign> foreignPictures() {
    return {{"rgb.tga", toBytes(foreign::kTgaRgb), opaque(kPixels), false},
            {"rle.tga", toBytes(foreign::kTgaRle), kPixels, true},
            {"palette.tga", toBytes(foreign::kTgaPalette), opaque(kPixels), false},
            {"24.bmp", toBytes(foreign::kBmp24), opaque(kPixels), false},
            {"palette.bmp", toBytes(foreign::kBmpPalette), opaque(kPixels), false},
            {"lossless.webp", toBytes(foreign::kWebPLossless), kPixels, true}};
}

TEST(Pictures, AreReadToTheByte) {
    for (const Foreign& picture : foreignPictures()) {
        const std::optional<Rgba8> found = decodeRgba8(picture.bytes, picture.name, kSide);
        ASSERT_TRUE(found.has_value()) << picture.name;
        EXPECT_EQ(found->width, 3U) << picture.name;
        EXPECT_EQ(found->height, 2U) << picture.name;
        EXPECT_EQ(found->alpha, picture.alpha) << picture.name;
        EXPECT_EQ(found->rgba, picture.rgba) << picture.name;
    }
    const std::optional<Rgba8> grey = decodeRgba8(toBytes(foreign::kTgaGrey), "grey.tga", kSide);
    EXPECT_EQ(grey->rgba, (std::vector<std::uint8_t>{255, 255, 255, 255, 0,   0,   0,   255, 0,   0,   0,   255,
                                                     10,  10,  10,  255, 200, 200, 200, 255, 255, 255, 255, 255}));
}

TEST(Pictures, LossyWebPIsNear) {
    const std::optional<Rgba8> found = decodeRgba8(toBytes(foreign::kWebPLossy), "lossy.webp", kSide);
    ASSERT_EQ(found->rgba.size(), 16U * 16U * 4U);
    EXPECT_FALSE(found->alpha);
    for (std::size_t i = 0; i < found->rgba.size(); i += 4) {
        ASSERT_NEAR(found->rgba[i], 200, 4) << i;
        ASSERT_NEAR(found->rgba[i + 1], 100, 4) << i;
        ASSERT_NEAR(found->rgba[i + 2], 50, 4) << i;
        ASSERT_EQ(found->rgba[i + 3], 255) << i;
    }
}

TEST(Pictures, AFourthByteThatMeansNothingIsNoAlpha) {
    Bytes bytes = toBytes(foreign::kTgaRle);
    bytes.at(17) &= std::byte{0xf0}; // "no bits of alpha"
    const std::optional<Rgba8> found = decodeRgba8(bytes, "none.tga", kSide);
    EXPECT_FALSE(found->alpha);
    EXPECT_EQ(found->rgba, opaque(kPixels));
    // BMP files of 32 bits whose fourth bytes are all 0.
    EXPECT_EQ(decodeRgba8(toBytes(foreign::kBmp32), "32.bmp", kSide)->rgba.at(3), 255);
}

TEST(Pictures, EveryTruncationIsAnError) {
    std::vector<Foreign> pictures = foreignPictures();
    pictures.push_back({"lossy.webp", toBytes(foreign::kWebPLossy), {}, false});
    for (const Foreign& picture : pictures) {
        std::size_t end = picture.bytes.size();
        if (picture.name == "24.bmp") {
            end -= 3; // rows are filled up to four bytes
        } else if (picture.name == "palette.bmp" || picture.name.ends_with(".webp")) {
            end -= 1; // filled up to four bytes a row, or to an even number in all
        } else if (picture.name.ends_with(".tga")) {
            end -= 26; // the footer, which no one needs
        }
        for (std::size_t size = 0; size < end; ++size) {
            const Caught caught = errorOf([&] { decodePicture(std::span(picture.bytes).first(size), picture.name); });
            ASSERT_EQ(caught.code, ExitCode::BadInput) << picture.name << " cut to " << size << " bytes";
            ASSERT_TRUE(caught.names(picture.name + ": ")) << caught.message;
            ASSERT_EQ(caught.message.find('\n'), std::string::npos);
        }
    }
}

TEST(Pictures, SizesThatLieAreRefusedBeforeAnythingIsAllocated) {
    Bytes tga = toBytes(foreign::kTgaRle);
    tga.at(12) = tga.at(13) = tga.at(14) = tga.at(15) = std::byte{0xff};
    EXPECT_TRUE(errorOf([&] { decodePicture(tga, "large.tga"); }).names("large.tga: damaged TGA: found 65535 x 65535"));
    EXPECT_TRUE(errorOf([&] { decodeRgba8(tga, "large.tga", kSide); }).names("expected 1 to 100 a side"));
    Bytes bmp = toBytes(foreign::kBmp24);
    bmp.at(18) = std::byte{0};
    EXPECT_EQ(errorOf([&] { decodePicture(bmp, "none.bmp"); }).code, ExitCode::BadInput);
}

TEST(Pictures, AnimationsAreRefusedByName) {
    EXPECT_TRUE(errorOf([] { decodePicture(toBytes(foreign::kWebPAnimated), "a.webp"); }).names("animated WebP"));
    EXPECT_TRUE(errorOf([] { decodePicture(bytesOf("GIF89a......................"), "a.tga"); }).names("a.tga: "));
}

const std::string kHdrHead = "#?RADIANCE\nSOFTWARE=none\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 3\n";

TEST(Pictures, RadianceHasSharedExponents) {
    // Mantissas over 256, times 2 to the exponent less 128; an exponent of 0 is black.
    const std::string pixels("\x80\x40\x20\x81\x01\x02\x03\x8c\xff\xff\xff\x00", 12);
    const Image image = decodePicture(bytesOf(kHdrHead + pixels), "a.hdr");
    EXPECT_EQ(image.channels.size(), 3U);
    EXPECT_EQ(image.find("R")->values, (std::vector<float>{1.0F, 16.0F, 0.0F}));
    EXPECT_EQ(image.find("G")->values, (std::vector<float>{0.5F, 32.0F, 0.0F}));
    EXPECT_EQ(image.find("B")->values, (std::vector<float>{0.25F, 48.0F, 0.0F}));
    for (std::size_t size = 0; size < kHdrHead.size() + pixels.size(); ++size) {
        ASSERT_EQ(errorOf([&] { decodePicture(bytesOf((kHdrHead + pixels).substr(0, size)), "a.hdr"); }).code,
                  ExitCode::BadInput)
            << size;
    }
}

TEST(Pictures, RadianceHasRunLengths) {
    const std::string head = "#?RGBE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 9\n";
    // A row of 9 pixels: each channel by itself, as runs (128 + n, value) and copies (n, values).
    const std::string row = std::string("\x02\x02\x00\x09", 4) + "\x89\x80" + "\x84\x40\x85\x20" +
                            std::string("\x09\x00\x01\x02\x03\x04\x05\x06\x07\x08", 10) + "\x89\x81";
    const Image image = decodePicture(bytesOf(head + row), "a.hdr");
    EXPECT_EQ(image.find("R")->values, std::vector<float>(9, 1.0F));
    EXPECT_EQ(image.find("G")->values, (std::vector<float>{0.5F, 0.5F, 0.5F, 0.5F, 0.25F, 0.25F, 0.25F, 0.25F, 0.25F}));
    for (std::size_t i = 0; i < 9; ++i) {
        EXPECT_EQ(image.find("B")->values[i], static_cast<float>(i) / 128.0F);
    }
    for (std::size_t size = head.size(); size < head.size() + row.size(); ++size) {
        ASSERT_TRUE(errorOf([&] { decodePicture(bytesOf((head + row).substr(0, size)), "a.hdr"); }).names("ends early"))
            << size;
    }
}

/// Rows and columns of 3 x 2 pixels, numbered by their red, as the orders of the file say.
TEST(Pictures, RadianceHasEightOrders) {
    const std::vector<float> expected = {1, 2, 3, 4, 5, 6};
    for (const auto& [size, order] :
         {std::pair("-Y 2 +X 3", "123456"), std::pair("+Y 2 +X 3", "456123"), std::pair("-Y 2 -X 3", "321654"),
          std::pair("+Y 2 -X 3", "654321"), std::pair("+X 3 -Y 2", "142536"), std::pair("+X 3 +Y 2", "415263"),
          std::pair("-X 3 -Y 2", "362514"), std::pair("-X 3 +Y 2", "635241")}) {
        std::string text = std::string("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n") + size + '\n';
        for (const char digit : std::string(order)) {
            text += std::string{static_cast<char>((digit - '0') << 4), '\0', static_cast<char>(0x80),
                                static_cast<char>(132)};
        }
        const Image image = decodePicture(bytesOf(text), "a.hdr");
        EXPECT_EQ(image.width, 3U) << size;
        EXPECT_EQ(image.height, 2U) << size;
        EXPECT_EQ(image.find("R")->values, expected) << size;
        EXPECT_EQ(image.find("B")->values, std::vector<float>(6, 8.0F)) << size;
    }
}

/// Runs of whole pixels: 1, 1, 1 and how often; a second one counts 256 times as much.
TEST(Pictures, RadianceHasTheRunsOfItsFirstVersions) {
    const std::string red("\x80\x00\x00\x81", 4);
    const std::string blue("\x00\x00\x80\x81", 4);
    const std::string head = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 2 +X 150\n";
    const std::string text = head + red + "\x01\x01\x01\x04" + "\x01\x01\x01\x01" + blue + "\x01\x01\x01\x26";
    const Image image = decodePicture(bytesOf(text), "a.hdr");
    for (std::size_t i = 0; i < 300; ++i) { // 1 + 4 + 256 red, 1 + 38 blue
        ASSERT_EQ(image.find("R")->values[i], i < 261 ? 1.0F : 0.0F) << i;
        ASSERT_EQ(image.find("B")->values[i], i < 261 ? 0.0F : 1.0F) << i;
    }
    EXPECT_TRUE(errorOf([&] { decodePicture(bytesOf(text.substr(0, text.size() - 1)), "a.hdr"); }).names("ends early"));
}

TEST(Pictures, RadianceThatEndsInItsHeaderOrInRunsOfNothingEnds) {
    const std::string head = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n";
    for (const std::string& text :
         {head, head + "EXPOSURE=1", head + std::string(300, 'x'),
          head + "\n-Y 1 +X 9\n" + std::string("\x02\x02\x00\x09\x00\x00\x00", 7),
          head + "\n-Y 1 +X 9\n" + std::string("\x02\x02\x00\x09", 4) + std::string(500, '\0')}) {
        EXPECT_EQ(errorOf([&] { decodePicture(bytesOf(text), "a.hdr"); }).code, ExitCode::BadInput) << text.size();
    }
}

TEST(Pictures, WhatIsNotReadSaysSo) {
    const auto messageOf = [](const std::string& text) {
        return errorOf([&] { decodePicture(bytesOf(text), "a.hdr"); }).message;
    };
    EXPECT_NE(messageOf("#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n-Y 1 +X 3\n").find("a.hdr: found an HDR without FORMAT"),
              std::string::npos);
    std::string ofRuns = "BM" + std::string(60, '\0');
    for (const auto& [at, value] : {std::pair{10, 58}, {14, 40}, {18, 1}, {22, 1}, {26, 1}, {28, 8}, {30, 1}}) {
        ofRuns[static_cast<std::size_t>(at)] = static_cast<char>(value);
    }
    EXPECT_NE(messageOf(ofRuns).find("a.hdr: found a BMP of run lengths"), std::string::npos);
    EXPECT_NE(messageOf("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 60000 +X 60000\n").find("found 60000 x 60000"),
              std::string::npos);
    // Before there is room for its pixels.
    const std::string head = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n";
    const std::string flat(400'000, '\x05');
    EXPECT_NE(messageOf(head + "-Y 5000 +X 9000\n" + flat).find("found 400000 bytes for 9000 x 5000 pixels"),
              std::string::npos);
    const std::string runs = std::string("\2\2\x23\x28", 4) + flat; // rows of 9000 take 4 + 4 * 2 * 71 bytes
    EXPECT_NE(messageOf(head + "-Y 5000 +X 9000\n" + runs).find("expected at least 2860000"), std::string::npos);
    EXPECT_NE(
        messageOf(head + "-Y 16000 +X 16000\n" + std::string(2'100'000, '\x05')).find("expected at most 178956970"),
        std::string::npos);
}

/// Through files, and so, in the runs with isolation, by a worker.
class PictureFiles : public ::testing::Test {
protected:
    std::filesystem::path write(const std::string& name, const Bytes& bytes) {
        std::filesystem::path path = std::filesystem::path(::testing::TempDir()) / ("aureole_pictures_" + name);
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        paths_.push_back(path);
        return path;
    }
    void TearDown() override {
        for (const std::filesystem::path& path : paths_) {
            std::filesystem::remove(path);
        }
    }

private:
    std::vector<std::filesystem::path> paths_;
};

TEST_F(PictureFiles, AreLinearImages) {
    for (const Foreign& picture : foreignPictures()) {
        const Image image = readImage(write(picture.name, picture.bytes));
        ASSERT_EQ(image.channels.size(), picture.alpha ? 4U : 3U) << picture.name;
        for (std::size_t c = 0; c < 3; ++c) {
            for (std::size_t i = 0; i < 6; ++i) {
                ASSERT_EQ(image.channels[c].values[i], static_cast<float>(srgbDecode(picture.rgba[4 * i + c] / 255.0)))
                    << picture.name;
            }
        }
        if (picture.alpha) {
            EXPECT_EQ(image.find("A")->values[1], 128.0F / 255.0F) << picture.name;
        }
    }
    const std::string pixels("\x80\x80\x80\x85\x80\x80\x80\x85\x80\x80\x80\x85", 12);
    EXPECT_EQ(readImage(write("a.hdr", bytesOf(kHdrHead + pixels))).find("G")->values, std::vector<float>(3, 16.0F));
    EXPECT_TRUE(errorOf([&] { readImage(write("cut.tga", bytesOf(kHdrHead))); }).names("cut.tga"));
    EXPECT_TRUE(errorOf([&] { readImage(write("text.tga", bytesOf("text"))); }).names("expected that of a JPEG"));
}

TEST_F(PictureFiles, AreWhatTheyHoldWhateverTheyAreCalled) {
    const Image picture = makeImage(2, 1, {"R", "G", "B"});
    const std::filesystem::path png = write("a.png", {});
    const std::filesystem::path exr = write("a.exr", {});
    writeImage(png, picture);
    writeImage(exr, picture);
    const std::filesystem::path wrong = write("wrong.jpg", {});
    for (const auto& [file, format] : {std::pair(png, ImageFormat::Png), std::pair(exr, ImageFormat::Exr)}) {
        std::filesystem::copy_file(file, wrong, std::filesystem::copy_options::overwrite_existing);
        EXPECT_EQ(imageFormat(wrong), format);
        EXPECT_EQ(readImage(wrong).width, 2U);
    }
    EXPECT_EQ(readImage(write("wrong.png", toBytes(foreign::kWebPLossless))).width, 3U);
    EXPECT_EQ(readImage(write("wrong.exr", toBytes(foreign::kBmp24))).width, 3U);
    EXPECT_TRUE(errorOf([&] { readImage(write("text.png", bytesOf("text"))); }).names("text.png"));
}

/// Whatever they are called, and wherever pictures are read.
TEST_F(PictureFiles, FormatsOfOthersSayWhatMakesPicturesOfThem) {
    const auto message = [&](const char* name, const std::string& start) {
        const std::filesystem::path file = write(name, bytesOf(start + "more of it"));
        const Caught caught = errorOf([&] { readImage(file); });
        EXPECT_EQ(caught.code, ExitCode::BadInput);
        return caught.message;
    };
    EXPECT_NE(
        message("sky.ktx2", "\xabKTX 20\xbb\r\n\x1a\n").find("found a KTX file, expected an image file ending in .exr"),
        std::string::npos);
    EXPECT_NE(message("sky.png", "\xabKTX 20\xbb\r\n\x1a\n").find("'ktx extract' of Khronos' KTX tools"),
              std::string::npos);
    EXPECT_NE(message("sky.ktx", "\xabKTX 11\xbb\r\n\x1a\n").find("version 1 takes 'ktx2ktx2'"), std::string::npos);
    EXPECT_NE(message("sky.dds", "DDS |").find("ImageMagick's 'convert'"), std::string::npos);
    EXPECT_NE(message("sky.png", "GIF89a").find("found a GIF file"), std::string::npos);
    EXPECT_NE(message("sky.tif", std::string("II*\0", 4)).find("found a TIFF file"), std::string::npos);
    EXPECT_NE(message("sky.tif", std::string("MM\0*", 4)).find("found a TIFF file"), std::string::npos);
    EXPECT_NE(message("sky.psd", "8BPS").find("found a PSD file"), std::string::npos);
}

TEST_F(PictureFiles, ExtensionsThatNoOneKnowsAreNamed) {
    const Caught read = errorOf([] { readImage("sky.gif"); });
    EXPECT_EQ(read.code, ExitCode::BadInput);
    EXPECT_TRUE(read.names("sky.gif: found the extension '.gif', expected an image file ending in .exr, .png, .jpg, "
                           ".jpeg, .webp, .tga, .bmp or .hdr"))
        << read.message;
    const Caught written = errorOf([] { outputFormat("out.tga"); });
    EXPECT_EQ(written.code, ExitCode::Usage);
    EXPECT_TRUE(written.names("ending in .exr or .png")) << written.message;
}

} // namespace
} // namespace aureole
