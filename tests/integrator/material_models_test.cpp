// Models of materials: from scene files and model files, and what the renderers get of them.

#include <cmath>

#include "import_files.h"
#include "integrator/bsdf_tables.h"
#include "integrator/material_traits.h"
#include "json_test_util.h"
#include "scene/scene.h"
#include "scene/view.h"
#include "shared/bsdf/bsdf_tables.h"

namespace aureole {
namespace {

class MaterialModels : public SceneJsonTest {
protected:
    Material wall(const std::string& members) {
        std::string text = minimalScene();
        const std::string all = "\"albedo\": 0.5";
        text.replace(text.find(all), all.size(), members);
        write("texture.png", tinyPng());
        return load(text).materials.at(0);
    }
};

TEST_F(MaterialModels, AreWhatTheirKeysSay) {
    EXPECT_EQ(wall("\"albedo\": 0.5").model, MaterialModel::Lambert);
    for (const char* key :
         {"\"roughness\": 0.5", "\"metalness\": 0.5", R"("metallicRoughnessTexture": { "file": "texture.png" })"}) {
        EXPECT_EQ(wall(key).model, MaterialModel::MetallicRoughness) << key;
    }
    EXPECT_EQ(wall("\"model\": \"lambert\"").model, MaterialModel::Lambert);
    const Material coated = wall(R"("model": "metallic-roughness", "ior": 1.8)");
    EXPECT_EQ(coated.roughness, 1.0F);
    EXPECT_EQ(coated.metalness, 0.0F);
    EXPECT_EQ(coated.ior, 1.8F);
    EXPECT_EQ(coated.albedo, glm::vec3(0.8F));
    EXPECT_EQ(wall("\"model\": \"mirror\"").albedo, glm::vec3(1.0F));
    const Material glass = wall(R"("model": "dielectric", "absorption": [1, 2, 3])");
    EXPECT_EQ(glass.model, MaterialModel::Dielectric);
    EXPECT_EQ(glass.roughness, 0.0F);
    EXPECT_EQ(glass.ior, 1.5F);
    EXPECT_EQ(glass.absorption, glm::vec3(1, 2, 3));
    EXPECT_EQ(wall("\"model\": \"dielectric\", \"roughness\": 0.25").roughness, 0.25F);
    EXPECT_EQ(wall("\"model\": \"thin-glass\", \"ior\": 1.7").ior, 1.7F);
}

TEST_F(MaterialModels, ChangeTheHashes) {
    const auto hashes = [&](const char* members) {
        std::string text = minimalScene();
        const std::string all = "\"albedo\": 0.5";
        text.replace(text.find(all), all.size(), members);
        const Scene scene = load(text);
        return std::pair(scene.hash, scene.surfaceHash);
    };
    const auto plain = hashes("\"albedo\": 1");
    const auto mirror = hashes(R"("albedo": 1, "model": "mirror")");
    const auto glass = hashes(R"("albedo": 1, "model": "dielectric", "ior": 1.5)");
    const auto denser = hashes(R"("albedo": 1, "model": "dielectric", "ior": 1.6)");
    EXPECT_NE(plain.first, mirror.first);
    EXPECT_NE(plain.second, mirror.second); // octrees hold the models
    EXPECT_NE(glass.first, denser.first);
}

/// The material of a glTF file that says this of it.
Material gltfMaterial(const std::string& json) {
    const test::TemporaryFolder folder;
    test::GltfData data;
    const int positions = data.positions(test::kTriangle);
    return folder
        .import("a.gltf",
                data.document(R"("meshes": [{"primitives": [{"attributes": {"POSITION": )" + std::to_string(positions) +
                              R"(}, "material": 0}]}], "nodes": [{"mesh": 0}], "materials": [)" + json + "]"))
        .materials.at(0);
}

TEST(ImportedModels, OfGltfAreMetallicRoughness) {
    const Material plain = gltfMaterial("{}");
    EXPECT_EQ(plain.model, MaterialModel::MetallicRoughness);
    EXPECT_EQ(plain.metalness, 1.0F);
    EXPECT_EQ(plain.ior, 1.5F);
    EXPECT_EQ(gltfMaterial(R"({"extensions": {"KHR_materials_ior": {"ior": 1.25}}})").ior, 1.25F);
    EXPECT_EQ(gltfMaterial(R"({"extensions": {"KHR_materials_ior": {"ior": 9}}})").ior, 4.0F);
    // A quarter of 4 % is 1 %, of an index of 1.1 / 0.9.
    EXPECT_NEAR(gltfMaterial(R"({"extensions": {"KHR_materials_specular": {"specularFactor": 0.25}}})").ior, 1.1 / 0.9,
                1e-6);
}

TEST(ImportedModels, OfGltfThatTransmitAreGlass) {
    const std::string open = R"({"pbrMetallicRoughness": {"metallicFactor": 0, "roughnessFactor": 0.25},
        "extensions": {"KHR_materials_transmission": {"transmissionFactor": )";
    EXPECT_EQ(gltfMaterial(open + "0}}}").model, MaterialModel::MetallicRoughness);
    EXPECT_EQ(gltfMaterial(open + "0.5}}}").transmission, 0.5F);
    EXPECT_EQ(gltfMaterial(open + "0.9}}}").model, MaterialModel::ThinGlass);
    EXPECT_EQ(gltfMaterial(R"({"extensions": {"KHR_materials_transmission": {"transmissionFactor": 1}}})").model,
              MaterialModel::MetallicRoughness); // a metal
    EXPECT_EQ(gltfMaterial(open + R"(1}, "KHR_materials_volume": {"attenuationDistance": 1}}})").model,
              MaterialModel::ThinGlass);
    const Material solid = gltfMaterial(open + R"(1}, "KHR_materials_ior": {"ior": 1.33}, "KHR_materials_volume":
        {"thicknessFactor": 1, "attenuationDistance": 0.5, "attenuationColor": [1, 0.5, 0.25]}}})");
    EXPECT_EQ(solid.model, MaterialModel::Dielectric);
    EXPECT_EQ(solid.roughness, 0.25F);
    EXPECT_FLOAT_EQ(solid.ior, 1.33F);
    EXPECT_EQ(solid.absorption.x, 0.0F);
    EXPECT_NEAR(std::exp(-solid.absorption.y * 0.5F), 0.5F, 1e-6F);
    EXPECT_NEAR(std::exp(-solid.absorption.z * 0.5F), 0.25F, 1e-6F);
}

Material mtlMaterial(const std::string& statements) {
    const test::TemporaryFolder folder;
    folder.write("a.mtl", "newmtl one\n" + statements);
    return folder.import("a.obj", "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl one\nf 1 2 3\n").materials.at(0);
}

TEST(ImportedModels, OfMtlFollowIllum) {
    EXPECT_EQ(mtlMaterial("Kd 1 0 0\nillum 2\nNs 100\nKs 0 0 0\n").model, MaterialModel::Lambert);
    EXPECT_EQ(mtlMaterial("illum 1\nNs 100\nKs 1 1 1\n").model, MaterialModel::Lambert);
    EXPECT_EQ(mtlMaterial("illum 2\nNs 100\nKs 1 1 1\n").model, MaterialModel::MetallicRoughness);
    EXPECT_EQ(mtlMaterial("Pr 0.5\n").model, MaterialModel::MetallicRoughness);
    EXPECT_EQ(mtlMaterial("Pm 1\nNi 1\n").ior, 1.5F);
    const Material glass = mtlMaterial("illum 7\nNi 1.33\nKd 0 0 0\nTf 1 0.5 0.25\nd 0.1\nPr 0.2\n");
    EXPECT_EQ(glass.model, MaterialModel::Dielectric);
    EXPECT_FLOAT_EQ(glass.ior, 1.33F);
    EXPECT_EQ(glass.albedo, glm::vec3(1.0F, 0.5F, 0.25F));
    EXPECT_EQ(glass.roughness, 0.2F);
    EXPECT_EQ(glass.alphaMode, AlphaMode::Opaque);
    EXPECT_EQ(mtlMaterial("illum 9\nd 0.2\n").model, MaterialModel::ThinGlass);
    EXPECT_EQ(mtlMaterial("illum 9\nd 1\n").model, MaterialModel::Lambert);
}

TEST(MaterialTraits, NameModelsAndTables) {
    std::vector<Material> materials(6);
    materials[1].model = MaterialModel::Dielectric;
    materials[1].roughness = 0.0F;
    EXPECT_EQ(modelsOf(std::span(materials).first(1)), 1U << MODEL_LAMBERT);
    EXPECT_EQ(modelsOf(std::span(materials).first(2)),
              (1U << MODEL_LAMBERT) | (1U << MODEL_DIELECTRIC) | (1U << MODEL_TRAITS));
    EXPECT_TRUE(makeBsdfTables(std::span(materials).first(2)).empty());
    materials[2] = materials[1];
    materials[2].roughness = 0.5F;
    materials[2].ior = 1.7F;
    materials[2].absorption = glm::vec3(4.0F);
    materials[3] = materials[2];
    materials[3].ior = 1.3F;
    materials[4] = materials[2];
    materials[5].model = MaterialModel::MetallicRoughness;
    EXPECT_EQ(modelsOf(materials), (1U << MODEL_LAMBERT) | (1U << MODEL_METALLIC_ROUGHNESS) | (1U << MODEL_DIELECTRIC) |
                                       (1U << MODEL_ROUGH_DIELECTRIC) | (1U << MODEL_TWO_DIELECTRICS) |
                                       (1U << MODEL_TRAITS));
    const std::vector<shared::MaterialTraits> traits = makeMaterialTraits(materials, Space{2.0});
    EXPECT_EQ(traits[1].table, 0U);
    EXPECT_EQ(traits[2].table, 2U);
    EXPECT_EQ(traits[3].table, 1U);
    EXPECT_EQ(traits[4].table, 2U);
    EXPECT_EQ(traits[2].absorption, glm::vec3(2.0F)); // lengths are twice as many there
    EXPECT_EQ(makeBsdfTables(materials).size(), std::size_t{3} * ALBEDO_TABLE);
}

TEST(MaterialTraits, TellOfMediaAndFog) {
    std::vector<Material> materials(2);
    materials[1].scattering = glm::vec3(3.0F); // not of this model
    EXPECT_EQ(modelsOf(materials), 1U << MODEL_LAMBERT);
    const Fog fog{glm::vec3(2.0F, 4.0F, 6.0F), glm::vec3(1.0F), 0.5F};
    EXPECT_EQ(modelsOf(materials, fog), (1U << MODEL_LAMBERT) | (1U << MODEL_TRAITS) | (1U << MODEL_MEDIUM));
    const shared::MaterialTraits last = makeMaterialTraits(materials, Space{2.0}, fog).back();
    EXPECT_EQ(last.scattering, glm::vec3(1.0F, 2.0F, 3.0F));
    EXPECT_EQ(last.absorption, glm::vec3(0.5F));
    EXPECT_EQ(last.anisotropy, 0.5F);
    materials[1].model = MaterialModel::Dielectric;
    EXPECT_NE(modelsOf(materials) & (1U << MODEL_MEDIUM), 0U);
    materials[1].scattering = glm::vec3(0.0F);
    materials[1].absorption = glm::vec3(1.0F);
    EXPECT_EQ(modelsOf(materials) & ((1U << MODEL_MEDIUM) | (1U << MODEL_THIN_GLASS)), 0U);
    materials[1].ior = 1.0F; // connections go on through its surface, into less of it
    EXPECT_EQ(modelsOf(materials) & ((1U << MODEL_MEDIUM) | (1U << MODEL_THIN_GLASS)),
              (1U << MODEL_MEDIUM) | (1U << MODEL_THIN_GLASS));
}

TEST(MaterialTraits, OfMattMaterialsNeedNotBeLookedUp) {
    std::vector<Material> materials(2);
    materials[1].lightGroup = 3; // no path scatters by it
    materials[1].ior = 1.7F;     // not of this model
    EXPECT_EQ(modelsOf(materials), 1U << MODEL_LAMBERT);
    EXPECT_EQ(makeMaterialTraits(materials, Space{})[1].ior, shared::mattTraits().ior);
    materials[1].model = MaterialModel::Mirror;
    EXPECT_EQ(modelsOf(materials), (1U << MODEL_LAMBERT) | (1U << MODEL_MIRROR) | (1U << MODEL_TRAITS));
}

} // namespace
} // namespace aureole
