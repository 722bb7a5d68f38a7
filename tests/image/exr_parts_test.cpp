// EXR files of all compressions, of tiles, levels and parts, as OpenEXR's own library writes and reads them.

#include <cmath>
#include <cstring>
#include <random>

#include <gtest/gtest.h>

#include <ImfArray.h>
#include <ImfChannelList.h>
#include <ImfDeepScanLineOutputPart.h>
#include <ImfFloatAttribute.h>
#include <ImfHeader.h>
#include <ImfIO.h>
#include <ImfInputFile.h>
#include <ImfMultiPartOutputFile.h>
#include <ImfOutputFile.h>
#include <ImfOutputPart.h>
#include <ImfPartType.h>
#include <ImfTiledOutputFile.h>

#include "error_of.h"
#include "exr_bytes.h"
#include "foreign_exr.h"
#include "image/exr/exr.h"

namespace aureole {
namespace {

using testing::Caught;
using testing::errorOf;

class Memory final : public Imf::OStream {
public:
    Memory()
        : OStream("memory") {}
    void write(const char* from, int count) override {
        bytes.resize(std::max(bytes.size(), offset_ + static_cast<std::size_t>(count)));
        std::memcpy(bytes.data() + offset_, from, static_cast<std::size_t>(count));
        offset_ += static_cast<std::size_t>(count);
    }
    std::uint64_t tellp() override { return offset_; }
    void seekp(std::uint64_t offset) override { offset_ = offset; }

    std::vector<std::byte> bytes;

private:
    std::size_t offset_ = 0;
};

class MemoryInput final : public Imf::IStream {
public:
    explicit MemoryInput(const std::vector<std::byte>& bytes)
        : IStream("memory")
        , bytes_(bytes) {}
    bool read(char* to, int count) override {
        if (offset_ + static_cast<std::size_t>(count) > bytes_.size()) {
            throw std::runtime_error("end");
        }
        std::memcpy(to, bytes_.data() + offset_, static_cast<std::size_t>(count));
        offset_ += static_cast<std::size_t>(count);
        return offset_ < bytes_.size();
    }
    std::uint64_t tellg() override { return offset_; }
    void seekg(std::uint64_t offset) override { offset_ = offset; }

private:
    const std::vector<std::byte>& bytes_;
    std::size_t offset_ = 0;
};

constexpr int kPlaneWidth = 37;
constexpr int kPlaneHeight = 41;
const Imath::Box2i kPlaneWindow{{-3, 5}, {-3 + kPlaneWidth - 1, 5 + kPlaneHeight - 1}};

/// A smooth picture with some noise, which every compression has to work for.
std::vector<float> plane(unsigned seed) {
    std::mt19937 random(seed);
    std::vector<float> values(std::size_t{kPlaneWidth} * kPlaneHeight);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto x = static_cast<double>(i % kPlaneWidth);
        const auto y = static_cast<double>(i / kPlaneWidth);
        values[i] = static_cast<float>(2.0 + std::sin(0.2 * x + seed) * std::cos(0.1 * y) +
                                       0.01 * static_cast<double>(random() % 16U));
    }
    return values;
}

template <typename Value>
Imf::Slice sliceOf(Imf::PixelType type, const std::vector<Value>& values) {
    return Imf::Slice::Make(type, values.data(), kPlaneWindow);
}

Imf::Header headerOf(Imf::Compression compression, Imf::PixelType type, const std::vector<std::string>& channels) {
    Imf::Header header(kPlaneWindow, kPlaneWindow);
    header.compression() = compression;
    for (const std::string& name : channels) {
        header.channels().insert(name, Imf::Channel(type));
    }
    return header;
}

struct Planes {
    std::vector<std::vector<float>> floats;
    std::vector<std::vector<half>> halves;
    Imf::FrameBuffer frame;
};

/// The planes of channels, and a frame of them.
Planes planesOf(Imf::PixelType type, const std::vector<std::string>& channels) {
    Planes planes;
    for (std::size_t c = 0; c < channels.size(); ++c) {
        planes.floats.push_back(plane(static_cast<unsigned>(c)));
        planes.halves.emplace_back(planes.floats[c].begin(), planes.floats[c].end());
    }
    for (std::size_t c = 0; c < channels.size(); ++c) {
        planes.frame.insert(channels[c],
                            type == Imf::HALF ? sliceOf(type, planes.halves[c]) : sliceOf(type, planes.floats[c]));
    }
    return planes;
}

const std::vector<std::string> kRgb = {"B", "G", "R"};

std::vector<std::byte> scanlines(Imf::Compression compression, Imf::PixelType type) {
    const Planes planes = planesOf(type, kRgb);
    Memory memory;
    {
        Imf::OutputFile file(memory, headerOf(compression, type, kRgb), 0);
        file.setFrameBuffer(planes.frame);
        file.writePixels(kPlaneHeight);
    }
    return memory.bytes;
}

std::vector<std::byte> tiles(Imf::Compression compression, Imf::PixelType type, Imf::LevelMode mode) {
    const Planes planes = planesOf(type, kRgb);
    Imf::Header header = headerOf(compression, type, kRgb);
    header.setTileDescription({16, 8, mode});
    Memory memory;
    {
        Imf::TiledOutputFile file(memory, header, 0);
        file.setFrameBuffer(planes.frame);
        for (int level = 0; level < (mode == Imf::ONE_LEVEL ? 1 : file.numLevels()); ++level) {
            file.writeTiles(0, file.numXTiles(level) - 1, 0, file.numYTiles(level) - 1, level);
        }
    }
    return memory.bytes;
}

/// What OpenEXR itself reads, by another of its interfaces than the product uses.
std::vector<float> ownDecode(const std::vector<std::byte>& bytes, const std::string& channel) {
    MemoryInput input(bytes);
    Imf::InputFile file(input, 0);
    std::vector<float> values(std::size_t{kPlaneWidth} * kPlaneHeight);
    Imf::FrameBuffer frame;
    frame.insert(channel, sliceOf(Imf::FLOAT, values));
    file.setFrameBuffer(frame);
    file.readPixels(kPlaneWindow.min.y, kPlaneWindow.max.y);
    return values;
}

double largestError(const std::vector<float>& a, const std::vector<float>& b) {
    double error = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        error = std::max<double>(error, std::abs(a[i] - b[i]));
    }
    return error;
}

TEST(ExrParts, EveryCompressionIsDecodedAsOpenExrDoes) {
    for (int code = 0; code < Imf::NUM_COMPRESSION_METHODS; ++code) {
        const auto compression = static_cast<Imf::Compression>(code);
        for (const Imf::PixelType type : {Imf::HALF, Imf::FLOAT}) {
            for (const std::vector<std::byte>& bytes :
                 {scanlines(compression, type), tiles(compression, type, Imf::ONE_LEVEL),
                  tiles(compression, type, Imf::MIPMAP_LEVELS)}) {
                const Image image = decodeExr(bytes, "some.exr");
                ASSERT_EQ(image.width, static_cast<std::uint32_t>(kPlaneWidth));
                ASSERT_EQ(image.height, static_cast<std::uint32_t>(kPlaneHeight));
                for (std::size_t c = 0; c < kRgb.size(); ++c) {
                    const std::vector<float>& found = image.find(kRgb[c])->values;
                    ASSERT_EQ(found, ownDecode(bytes, kRgb[c])) << code << ' ' << type << ' ' << kRgb[c];
                    ASSERT_LT(largestError(found, plane(static_cast<unsigned>(c))), 0.1) << code << ' ' << type;
                }
            }
        }
    }
}

/// It tells of the pixels of its file, which are others once the image is written.
TEST(ExrParts, TheLevelOfACompressionIsNotCarriedAlong) {
    Imf::Header header = headerOf(Imf::DWAA_COMPRESSION, Imf::FLOAT, kRgb);
    header.insert("dwaCompressionLevel", Imf::FloatAttribute(45.0F));
    header.insert("exposureTime", Imf::FloatAttribute(0.5F));
    const Planes planes = planesOf(Imf::FLOAT, kRgb);
    Memory memory;
    {
        Imf::OutputFile file(memory, header, 0);
        file.setFrameBuffer(planes.frame);
        file.writePixels(kPlaneHeight);
    }
    const Image image = decodeExr(memory.bytes, "dwa.exr");
    const Image again = decodeExr(encodeExr(image, {}, "again.exr"), "again.exr");
    EXPECT_EQ(again.typedAttributes.size(), 1U);
    EXPECT_TRUE(again.typedAttributes.contains("exposureTime"));
}

/// A file of parts with these names, each of them half floats of these channels, compressed by DWAA.
struct Part {
    std::string name;
    std::vector<std::string> channels;
    bool deep = false;
    bool smaller = false;
};

std::vector<std::byte> parts(const std::vector<Part>& wanted) {
    std::vector<Imf::Header> headers;
    for (const Part& part : wanted) {
        Imf::Header header =
            headerOf(part.deep ? Imf::ZIPS_COMPRESSION : Imf::DWAA_COMPRESSION, Imf::HALF, part.channels);
        header.setName(part.name);
        header.setType(part.deep ? Imf::DEEPSCANLINE : Imf::SCANLINEIMAGE);
        if (part.smaller) {
            header.dataWindow().max.x -= 7;
        }
        headers.push_back(header);
    }
    Memory memory;
    {
        Imf::MultiPartOutputFile file(memory, headers.data(), static_cast<int>(headers.size()), false, 0);
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            if (!wanted[i].deep) {
                const Planes planes = planesOf(Imf::HALF, wanted[i].channels);
                Imf::OutputPart part(file, static_cast<int>(i));
                part.setFrameBuffer(planes.frame);
                part.writePixels(kPlaneHeight);
            }
        }
    }
    return memory.bytes;
}

std::vector<std::string> namesOf(const Image& image) {
    std::vector<std::string> names;
    for (const Channel& channel : image.channels) {
        names.push_back(channel.name);
    }
    return names;
}

TEST(ExrParts, FilesOfAnotherVersionOfOpenExrAreRead) {
    // B44 keeps six bits of how far values of a block lie apart, counted in half floats: of 0 and 3.5, steps of a half.
    const std::vector<std::pair<std::vector<std::byte>, double>> files = {{testing::toBytes(foreign::kPxr24), 1e-3},
                                                                          {testing::toBytes(foreign::kB44a), 0.51},
                                                                          {testing::toBytes(foreign::kDwaa), 0.1},
                                                                          {testing::toBytes(foreign::kParts), 0.1}};
    for (const auto& [bytes, tolerance] : files) {
        const Image image = decodeExr(bytes, "foreign.exr");
        ASSERT_EQ(image.pixelCount(), 15U);
        for (std::size_t i = 0; i < image.pixelCount(); ++i) {
            const float v = 0.25F * static_cast<float>(i);
            EXPECT_NEAR(image.find("R")->values[i], v, tolerance) << i;
            EXPECT_NEAR(image.find("G")->values[i], v + 4.0F, tolerance) << i;
            EXPECT_NEAR(image.find("B")->values[i], -v, tolerance) << i;
            if (const Channel* const depth = image.find("depth.Z")) {
                EXPECT_EQ(depth->values[i], 1000.0F * v) << i;
            }
        }
    }
    EXPECT_EQ(namesOf(decodeExr(testing::toBytes(foreign::kParts), "parts.exr")),
              (std::vector<std::string>{"B", "G", "R", "depth.Z"}));
}

TEST(ExrParts, PartsAreLayersOfThePictureThatHasAColour) {
    const std::vector<std::byte> bytes =
        parts({{"depth", {"Z"}}, {"rgba", {"B", "G", "R"}}, {"N", {"N.X", "N.Y"}}, {"other", {"B", "G", "R"}}});
    const Image image = decodeExr(bytes, "parts.exr");
    EXPECT_EQ(namesOf(image),
              (std::vector<std::string>{"B", "G", "R", "depth.Z", "N.X", "N.Y", "other.B", "other.G", "other.R"}));
    for (const auto& [name, seed] : {std::pair{"R", 2U}, std::pair{"depth.Z", 0U}, std::pair{"N.Y", 1U}}) {
        EXPECT_LT(largestError(image.find(name)->values, plane(seed)), 0.1) << name;
    }
    EXPECT_EQ(image.find("R")->values, image.find("other.R")->values);
}

TEST(ExrParts, PartsThatDoNotFitAreLeftOutWithAWarning) {
    ::testing::internal::CaptureStderr();
    const Image image = decodeExr(parts({{"small\n\x1b", {"Z"}, false, true}, {"main", {"Y"}}}), "parts.exr");
    const std::string warnings = ::testing::internal::GetCapturedStderr();
    EXPECT_EQ(namesOf(image), std::vector<std::string>{"Y"});
    EXPECT_NE(warnings.find("parts.exr: its part 'small\\x0a\\x1b' is left out"), std::string::npos) << warnings;
}

TEST(ExrParts, DeepOnesAreRefusedByName) {
    const Caught alone = errorOf([] {
        decodeExr(parts({{"cloud", {"A", "Z"}, true}, {"fog", {"A"}, true}}), "d.exr");
    });
    EXPECT_EQ(alone.code, ExitCode::BadInput);
    EXPECT_TRUE(alone.names("d.exr: found a deep image (part 'cloud')")) << alone.message;
    ::testing::internal::CaptureStderr();
    const Image image = decodeExr(parts({{"cloud", {"A", "Z"}, true}, {"rgb", {"B", "G", "R"}}}), "d.exr");
    EXPECT_NE(::testing::internal::GetCapturedStderr().find("part 'cloud' is left out: it is deep"), std::string::npos);
    EXPECT_EQ(namesOf(image), kRgb);
}

TEST(ExrParts, EveryTruncationIsAnError) {
    for (const std::vector<std::byte>& file :
         {scanlines(Imf::DWAB_COMPRESSION, Imf::HALF), tiles(Imf::B44_COMPRESSION, Imf::HALF, Imf::ONE_LEVEL),
          parts({{"a", {"Y"}}, {"b", {"Y"}}})}) {
        for (std::size_t size = 0; size < file.size(); size += 29) {
            const std::vector<std::byte> cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
            const Caught caught = errorOf([&] { decodeExr(cut, "cut.exr"); });
            ASSERT_EQ(caught.code, ExitCode::BadInput) << "cut to " << size << " bytes";
            ASSERT_TRUE(caught.names("cut.exr")) << caught.message;
        }
    }
}

TEST(ExrParts, SizesThatNoFileCouldHoldAreRefused) {
    std::vector<std::byte> bytes = scanlines(Imf::DWAA_COMPRESSION, Imf::HALF);
    const std::string name("dataWindow\0box2i\0\x10\0\0\0", 21);
    const auto at = std::search(bytes.begin(), bytes.end(), name.begin(), name.end(),
                                [](std::byte a, char b) { return a == static_cast<std::byte>(b); });
    ASSERT_NE(at, bytes.end());
    const std::array<std::int32_t, 4> window = {0, 0, 19'999, 19'999};
    std::memcpy(&*at + name.size(), window.data(), sizeof(window));
    EXPECT_TRUE(errorOf([&] { decodeExr(bytes, "bomb.exr"); }).names("bomb.exr: found 2400000000 bytes of pixels in"));
}

} // namespace
} // namespace aureole
