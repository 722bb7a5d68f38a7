#include <cstdint>
#include <cstring>
#include <limits>

#include "cli_test.h"
#include "image/exr/exr.h"

namespace aureole {

namespace {

class BadInputTest : public CliTest {
protected:
    /// A scene that shows one asset.
    std::string sceneOf(const std::string& asset) const {
        return write("scene.json", R"({
  "version": 1,
  "assets": {"thing": )" + asset + R"(},
  "instances": {"thing": {"asset": "thing"}},
  "cameras": {"front": {"position": [0, 0, 3], "target": [0, 0, 0]}},
  "environment": {"type": "constant", "radiance": 1},
  "film": {"size": [32, 24]},
  "voxels": {"resolution": 16}
})");
    }

    void expectBad(const std::string& file, const std::vector<std::string>& fragments) const {
        expectFailure(kBadInput, {"render", file, "-o", path("out.exr"), "--spp", "1"}, fragments);
        EXPECT_FALSE(std::filesystem::exists(path("out.exr")));
    }
};

TEST_F(BadInputTest, MissingScene) {
    expectBad(path("none.json"), {"none.json", "no such file"});
    expectBad(path("none.glb"), {"none.glb"});
    expectBad(write("scene.txt", "{}"), {"scene.txt", "'.txt'", ".json"});
}

TEST_F(BadInputTest, MissingMesh) {
    expectBad(sceneOf(R"({"file": "none.obj"})"), {"scene.json:3", "/assets/thing/file", "none.obj"});
}

TEST_F(BadInputTest, BrokenJson) {
    expectBad(write("scene.json", "{\n  \"version\": 1,\n  \"assets\": [,]\n}"), {"scene.json:3"});
}

TEST_F(BadInputTest, UnknownKey) {
    expectBad(write("scene.json", R"({
  "version": 1,
  "integratr": {"seed": 1}
})"),
              {"scene.json:3", "integratr", "'integrator'"});
}

TEST_F(BadInputTest, NanVertex) {
    write("nan.obj", "v 0 0 0\nv 1 nan 0\nv 0 1 0\nf 1 2 3\n");
    expectBad(sceneOf(R"({"file": "nan.obj"})"), {"scene.json:3", "/assets/thing/file", "nan.obj"});
    expectBad(path("nan.obj"), {"nan.obj"});
}

TEST_F(BadInputTest, EmptyMesh) {
    write("empty.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n");
    expectBad(path("empty.obj"), {"empty.obj"});
    write("empty.ply", "ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nproperty float y\n"
                       "property float z\nelement face 0\nproperty list uchar int vertex_indices\nend_header\n");
    expectBad(path("empty.ply"), {"empty.ply"});
    expectBad(sceneOf(R"({"mesh": {"positions": [], "triangles": []}})"), {"scene.json:3", "/assets/thing/mesh"});
}

TEST_F(BadInputTest, ZeroAreaTrianglesOnly) {
    const std::string scene =
        sceneOf(R"({"mesh": {"positions": [[0, 0, 0], [1, 1, 1], [2, 2, 2]], "triangles": [[0, 1, 2], [0, 0, 1]]}})");
    expectBad(scene, {"scene.json", "thing"});
}

// The floor that a model is given would hide that nothing of the model can be seen.
TEST_F(BadInputTest, ModelOfZeroAreaTrianglesOnly) {
    const std::string model = write("zero.obj", "v 0 0 0\nv 1 1 1\nv 2 2 2\nf 1 2 3\nf 1 1 2\n");
    for (const std::string& file : {model, sceneOf(R"({"file": "zero.obj"})")}) {
        expectBad(file, {"zero.obj", "2 triangles", "no area"});
        expectFailure(kBadInput, {"validate", file}, {"zero.obj", "2 triangles", "no area"});
        expectFailure(kBadInput, {"render", file, "-o", path("out.exr"), "--spp", "1", "--backend", "reference"},
                      {"zero.obj", "2 triangles", "no area"});
    }
}

TEST_F(BadInputTest, Resolution) {
    for (const std::string resolution : {"0", "1048576"}) {
        const std::string scene = write("scene.json", boxScene());
        expectFailure(kBadInput, {"render", scene, "-o", path("out.exr"), "--set", "/voxels/resolution=" + resolution},
                      {"scene.json", "/voxels/resolution", resolution, "16", "16384"});
    }
}

TEST_F(BadInputTest, TruncatedGlb) {
    // A header that promises 1000 bytes, and the start of a JSON chunk.
    std::string glb = "glTF";
    for (const std::uint32_t word : {2U, 1000U, 980U, 0x4E4F534AU}) {
        char bytes[4];
        std::memcpy(bytes, &word, sizeof(bytes)); // glTF and x86-64 are both little-endian
        glb.append(bytes, sizeof(bytes));
    }
    glb += R"({"asset": {"version": "2.0"}, "meshes": [)";
    expectBad(write("cut.glb", glb), {"cut.glb"});
    expectBad(write("stub.glb", "glT"), {"stub.glb"});
}

TEST_F(BadInputTest, TextureOutsideTheSceneFolder) {
    write("secret.png", "not to be read");
    std::string positions;
    for (const float value : {0.0F, 0.0F, 0.0F, 1.0F, 0.0F, 0.0F, 0.0F, 1.0F, 0.0F}) {
        char bytes[4];
        std::memcpy(bytes, &value, sizeof(bytes));
        positions.append(bytes, sizeof(bytes));
    }
    write("inside/triangle.bin", positions);
    const std::string model = write("inside/model.gltf", R"({
  "asset": {"version": "2.0"},
  "scene": 0,
  "scenes": [{"nodes": [0]}],
  "nodes": [{"mesh": 0}],
  "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": 0}]}],
  "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
  "textures": [{"source": 0}],
  "images": [{"uri": "../secret.png"}],
  "buffers": [{"uri": "triangle.bin", "byteLength": 36}],
  "bufferViews": [{"buffer": 0, "byteLength": 36}],
  "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]}]
})");
    expectBad(model, {"model.gltf", "../secret.png", "folder"});
    const std::string scene = write("inside/scene.json", R"({
  "version": 1,
  "assets": {"thing": {"box": {}}},
  "instances": {"thing": {"asset": "thing"}},
  "cameras": {"front": {"position": [0, 0, 3], "target": [0, 0, 0]}},
  "bloom": {"kernel": "../secret.png"}
})");
    expectBad(scene, {"scene.json:6", "/bloom/kernel", "../secret.png"});
}

TEST_F(BadInputTest, OverrideOfSomethingUnknown) {
    const std::string scene = write("scene.json", boxScene());
    expectFailure(kBadInput, {"render", scene, "-o", path("out.exr"), "--set", "/materials/gray/albedo=1"},
                  {"scene.json", "/materials", "'grey'"});
}

/// Null takes away what is there, whose default then holds, and is an error where nothing is.
TEST_F(BadInputTest, NullRemovesAValue) {
    const std::string scene = write("scene.json", bloomScene());
    const auto info = [&](const std::string& set) {
        return parseJson(expectDone({"info", scene, "--json", "--set", set}).out);
    };
    EXPECT_EQ(info("/voxels/resolution=24").at("resolution"), 24);
    EXPECT_EQ(info("/voxels=null").at("resolution"), 512);
    EXPECT_EQ(info("/bloom=null").at("bloom"), false);
    EXPECT_EQ(info("/bloom/kernel=default").at("bloom"), true);
    expectFailure(kBadInput, {"validate", scene, "--set", "/voxels/resolutoin=null"},
                  {"found no key 'resolutoin' to remove", "did you mean 'resolution'?"});
    expectFailure(kBadInput, {"validate", scene, "--set", "/version=null"}, {"the key 'version', which is missing"});
}

TEST_F(BadInputTest, EveryProblemIsReportedByValidate) {
    const std::string scene = write("scene.json", R"({
  "version": 1,
  "assets": {"thing": {"file": "none.obj"}},
  "instances": {"thing": {"asset": "thnig"}},
  "cameras": {"front": {"position": [0, 0, 3], "target": [0, 0, 0]}}
})");
    expectFailure(kBadInput, {"validate", scene, "--set", "/film/size=[0,0]"},
                  {"scene.json:3", "none.obj", "scene.json:4", "'thing'", "/film/size"});
    const std::string good = write("good.json", boxScene());
    EXPECT_EQ(expectDone({"validate", good}).out, good + ": valid\n");
}

TEST_F(BadInputTest, ImagesOfBloomAreLookedAtByValidateToo) {
    const std::string mesh = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    write("thing.obj", mesh);
    const auto sceneWith = [&](const std::string& bloom) {
        return write("scene.json", R"({
  "version": 1,
  "assets": {"thing": {"file": "thing.obj"}},
  "instances": {"thing": {"asset": "thing"}},
  "cameras": {"front": {"position": [0, 0, 3], "target": [0, 0, 0]}},
  "environment": {"type": "constant", "radiance": 1},
  "film": {"size": [32, 24]},
  "voxels": {"resolution": 16},
  "bloom": )" + bloom + "\n}");
    };
    const auto expectBoth = [&](const std::string& bloom, const std::string& pointer, const std::string& what) {
        const std::string scene = sceneWith(bloom);
        const std::vector<std::string> fragments = {"scene.json:9: " + pointer + ": ", what};
        expectFailure(kBadInput, {"validate", scene}, fragments);
        expectBad(scene, fragments);
    };
    write("junk.png", "this is no picture");
    Image image = makeImage(3, 3, {"R", "G", "B"});
    writeExr(path("black.exr"), image);
    image.find("G")->values[4] = std::numeric_limits<float>::quiet_NaN();
    writeExr(path("nan.exr"), image);
    writeExr(path("layers.exr"), makeImage(3, 3, {"a.R", "a.G", "a.B", "b.Z"}));
    const std::string kernel = "/bloom/kernel";
    expectBoth(R"({"kernel": "junk.png"})", kernel, "junk.png");
    expectBoth(R"({"kernel": "black.exr"})", kernel, "black.exr: bloom kernel: all values are zero");
    expectBoth(R"({"kernel": "nan.exr"})", kernel, "nan.exr: bloom kernel: channel G holds nan at (1, 1)");
    expectBoth(R"({"kernel": "layers.exr"})", kernel, "layers.exr");
    const std::string aperture = "/bloom/aperture/image";
    const auto apertureOf = [](const std::string& file) {
        return R"({"kernel": "aperture", "aperture": {"image": ")" + file + R"("}})";
    };
    expectBoth(apertureOf("junk.png"), aperture, "junk.png");
    expectBoth(apertureOf("black.exr"), aperture, "black.exr: aperture: the image is black");

    // What is not used is not looked at, by render neither.
    for (const char* const unused : {R"({"enabled": false, "kernel": "black.exr"})",
                                     R"({"kernel": "default", "aperture": {"image": "black.exr"}})"}) {
        const std::string scene = sceneWith(unused);
        expectDone({"validate", scene});
        expectDone({"render", scene, "-o", path("unused.exr"), "--spp", "1", "--backend", "reference"});
    }
    image.find("G")->values[4] = 1.0F;
    writeExr(path("good.exr"), image);
    expectDone({"validate", sceneWith(R"({"kernel": "good.exr"})")});
    expectDone({"validate", sceneWith(apertureOf("good.exr"))});
}

/// A file of another kind is bad input to every command, not bad usage of one.
TEST_F(BadInputTest, ExtensionsThatACommandDoesNotRead) {
    const std::string text = write("a.txt", "no picture");
    const std::string exr = path("b.exr");
    for (const Arguments& arguments : std::vector<Arguments>{{"render", text, "-o", exr},
                                                             {"voxelize", text, "-o", path("b.avo")},
                                                             {"export", text, "-o", path("b.ply")},
                                                             {"bloom", text, "-o", exr},
                                                             {"merge", text, "-o", exr},
                                                             {"compare", text, text},
                                                             {"compare", text, text, "--metric", "flip"},
                                                             {"convert", text, "-o", exr},
                                                             {"info", text},
                                                             {"validate", text},
                                                             {"bench", "render", text, "--allow-cpu"},
                                                             {"bench", "traverse", text, "--allow-cpu"},
                                                             {"bench", "denoise", text, "--allow-cpu"}}) {
        expectFailure(kBadInput, arguments, {"a.txt"});
    }
}

TEST_F(BadInputTest, Images) {
    const std::string text = write("text.exr", "this is no picture");
    expectFailure(kBadInput, {"info", text}, {"text.exr"});
    expectFailure(kBadInput, {"info", path("none.png")}, {"none.png", "no such file"});
    expectFailure(kBadInput, {"convert", text, "-o", path("out.png")}, {"text.exr"});
    expectFailure(kBadInput, {"bloom", text, "-o", path("out.exr")}, {"text.exr"});
    expectFailure(kBadInput, {"compare", text, text}, {"text.exr"});
    expectFailure(kBadInput, {"merge", text, "-o", path("out.exr")}, {"text.exr"});
}

} // namespace

} // namespace aureole
