// Extensions of glTF: what becomes of materials, textures and nodes, and what a file may require.

#include <cmath>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "foreign_pictures.h"
#include "import/gltf/extensions.h"
#include "import_files.h"
#include "matches.h"
#include "test_files.h"

namespace aureole::test {
namespace {

/// A triangle with `attributes` beside its positions, of the first of the materials.
std::string triangleWith(const std::string& materials, const std::string& attributes = "",
                         const std::string& rest = "") {
    GltfData data;
    data.positions(kTriangle);
    data.accessor(bytesOf<float>({0, 0, 1, 0, 0, 1}), 5126, 3, "VEC2");
    data.accessor(bytesOf<float>({5, 5, 6, 5, 5, 6}), 5126, 3, "VEC2");
    return data.document(R"("meshes": [{"primitives": [{"attributes": {"POSITION": 0)" + attributes +
                         R"(}, "material": 0}]}], "nodes": [{"mesh": 0}], "materials": [)" + materials + "]" + rest);
}

struct Imported {
    ImportedModel model;
    std::string log;
};

Imported import(const TemporaryFolder& folder, const std::string& text) {
    testing::internal::CaptureStderr();
    Imported imported;
    imported.model = folder.import("a.gltf", text);
    imported.log = testing::internal::GetCapturedStderr();
    return imported;
}

Material materialOf(const std::string& json) {
    return TemporaryFolder().import("a.gltf", triangleWith(json)).materials.at(0);
}

TEST(ImportGltfExtensions, UnlitSurfacesEmitTheirColour) {
    const TemporaryFolder folder;
    folder.write("a.png", makePng(1, 1, {255, 0, 0, 255}));
    const Material material =
        folder
            .import("a.gltf", triangleWith(R"({"pbrMetallicRoughness": {"baseColorFactor": [0.5, 0.25, 1, 0.75],
                "baseColorTexture": {"index": 0}}, "alphaMode": "MASK", "emissiveFactor": [9, 9, 9],
                "extensions": {"KHR_materials_unlit": {}}})",
                                           "", R"(, "textures": [{"source": 0}], "images": [{"uri": "a.png"}])"))
            .materials.at(0);
    EXPECT_EQ(material.model, MaterialModel::Lambert);
    EXPECT_TRUE(material.unlit);
    EXPECT_EQ(material.albedo, glm::vec3(0.0F));
    EXPECT_EQ(material.emission, glm::vec3(0.5F, 0.25F, 1.0F));
    EXPECT_EQ(material.emissionTexture.texture, 0U);
    EXPECT_TRUE(material.emissionTexture.srgb);
    EXPECT_EQ(material.albedoTexture.texture, 0U); // for its alpha
    EXPECT_EQ(material.alpha, 0.75F);
}

TEST(ImportGltfExtensions, AnimationsAreWarnedOf) {
    const TemporaryFolder folder;
    EXPECT_EQ(import(folder, triangleWith("{}", "", R"(, "animations": [])")).log, "");
    EXPECT_TRUE(containsAll(import(folder, triangleWith("{}", "", R"(, "animations": [{}])")).log,
                            {"a.gltf: /animations: are not used"}));
}

TEST(ImportGltfExtensions, ClearcoatIsOfWhatIsNoGlass) {
    const std::string coat =
        R"("KHR_materials_clearcoat": {"clearcoatFactor": 0.75, "clearcoatRoughnessFactor": 0.25})";
    const Material coated = materialOf(R"({"extensions": {)" + coat + "}}");
    EXPECT_EQ(coated.clearcoat, 0.75F);
    EXPECT_EQ(coated.clearcoatRoughness, 0.25F);
    const Material glass = materialOf(R"({"pbrMetallicRoughness": {"metallicFactor": 0}, "extensions": {)" + coat +
                                      R"(, "KHR_materials_transmission": {"transmissionFactor": 0.5}}})");
    EXPECT_EQ(glass.model, MaterialModel::ThinGlass);
    EXPECT_EQ(glass.clearcoat, 0.0F);
    EXPECT_EQ(materialOf(R"({"extensions": {"KHR_materials_clearcoat": {}}})").clearcoat, 0.0F);
}

TEST(ImportGltfExtensions, SpecularChangesTheReflectanceAtNormalIncidence) {
    // A half of a half of 4 % is 1 %, of an index of 1.1 / 0.9.
    EXPECT_NEAR(materialOf(R"({"extensions": {"KHR_materials_specular": {"specularFactor": 0.5,
                           "specularColorFactor": [1, 0.5, 0]}}})")
                    .ior,
                1.1 / 0.9, 1e-6);
    EXPECT_EQ(materialOf(R"({"extensions": {"KHR_materials_specular": {"specularFactor": 0}}})").ior, 1.0F);
    EXPECT_NEAR(materialOf(R"({"extensions": {"KHR_materials_specular": {"specularColorFactor": [1e9, 0, 0]}}})").ior,
                4.0, 1e-5);
    const Material glass = materialOf(R"({"pbrMetallicRoughness": {"metallicFactor": 0}, "extensions": {
        "KHR_materials_specular": {"specularFactor": 0}, "KHR_materials_transmission": {"transmissionFactor": 1}}})");
    EXPECT_EQ(glass.ior, 1.5F) << "which bends light too";
}

TEST(ImportGltfExtensions, MetalLetsNothingThrough) {
    const std::string through = R"("extensions": {"KHR_materials_transmission": {"transmissionFactor": 1}}})";
    EXPECT_EQ(materialOf("{" + through).model, MaterialModel::MetallicRoughness);
    const Material half = materialOf(R"({"pbrMetallicRoughness": {"metallicFactor": 0.5}, )" + through);
    EXPECT_EQ(half.model, MaterialModel::ThinGlass);
    EXPECT_EQ(half.metalness, 0.5F);
    EXPECT_TRUE(isPartialGlass(half)); // the renderers look at its metalness
    EXPECT_FALSE(isPartialGlass(materialOf(R"({"pbrMetallicRoughness": {"metallicFactor": 0}, )" + through)));
}

/// As Khronos' AttenuationTest and CompareIor have them: a thickness makes a solid, of whatever it is worth.
TEST(ImportGltfExtensions, VolumesAreSolidsThatAbsorb) {
    const auto withVolume = [](const std::string& volume, const std::string& ior = "1.33") {
        return materialOf(R"({"pbrMetallicRoughness": {"metallicFactor": 0, "roughnessFactor": 0}, "extensions": {
            "KHR_materials_transmission": {"transmissionFactor": 1}, "KHR_materials_ior": {"ior": )" +
                          ior + R"(}, "KHR_materials_volume": {)" + volume + "}}}");
    };
    const std::string colour = R"(, "attenuationColor": [0.1, 1, 0], "attenuationDistance": 2)";
    const Material solid = withVolume(R"("thicknessFactor": 0.25)" + colour);
    EXPECT_EQ(solid.model, MaterialModel::Dielectric);
    EXPECT_EQ(solid.ior, 1.33F);
    EXPECT_NEAR(std::exp(-2.0F * solid.absorption.r), 0.1F, 1e-6F);
    EXPECT_EQ(solid.absorption.g, 0.0F);
    EXPECT_NEAR(solid.absorption.b, -std::log(1e-6F) / 2.0F, 1e-3F) << "black would absorb without bounds";
    const Material clear = withVolume(R"("thicknessFactor": 1, "attenuationColor": [0.1, 0.1, 0.1])");
    EXPECT_EQ(clear.absorption, glm::vec3(0.0F)) << "after an endless way";
    const Material pane = withVolume(R"("thicknessFactor": 0)" + colour);
    EXPECT_EQ(pane.model, MaterialModel::ThinGlass);
    EXPECT_EQ(pane.absorption, glm::vec3(0.0F));
    EXPECT_EQ(withVolume("", "9").ior, 4.0F);
    EXPECT_EQ(withVolume("", "0").ior, 1.5F);
}

TEST(ImportGltfExtensions, TexturesOfTransmissionMaskIt) {
    const TemporaryFolder folder;
    folder.write("a.png", makePng(2, 1, {255, 9, 9, 9, 55, 9, 9, 9}));
    const std::string textures = R"(, "textures": [{"source": 0}], "images": [{"uri": "a.png"}])";
    const std::string glass = R"("extensions": {"KHR_materials_transmission": {"transmissionFactor": 1,
        "transmissionTexture": {"index": 0}}}})";
    const ImportedModel model = folder.import(
        "a.gltf", triangleWith(R"({"pbrMetallicRoughness": {"metallicFactor": 0.5}, )" + glass, "", textures));
    const Material& material = model.materials.at(0);
    EXPECT_NEAR(material.transmission, 0.5F, 1e-3F); // half of it is metal
    EXPECT_EQ(material.masked, 1U);
    EXPECT_EQ(material.metalness, 1.0F);
    EXPECT_EQ(model.textures.at(material.metallicRoughnessTexture.texture).rgba,
              (std::vector<std::uint8_t>{255, 255, 0, 255, 255, 255, 200, 255}));
    const Imported both =
        import(folder, triangleWith(R"({"pbrMetallicRoughness": {"metallicRoughnessTexture": {"index": 0}}, )" + glass,
                                    "", textures));
    EXPECT_TRUE(containsAll(both.log, {"transmissionTexture", "not used"}));
    EXPECT_EQ(both.model.materials.at(0).masked, 0U);
    const Imported third =
        import(folder, triangleWith(R"({"pbrMetallicRoughness": {"metallicFactor": 0, "baseColorTexture": {"index": 0}},
        "emissiveTexture": {"index": 0, "texCoord": 1}, "extensions": {"KHR_materials_transmission":
        {"transmissionFactor": 1, "transmissionTexture": {"index": 0, "texCoord": 2}}}})",
                                    "", textures));
    EXPECT_TRUE(containsAll(third.log, {"0, 1 and 2", "left out"}));
    EXPECT_EQ(third.model.materials.at(0).masked, 0U);
    EXPECT_EQ(third.model.materials.at(0).metalness, 0.0F) << "glass everywhere, not metal";
}

TEST(ImportGltfExtensions, ColoursAreSharesWhateverFilesSay) {
    const Material unlit = materialOf(R"({"pbrMetallicRoughness": {"baseColorFactor": [-0.5, 1e30, 0.5, 1]},
        "extensions": {"KHR_materials_unlit": {}}})");
    EXPECT_EQ(unlit.emission, glm::vec3(0.0F, 1.0F, 0.5F));
}

TEST(ImportGltfExtensions, TexturesThatAreNotUsedAreNamed) {
    const TemporaryFolder folder;
    const Imported found = import(folder, triangleWith(R"({"extensions": {"KHR_materials_clearcoat":
        {"clearcoatFactor": 1, "clearcoatTexture": {"index": 0}}}})"));
    EXPECT_TRUE(
        containsAll(found.log, {"/materials/0/extensions/KHR_materials_clearcoat/clearcoatTexture", "not used"}));
}

TEST(ImportGltfExtensions, WebPIsPreferred) {
    const TemporaryFolder folder;
    folder.write("a.webp", {reinterpret_cast<const char*>(foreign::kWebPLossy), sizeof foreign::kWebPLossy});
    folder.write("a.png", makePng(1, 1, {1, 2, 3, 255}));
    const std::string material = R"({"emissiveTexture": {"index": 0}})";
    const std::string images = R"(, "images": [{"uri": "a.png"}, {"uri": "a.webp"}], "textures": )";
    const std::string webp = R"([{"source": 0, "extensions": {"EXT_texture_webp": {"source": 1}}}])";
    EXPECT_EQ(folder.import("a.gltf", triangleWith(material, "", images + webp)).textures.at(0).width, 16U);
    const std::string basis = R"([{"source": 0, "extensions": {"KHR_texture_basisu": {"source": 1}}}])";
    EXPECT_EQ(folder.import("a.gltf", triangleWith(material, "", images + basis)).textures.at(0).width, 1U);
    const std::string alone = R"([{"extensions": {"KHR_texture_basisu": {"source": 1}}}])";
    EXPECT_TRUE(containsAll(messageOf([&] { folder.import("a.gltf", triangleWith(material, "", images + alone)); }),
                            {"/textures/0", "a KTX2 picture alone", "a PNG, JPEG or WebP picture: 'ktx extract'"}));
    const std::string dds = R"([{"source": 0, "extensions": {"MSFT_texture_dds": {"source": 1}}}])";
    EXPECT_EQ(folder.import("a.gltf", triangleWith(material, "", images + dds)).textures.at(0).width, 1U);
}

TEST(ImportGltfExtensions, MeshesHaveTheSetsOfCoordinatesThatTheirMaterialUses) {
    const TemporaryFolder folder;
    folder.write("a.png", makePng(1, 1, {1, 2, 3, 255}));
    const std::string sets = R"(, "TEXCOORD_1": 1, "TEXCOORD_3": 2)";
    const std::string textures = R"(, "textures": [{"source": 0}], "images": [{"uri": "a.png"}])";
    const ImportedModel model = folder.import("a.gltf", triangleWith(R"({"emissiveTexture": {"index": 0, "texCoord": 3},
            "normalTexture": {"index": 0, "extensions": {"KHR_texture_transform": {"texCoord": 1}}}})",
                                                                     sets, textures));
    EXPECT_EQ(model.materials[0].normalTexture.uvSet, 0U);
    EXPECT_EQ(model.materials[0].emissionTexture.uvSet, 1U);
    EXPECT_EQ(model.meshes.at(0).uvs[0].at(1), glm::vec2(1, 0));
    EXPECT_EQ(model.meshes[0].uvs[1].at(1), glm::vec2(6, 5));
    const Imported three = import(folder, triangleWith(R"({"emissiveTexture": {"index": 0, "texCoord": 4},
        "normalTexture": {"index": 0, "texCoord": 1}, "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}})",
                                                       sets, textures));
    EXPECT_TRUE(containsAll(three.log, {"/materials/0", "0, 1 and 4", "left out"}));
    EXPECT_FALSE(three.model.materials.at(0).emissionTexture.used());
    EXPECT_EQ(three.model.materials[0].normalTexture.uvSet, 1U);
}

TEST(ImportGltfExtensions, HiddenNodesHideWhatHangsOnThem) {
    const TemporaryFolder folder;
    GltfData data;
    data.positions(kTriangle);
    const ImportedModel model = folder.import("a.gltf", data.document(R"("meshes": [{"primitives": [{"attributes":
        {"POSITION": 0}}]}], "scenes": [{"nodes": [0, 2]}], "nodes": [{"mesh": 0, "children": [1], "extensions":
        {"KHR_node_visibility": {"visible": false}}}, {"mesh": 0}, {"mesh": 0, "translation": [0, 0, 7]}])"));
    ASSERT_EQ(model.meshInstances.size(), 1U);
    EXPECT_EQ(model.meshInstances[0].worldFromMesh[3].z, 7.0);
}

TEST(ImportGltfExtensions, WhatIsUnknownMayBeUsedButNotRequired) {
    const TemporaryFolder folder;
    const std::string used = R"(, "extensionsUsed": ["KHR_materials_sheen", "VENDOR_thing", "KHR_materials_sheen",
        "KHR_materials_unlit"])";
    const Imported found = import(folder, triangleWith("{}", "", used));
    EXPECT_TRUE(containsAll(found.log, {"KHR_materials_sheen is not used", "VENDOR_thing is not used"}));
    EXPECT_EQ(found.log.find("KHR_materials_sheen"), found.log.rfind("KHR_materials_sheen")) << "once";
    EXPECT_EQ(found.log.find("unlit"), std::string::npos);
    // What is known not to change the shape may be required.
    import(folder, triangleWith("{}", "", R"(, "extensionsRequired": ["KHR_materials_sheen"])"));
    EXPECT_TRUE(containsAll(messageOf([&] {
                                folder.import("a.gltf", triangleWith("{}", "", R"(,
                                    "extensionsRequired": ["KHR_materials_glow"])"));
                            }),
                            {"/extensionsRequired/0", "'KHR_materials_glow'", "does not read"}));
}

/// All of the list may be required, and those that are ignored are told.
TEST(ImportGltfExtensions, AreToldWhereTheyAreIgnored) {
    const TemporaryFolder folder;
    for (const gltf::Extension& extension : gltf::knownExtensions()) {
        const std::string list = R"(: [")" + std::string(extension.name) + R"("])";
        const Imported found =
            import(folder, triangleWith("{}", "", R"(, "extensionsUsed")" + list + R"(, "extensionsRequired")" + list));
        const bool told = found.log.find(std::string(extension.name) + " is not used") != std::string::npos;
        EXPECT_EQ(told, extension.support == gltf::Support::Ignored) << extension.name;
        EXPECT_EQ(found.model.meshes.at(0).triangles.size(), 1U);
    }
}

/// The rows of the table in scenes/README.md are the extensions that the reader knows, with what becomes of them.
TEST(ImportGltfExtensions, AreThoseOfTheDocument) {
    std::ifstream file(std::filesystem::path(testFile(AUREOLE_SCENES_FOLDER)) / "README.md");
    std::stringstream text;
    text << file.rdbuf();
    const std::string document = text.str();
    const char* const row = R"(\n\| `((?:KHR|EXT|MSFT)_\w+)` \| (rendered|approximated|ignored)\b)";
    std::map<std::string, std::string> stated;
    for (const std::vector<std::string>& cells : matchesOf(document, row)) {
        stated.emplace(cells[1], cells[2]);
    }
    const std::array<std::string, 3> words = {"rendered", "approximated", "ignored"};
    std::map<std::string, std::string> known;
    for (const gltf::Extension& extension : gltf::knownExtensions()) {
        known.emplace(extension.name, words.at(static_cast<std::size_t>(extension.support)));
    }
    EXPECT_EQ(stated, known);
}

} // namespace
} // namespace aureole::test
