#include <nlohmann/json.hpp>

#include "gltf_samples.h"
#include "import_files.h"
#include "json_test_util.h"
#include "nbt_bytes.h"
#include "seeds.h"
#include "volume_files.h"
#include "zip_file.h"

namespace aureole::fuzz {

namespace {

void addScenes(const Seeds& seeds) {
    seeds.add("scene_json", "minimal.json", minimalScene());
    using namespace std::string_literals;
    seeds.add("scene_json", "set", minimalScene() + "\0/integrator/seed=7\0/film/size=[4,2]"s);
    for (const auto& [name, environment] :
         std::map<std::string, const char*>{{"gradient", kGradientEnvironment}, {"sky", kSkyEnvironment}}) {
        nlohmann::json scene = nlohmann::json::parse(fullScene(environment));
        const std::string text = scene.dump();
        seeds.add("scene_json", name, text);
        // Each part by itself is quicker to read and to change.
        for (const auto& [key, value] : scene.items()) {
            nlohmann::json small = nlohmann::json::parse(minimalScene());
            small[key] = value;
            seeds.add("scene_json", name + "_" + key, small.dump());
        }
    }
    for (const auto& entry : std::filesystem::directory_iterator(AUREOLE_SCENES_FOLDER)) {
        const bool isScene = entry.path().extension() == ".json" && entry.path().stem() != "aureole.schema";
        if (isScene && entry.file_size() < 8192) {
            seeds.addFile("scene_json", entry.path());
        }
    }
}

void addGltfs(const Seeds& seeds) {
    test::GltfData data;
    const int positions = data.positions(test::kTriangle);
    const int indices = data.accessor(test::bytesOf<std::uint16_t>({0, 1, 2}), 5123, 3, "SCALAR");
    const int moved = data.accessor(test::bytesOf<float>({0, 0, 0, 1, 2, 3}), 5126, 2, "VEC3");
    const std::string rest = fmt::format(
        R"("scene": 0, "scenes": [{{"nodes": [0, 1]}}],
"nodes": [{{"mesh": 0, "translation": [1, 2, 3], "rotation": [0, 0, 0, 1], "scale": [1, 1, 2], "camera": 0,
  "extensions": {{"KHR_lights_punctual": {{"light": 0}},
                  "EXT_mesh_gpu_instancing": {{"attributes": {{"TRANSLATION": {2}}}}}}}}},
  {{"children": [2]}}, {{"mesh": 0, "matrix": [1,0,0,0, 0,1,0,0, 0,0,1,0, 5,6,7,1]}}],
"cameras": [{{"type": "perspective", "perspective": {{"yfov": 0.7, "znear": 0.1}}}}],
"extensionsUsed": ["KHR_lights_punctual", "EXT_mesh_gpu_instancing"],
"extensions": {{"KHR_lights_punctual": {{"lights": [{{"type": "spot", "color": [1, 0.5, 0], "intensity": 3,
  "spot": {{"innerConeAngle": 0.1, "outerConeAngle": 0.5}}}}]}}}},
"materials": [{{"pbrMetallicRoughness": {{"baseColorFactor": [1, 0.5, 0.25, 1], "metallicFactor": 0,
  "roughnessFactor": 0.5, "baseColorTexture": {{"index": 0, "extensions": {{"KHR_texture_transform":
  {{"offset": [0.5, 0], "rotation": 1, "scale": [2, 2]}}}}}}}}, "emissiveFactor": [1, 1, 0], "alphaMode": "MASK",
  "extensions": {{"KHR_materials_emissive_strength": {{"emissiveStrength": 4}}}}, "extras": {{"note": [1, "a"]}}}}],
"textures": [{{"source": 0, "sampler": 0}}], "samplers": [{{"wrapS": 33071, "magFilter": 9728}}],
"images": [{{"uri": "picture.png"}}],
"meshes": [{{"primitives": [{{"attributes": {{"POSITION": {0}}}, "indices": {1}, "material": 0}}]}}])",
        positions, indices, moved);
    seeds.add("gltf", "embedded.gltf", data.document(rest));
    seeds.add("gltf", "binary.glb", test::makeGlb(data.document(rest, false), data.binary()));
    seeds.add("gltf", "draco.gltf", test::dracoBox());
    seeds.add("gltf", "meshopt.gltf", test::meshoptBox());
    seeds.add("gltf", "unlit.gltf",
              data.document(fmt::format(
                  R"("nodes": [{{"mesh": 0, "extensions": {{"KHR_node_visibility": {{"visible": true}}}}}}],
"meshes": [{{"primitives": [{{"attributes": {{"POSITION": {}}}, "material": 0}}]}}],
"textures": [{{"source": 0, "extensions": {{"EXT_texture_webp": {{"source": 0}}}}}}], "images": [{{"uri": "picture.png"}}],
"materials": [{{"emissiveTexture": {{"index": 0, "texCoord": 3}}, "extensions": {{"KHR_materials_unlit": {{}},
  "KHR_materials_clearcoat": {{"clearcoatFactor": 1, "clearcoatRoughnessFactor": 0.5}},
  "KHR_materials_specular": {{"specularFactor": 0.5, "specularColorFactor": [1, 1, 0]}},
  "KHR_materials_transmission": {{"transmissionFactor": 0.5}}}}}}])",
                  positions)));
    seeds.add("gltf", "external.gltf", std::string_view(R"({"asset": {"version": "2.0"},
"scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}], "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
"buffers": [{"byteLength": 36, "uri": "data.bin"}], "bufferViews": [{"buffer": 0, "byteLength": 36}],
"accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
  "sparse": {"count": 1, "indices": {"bufferView": 0, "componentType": 5121}, "values": {"bufferView": 0}}}]})"));
}

/// An arm that turns, steps and goes along a spline, with a hand on it, a skin and a morph target.
void addMovingGltf(const Seeds& seeds) {
    test::GltfData data;
    const int positions = data.positions(test::kTriangle);
    const int joints = data.accessor(test::bytesOf(std::vector<std::uint8_t>(12, 0)), 5121, 3, "VEC4");
    const int weights = data.accessor(test::bytesOf<float>({1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}), 5126, 3, "VEC4");
    const int times = data.accessor(test::bytesOf<float>({0, 2}), 5126, 2, "SCALAR");
    const int turns = data.accessor(test::bytesOf<float>({0, 0, 0, 1, 0, 0, 1, 0}), 5126, 2, "VEC4");
    const int places = data.accessor(test::bytesOf<float>({0, 0, 0, 1, 2, 3}), 5126, 2, "VEC3");
    const int spline =
        data.accessor(test::bytesOf<float>({0, 0, 0, 1, 1, 1, 0, 1, 0, 0, 1, 0, 2, 2, 2, 0, 0, 0}), 5126, 6, "VEC3");
    const int morphs = data.accessor(test::bytesOf<float>({0, 1}), 5126, 2, "SCALAR");
    seeds.add(
        "gltf", "moving.gltf",
        data.document(fmt::format(
            R"("nodes": [{{"mesh": 0, "children": [1]}}, {{"mesh": 0, "scale": [1, 2, 1]}}, {{"mesh": 1, "skin": 0}}],
"meshes": [{{"primitives": [{{"attributes": {{"POSITION": {0}}}}}]}},
  {{"primitives": [{{"attributes": {{"POSITION": {0}, "JOINTS_0": {1}, "WEIGHTS_0": {2}}},
    "targets": [{{"POSITION": {0}}}]}}]}}],
"skins": [{{"joints": [1]}}], "animations": [{{"name": "go", "channels": [
  {{"sampler": 0, "target": {{"node": 0, "path": "rotation"}}}},
  {{"sampler": 1, "target": {{"node": 0, "path": "translation"}}}},
  {{"sampler": 2, "target": {{"node": 1, "path": "scale"}}}},
  {{"sampler": 3, "target": {{"node": 2, "path": "weights"}}}}],
"samplers": [{{"input": {3}, "output": {4}}}, {{"input": {3}, "output": {5}, "interpolation": "STEP"}},
  {{"input": {3}, "output": {6}, "interpolation": "CUBICSPLINE"}}, {{"input": {3}, "output": {7}}}]}}])",
            positions, joints, weights, times, turns, places, spline, morphs)));
}

void addObjs(const Seeds& seeds) {
    seeds.add("obj", "faces.obj",
              std::string_view("v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\n"
                               "f 1/1/1 2/1/1 \\\n3//1\nf -3 -2 -1\n# end\n"));
    seeds.add("obj", "no_uvs.obj",
              std::string_view("v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\nf 1/1/1 2/7 \\\n 3/1/ # c\nf 1/1/1 2/2/1 3//1"));
    seeds.add("obj", "points.obj", std::string_view("v .5 -.5 +.5 # .5\nv 1 .0 0\nv 0 1 0\nvt .5 .5\nf 1/1 2/1 3/1\n"));
    seeds.add(
        "obj", "materials.mtl",
        std::string_view("newmtl red\nKd 1 0 0\nNs 96\nd 0.5\nPr 0.25\nmap_Kd -s 2 2 1 -o 0.5 -clamp on a\\b.png\n"
                         "bump -bm 0.5 c.png\nnewmtl glass\nNi 1.5\nillum 7\nTf 0.5\n"));
}

void addOffs(const Seeds& seeds) {
    const std::string points = "4 2 0\n0 0 0\n2 0 0\n2 2 0\n0 2 0\n";
    seeds.add("binvox", "cells.binvox",
              "#binvox 1\ndim 3 3 3\ntranslate 1.0 2.0 3.0\nscale 6.0\ndata\n" +
                  std::string("\1\1\0\6\1\1\0\t\1\1\0\1\1\1\0\7", 16));
    seeds.add("off", "plain.off", "OFF\n" + points + "3 0 1 2\n4 0 1 2 3\n");
    seeds.add("off", "free.off", "# c\nOFF" + points + "\n3 0\n1 2 255 0 0\n\n3 0 2 3");
    seeds.add("off", "all.off",
              "STCNOFF\n3 1 0\n0 0 0 0 0 2 1 0 0.5 1 0.25 0.75\n1 0 0 0 0 1 1 1 1 0.5 0 0\n0 1 0 0 0 1 1 1 1 1 1\n"
              "3 0 1 2\n");
}

void add3mfs(const Seeds& seeds) {
    const std::string looks =
        R"(<basematerials id="2"><base name="a" displaycolor="#ff8000"/><base name="b" displaycolor="#0080ff80"/>)"
        R"(</basematerials><m:colorgroup id="3"><m:color color="#ffffff"/><m:color color="#10203040"/></m:colorgroup>)"
        R"(<m:texture2d id="4" path="/3D/a.png" contenttype="image/png" tilestyleu="mirror" filter="nearest"/>)"
        R"(<m:texture2dgroup id="5" texid="4"><m:tex2coord u="0" v="0"/><m:tex2coord u="1" v="0.5"/>)"
        R"(</m:texture2dgroup><m:compositematerials id="6" matid="2" matindices="0 1"><m:composite values="0.5 0.5"/>)"
        R"(</m:compositematerials>)"
        R"(<m:multiproperties id="7" pids="2 3 5" blendmethods="multiply mix"><m:multi pindices="1 0 1"/>)"
        R"(</m:multiproperties>)";
    const std::string mesh =
        R"(<object id="1" pid="2" pindex="1"><mesh><vertices><vertex x="0" y="0" z="0"/><vertex x="1" y="0" z="0"/>)"
        R"(<vertex x="0" y="1" z="0"/></vertices><triangles><triangle v1="0" v2="1" v3="2"/>)"
        R"(<triangle v1="0" v2="1" v3="2" pid="3" p1="0" p2="1" p3="0"/>)"
        R"(<triangle v1="2" v2="1" v3="0" pid="5" p1="1"/>)"
        R"(<triangle v1="0" v2="1" v3="2" pid="6" p1="0"/><triangle v1="0" v2="1" v3="2" pid="7" p1="0"/>)"
        R"(</triangles></mesh></object>)";
    const std::string composed =
        R"(<object id="8"><components><component objectid="1" transform="1 0 0 0 1 0 0 0 1 2 3 4"/>)"
        R"(<component objectid="1" p:path="/3D/b.model"/></components></object>)";
    seeds.add("threemf", "plain.model", test::model3mf(test::tetrahedron3mf()));
    seeds.add("threemf", "looks.model", test::model3mf(looks + mesh, R"(<item objectid="1"/>)", "inch"));
    seeds.add("threemf", "composed.model",
              test::model3mf(looks + mesh + composed, R"(<item objectid="8"/><item objectid="1"/>)"));
    seeds.add("threemf", "package.3mf", test::make3mf(test::tetrahedron3mf()));
}

/// A ball in one leaf, and in three.
void addLevelSets(const Seeds& seeds) {
    const auto ball = [](const glm::dvec3& at) { return 0.5 * (glm::distance(at, glm::dvec3(4.2, 3.9, 4.4)) - 2.5); };
    seeds.add("nvdb", "leaf.nvdb", test::makeNvdb({{0, 0, 0}}, ball));
    seeds.add("nvdb", "fog.nvdb", test::makeNvdb({{0, 0, 0}, {-8, 0, 0}}, ball, true));
    for (const bool isUpper : {false, true}) { // tiles of 8 and of 128 voxels
        seeds.add("nvdb", isUpper ? "upper.nvdb" : "lower.nvdb",
                  test::makeNvdb({{0, 0, 0}}, ball, true, {{isUpper, glm::ivec3(0), 3, 0.5F}}));
    }
    const auto colour = [](const glm::dvec3& at) { return glm::vec3(0.125 * at.x - 0.25, 0.125 * at.y, 0.5); };
    seeds.add("nvdb", "colours.nvdb",
              test::makeNvdb({{0, 0, 0}}, ball) + test::makeNvdbColours("Cd", {{0, 0, 0}}, colour));
    seeds.add("nvdb", "leaves.nvdb", test::makeNvdb({{0, 0, 0}, {8, 0, 0}, {-8, 0, 0}}, ball));
}

void addPlys(const Seeds& seeds) {
    const std::string elements = "element vertex 3\nproperty float x\nproperty float y\nproperty double z\n"
                                 "element face 1\nproperty list uchar int vertex_indices\nend_header\n";
    seeds.add("ply", "ascii.ply", "ply\nformat ascii 1.0\ncomment c\n" + elements + "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
    for (const char* format : {"binary_little_endian", "binary_big_endian"}) {
        seeds.add("ply", std::string(format) + ".ply",
                  fmt::format("ply\nformat {} 1.0\n", format) + elements + std::string(3 * 16, '\0') +
                      std::string("\x03") + std::string(12, '\0'));
    }
}

void addVoxes(const Seeds& seeds) {
    const auto chunk = [](const char* name, const std::string& content) {
        std::string bytes = name;
        test::append(bytes, static_cast<std::uint32_t>(content.size()));
        test::append(bytes, std::uint32_t{0});
        return bytes + content;
    };
    const auto words = [](const std::vector<std::int32_t>& values) { return test::bytesOf(values); };
    const auto text = [&](const std::string& value) { return words({static_cast<int>(value.size())}) + value; };
    const std::string chunks =
        chunk("SIZE", words({2, 3, 4})) + chunk("XYZI", words({2, 0x01000000, 0x05010201})) +
        chunk("nTRN", words({0, 1}) + text("_name") + text("top") + words({1, -1, 0, 1, 2}) + text("_t") +
                          text("1 -2 3") + text("_r") + text("4")) +
        chunk("nGRP", words({1, 0, 1, 2})) + chunk("nTRN", words({2, 0, 3, -1, 0, 1, 0})) +
        chunk("nSHP", words({3, 0, 1, 0, 0})) +
        chunk("LAYR", words({0, 1}) + text("_hidden") + text("0") + words({-1})) +
        chunk("MATL", words({1, 2}) + text("_type") + text("_emit") + text("_emit") + text("0.5")) +
        chunk("rCAM", words({1, 3}) + text("_radius") + text("9.5") + text("_focus") + text("1 2 3") + text("_angle") +
                          text("-30 315 0")) +
        chunk("rOBJ",
              words({3}) + text("_type") + text("_inf") + text("_angle") + text("20 300") + text("_i") + text("1.5")) +
        chunk("RGBA", std::string(1024, '\x7f'));
    std::string file = "VOX ";
    test::append(file, std::uint32_t{200});
    file += "MAIN";
    test::append(file, std::uint32_t{0});
    test::append(file, static_cast<std::uint32_t>(chunks.size()));
    seeds.add("vox", "small.vox", file + chunks);
}

/// The first byte says as which kind of file it is read.
void addSchematics(const Seeds& seeds) {
    using namespace test::nbt;
    const auto add = [&](const std::string& name, char kind, const Entries& entries) {
        seeds.add("schematic", name, kind + file(compound(entries), "Schematic"));
    };
    const Value sides = compound({{"x", intOf(2)}, {"y", intOf(-1)}, {"z", intOf(2)}});
    const Value states =
        list({compound({{"Name", text("minecraft:glass")}}),
              compound({{"Name", text("minecraft:fern")}, {"Properties", compound({{"waterlogged", text("true")}})}})});
    const Value palette = compound({{"minecraft:stone", intOf(1)}, {"minecraft:water[level=0]", intOf(200)}});
    const Entries size = {{"Width", shortOf(2)}, {"Height", shortOf(1)}, {"Length", shortOf(2)}};
    const auto with = [&](Entries entries) {
        entries.insert(entries.end(), size.begin(), size.end());
        return entries;
    };
    const Value data = byteArray("\1\xc8\1\1\1");
    add("two", 0, with({{"Version", intOf(2)}, {"Palette", palette}, {"BlockData", data}}));
    add("three", 0,
        {{"Schematic",
          compound(with({{"Version", intOf(3)}, {"Blocks", compound({{"Palette", palette}, {"Data", data}})}}))}});
    add("old", 0,
        with({{"Blocks", byteArray("\x23\x11\x7c\1")},
              {"Data", byteArray("\1\2\3\4")},
              {"AddBlocks", byteArray("\1\x20")}}));
    add("litematic", 1,
        {{"Regions", compound({{"a", compound({{"Size", sides},
                                               {"Position", sides},
                                               {"BlockStatePalette", states},
                                               {"BlockStates", longArray({0x44})}})}})}});
    add("structure", 2,
        {{"size", list({intOf(2), intOf(1), intOf(2)})},
         {"palettes", list({states, states})},
         {"blocks", list({compound({{"pos", list({intOf(1), intOf(0), intOf(1)})}, {"state", intOf(1)}})})}});
}

void addFigures(const Seeds& seeds) {
    std::string tensors("tensor_file\0\1\0", 14);
    test::append(tensors, std::uint32_t{1});
    test::append(tensors, std::uint16_t{3});
    tensors += "sun";
    test::append(tensors, std::uint16_t{2});
    tensors += '\x0b';
    test::append(tensors, std::uint64_t{tensors.size() + 24});
    test::append(tensors, std::uint64_t{2});
    test::append(tensors, std::uint64_t{3});
    seeds.add("sky", "tensors", tensors + test::bytesOf<double>({1, 2, 3, 4, 5, 6}));
}

void addTexts(const Seeds& seeds) {
    seeds.add("reaction", "whole.json", std::string_view(R"({ "type": "reaction_diffusion", "size": [64, 32],
"pixels": [32, 32], "steps": 10, "feed": 0.03, "kill": { "from": 0.05, "to": 0.06, "along": "radius" },
"diffusion": [0.2, 0.1], "seed": 3, "spots": 3, "radius": 2, "palette": ["#000000", [1, 0.5, 0]], "range": [0, 0.4],
"cell": 1, "dt": 1, "border": "clamped", "storage": "fp16" })"));
    seeds.add("reaction", "text.json", std::string_view(R"({ "type": "reaction_diffusion",
"seed_image": { "text": "a", "feed": 0.04, "kill": 0.06 },
"palette": { "cosine": { "a": 0.5, "b": [0.5, 0.5, 0.5], "c": [1, 1, 1], "d": [0, 0.3, 0.6] } } })"));
    const std::vector<std::string> values = {"1280x720",         "0,0,640,360",  "0:64",   "-1.5e3", "1,2,3",
                                             "thin,solid",       "albedo,depth", "4G",     "90s",    "[::1]:80",
                                             "/film/size=[1,2]", "0.25",         "#ff8000"};
    for (std::size_t i = 0; i < values.size(); ++i) {
        seeds.add("values", fmt::format("{}", i), std::string(1, static_cast<char>(i)) + values[i]);
    }
}

} // namespace

void addSceneSeeds(const Seeds& seeds) {
    addScenes(seeds);
    addGltfs(seeds);
    addMovingGltf(seeds);
    addObjs(seeds);
    addOffs(seeds);
    add3mfs(seeds);
    addLevelSets(seeds);
    addPlys(seeds);
    addVoxes(seeds);
    addSchematics(seeds);
    addFigures(seeds);
    addTexts(seeds);
}

} // namespace aureole::fuzz
