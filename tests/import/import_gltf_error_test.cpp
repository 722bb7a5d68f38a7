#include <limits>

#include <gtest/gtest.h>

#include "import_files.h"

namespace aureole::test {
namespace {

std::string withMesh(const GltfData& data, const std::string& primitive, const std::string& rest = "") {
    return data.document(R"("meshes": [{"name": "thing", "primitives": [)" + primitive +
                         R"(]}], "nodes": [{"mesh": 0}])" + (rest.empty() ? "" : ", " + rest));
}

class ImportGltfError : public ::testing::Test {
protected:
    std::string messageFor(const std::string& content, const std::string& name = "bad.gltf") const {
        return messageOf([&] { folder_.import(name, content); });
    }

    const TemporaryFolder folder_;
};

TEST_F(ImportGltfError, TruncatedGlbSaysWhere) {
    GltfData data;
    data.positions(kTriangle);
    const std::string rest = R"("meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}], "nodes": [{"mesh": 0}])";
    const std::string glb = makeGlb(data.document(rest, false), data.binary());
    ASSERT_EQ(folder_.import("good.glb", glb).meshes.size(), 1U);
    const std::string size = std::to_string(glb.size());
    const std::string half = std::to_string(glb.size() / 2);
    EXPECT_TRUE(containsAll(messageFor(glb.substr(0, glb.size() / 2), "bad.glb"),
                            {"bad.glb", "byte 0", "truncated", "found " + half + " bytes", "expected " + size}));
    for (const std::size_t length : {std::size_t{4}, std::size_t{11}, std::size_t{15}, glb.size() - 1}) {
        EXPECT_TRUE(containsAll(messageFor(glb.substr(0, length), "bad.glb"), {"truncated", "found", "expected"}));
    }
    // A header that is right about the file but a chunk that is not.
    std::string chunk = glb;
    const std::uint32_t tooLong = 1U << 30U;
    std::memcpy(chunk.data() + 12, &tooLong, sizeof tooLong);
    EXPECT_TRUE(containsAll(messageFor(chunk, "bad.glb"), {"byte 20", "expected 1073741824"}));
    std::string version = glb;
    version[4] = 1;
    EXPECT_TRUE(containsAll(messageFor(version, "bad.glb"), {"byte 4", "version 1", "expected 2"}));
}

TEST_F(ImportGltfError, GlbWithoutItsMagicNumber) {
    const std::string magic = "expected 'glTF'";
    EXPECT_TRUE(containsAll(messageFor("", "bad.glb"), {"bad.glb", "byte 0", "found an empty file", magic}));
    EXPECT_TRUE(containsAll(messageFor("version https://x", "bad.glb"), {"bad.glb", "found 'vers'", magic}));
    EXPECT_TRUE(containsAll(messageFor("gl", "BAD.GLB"), {"BAD.GLB", "found 'gl'", magic}));
    EXPECT_TRUE(containsAll(messageFor("\x1f\x8b\x08\x01", "bad.glb"), {"found the bytes 1f 8b 08 01", magic}));
}

TEST_F(ImportGltfError, BrokenJsonAndWrongVersion) {
    EXPECT_TRUE(containsAll(messageFor("{\"asset\": }"), {"bad.gltf", "line 1"}));
    EXPECT_TRUE(containsAll(messageFor("[]"), {"bad.gltf", "array"}));
    EXPECT_TRUE(containsAll(messageFor("{\"asset\": 1e999}"), {"bad.gltf: number overflow", "'1e999'"}));
    EXPECT_TRUE(containsAll(messageFor("{}"), {"bad.gltf", "'asset'"}));
    EXPECT_TRUE(containsAll(messageFor(R"({"asset": {"version": "1.0"}})"), {"/asset/version", "1.0", "2.x"}));
    EXPECT_TRUE(containsAll(messageFor(R"({"asset": {"version": "2.1", "minVersion": "2.1"}})"),
                            {"/asset/minVersion", "found '2.1'", "expected 2.0"}));
}

TEST_F(ImportGltfError, RequiredExtensionsAreNamedWithTheNearest) {
    EXPECT_TRUE(containsAll(messageFor(R"({"asset": {"version": "2.0"}, "extensionsRequired": ["KHR_of_the_future"]})"),
                            {"/extensionsRequired/0", "KHR_of_the_future"}));
    EXPECT_TRUE(
        containsAll(messageFor(R"({"asset": {"version": "2.0"}, "extensionsRequired": ["KHR_texture_transfrom"]})"),
                    {"did you mean 'KHR_texture_transform'"}));
}

TEST_F(ImportGltfError, ShortBuffersAndViews) {
    EXPECT_TRUE(containsAll(messageFor(R"({"asset": {"version": "2.0"}, "buffers": [{"byteLength": 100,
        "uri": "data:application/octet-stream;base64,AAAA"}]})"),
                            {"/buffers/0", "found 3 bytes", "expected 100"}));
    EXPECT_TRUE(containsAll(messageFor(R"({"asset": {"version": "2.0"}, "buffers": [{"byteLength": 3,
        "uri": "data:application/octet-stream;base64,AA*A"}]})"),
                            {"/buffers/0/uri", "base64"}));
    EXPECT_TRUE(containsAll(messageFor(R"({"asset": {"version": "2.0"}, "buffers": [{"byteLength": 3,
        "uri": "data:text/plain,abc"}]})"),
                            {"/buffers/0/uri", "base64"}));
    GltfData data;
    data.positions(kTriangle);
    std::string document = withMesh(data, R"({"attributes": {"POSITION": 0}})");
    document.replace(document.find("\"byteLength\": 36"), 16, "\"byteLength\": 99");
    EXPECT_TRUE(containsAll(messageFor(document), {"/bufferViews/0", "0 to 99", "36"}));
}

TEST_F(ImportGltfError, AccessorsBeyondTheirViews) {
    GltfData data;
    data.accessor(bytesOf(kTriangle), 5126, 4, "VEC3");
    EXPECT_TRUE(containsAll(messageFor(withMesh(data, R"({"attributes": {"POSITION": 0}})")),
                            {"/accessors/0", "4 elements", "3"}));
    GltfData huge;
    huge.accessorJson(R"({"componentType": 5126, "count": 4000000000, "type": "VEC3"})");
    EXPECT_TRUE(
        containsAll(messageFor(withMesh(huge, R"({"attributes": {"POSITION": 0}})")), {"/accessors/0", "4000000000"}));
    GltfData type;
    type.accessor(bytesOf(kTriangle), 5124, 3, "VEC3");
    EXPECT_TRUE(containsAll(messageFor(withMesh(type, R"({"attributes": {"POSITION": 0}})")),
                            {"/accessors/0/componentType", "5124"}));
    GltfData offset;
    offset.accessor(bytesOf(kTriangle), 5126, 3, "VEC3", ", \"byteOffset\": 18446744073709551615");
    EXPECT_TRUE(containsAll(messageFor(withMesh(offset, R"({"attributes": {"POSITION": 0}})")), {"/accessors/0", "0"}));
    GltfData sparse;
    sparse.positions(kTriangle);
    const int indices = sparse.view(bytesOf<std::uint8_t>({3}));
    const int values = sparse.view(bytesOf<float>({1, 2, 3}));
    sparse.accessorJson(R"({"componentType": 5126, "count": 3, "type": "VEC3", "sparse": {"count": 1, "indices":
        {"componentType": 5121, "bufferView": )" +
                        std::to_string(indices) + R"(}, "values": {"bufferView": )" + std::to_string(values) + "}}}");
    EXPECT_TRUE(containsAll(messageFor(withMesh(sparse, R"({"attributes": {"POSITION": 1}})")),
                            {"/accessors/1/sparse/indices", "found 3", "0 to 2"}));
}

TEST_F(ImportGltfError, IndicesOutOfRange) {
    GltfData data;
    data.positions(kTriangle);
    data.accessor(bytesOf<std::uint16_t>({0, 1, 3}), 5123, 3, "SCALAR");
    EXPECT_TRUE(containsAll(messageFor(withMesh(data, R"({"attributes": {"POSITION": 0}, "indices": 1})")),
                            {"/meshes/0/primitives/0/indices", "index 2", "vertex 3", "less than 3"}));
    EXPECT_TRUE(containsAll(messageFor(withMesh(data, R"({"attributes": {"POSITION": 7}})")),
                            {"/attributes/POSITION", "accessor 7", "less than the 2"}));
    EXPECT_TRUE(containsAll(messageFor(withMesh(data, R"({"attributes": {"POSITION": 0}, "material": 0})")),
                            {"/primitives/0/material", "material 0"}));
}

TEST_F(ImportGltfError, VerticesThatAreNotFinite) {
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        GltfData data;
        data.positions({0, 0, 0, 1, bad, 0, 0, 1, 0});
        EXPECT_TRUE(containsAll(messageFor(withMesh(data, R"({"attributes": {"POSITION": 0}})")),
                                {"bad.gltf", "mesh 'thing'", "vertex 1", "position", "finite"}));
    }
}

TEST_F(ImportGltfError, EmissionOutOfRange) {
    GltfData data;
    data.positions(kTriangle);
    const auto withEmission = [&](const std::string& factor) {
        return withMesh(data, R"({"attributes": {"POSITION": 0}, "material": 0})",
                        R"("materials": [{"emissiveFactor": )" + factor +
                            R"(, "extensions": {"KHR_materials_emissive_strength": {"emissiveStrength": 1e12}}}])");
    };
    EXPECT_EQ(folder_.import("good.gltf", withEmission("[1, 1, 1]")).meshes.size(), 1U);
    EXPECT_TRUE(containsAll(messageFor(withEmission("[1, 1.5, 1]")), {"/materials/0/emissiveFactor", "1e+12"}));
    EXPECT_TRUE(containsAll(messageFor(withEmission("[1, -1, 1]")), {"/materials/0/emissiveFactor", "-1"}));
}

TEST_F(ImportGltfError, NodesThatAreNoTree) {
    GltfData data;
    data.positions(kTriangle);
    const std::string meshes = R"("meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}], )";
    EXPECT_TRUE(
        containsAll(messageFor(data.document(
                        meshes + R"("scenes": [{"nodes": [0]}], "nodes": [{"children": [1]}, {"children": [0]}])")),
                    {"/nodes/0", "tree"}));
    EXPECT_TRUE(containsAll(messageFor(data.document(meshes + R"("scenes": [{"nodes": [4]}], "nodes": [{"mesh": 0}])")),
                            {"/scenes/0/nodes/0", "node 4"}));
}

TEST_F(ImportGltfError, NothingToRender) {
    GltfData data;
    data.positions(kTriangle);
    EXPECT_TRUE(containsAll(messageFor(data.document(R"("nodes": [{"name": "empty"}])")), {"bad.gltf", "no triangle"}));
    EXPECT_TRUE(containsAll(messageFor(withMesh(data, R"({"attributes": {"POSITION": 0}, "mode": 1})")),
                            {"bad.gltf", "no triangle"}));
}

TEST_F(ImportGltfError, ReferencesThatLeaveTheFolder) {
    const auto document = [](const std::string& uri) {
        return R"({"asset": {"version": "2.0"}, "buffers": [{"byteLength": 3, "uri": ")" + uri + "\"}]}";
    };
    for (const char* uri : {"../../etc/passwd", "%2e%2e/secret.bin", "sub/../../x.bin"}) {
        EXPECT_TRUE(containsAll(messageFor(document(uri)), {"bad.gltf", "/buffers/0/uri", "leaves the scene folder"}));
    }
    EXPECT_TRUE(containsAll(messageFor(document("/etc/passwd")), {"/buffers/0/uri", "absolute", "/etc/passwd"}));
    EXPECT_TRUE(containsAll(messageFor(document("C:/a.bin")), {"/buffers/0/uri", "absolute"}));
    EXPECT_TRUE(containsAll(messageFor(document("https://example.org/a.bin")), {"/buffers/0/uri", "URL"}));
    EXPECT_TRUE(containsAll(messageFor(document("file:///etc/passwd")), {"/buffers/0/uri", "URL"}));
    folder_.write("data.bin", "abc");
    EXPECT_TRUE(
        containsAll(messageFor(document("dta.bin")), {"/buffers/0/uri", "'dta.bin'", "did you mean 'data.bin'"}));

    const TemporaryFolder outside;
    std::filesystem::create_symlink(outside.write("x.bin", "abc"), folder_.path() / "link.bin");
    EXPECT_TRUE(containsAll(messageFor(document("link.bin")), {"'link.bin'", "leaves the scene folder"}));
}

TEST_F(ImportGltfError, TheSceneFolderMayLieAboveTheModel) {
    GltfData data;
    data.positions(kTriangle);
    std::string document = data.document(
        R"("meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}], "nodes": [{"mesh": 0}])", false);
    document.replace(document.find("[{\"byteLength\": 36}]"), 20, R"([{"byteLength": 36, "uri": "../b.bin"}])");
    folder_.write("b.bin", data.binary());
    EXPECT_EQ(folder_.import("models/a.gltf", document).meshes.size(), 1U);
    ImportOptions narrow;
    narrow.sceneFolder = folder_.path() / "models";
    EXPECT_TRUE(containsAll(messageOf([&] { folder_.import("models/a.gltf", document, narrow); }), {"leaves"}));
}

TEST_F(ImportGltfError, BadMaterialsAndTextures) {
    GltfData data;
    data.positions(kTriangle);
    const std::string mesh = R"({"attributes": {"POSITION": 0}, "material": 0})";
    EXPECT_TRUE(containsAll(messageFor(withMesh(data, mesh, R"("materials": [{"alphaMode": "GLASS"}])")),
                            {"/materials/0/alphaMode", "GLASS", "MASK"}));
    EXPECT_TRUE(containsAll(messageFor(withMesh(data, mesh, R"("materials": [{"emissiveFactor": [1, 2]}])")),
                            {"/materials/0/emissiveFactor", "3 numbers"}));
    EXPECT_TRUE(containsAll(messageFor(withMesh(data, mesh, R"("materials": [{"emissiveFactor": [1, 1e300, 2]}])")),
                            {"/materials/0/emissiveFactor/1", "1e+300", "finite"}));
    const std::string textured = R"("materials": [{"emissiveTexture": {"index": 0}}], "textures": [{"source": 0}], )";
    folder_.write("a.png", "FLIF1234..");
    EXPECT_TRUE(containsAll(messageFor(withMesh(data, mesh, textured + R"("images": [{"uri": "a.png"}])")),
                            {"bad.gltf", "/images/0", "a.png", "expected a picture: EXR, PNG", "46 4c 49 46"}));
    EXPECT_TRUE(containsAll(messageFor(withMesh(data, mesh, textured + R"("images": [{"uri": "../../up.png"}])")),
                            {"/images/0/uri", "leaves the scene folder"}));
    EXPECT_TRUE(containsAll(
        messageFor(withMesh(data, mesh, R"("materials": [{"emissiveTexture": {"index": 0, "texCoord": 256}}],
            "textures": [{"source": 0}], "images": [{"uri": "a.png"}])")),
        {"/materials/0/emissiveTexture", "set 256"}));
}

} // namespace
} // namespace aureole::test
