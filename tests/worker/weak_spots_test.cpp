// Files at the known weak spots of the libraries that read them, assimp 5.2.5 and tinyexr 1.0.1: each is an error of
// that file, or is read; none harms the program.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.h"
#include "image/exr.h"
#include "image/image_file.h"
#include "import_files.h"
#include "sandbox/settings.h"
#include "scene/import.h"
#include "scene/texture_file.h"
#include "workers.h"

namespace aureole {

namespace {

constexpr std::uint64_t kMemory = std::uint64_t{1} << 29U;

std::string repeated(const std::string& text, int count) {
    std::string all;
    for (int i = 0; i < count; ++i) {
        all += text;
    }
    return all;
}

/// Big-endian, as LWO has its numbers.
template <typename Number>
std::string big(Number value) {
    std::string bytes;
    test::append(bytes, value);
    return {bytes.rbegin(), bytes.rend()};
}

template <typename Length>
std::string chunk(const std::string& name, const std::string& content) {
    return name + big(static_cast<Length>(content.size())) + content + (content.size() % 2 != 0 ? "\0" : "");
}

class WeakSpots : public testing::Test {
protected:
    void SetUp() override { sandbox::configure(test::strictSettings(AUREOLE_WORKER, kMemory)); }
    void TearDown() override { sandbox::configure({}); }

    /// The message of the error that a file's content is; "" where it is read.
    std::string errorOf(const std::string& name, const std::string& content,
                        const std::function<void(const std::filesystem::path&)>& read) const {
        const std::filesystem::path file = folder_.write(name, content);
        try {
            read(file);
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ExitCode::BadInput) << error.what();
            EXPECT_NE(std::string(error.what()).find(file.string()), std::string::npos) << error.what();
            return error.what();
        }
        return {};
    }
    std::string modelError(const std::string& name, const std::string& content) const {
        return errorOf(name, content, [](const auto& file) { importModel(file, {}); });
    }
    std::string imageError(const std::string& name, const std::string& content) const {
        return errorOf(name, content, [](const auto& file) { readImage(file); });
    }

    test::TemporaryFolder folder_;
};

/// What goes wrong with these breaks the process that reads them.
#define EXPECT_CRASH(message) EXPECT_TRUE(test::containsAll(message, {test::kCrash}))

TEST_F(WeakSpots, PlyWithASecondListOfVertices) {
    // PLYImporter::LoadVertex makes room for the first element's vertices and writes the second's (CVE-2024-40724 and
    // kin: assimp issue 5729).
    const std::string properties = "property float x\nproperty float y\nproperty float z\n";
    const std::string file =
        "ply\nformat binary_little_endian 1.0\nelement vertex 3\n" + properties + "element vertex 2000000\n" +
        properties + "element face 1\nproperty list uchar int vertex_indices\nend_header\n" +
        std::string(std::size_t{12} * 2'000'003, 'A') + std::string("\3\0\0\0\0\1\0\0\0\2\0\0\0", 13);
    EXPECT_CRASH(modelError("two.ply", file));
}

TEST_F(WeakSpots, PlyWhoseHeaderDoesNotEnd) {
    // IOStreamBuffer::getNextLine reads on (assimp pull request 5310); the header is checked before.
    EXPECT_TRUE(test::containsAll(modelError("open.ply", "ply\nformat ascii 1.0\nelement vertex 3"),
                                  {"a header without an end"}));
}

TEST_F(WeakSpots, NestingThatExhaustsTheStack) {
    EXPECT_CRASH(modelError("deep.x", "xof 0303txt 0032\n" + repeated("Frame a {", 1'000'000)));
    EXPECT_CRASH(
        modelError("deep.fbx", "; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n" + repeated("A: {\n", 300'000)));
    EXPECT_CRASH(modelError("deep.dae", R"(<?xml version="1.0"?><COLLADA version="1.4.1"><library_visual_scenes>)"
                                        R"(<visual_scene id="s">)" +
                                            repeated("<node>", 200'000) + repeated("</node>", 200'000) +
                                            R"(</visual_scene></library_visual_scenes><scene>)"
                                            R"(<instance_visual_scene url="#s"/></scene></COLLADA>)"));
}

#ifndef __SANITIZE_ADDRESS__ // which sets no limit
TEST_F(WeakSpots, CountsThatTakeAllMemory) {
    // ColladaParser::ReadDataArray makes room for what an array says it has.
    EXPECT_TRUE(test::containsAll(modelError("counts.dae", R"(<COLLADA version="1.4.1"><library_geometries><geometry)"
                                                           R"( id="g"><mesh><source id="s"><float_array id="a" count=)"
                                                           R"("1000000000">0</float_array></source></mesh></geometry>)"
                                                           R"(</library_geometries></COLLADA>)"),
                                  {"takes more than 512 MiB of memory", "--asset-memory"}));
}
#endif

TEST_F(WeakSpots, LwoEnvelopesThatRepeat) {
    // AnimResolver::UpdateAnimRangeSetup reads before an envelope's keys (CVE-2025-3158).
    const auto envelope = [](std::uint16_t before, std::uint16_t after) {
        using std::string;
        return chunk<std::uint32_t>(
            "ENVL", string("\0\1", 2) + chunk<std::uint16_t>("TYPE", string("\4\1", 2)) +
                        chunk<std::uint16_t>("PRE ", big(before)) +
                        chunk<std::uint16_t>("KEY ", big(200.0F) + big(8.0F)) + chunk<std::uint16_t>("SPAN", "LINE") +
                        chunk<std::uint16_t>("KEY ", big(550.0F) + big(22.0F)) + chunk<std::uint16_t>("SPAN", "LINE") +
                        chunk<std::uint16_t>("POST", big(after)));
    };
    for (std::uint16_t before = 0; before < 6; ++before) {
        const std::string zero = big(0.0F);
        const std::string one = big(1.0F);
        const std::string body =
            "LWO2" + chunk<std::uint32_t>("LAYR", std::string(16, '\0') + std::string("n\0", 2)) +
            envelope(before, static_cast<std::uint16_t>(5 - before)) +
            chunk<std::uint32_t>("PNTS", zero + zero + zero + one + zero + zero + zero + one + zero) +
            chunk<std::uint32_t>("POLS", "FACE" + big(std::uint16_t{3}) + big(std::uint16_t{0}) +
                                             big(std::uint16_t{1}) + big(std::uint16_t{2}));
        modelError("envelope.lwo", "FORM" + big(static_cast<std::uint32_t>(body.size())) + body);
    }
}

TEST_F(WeakSpots, ExrFilesWithDamage) {
    // rleUncompress, DecompressPiz, hufUncompress and DecodePixelData follow what a chunk says (CVE-2022-34300,
    // CVE-2022-38529; tinyexr issues 112, 121, 167, 169, 176, 177).
    Image image = makeImage(40, 30, {"R", "G", "B"});
    std::mt19937 random(3);
    for (Channel& channel : image.channels) {
        for (float& value : channel.values) {
            value = static_cast<float>(random() % 7);
        }
    }
    int errors = 0;
    for (const ExrCompression compression : {ExrCompression::Rle, ExrCompression::Piz, ExrCompression::Zip}) {
        const std::vector<std::byte> bytes = encodeExr(image, {.compression = compression}, "image");
        const std::string whole(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        EXPECT_EQ(imageError("whole.exr", whole), "");
        for (int i = 0; i < 30; ++i) {
            std::string damaged = whole;
            for (int change = 0; change < 8; ++change) {
                damaged[300 + random() % (damaged.size() - 300)] = static_cast<char>(random());
            }
            errors += imageError("damaged.exr", damaged).empty() ? 0 : 1;
        }
    }
    EXPECT_GT(errors, 30);
}

TEST_F(WeakSpots, ExrRunsThatLeaveTheirChunk) {
    Image image = makeImage(64, 1, {"Y"});
    const std::vector<std::byte> bytes = encodeExr(image, {.compression = ExrCompression::Rle}, "image");
    std::string file(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    file.back() = static_cast<char>(-100); // a hundred literal bytes are to follow
    imageError("run.exr", file);
    file[file.size() - 2] = static_cast<char>(-100);
    imageError("run.exr", file);
}

TEST_F(WeakSpots, PicturesThatAreLargerThanTheirFiles) {
    std::string png = test::makePng(1, 1, {1, 2, 3, 4});
    png.replace(16, 8, std::string("\0\0\xff\xff\0\0\xff\xff", 8)); // then its checksum is wrong as well
    EXPECT_NE(imageError("large.png", png), "");
    const auto texture = folder_.write("large_texture.png", png);
    EXPECT_NE(test::messageOf([&] { loadTexture(std::filesystem::canonical(texture)); }), "");
}

TEST_F(WeakSpots, OtherFormatsUnderAFamiliarName) {
    // assimp would look at the content and take any of its fifty readers, such as those of MD5 and AC (assimp issues
    // 5771, 6015, 6018).
    EXPECT_NE(modelError("md5.obj", "MD5Version 10\njoints MD5Version"), "");
    EXPECT_NE(modelError("md5.x", "MD5Version 10\njoints MD5Version"), "");
    EXPECT_NE(modelError("ac.3ds", "AC3Db\nOBJECT world\nkids 1\n"), "");
}

} // namespace

} // namespace aureole
