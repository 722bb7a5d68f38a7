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
#include "image/exr/exr.h"
#include "image/image_file.h"
#include "import/import.h"
#include "import/pictures/texture_file.h"
#include "import_files.h"
#include "sandbox/settings.h"
#include "workers.h"
#include "zip_file.h"

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

TEST_F(WeakSpots, PartsThatHoldThemselves) {
    EXPECT_CRASH(modelError("circle.dae", R"(<?xml version="1.0"?><COLLADA version="1.4.1"><library_visual_scenes>)"
                                          R"(<visual_scene id="s"><node id="n"><instance_node url="#n"/></node>)"
                                          R"(</visual_scene></library_visual_scenes><scene>)"
                                          R"(<instance_visual_scene url="#s"/></scene></COLLADA>)"));
}

#ifndef __SANITIZE_ADDRESS__ // which sets no limit
TEST_F(WeakSpots, PackagesThatGrow) {
    constexpr std::uint64_t kLimit = std::uint64_t{1} << 26U;
    sandbox::configure(test::strictSettings(AUREOLE_WORKER, kLimit));
    // A bomb: 80 MiB of blanks in 80 kB. Multiplied: ten of the part before, ten times over.
    const std::string blanks(std::size_t{80} << 20U, ' ');
    const std::string bomb = test::make3mf(blanks + test::tetrahedron3mf());
    EXPECT_LT(bomb.size(), std::size_t{1} << 17U);
    EXPECT_TRUE(test::containsAll(modelError("bomb.3mf", bomb), {"3dmodel.model", "bytes in all parts"}));
    std::string parts = test::tetrahedron3mf();
    parts.replace(parts.find("id=\"1\""), 6, "id=\"20\"");
    for (int i = 9; i >= 0; --i) {
        const std::string below = i == 9 ? "20" : std::to_string(i + 2);
        parts += "<object id=\"" + std::to_string(i + 1) + R"(" type="model"><components>)" +
                 repeated("<component objectid=\"" + below + "\"/>", 10) + "</components></object>";
    }
    EXPECT_TRUE(test::containsAll(modelError("parts.3mf", test::make3mf(parts)), {"takes more than 64 MiB of memory"}));
}

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

TEST_F(WeakSpots, LwoStringsAndPolygonsWithoutEnd) {
    // LWOImporter::GetS0 and CountVertsAndFacesLWO2 read on (CVE-2025-5167, CVE-2025-5201).
    const std::string points = chunk<std::uint32_t>("PNTS", std::string(36, '\0'));
    for (const std::string& rest :
         {chunk<std::uint32_t>("TAGS", std::string(3000, 'x')),
          chunk<std::uint32_t>("CLIP", big(1) + "STIL" + std::string(3, 'x')),
          chunk<std::uint32_t>("POLS", "FACE" + big(std::uint16_t{1023}) + std::string("\xff\xff", 2)),
          chunk<std::uint32_t>("POLS", std::string("FACE") + '\xff'), chunk<std::uint32_t>("SURF", std::string(7, 'x')),
          chunk<std::uint32_t>("VMAP", std::string("TXUV\0\2xx", 8))}) {
        const std::string body = "LWO2" + points + rest;
        modelError("end.lwo", "FORM" + big(static_cast<std::uint32_t>(body.size())) + body);
    }
}

TEST_F(WeakSpots, SkinsThatNameNoVertex) {
    // XFileImporter::CreateMeshes (CVE-2022-38528) takes the vertices and faces of skins and normals as they come.
    const std::string mesh = "xof 0303txt 0032\nMesh { 3; 0;0;0;, 1;0;0;, 0;1;0;; 1; 3;0,1,2;;\n";
    const std::string weights = "XSkinMeshHeader { 1; 1; 1; } SkinWeights { \"b\"; 1; ";
    EXPECT_EQ(modelError("skin.x", mesh + weights + "2; 1.0; " + repeated("0.0,", 15) + "1.0;; } }"), "");
    for (const char* vertex : {"3", "4000000000", "-1"}) {
        modelError("skin.x", mesh + weights + vertex + "; 1.0; " + repeated("0.0,", 15) + "1.0;; } }");
    }
    modelError("normals.x", mesh + "MeshNormals { 1; 0;0;1;; 1; 3;0,7,4000000000;; } }");
    modelError("materials.x", mesh + "MeshMaterialList { 1; 1; 4000000000;; } }");
}

TEST_F(WeakSpots, ColladaChannelsThatLeadNowhere) {
    // ColladaParser::ExtractDataObjectFromChannel (CVE-2022-45748).
    const std::string start = R"(<?xml version="1.0"?><COLLADA version="1.4.1"><library_animations><animation id="a">)"
                              R"(<source id="t"><float_array id="f" count="1">0</float_array><technique_common>)"
                              R"(<accessor source="#f" count="9" stride="3"/></technique_common></source>)";
    const std::string end = R"(</animation></library_animations><library_visual_scenes><visual_scene id="s">)"
                            R"(<node id="n"><translate sid="m">0 0 0</translate></node></visual_scene>)"
                            R"(</library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>)";
    for (const char* source : {"#t", "#none", "#", ""}) {
        const std::string sampler = std::string(R"(<sampler id="p"><input semantic="INPUT" source=")") + source +
                                    R"("/><input semantic="OUTPUT" source=")" + source +
                                    R"("/></sampler><channel source="#p" target="n/m.X"/><channel source="#q" )" +
                                    R"(target="n/"/><channel source="" target=""/>)";
        EXPECT_NE(modelError("channel.dae", start + sampler + end), "");
    }
}

TEST_F(WeakSpots, LinesThatAreLongerThanTheirBuffer) {
    // GetNextLine copies a line into 4096 bytes (CVE-2025-2151); formats that are read through it are no longer.
    const std::string tail(100'000, '7');
    EXPECT_EQ(modelError("long.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2 " + tail + "\n"), "");
    EXPECT_NE(modelError("long.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3" + tail + "\n"), "");
    modelError("name.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\no " + tail + "\ng " + tail + "\nf 1 2 3\n");
    modelError("name.stl", "solid " + tail +
                               "\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
                               "vertex 0 1 0\nendloop\nendfacet\nendsolid\n");
    modelError("name.x", "xof 0303txt 0032\nFrame " + tail + " { Mesh { 3; 0;0;0;, 1;0;0;, 0;1;0;; 1; 3;0,1,2;; } }");
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
    // 5771, 6015, 6018), and of MDL, CSM, ASE, MD2, MD3, MDC, BVH, Q3D and OpenDDL, in which most of its known
    // overflows are.
    EXPECT_NE(modelError("md5.obj", "MD5Version 10\njoints MD5Version"), "");
    EXPECT_NE(modelError("md5.x", "MD5Version 10\njoints MD5Version"), "");
    EXPECT_NE(modelError("ac.3ds", "AC3Db\nOBJECT world\nkids 1\n"), "");
}

} // namespace

} // namespace aureole
