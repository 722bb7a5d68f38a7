// glTF whose meshes are compressed: by Draco, or by meshoptimizer.

#include <cmath>

#include <draco/compression/encode.h>
#include <draco/mesh/triangle_soup_mesh_builder.h>
#include <gtest/gtest.h>
#include <meshoptimizer.h>

#include "gltf_samples.h"
#include "import_files.h"

namespace aureole::test {
namespace {

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    const std::size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    return text.replace(at, what.size(), by);
}

/// A box of side 1 about the origin whose faces are apart: its triangles face outwards, as its normals do, and
/// enclose 1.
void expectUnitBox(const ImportedModel& model, double tolerance) {
    ASSERT_EQ(model.meshes.size(), 1U);
    const Mesh& mesh = model.meshes[0];
    EXPECT_EQ(mesh.positions.size(), 24U);
    EXPECT_EQ(mesh.triangles.size(), 12U);
    ASSERT_EQ(mesh.normals.size(), mesh.positions.size());
    const glm::dmat4& world = model.meshInstances.at(0).worldFromMesh;
    double volume = 0.0;
    for (const glm::uvec3& triangle : mesh.triangles) {
        const auto corner = [&](std::uint32_t i) { return glm::dvec3(world * glm::dvec4(mesh.positions[i], 1.0)); };
        const glm::dvec3 a = corner(triangle.x);
        const glm::dvec3 cross = glm::cross(corner(triangle.y) - a, corner(triangle.z) - a);
        EXPECT_NEAR(glm::length(cross), 1.0, tolerance);
        for (int i = 0; i < 3; ++i) {
            EXPECT_NEAR(glm::dot(cross, glm::dvec3(mesh.normals[triangle[i]])), 1.0, tolerance);
        }
        volume += glm::dot(a, cross) / 6.0;
    }
    EXPECT_NEAR(volume, 1.0, tolerance);
}

TEST(ImportGltfDraco, ReadsKhronosBox) {
    const TemporaryFolder folder;
    expectUnitBox(folder.import("box.gltf", dracoBox()), 2e-3); // normals have 10 bits
}

/// A square of two triangles with texture coordinates and colours, packed by Draco's own encoder.
std::string packedSquare(int method) {
    draco::TriangleSoupMeshBuilder builder;
    builder.Start(2);
    const int position = builder.AddAttribute(draco::GeometryAttribute::POSITION, 3, draco::DT_FLOAT32);
    const int uv = builder.AddAttribute(draco::GeometryAttribute::TEX_COORD, 2, draco::DT_FLOAT32);
    const int colour = builder.AddAttribute(draco::GeometryAttribute::COLOR, 4, draco::DT_UINT8, true);
    const auto corner = [](int i) { return glm::vec3(static_cast<float>(i % 2), static_cast<float>(i / 2), 2.0F); };
    const std::array<std::array<int, 3>, 2> faces = {{{0, 1, 2}, {2, 1, 3}}};
    for (std::uint32_t face = 0; face < 2; ++face) {
        std::array<glm::vec3, 3> p;
        std::array<std::array<std::uint8_t, 4>, 3> c{};
        for (std::size_t i = 0; i < 3; ++i) {
            p[i] = corner(faces[face][i]);
            c[i] = {51, static_cast<std::uint8_t>(p[i].x * 255.0F), static_cast<std::uint8_t>(p[i].y * 255.0F), 255};
        }
        const draco::FaceIndex index(face);
        builder.SetAttributeValuesForFace(position, index, &p[0].x, &p[1].x, &p[2].x);
        builder.SetAttributeValuesForFace(uv, index, &p[0].x, &p[1].x, &p[2].x); // x and y of them
        builder.SetAttributeValuesForFace(colour, index, c[0].data(), c[1].data(), c[2].data());
    }
    draco::Encoder encoder;
    encoder.SetEncodingMethod(method);
    draco::EncoderBuffer buffer;
    EXPECT_TRUE(encoder.EncodeMeshToBuffer(*builder.Finalize(), &buffer).ok());
    return {buffer.data(), buffer.size()};
}

std::string squareDocument(const std::string& packed, const std::string& rest = "") {
    GltfData data;
    data.accessorJson(R"({"componentType": 5123, "count": 6, "type": "SCALAR"})");
    data.accessorJson(R"({"componentType": 5126, "count": 4, "type": "VEC3"})");
    data.accessorJson(R"({"componentType": 5126, "count": 4, "type": "VEC2"})");
    data.accessorJson(R"({"componentType": 5121, "normalized": true, "count": 4, "type": "VEC4"})");
    const std::string view = std::to_string(data.view(packed));
    return data.document(R"("meshes": [{"primitives": [{"mode": 5, "indices": 0,
        "attributes": {"POSITION": 1, "TEXCOORD_0": 2, "COLOR_0": 3},
        "extensions": {"KHR_draco_mesh_compression": {"bufferView": )" +
                         view + R"(, "attributes": {"POSITION": 0, "TEXCOORD_0": 1, "COLOR_0": 2}}}}]}],
        "nodes": [{"mesh": 0}])" +
                         rest);
}

TEST(ImportGltfDraco, ReadsAttributesOfBothMethods) {
    const TemporaryFolder folder;
    for (const int method : {draco::MESH_SEQUENTIAL_ENCODING, draco::MESH_EDGEBREAKER_ENCODING}) {
        const ImportedModel model = folder.import("a.gltf", squareDocument(packedSquare(method)));
        const Mesh& mesh = model.meshes.at(0);
        EXPECT_EQ(mesh.triangles.size(), 2U) << method; // triangles, though the mode says strip
        ASSERT_EQ(mesh.positions.size(), 4U);
        ASSERT_EQ(mesh.colours.size(), 4U);
        for (std::size_t i = 0; i < 4; ++i) {
            const glm::vec3& p = mesh.positions[i];
            EXPECT_EQ(p.z, 2.0F);
            EXPECT_EQ(mesh.uvs[0].at(i), glm::vec2(p));
            EXPECT_EQ(mesh.colours[i], glm::vec4(0.2F, p.x, p.y, 1.0F));
        }
    }
}

TEST(ImportGltfDraco, WhatDoesNotFitIsNamed) {
    const TemporaryFolder folder;
    const auto message = [&](const std::string& text) { return messageOf([&] { folder.import("a.gltf", text); }); };
    const std::string place = "/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression";
    const std::string square = packedSquare(draco::MESH_EDGEBREAKER_ENCODING);
    EXPECT_TRUE(containsAll(message(replaced(squareDocument(square), "\"count\": 6", "\"count\": 9")),
                            {place, "found 2 triangles", "9 indices"}));
    EXPECT_TRUE(containsAll(message(replaced(squareDocument(square), "\"count\": 4", "\"count\": 5")),
                            {place, "2 triangles of 4 vertices", "6 indices of 5"}));
    EXPECT_TRUE(containsAll(message(replaced(squareDocument(square), "\"TEXCOORD_0\": 1", "\"TEXCOORD_0\": 7")),
                            {place + "/attributes/TEXCOORD_0", "found 7", "2 components"}));
    EXPECT_TRUE(
        containsAll(message(replaced(squareDocument(square), R"("bufferView": 0, "att)", R"("bufferView": 9, "att)")),
                    {place + "/bufferView", "9"}));
    EXPECT_TRUE(containsAll(message(squareDocument("nothing of the kind")), {place, "damaged", "bitstream 2.2"}));
    EXPECT_TRUE(containsAll(message(squareDocument(square.substr(0, square.size() - 12))), {place, "damaged"}));
    // 36 million triangles in 118 bytes: refused before memory is taken for them.
    std::string bomb = square;
    const std::string count = "\x80\xa8\x95\x11"; // as a varint
    bomb.replace(bomb.begin() + 13, bomb.begin() + 14, count);
    EXPECT_TRUE(containsAll(message(replaced(squareDocument(bomb), "\"count\": 6", "\"count\": 108002304")),
                            {place, "found 36000768 triangles in", "at most 256 a byte"}));
}

TEST(ImportGltfMeshopt, ReadsKhronosBox) {
    const TemporaryFolder folder;
    expectUnitBox(folder.import("box.gltf", meshoptBox()), 1e-6);
    // Some writers leave the mark of a fallback away. Of a buffer that a view reads, bytes are missing.
    const std::string mark = R"(, "extensions": {"EXT_meshopt_compression": {"fallback": true}})";
    const std::string unmarked = replaced(meshoptBox(), mark, "");
    expectUnitBox(folder.import("box.gltf", unmarked), 1e-6);
    const std::string read =
        replaced(unmarked, R"("bufferViews": [)", R"("bufferViews": [{"buffer": 1, "byteLength": 4},)");
    EXPECT_TRUE(containsAll(messageOf([&] { folder.import("box.gltf", read); }), {"/buffers/1", "truncated"}));
    const std::string newer = "KHR_meshopt_compression";
    std::string text = meshoptBox();
    for (std::size_t at = 0; (at = text.find("EXT_meshopt_compression", at)) != std::string::npos; at += newer.size()) {
        text.replace(at, newer.size(), newer);
    }
    expectUnitBox(folder.import("box.gltf", text), 1e-6);
}

/// A document of a triangle whose positions and indices are compressed as they are given.
std::string meshoptDocument(const std::string& positions, const std::string& filter, int stride,
                            const std::string& indices, const std::string& mode) {
    GltfData data;
    const auto view = [&](const std::string& bytes, int count, int size, const std::string& rest) {
        data.view(bytes);
        return R"({"buffer": 0, "byteLength": )" + std::to_string(count * size) +
               R"(, "extensions": {"EXT_meshopt_compression": {"buffer": 0, "byteOffset": 0, "byteLength": )" +
               std::to_string(bytes.size()) + ", \"count\": " + std::to_string(count) +
               ", \"byteStride\": " + std::to_string(size) + rest + "}}}";
    };
    const std::string first = view(positions, 3, stride, R"(, "mode": "ATTRIBUTES", "filter": ")" + filter + "\"");
    std::string second = view(indices, 3, 2, R"(, "mode": ")" + mode + "\"");
    second = replaced(second, "\"byteOffset\": 0", "\"byteOffset\": " + std::to_string((positions.size() + 3) / 4 * 4));
    data.accessorJson(R"({"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"})");
    data.accessorJson(R"({"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"})");
    std::string text = data.document(R"("meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "nodes": [{"mesh": 0}])");
    const std::size_t begin = text.find("\"bufferViews\": [") + 16;
    return text.replace(begin, text.find("],", begin) - begin, first + ", " + second);
}

std::string packedVertices(const std::vector<float>& values) {
    std::string bytes(meshopt_encodeVertexBufferBound(3, 12), '\0');
    bytes.resize(
        meshopt_encodeVertexBuffer(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), values.data(), 3, 12));
    return bytes;
}

std::string packedSequence() {
    const std::array<unsigned, 3> indices = {2, 0, 1};
    std::string bytes(meshopt_encodeIndexSequenceBound(3, 3), '\0');
    bytes.resize(meshopt_encodeIndexSequence(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(),
                                             indices.data(), indices.size()));
    return bytes;
}

TEST(ImportGltfMeshopt, ReadsSequencesAndExponentialFilters) {
    const TemporaryFolder folder;
    const std::vector<float> positions = {0, 0, 0, 4, 0, 0, 0, 0.5, 0};
    const ImportedModel plain =
        folder.import("a.gltf", meshoptDocument(packedVertices(positions), "NONE", 12, packedSequence(), "INDICES"));
    EXPECT_EQ(plain.meshes.at(0).positions[1], glm::vec3(4, 0, 0));
    EXPECT_EQ(plain.meshes[0].triangles.at(0), glm::uvec3(2, 0, 1));
    std::vector<float> filtered(9);
    meshopt_encodeFilterExp(filtered.data(), 3, 12, 12, positions.data());
    const ImportedModel exponents = folder.import(
        "a.gltf", meshoptDocument(packedVertices(filtered), "EXPONENTIAL", 12, packedSequence(), "INDICES"));
    EXPECT_EQ(exponents.meshes.at(0).positions, plain.meshes[0].positions);
}

TEST(ImportGltfMeshopt, WhatDoesNotFitIsNamed) {
    const TemporaryFolder folder;
    const auto message = [&](const std::string& what, const std::string& by) {
        return messageOf([&] { folder.import("a.gltf", replaced(meshoptBox(), what, by)); });
    };
    const std::string place = "/bufferViews/0/extensions/EXT_meshopt_compression";
    EXPECT_TRUE(containsAll(message("\"mode\": \"TRIANGLES\"", "\"mode\": \"STRIPS\""), {place + "/mode", "'STRIPS'"}));
    EXPECT_TRUE(containsAll(message("\"byteStride\": 2", "\"byteStride\": 3"), {place, "byte stride of 3", "2 or 4"}));
    EXPECT_TRUE(containsAll(message("\"count\": 36}", "\"count\": 35}"), {place, "35 elements", "72 bytes"}));
    EXPECT_TRUE(containsAll(message("\"count\": 36}", "\"count\": 9007199254740993}"),
                            {place, "found 9007199254740993 elements of 2 bytes", "29 bytes can hold"}));
    EXPECT_TRUE(containsAll(message("\"byteLength\": 29", "\"byteLength\": 28"), {place, "damaged data"}));
    EXPECT_TRUE(containsAll(message("\"byteLength\": 29", "\"byteLength\": 2900"), {place, "0 to 2900", "208"}));
    EXPECT_TRUE(containsAll(message("\"OCTAHEDRAL\"", "\"CUBIC\""), {"/filter", "'CUBIC'", "EXPONENTIAL"}));
    EXPECT_TRUE(containsAll(message("\"OCTAHEDRAL\"", "\"QUATERNION\""), {"QUATERNION", "byte stride of 4", "8"}));
    EXPECT_TRUE(containsAll(message("oAYDQwQ0", "oQYDQwQ0"), {"version 1, of which only 0"}));
    // What only readers that do not decompress may use is not there.
    EXPECT_TRUE(
        containsAll(message(R"("byteStride": 8, "extensions": {"EXT)", R"("byteStride": 8, "extensions": {"OWN)"),
                    {"/bufferViews/2", "168 to 360", "0"}));
}

} // namespace
} // namespace aureole::test
