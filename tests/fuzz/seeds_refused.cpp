// Inputs at the edge of what is accepted, just beyond it: whatever lets one in is found at once, and mutations of them
// come to lie on both sides.

#include "import_files.h"
#include "json_test_util.h"
#include "seeds.h"
#include "zip_file.h"

namespace aureole::fuzz {

namespace {

void addTexts(const Seeds& seeds, const std::string& target, const std::vector<std::string>& texts) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
        seeds.add(target, fmt::format("refused{}", i), texts[i]);
    }
}

/// By the readers of values_fuzz.cpp.
void addValues(const Seeds& seeds) {
    const std::vector<std::vector<std::string>> texts = {{"0x1", "65537x1", "65536x65536"},
                                                         {"5,5,5,6", "0,2,1,2", "0,0,4294967296,1"},
                                                         {"3:3", "0:4294967296"},
                                                         {"1e13", "nan", "-inf", ""},
                                                         {"0", "4097", "1,,2"},
                                                         {"solid,", "thick"},
                                                         {"all,depth", ""},
                                                         {"0", "0.2", "nan", "2000000T"},
                                                         {"0", "1e308h", "nan", "h"},
                                                         {"[::1]:0", ":80", "host:65536"},
                                                         {"film=1", "/film"},
                                                         {"65", "0"},
                                                         {"#ff80", "ff80000", "#gg0000"}};
    for (std::size_t reader = 0; reader < texts.size(); ++reader) {
        for (std::size_t i = 0; i < texts[reader].size(); ++i) {
            seeds.add("values", fmt::format("refused{}_{}", reader, i),
                      std::string(1, static_cast<char>(reader)) + texts[reader][i]);
        }
    }
}

void addRefusedGltfs(const Seeds& seeds) {
    const auto document = [](int count, std::uint16_t index, const std::string& node) {
        test::GltfData data; // whose last view ends with the buffer
        const int indices = data.accessor(test::bytesOf<std::uint16_t>({0, 1, index}), 5123, 3, "SCALAR");
        const int positions = data.accessor(test::bytesOf(test::kTriangle), 5126, count, "VEC3");
        return data.document(fmt::format(
            R"("nodes": [{{"mesh": 0{}}}],
"meshes": [{{"primitives": [{{"attributes": {{"POSITION": {}}}, "indices": {}}}]}}])",
            node, positions, indices));
    };
    addTexts(seeds, "gltf",
             {document(4, 2, ""), document(3, 3, ""), document(3, 2, R"(, "scale": [1e999, 1, 1])"),
              document(3, 2, R"(, "children": [0])"), document(3, 2, R"(, "mesh": 1)")});
}

/// A voxel at (x, y, z) of a model of 2 x 3 x 4.
std::string voxWith(std::uint8_t x, std::uint8_t y, std::uint8_t z) {
    std::string file = "VOX ";
    test::append(file, std::uint32_t{150});
    file += "MAIN";
    test::append(file, std::uint32_t{0});
    test::append(file, std::uint32_t{12 + 12 + 12 + 8});
    file += "SIZE";
    for (const std::uint32_t word : {12U, 0U, 2U, 3U, 4U}) {
        test::append(file, word);
    }
    file += "XYZI";
    for (const std::uint32_t word : {8U, 0U, 1U}) {
        test::append(file, word);
    }
    for (const std::uint8_t byte : {x, y, z, std::uint8_t{1}}) {
        test::append(file, byte);
    }
    return file;
}

} // namespace

void addRefusedSeeds(const Seeds& seeds) {
    using namespace std::string_literals;
    addValues(seeds);
    addRefusedGltfs(seeds);
    addTexts(seeds, "vox", {voxWith(2, 0, 0), voxWith(0, 3, 0), voxWith(0, 0, 4)});
    addTexts(seeds, "obj",
             {"newmtl a\nKd nan 0 0\n", "newmtl a\nNs inf\n", "newmtl a\nmap_Kd -s 1\n", "Kd 1\n", "v 0 0 0\nf 1 1 2\n",
              "v 0 0 0\nf 1 1 -2\n", "v 0 0 0\nf 1 1 -9223372036854775808\n"});
    const std::string ply = "ply\nformat ascii 1.0\nelement vertex ";
    addTexts(seeds, "off",
             {"OFF\n3000000000 1 0\n0 0 0\n", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", "4OFF\n1 1 0\n",
              "OFF BINARY\n"});
    addTexts(seeds, "threemf",
             {test::model3mf(R"(<object id="1"><components><component objectid="1"/></components></object>)"),
              test::model3mf(test::tetrahedron3mf(R"(pid="2" pindex="0")")),
              test::model3mf(test::tetrahedron3mf(), R"(<item objectid="1" transform="1 0 0"/>)")});
    addTexts(seeds, "ply",
             {ply + "9\nproperty float x\nend_header\n0\n", ply + "4294967296\nproperty float x\nend_header\n0\n",
              "ply\nformat ascii 1.0\nelement v\0\nend_header\n"s,
              ply + "1\nproperty list uchar int i\nend_header\n200 1\n"});
    addTexts(seeds, "reaction",
             {R"({ "type": "reaction_diffusion", "range": [0.1, 0.1000000001] })",
              R"({ "type": "reaction_diffusion", "dt": 9 })", R"({ "type": "reaction_diffusion", "size": [0, 1] })"});
    const auto mesh = [](const std::string& triangles) {
        return R"({ "version": 1, "assets": { "a": { "mesh": { "positions": [[0, 0, 0], [1, 0, 0], [0, 1, 0]],
"triangles": [)" +
               triangles + R"(] } } }, "instances": { "a": { "asset": "a" } } })";
    };
    addTexts(seeds, "scene_json",
             {mesh("[0, 1, 3]"), mesh("[0, 1, -1]"), mesh("[0, 1, 1.5]"), minimalScene() + "\0/film/size=[0,1]"s});
}

} // namespace aureole::fuzz
