#include <random>

#include <gtest/gtest.h>

#include "error_of.h"
#include "exr_bytes.h"
#include "foreign_exr.h"
#include "image/exr/exr.h"

namespace aureole {
namespace {

using testing::Caught;
using testing::ExrFile;
using testing::toBytes;

Caught readError(const std::vector<std::byte>& bytes) {
    return testing::errorOf([&] { decodeExr(bytes, "some.exr"); });
}

/// Checks the 5 x 3 image that foreign_exr.h describes.
void expectForeignImage(const Image& image) {
    ASSERT_EQ(image.width, 5U);
    ASSERT_EQ(image.height, 3U);
    ASSERT_EQ(image.channels.size(), 5U);
    for (std::size_t i = 0; i < image.pixelCount(); ++i) {
        const float v = 0.25F * static_cast<float>(i);
        EXPECT_EQ(image.find("R")->values[i], v) << i;
        EXPECT_EQ(image.find("G")->values[i], v + 100.0F) << i;
        EXPECT_EQ(image.find("B")->values[i], -v) << i;
        EXPECT_EQ(image.find("depth.Z")->values[i], 1000.0F * v) << i;
        EXPECT_EQ(image.find("id.Y")->values[i], static_cast<float>(i) + 7.0F) << i;
    }
}

TEST(ExrReading, ReadsZipOfAnotherWriter) {
    expectForeignImage(decodeExr(toBytes(foreign::kZip), "zip.exr"));
}

TEST(ExrReading, ReadsRleHalfOfAnotherWriter) {
    expectForeignImage(decodeExr(toBytes(foreign::kRle), "rle.exr"));
}

TEST(ExrReading, ReadsTiles) {
    expectForeignImage(decodeExr(toBytes(foreign::kTiled), "tiled.exr"));
}

TEST(ExrReading, ReadsTheFinestLevelOfMipMaps) {
    expectForeignImage(decodeExr(toBytes(foreign::kMipMapped), "mip.exr"));
}

TEST(ExrReading, ReadsRowsStoredBottomFirst) {
    const Image image = decodeExr(toBytes(foreign::kBottomFirst), "dec.exr");
    expectForeignImage(image);
    EXPECT_EQ(image.attributes.at("note"), "h\xC3\xA9llo");
    EXPECT_EQ(image.attributes.size(), 1U);
}

TEST(ExrReading, ReadsADataWindowAwayFromTheOrigin) {
    expectForeignImage(decodeExr(toBytes(foreign::kWindow), "win.exr"));
}

TEST(ExrReading, ReadsPizOfAnotherWriter) {
    const Image image = decodeExr(toBytes(foreign::kPiz), "piz.exr");
    ASSERT_EQ(image.width, 40U);
    ASSERT_EQ(image.height, 37U);
    for (std::uint32_t y = 0; y < 37; ++y) {
        for (std::uint32_t x = 0; x < 40; ++x) {
            const std::size_t i = y * 40 + x;
            ASSERT_EQ(image.find("R")->values[i], 0.25F * static_cast<float>((x / 8 + y / 8) % 3) - 0.5F);
        }
    }
}

TEST(ExrReading, MatchesChannelsByTheirWholeName) {
    Image image = makeImage(2, 1, {"R", "G", "B", "layer.R", "layer.G", "layer.B", "a.layer.R"});
    for (std::size_t c = 0; c < image.channels.size(); ++c) {
        image.channels[c].values = {static_cast<float>(c), static_cast<float>(c) + 0.5F};
    }
    const Image back = decodeExr(encodeExr(image, {}, "layers.exr"), "layers.exr");
    for (const Channel& channel : image.channels) {
        ASSERT_NE(back.find(channel.name), nullptr) << channel.name;
        EXPECT_EQ(back.find(channel.name)->values, channel.values) << channel.name;
    }
    EXPECT_EQ(back.rgb("layers.exr")[0]->values, image.find("R")->values);
}

TEST(ExrReading, ReadsItsOwnBuilder) {
    const Image image = decodeExr(ExrFile{}.bytes(), "built.exr");
    EXPECT_EQ(image.find("Y")->values, (std::vector<float>(4, 1.5F)));
}

TEST(ExrReading, NamesUnsupportedCompression) {
    const std::vector<std::pair<std::uint8_t, std::string>> unsupported = {{10, "HTJ2K"}, {128, "unknown"}};
    for (const auto& [code, name] : unsupported) {
        ExrFile file;
        file.compression = code;
        const Caught caught = readError(file.bytes());
        EXPECT_EQ(caught.code, ExitCode::BadInput);
        EXPECT_TRUE(caught.names("some.exr")) << caught.message;
        EXPECT_TRUE(caught.names("found " + name + " ")) << caught.message;
        EXPECT_TRUE(caught.names("none, RLE, ZIPS, ZIP, PIZ, PXR24, B44, B44A, DWAA or DWAB")) << caught.message;
    }
}

struct Damage {
    std::string what;
    void (*apply)(ExrFile&);
    std::string expected; ///< part of the message
};

class ExrDamage : public ::testing::TestWithParam<Damage> {};

TEST_P(ExrDamage, IsNamed) {
    ExrFile file;
    GetParam().apply(file);
    const Caught caught = readError(file.bytes());
    EXPECT_EQ(caught.code, ExitCode::BadInput) << caught.message;
    EXPECT_TRUE(caught.names("some.exr: ")) << caught.message;
    EXPECT_TRUE(caught.names(GetParam().expected)) << caught.message;
}

INSTANTIATE_TEST_SUITE_P(
    All, ExrDamage,
    ::testing::Values(
        Damage{"Magic", [](ExrFile& f) { f.magic = 7; }, "not an OpenEXR file"},
        Damage{"Version", [](ExrFile& f) { f.version = 3; }, "version 3"},
        Damage{"MultiPart", [](ExrFile& f) { f.version |= 0x1000U; }, "no attribute 'name'"},
        Damage{"Deep", [](ExrFile& f) { f.version |= 0x800U; }, "deep image"},
        Damage{"TiledWithoutTiles", [](ExrFile& f) { f.version |= 0x200U; }, "no attribute 'tiles'"},
        Damage{"NoChannels", [](ExrFile& f) { f.channels.clear(); }, "found no channels"},
        Damage{"ChannelTwice", [](ExrFile& f) { f.channels.push_back(f.channels[0]); }, "'Y' twice"},
        Damage{"PixelType", [](ExrFile& f) { f.channels[0].type = 3; }, "pixel type 3"},
        Damage{"Subsampled",
               [](ExrFile& f) {
                   f.channels[0].sampling = {2, 2};
               },
               "sampling of 2 by 2"},
        Damage{"ChannelsMissing", [](ExrFile& f) { f.leftOut = {"channels"}; }, "no attribute 'channels'"},
        Damage{"CompressionMissing", [](ExrFile& f) { f.leftOut = {"compression"}; }, "no attribute 'compression'"},
        Damage{"WindowMissing", [](ExrFile& f) { f.leftOut = {"dataWindow"}; }, "no attribute 'dataWindow'"},
        Damage{"WindowEmpty",
               [](ExrFile& f) {
                   f.window = {0, 0, -1, 1};
               },
               "'dataWindow'"},
        Damage{"WindowHuge",
               [](ExrFile& f) {
                   f.window = {-2147483647, 0, 2147483647, 1};
               },
               "'dataWindow'"},
        Damage{"WindowWide",
               [](ExrFile& f) {
                   f.window = {0, 0, 65536, 1};
               },
               "'dataWindow'"},
        Damage{"WindowOverclaims",
               [](ExrFile& f) {
                   f.window = {0, 0, 65535, 65535};
               },
               "at most 8589934592 bytes"},
        Damage{"MoreRowsThanChunks",
               [](ExrFile& f) {
                   f.window = {0, 0, 1, 9999};
               },
               "a table of 10000 chunks"},
        Damage{"AttributeTwice",
               [](ExrFile& f) {
                   f.extra = {{"a", "string", "x"}, {"a", "string", "y"}};
               },
               "'a'"},
        Damage{"AttributeType",
               [](ExrFile& f) {
                   f.extra = {{"chromaticities", "string", "red"}};
               },
               "'chromaticities'"},
        Damage{"NameWithoutEnd",
               [](ExrFile& f) {
                   f.extra = {{std::string(400, 'a'), "string", "x"}};
               },
               "no end of an attribute name"},
        Damage{"TableBeyondTheEnd", [](ExrFile& f) { f.offsetShift = 1U << 30U; }, "found chunk 0 at byte"},
        Damage{"TableOfWrap", [](ExrFile& f) { f.offsetShift = ~std::uint64_t{0}; }, "some.exr"},
        Damage{"RowOutside", [](ExrFile& f) { f.rowShift = 2; }, "found a chunk of row 2, expected row 0"},
        Damage{"RowNegative", [](ExrFile& f) { f.rowShift = -1; }, "found a chunk of row -1"},
        Damage{"ChunkTooLarge", [](ExrFile& f) { f.sizeShift = 1; }, "found a chunk of 9 bytes"},
        Damage{"ChunkTooSmall", [](ExrFile& f) { f.sizeShift = -1; }, "found a chunk of 7 bytes"},
        Damage{"ChunkNegative", [](ExrFile& f) { f.sizeShift = -9; }, "found a chunk of 4294967295 bytes"}),
    [](const auto& parameter) { return parameter.param.what; });

TEST(ExrReading, NamesAFileThatWasNotFinished) {
    std::vector<std::byte> bytes = ExrFile{}.bytes();
    const std::size_t table = bytes.size() - 2 * (8 + 8) - 16; // two chunks of a head and two floats, two entries
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(table), 8, std::byte{0});
    EXPECT_TRUE(readError(bytes).names("chunk 0 of 2 is missing"));
}

std::vector<std::vector<std::byte>> smallFiles() {
    Image image = makeImage(9, 35, {"G", "R"});
    for (std::size_t i = 0; i < image.pixelCount(); ++i) {
        image.channels[0].values[i] = static_cast<float>(i % 7);
        image.channels[1].values[i] = static_cast<float>(i / 9);
    }
    image.attributes["aureole.seed"] = "42";
    std::vector<std::vector<std::byte>> files;
    for (const ExrCompression compression :
         {ExrCompression::None, ExrCompression::Rle, ExrCompression::Zips, ExrCompression::Zip, ExrCompression::Piz}) {
        for (const ExrPixelType type : {ExrPixelType::Float, ExrPixelType::Half}) {
            files.push_back(encodeExr(image, {compression, type}, "small.exr"));
        }
    }
    files.push_back(toBytes(foreign::kTiled));
    files.push_back(toBytes(foreign::kMipMapped));
    files.push_back(toBytes(foreign::kPiz));
    return files;
}

TEST(ExrReading, EveryTruncationIsAnError) {
    for (const std::vector<std::byte>& file : {toBytes(foreign::kZip), toBytes(foreign::kTiled), smallFiles()[9]}) {
        for (std::size_t size = 0; size < file.size(); ++size) {
            const std::vector<std::byte> cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
            ASSERT_EQ(readError(cut).code, ExitCode::BadInput) << "cut to " << size << " bytes";
        }
    }
}

/// A PIZ chunk that claims a bitmap of 8192 bytes a few bytes before the end of the file. (Only a tinyexr built with a
/// sanitizer can see the reading itself; the packaged one copies inline.)
TEST(ExrReading, SurvivesPizDataThatPointsPastTheEnd) {
    std::vector<std::byte> bytes = encodeExr(makeImage(64, 32, {"Y"}), {ExrCompression::Piz}, "flat.exr");
    std::size_t table = 8;
    for (const testing::RawAttribute& attribute : testing::attributesOf(bytes)) {
        table = attribute.offset + attribute.size;
    }
    const auto chunk = testing::load<std::uint64_t>(bytes, table + 1);
    ASSERT_LT(bytes.size() - chunk, 100U) << "the chunk is to be a short one";
    const std::array<std::uint16_t, 2> bitmap = {0, 8191};
    std::memcpy(bytes.data() + chunk + 8, bitmap.data(), sizeof(bitmap));
    EXPECT_TRUE(readError(bytes).names("some.exr: its pixels cannot be decoded"));
}

/// Flips bytes anywhere: the result is an image or an Error, and nothing else (the sanitizers watch).
TEST(ExrReading, SurvivesFlippedBytes) {
    std::mt19937 random(1);
    std::size_t errors = 0;
    std::size_t images = 0;
    for (const std::vector<std::byte>& file : smallFiles()) {
        for (int round = 0; round < 400; ++round) {
            std::vector<std::byte> damaged = file;
            const int flips = 1 + round % 4;
            for (int i = 0; i < flips; ++i) {
                damaged[random() % damaged.size()] = static_cast<std::byte>(random() % 256);
            }
            (readError(damaged).code == ExitCode::Done ? images : errors) += 1;
        }
    }
    EXPECT_GT(errors, 500U);
    EXPECT_GT(images, 500U);
}

} // namespace
} // namespace aureole
