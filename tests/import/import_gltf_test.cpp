#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "import_files.h"

namespace aureole::test {
namespace {

constexpr float kTolerance = 1e-6F;

void expectNear(const glm::dvec3& found, const glm::dvec3& expected, double tolerance = 1e-6) {
    EXPECT_NEAR(found.x, expected.x, tolerance);
    EXPECT_NEAR(found.y, expected.y, tolerance);
    EXPECT_NEAR(found.z, expected.z, tolerance);
}

/// The meshes of a document: one, of the positions that an accessor has.
std::string meshOf(int positions) {
    return R"("meshes": [{"primitives": [{"attributes": {"POSITION": )" + std::to_string(positions) + "}}]}]";
}

glm::dvec3 transformed(const glm::dmat4& matrix, const glm::dvec3& point) {
    return glm::dvec3(matrix * glm::dvec4(point, 1.0));
}

/// One mesh of one triangle with `attributes` beside its positions, and `rest` of the document.
std::string triangleDocument(GltfData& data, const std::string& primitive, const std::string& rest = "") {
    const int positions = data.positions(kTriangle);
    return data.document(R"("meshes": [{"name": "tri", "primitives": [{"attributes": {"POSITION": )" +
                         std::to_string(positions) + primitive + "}]}],\n\"nodes\": [{\"mesh\": 0}]" +
                         (rest.empty() ? "" : ",\n" + rest));
}

TEST(ImportGltf, ReadsATriangleFromADataUri) {
    const TemporaryFolder folder;
    GltfData data;
    const ImportedModel model = folder.import("a.gltf", triangleDocument(data, "}"));
    ASSERT_EQ(model.meshes.size(), 1U);
    EXPECT_EQ(model.meshes[0].name, "tri");
    ASSERT_EQ(model.meshes[0].triangles.size(), 1U);
    EXPECT_EQ(model.meshes[0].triangles[0], glm::uvec3(0, 1, 2));
    EXPECT_EQ(model.meshes[0].positions[1], glm::vec3(1, 0, 0));
    EXPECT_TRUE(model.meshes[0].normals.empty());
    ASSERT_EQ(model.materials.size(), 1U); // the specification's default material
    EXPECT_EQ(model.materials[0].albedo, glm::vec3(1.0F));
    EXPECT_EQ(model.hash.size(), 16U);
}

TEST(ImportGltf, ReadsGlbAndExternalBuffersAlike) {
    const TemporaryFolder folder;
    GltfData data;
    const std::string rest = meshOf(data.positions(kTriangle)) + R"(, "nodes": [{"mesh": 0}])";
    const ImportedModel glb = folder.import("a.glb", makeGlb(data.document(rest, false), data.binary()));
    folder.write("sub dir/b.bin", data.binary());
    std::string document = data.document(rest, false);
    const std::string length = "\"byteLength\": " + std::to_string(data.binary().size()) + "}]";
    document.replace(document.rfind(length), length.size(),
                     "\"byteLength\": " + std::to_string(data.binary().size()) + R"(, "uri": "sub%20dir/b.bin"}])");
    const ImportedModel external = folder.import("b.gltf", document);
    EXPECT_EQ(glb.meshes.at(0).positions, external.meshes.at(0).positions);
    EXPECT_NE(glb.hash, external.hash);
}

TEST(ImportGltf, TheHashCoversExternalFiles) {
    const TemporaryFolder folder;
    GltfData data;
    const int positions = data.positions(kTriangle);
    std::string document = data.document(meshOf(positions) + R"(, "nodes": [{"mesh": 0}])", false);
    document.replace(document.find("[{\"byteLength\": 36}]"), 20, R"([{"byteLength": 36, "uri": "b.bin"}])");
    folder.write("b.bin", data.binary());
    const std::string first = folder.import("a.gltf", document).hash;
    EXPECT_EQ(folder.import("a.gltf", document).hash, first);
    std::string changed = data.binary();
    changed[14] = 1;
    folder.write("b.bin", changed);
    EXPECT_NE(folder.import("a.gltf", document).hash, first);
}

TEST(ImportGltf, PlacesNodesByTheirHierarchy) {
    const TemporaryFolder folder;
    GltfData data;
    const int positions = data.positions(kTriangle);
    // A parent moved by (10, 0, 0) and scaled by 2; a child turned by 90 degrees about Z and moved by (0, 1, 0), and
    // one given as a matrix; the mesh is used twice.
    const ImportedModel model = folder.import("a.gltf", data.document(meshOf(positions) + R"(,
        "scene": 1, "scenes": [{"nodes": []}, {"nodes": [0]}],
        "nodes": [{"translation": [10, 0, 0], "scale": [2, 2, 2], "children": [1, 2]},
                  {"mesh": 0, "rotation": [0, 0, 0.7071067811865476, 0.7071067811865476], "translation": [0, 1, 0]},
                  {"mesh": 0, "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1]}])"));
    ASSERT_EQ(model.meshes.size(), 1U);
    ASSERT_EQ(model.meshInstances.size(), 2U);
    // (1, 0, 0) turns to (0, 1, 0), moves to (0, 2, 0), is doubled and moved to (10, 4, 0).
    expectNear(transformed(model.meshInstances[0].worldFromMesh, {1, 0, 0}), {10, 4, 0});
    expectNear(transformed(model.meshInstances[1].worldFromMesh, {1, 0, 0}), {22, 12, 14});
}

TEST(ImportGltf, ReadsGpuInstancing) {
    const TemporaryFolder folder;
    GltfData data;
    const int positions = data.positions(kTriangle);
    const int translations = data.positions({1, 0, 0, 0, 2, 0});
    const int scales = data.positions({1, 1, 1, 3, 3, 3});
    const ImportedModel model = folder.import(
        "a.gltf", data.document("\"extensionsRequired\": [\"EXT_mesh_gpu_instancing\"], \"meshes\": [{\"primitives\": "
                                "[{\"attributes\": {\"POSITION\": " +
                                std::to_string(positions) +
                                "}}]}], \"nodes\": [{\"mesh\": 0, \"translation\": [0, 0, 1], \"extensions\": "
                                "{\"EXT_mesh_gpu_instancing\": {\"attributes\": {\"TRANSLATION\": " +
                                std::to_string(translations) + ", \"SCALE\": " + std::to_string(scales) + "}}}}]"));
    ASSERT_EQ(model.meshInstances.size(), 2U);
    expectNear(transformed(model.meshInstances[0].worldFromMesh, {1, 1, 0}), {2, 1, 1});
    expectNear(transformed(model.meshInstances[1].worldFromMesh, {1, 1, 0}), {3, 5, 1});
}

TEST(ImportGltf, WhatIsPlacedNowhereIsReported) {
    const TemporaryFolder folder;
    GltfData data;
    const std::string positions = std::to_string(data.positions(kTriangle));
    const std::string translations = std::to_string(data.positions({1, 0, 0, 0, std::nanf(""), 0}));
    const std::string mesh = R"("meshes": [{"primitives": [{"attributes": {"POSITION": )" + positions + "}}]}], ";
    const auto message = [&](const std::string& nodes) {
        return messageOf([&] { folder.import("bad.gltf", data.document(mesh + "\"nodes\": [" + nodes + "]")); });
    };
    EXPECT_TRUE(containsAll(message("{\"mesh\": 0, \"extensions\": {\"EXT_mesh_gpu_instancing\": {\"attributes\": "
                                    "{\"TRANSLATION\": " +
                                    translations + "}}}}"),
                            {"bad.gltf", "/nodes/0/extensions/EXT_mesh_gpu_instancing", "element 1"}));
    std::string nodes;
    for (int i = 0; i < 12; ++i) { // 1e36 each
        nodes += R"({"scale": [1e36, 1, 1], "children": [)" + std::to_string(i + 1) + "]}, ";
    }
    EXPECT_TRUE(containsAll(message(nodes + "{\"mesh\": 0}"), {"bad.gltf: /nodes/", "place nowhere"}));
}

TEST(ImportGltf, ReadsStridedNormalizedAndSparseAccessors) {
    const TemporaryFolder folder;
    GltfData data;
    // Positions and colours interleaved: 12 bytes, then 4 normalised bytes.
    std::string interleaved;
    for (int i = 0; i < 3; ++i) {
        append(interleaved, static_cast<float>(i));
        append(interleaved, 0.5F);
        append(interleaved, 0.0F);
        interleaved += std::string("\xff\x33\x00\xff", 4);
    }
    const std::string view = std::to_string(data.view(interleaved, ", \"byteStride\": 16"));
    const int indices = data.view(bytesOf<std::uint8_t>({2}));
    const int values = data.view(bytesOf<float>({7, 8, 9}));
    data.accessorJson("{\"bufferView\": " + view +
                      R"(, "componentType": 5126, "count": 3, "type": "VEC3", "sparse": {"count": 1,
        "indices": {"componentType": 5121, "bufferView": )" +
                      std::to_string(indices) + R"(}, "values": {"bufferView": )" + std::to_string(values) + "}}}");
    data.accessorJson("{\"bufferView\": " + view +
                      R"(, "byteOffset": 12, "componentType": 5121, "normalized": true, "count": 3, "type": "VEC4"})");
    data.accessor(bytesOf<std::int16_t>({32767, -32768, 0, 0, 0, 0}), 5122, 3, "VEC2", ", \"normalized\": true");
    const ImportedModel model = folder.import("a.gltf", data.document(R"("meshes": [{"primitives": [{"attributes":
        {"POSITION": 0, "COLOR_0": 1, "TEXCOORD_1": 2}}]}], "nodes": [{"mesh": 0}])"));
    const Mesh& mesh = model.meshes.at(0);
    EXPECT_EQ(mesh.positions[1], glm::vec3(1.0F, 0.5F, 0.0F));
    EXPECT_EQ(mesh.positions[2], glm::vec3(7, 8, 9));
    ASSERT_EQ(mesh.colours.size(), 3U);
    EXPECT_NEAR(mesh.colours[2].y, 0.2F, kTolerance); // 0x33 of 255, already linear
    EXPECT_EQ(mesh.colours[2].w, 1.0F);
    EXPECT_TRUE(mesh.uvs[0].empty());
    EXPECT_EQ(mesh.uvs[1][0], glm::vec2(1.0F, -1.0F));
}

TEST(ImportGltf, ReadsStripsFansAndIndices) {
    const TemporaryFolder folder;
    GltfData data;
    data.positions({9, 9, 9, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0}); // the first vertex is used by none
    data.accessor(bytesOf<std::uint16_t>({1, 2, 3, 4}), 5123, 4, "SCALAR");
    const ImportedModel model = folder.import("a.gltf", data.document(R"("meshes": [{"primitives": [
        {"attributes": {"POSITION": 0}, "indices": 1, "mode": 5}, {"attributes": {"POSITION": 0}, "indices": 1, "mode": 6},
        {"attributes": {"POSITION": 0}, "indices": 1, "mode": 0}]}], "nodes": [{"mesh": 0}])"));
    ASSERT_EQ(model.meshes.size(), 2U); // points are left out
    const Mesh& strip = model.meshes[0];
    EXPECT_EQ(strip.positions.size(), 4U);
    ASSERT_EQ(strip.triangles.size(), 2U);
    for (const glm::uvec3& t : strip.triangles) { // both counter-clockwise seen from +Z
        const glm::vec3 normal =
            glm::cross(strip.positions[t.y] - strip.positions[t.x], strip.positions[t.z] - strip.positions[t.x]);
        EXPECT_EQ(normal, glm::vec3(0, 0, 1));
    }
    ASSERT_EQ(model.meshes[1].triangles.size(), 2U);
    EXPECT_EQ(model.meshes[1].triangles[0], glm::uvec3(1, 2, 0));
    EXPECT_EQ(model.meshes[1].triangles[1], glm::uvec3(2, 3, 0));
}

TEST(ImportGltf, FactorsBeyondTheirRangeAreTheNearest) {
    const TemporaryFolder folder;
    GltfData data;
    const ImportedModel model = folder.import("a.gltf", triangleDocument(data, R"(}, "material": 0)", R"(
        "materials": [{"pbrMetallicRoughness": {"metallicFactor": -0.5, "roughnessFactor": 1.5}},
          {"pbrMetallicRoughness": {"metallicFactor": 7, "roughnessFactor": -1e30}},
          {"extensions": {"KHR_materials_pbrSpecularGlossiness": {"glossinessFactor": 2}}}])"));
    ASSERT_EQ(model.materials.size(), 3U);
    const std::array<glm::vec2, 3> expected = {glm::vec2(0, 1), glm::vec2(1, 0), glm::vec2(0, 0)};
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(glm::vec2(model.materials[i].metalness, model.materials[i].roughness), expected[i]) << i;
    }
}

TEST(ImportGltf, ReadsMaterials) {
    const TemporaryFolder folder;
    folder.write("a.png", makePng(1, 1, {255, 0, 0, 255}));
    GltfData data;
    const int png = data.view(makePng(2, 1, {1, 2, 3, 4, 5, 6, 7, 8}));
    const ImportedModel model = folder.import("a.gltf", triangleDocument(data, R"(}, "material": 0)", R"(
        "materials": [{"name": "lamp", "pbrMetallicRoughness": {"baseColorFactor": [0.25, 0.5, 0.75, 0.5],
            "metallicFactor": 0.25, "roughnessFactor": 0.75, "baseColorTexture": {"index": 0, "texCoord": 0,
                "extensions": {"KHR_texture_transform": {"offset": [0.5, 0.25], "rotation": 1.5707963267948966,
                    "scale": [2, 3], "texCoord": 1}}},
            "metallicRoughnessTexture": {"index": 1}},
          "normalTexture": {"index": 1, "scale": 0.5}, "emissiveTexture": {"index": 0},
          "emissiveFactor": [1, 0.5, 0], "alphaMode": "MASK", "alphaCutoff": 0.3,
          "extensions": {"KHR_materials_emissive_strength": {"emissiveStrength": 20}}}],
        "textures": [{"source": 0, "sampler": 0}, {"source": 1}],
        "samplers": [{"wrapS": 33648, "wrapT": 33071, "magFilter": 9728}],
        "images": [{"uri": "a.png"}, {"bufferView": )" + std::to_string(png) + R"(, "mimeType": "image/png"}])"));
    ASSERT_EQ(model.materials.size(), 1U);
    const Material& material = model.materials[0];
    EXPECT_EQ(material.name, "lamp");
    EXPECT_EQ(material.albedo, glm::vec3(0.25F, 0.5F, 0.75F));
    EXPECT_EQ(material.alpha, 0.5F);
    EXPECT_EQ(material.metalness, 0.25F);
    EXPECT_EQ(material.roughness, 0.75F);
    EXPECT_EQ(material.emission, glm::vec3(20, 10, 0));
    EXPECT_EQ(material.alphaMode, AlphaMode::Mask);
    EXPECT_FLOAT_EQ(material.alphaCutoff, 0.3F);
    EXPECT_EQ(material.normalScale, 0.5F);
    EXPECT_FALSE(material.normalGreenDown);

    const TextureSlot& slot = material.albedoTexture;
    EXPECT_EQ(slot.uvSet, 1U);
    EXPECT_TRUE(slot.srgb);
    EXPECT_TRUE(slot.nearest);
    EXPECT_EQ(slot.wrap[0], Wrap::Mirror);
    EXPECT_EQ(slot.wrap[1], Wrap::Clamp);
    // Scaling to (2, 3), then a quarter turn that takes (u, v) to (v, -u), then the offset.
    const glm::vec3 uv = slot.transform * glm::vec3(1, 1, 1);
    EXPECT_NEAR(uv.x, 3.0F + 0.5F, kTolerance);
    EXPECT_NEAR(uv.y, -2.0F + 0.25F, kTolerance);
    EXPECT_FALSE(material.metallicRoughnessTexture.srgb);
    EXPECT_FALSE(material.normalTexture.srgb);
    EXPECT_TRUE(material.emissionTexture.srgb);
    EXPECT_FALSE(material.metallicRoughnessTexture.nearest);
    EXPECT_EQ(material.metallicRoughnessTexture.wrap[0], Wrap::Repeat);

    ASSERT_EQ(model.textures.size(), 2U); // each picture once
    EXPECT_EQ(model.textures[material.albedoTexture.texture].rgba, (std::vector<std::uint8_t>{255, 0, 0, 255}));
    EXPECT_EQ(model.textures[material.normalTexture.texture].rgba, (std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST(ImportGltf, PassesTheNormalConventionOn) {
    const TemporaryFolder folder;
    GltfData data;
    ImportOptions options;
    options.normalGreenDown = true;
    const ImportedModel model =
        folder.import("a.gltf", triangleDocument(data, R"(}, "material": 0)", R"("materials": [{}])"), options);
    EXPECT_TRUE(model.materials.at(0).normalGreenDown);
}

TEST(ImportGltf, ReadsCameras) {
    const TemporaryFolder folder;
    GltfData data;
    const int positions = data.positions(kTriangle);
    const ImportedModel model = folder.import("a.gltf", data.document(meshOf(positions) + R"(,
        "cameras": [{"type": "perspective", "perspective": {"yfov": 0.5, "znear": 0.1, "aspectRatio": 2}},
                    {"type": "orthographic", "orthographic": {"xmag": 1, "ymag": 3, "znear": 1, "zfar": 2}}],
        "nodes": [{"mesh": 0}, {"camera": 0, "name": "eye", "translation": [1, 2, 3],
            "rotation": [0, 0.7071067811865476, 0, 0.7071067811865476]}, {"camera": 1}])"));
    ASSERT_EQ(model.cameras.size(), 2U);
    EXPECT_EQ(model.cameras[1].projection, Projection::Orthographic);
    EXPECT_EQ(model.cameras[1].height, 6.0) << "ymag is half of it";
    const Camera& camera = model.cameras[0];
    EXPECT_EQ(camera.projection, Projection::Perspective);
    EXPECT_EQ(camera.name, "eye");
    EXPECT_NEAR(camera.verticalFov, 0.5 * 180.0 / kPi, 1e-9); // whatever the aspect ratio
    expectNear(camera.position, {1, 2, 3});
    expectNear(camera.target - camera.position, {-1, 0, 0}); // -Z turned by 90 degrees about Y
    expectNear(camera.up, {0, 1, 0});
}

TEST(ImportGltf, ReadsPunctualLights) {
    const TemporaryFolder folder;
    GltfData data;
    const int positions = data.positions(kTriangle);
    const ImportedModel model = folder.import("a.gltf", data.document(meshOf(positions) + R"(,
        "extensionsRequired": ["KHR_lights_punctual"],
        "extensions": {"KHR_lights_punctual": {"lights": [
            {"type": "point", "color": [1, 0.5, 0.25], "intensity": 40},
            {"type": "spot", "spot": {"innerConeAngle": 0.1, "outerConeAngle": 0.2}, "name": "stage"},
            {"type": "directional", "intensity": 3}]}},
        "nodes": [{"mesh": 0},
            {"translation": [1, 2, 3], "scale": [5, 5, 5], "extensions": {"KHR_lights_punctual": {"light": 0}}},
            {"extensions": {"KHR_lights_punctual": {"light": 1}}},
            {"rotation": [-0.7071067811865476, 0, 0, 0.7071067811865476],
                "extensions": {"KHR_lights_punctual": {"light": 2}}}])"));
    ASSERT_EQ(model.lights.size(), 3U);
    EXPECT_EQ(model.lights[0].type, LightType::Point);
    expectNear(glm::dvec3(model.lights[0].intensity) * 683.0, {40, 20, 10}); // candela; 683 lm to a watt
    expectNear(model.lights[0].position, {1, 2, 3});
    EXPECT_EQ(model.lights[1].type, LightType::Spot);
    EXPECT_EQ(model.lights[1].name, "stage");
    EXPECT_NEAR(model.lights[1].innerConeAngle, 0.1 * 180.0 / kPi, 1e-9);
    EXPECT_NEAR(model.lights[1].outerConeAngle, 0.2 * 180.0 / kPi, 1e-9);
    expectNear(model.lights[1].direction, {0, 0, -1});
    EXPECT_EQ(model.lights[2].type, LightType::Directional);
    expectNear(glm::dvec3(model.lights[2].intensity) * 683.0, {3, 3, 3}); // lux
    expectNear(model.lights[2].direction, {0, -1, 0});
}

} // namespace
} // namespace aureole::test
