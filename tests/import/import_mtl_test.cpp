#include <cmath>

#include <gtest/gtest.h>

#include "import/obj/mtl.h"
#include "import_files.h"
#include "shared/bsdf/material.h"

namespace aureole::test {
namespace {

constexpr const char* kObj = "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl one\nf 1/1 2/1 3/1\n";

class ImportMtl : public ::testing::Test {
protected:
    ImportedModel importWith(const std::string& mtl) const {
        folder_.write("a.mtl", mtl);
        return folder_.import("a.obj", kObj);
    }
    Material materialOf(const std::string& mtl) const { return importWith(mtl).materials.at(0); }

    const TemporaryFolder folder_;
};

TEST_F(ImportMtl, ReadsScalars) {
    const Material material = materialOf("# head\nnewmtl one\n\tKd 0.1 0.2 0.3\r\nKe 1 2 3\nPr 0.25\nPm 0.75\n");
    EXPECT_EQ(material.name, "one");
    EXPECT_EQ(material.albedo, glm::vec3(0.1F, 0.2F, 0.3F));
    EXPECT_EQ(material.emission, glm::vec3(1, 2, 3));
    EXPECT_EQ(material.roughness, 0.25F);
    EXPECT_EQ(material.metalness, 0.75F);
}

TEST_F(ImportMtl, WhatDissolvesIsBlended) {
    const Material material = materialOf("newmtl one\nKd 0.1 0.2 0.3\nTr 0.75\n");
    EXPECT_EQ(material.alpha, 0.25F);
    EXPECT_EQ(material.alphaMode, AlphaMode::Blend);
    EXPECT_EQ(material.masked, METALNESS_IS_OPACITY);
    EXPECT_EQ(material.transmission, 0.75F);
}

TEST_F(ImportMtl, DissolveBeatsTransparencyInEitherOrder) {
    EXPECT_EQ(materialOf("newmtl one\nd 1\nTr 1\n").alpha, 1.0F);
    EXPECT_EQ(materialOf("newmtl one\nTr 1\nd 1\n").alpha, 1.0F);
    EXPECT_EQ(materialOf("newmtl one\nd 1\n").alphaMode, AlphaMode::Opaque);
}

TEST_F(ImportMtl, ShininessIsARoughnessOnlyWithASpecularColour) {
    EXPECT_EQ(materialOf("newmtl one\nNs 100\nKs 0 0 0\n").roughness, 1.0F);
    EXPECT_NEAR(materialOf("newmtl one\nNs 98\nKs 1 1 1\n").roughness, std::pow(0.02, 0.25), 1e-6);
}

TEST_F(ImportMtl, FindsTexturesBehindBackslashesAndSpaces) {
    folder_.write("maps/base colour.png", makePng(1, 1, {10, 20, 30, 255}));
    const ImportedModel model = importWith("newmtl one\nKd 0.5 0.5 0.5\nmap_Kd .\\maps\\base colour.png\n");
    const Material& material = model.materials.at(0);
    ASSERT_TRUE(material.albedoTexture.used());
    EXPECT_TRUE(material.albedoTexture.srgb);
    EXPECT_EQ(material.albedo, glm::vec3(0.5F));
    EXPECT_EQ(model.textures.at(material.albedoTexture.texture).rgba, (std::vector<std::uint8_t>{10, 20, 30, 255}));
}

TEST_F(ImportMtl, TexturesLieBesideTheMaterialLibrary) {
    folder_.write("lib/t.png", makePng(1, 1, {1, 2, 3, 255}));
    folder_.write("lib/a.mtl", "newmtl one\nmap_Kd t.png\n");
    const ImportedModel model =
        folder_.import("a.obj", "mtllib lib\\a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl one\nf 1 2 3\n");
    EXPECT_EQ(model.textures.size(), 1U);
}

TEST_F(ImportMtl, ReadsTextureOptions) {
    folder_.write("t.png", makePng(1, 1, {0, 0, 255, 255}));
    const TextureSlot slot =
        materialOf("newmtl one\nKd 0 0 0\nmap_Kd -blendu on -s 2 3 1 -o 0.25 0.5 -mm 0 1 -clamp on t.png\n")
            .albedoTexture;
    EXPECT_EQ(slot.wrap[0], Wrap::Clamp);
    // v upwards: (u, v) = (0.1, 0.2) gives (0.45, 1.1); v downwards that is from (0.1, 0.8) to (0.45, -0.1).
    const glm::vec3 uv = slot.transform * glm::vec3(0.1F, 0.8F, 1.0F);
    EXPECT_NEAR(uv.x, 0.45F, 1e-6);
    EXPECT_NEAR(uv.y, -0.1F, 1e-6);
}

TEST_F(ImportMtl, FactorsOfZeroBesideATextureCountAsOne) {
    folder_.write("t.png", makePng(1, 1, {0, 0, 255, 255}));
    const Material material =
        materialOf("newmtl one\nKd 0 0 0\nmap_Kd t.png\nKe 0 0 0\nmap_Ke t.png\nPm 0\nmap_Pm t.png\n");
    EXPECT_EQ(material.albedo, glm::vec3(1.0F));
    EXPECT_EQ(material.emission, glm::vec3(1.0F));
    EXPECT_TRUE(material.emissionTexture.srgb);
    EXPECT_EQ(material.metalness, 1.0F);
}

TEST_F(ImportMtl, PacksRoughnessAndMetalness) {
    folder_.write("rough.png", makePng(2, 1, {50, 50, 50, 255, 60, 60, 60, 255}));
    folder_.write("metal.png", makePng(1, 1, {70, 70, 70, 255}));
    const ImportedModel model = importWith("newmtl one\nPr 1\nmap_Pr rough.png\nmap_Pm metal.png\n");
    const Material& material = model.materials.at(0);
    const Texture& texture = model.textures.at(material.metallicRoughnessTexture.texture);
    ASSERT_EQ(texture.width, 2U);
    EXPECT_EQ(texture.rgba[1], 50);
    EXPECT_EQ(texture.rgba[5], 60);
    EXPECT_EQ(texture.rgba[2], 70);
    EXPECT_EQ(texture.rgba[6], 70);
    EXPECT_FALSE(material.metallicRoughnessTexture.srgb);
}

TEST_F(ImportMtl, PacksOpacityIntoTheColour) {
    folder_.write("c.png", makePng(1, 1, {10, 20, 30, 255}));
    folder_.write("d.png", makePng(1, 1, {77, 77, 77, 255}));
    const ImportedModel model = importWith("newmtl one\nmap_Kd c.png\nmap_d d.png\n");
    const Material& material = model.materials.at(0);
    EXPECT_EQ(material.alphaMode, AlphaMode::Blend);
    EXPECT_EQ(model.textures.at(material.albedoTexture.texture).rgba, (std::vector<std::uint8_t>{10, 20, 30, 77}));
}

TEST_F(ImportMtl, TellsNormalMapsFromHeights) {
    folder_.write("n.png", makePng(1, 1, {128, 128, 255, 255}));
    folder_.write("h.png", makePng(1, 1, {128, 128, 128, 255}));
    EXPECT_TRUE(materialOf("newmtl one\nnorm n.png\n").normalTexture.used());
    const Material bump = materialOf("newmtl one\nmap_Bump -bm 0.5 n.png\n");
    EXPECT_TRUE(bump.normalTexture.used());
    EXPECT_EQ(bump.normalScale, 0.5F);
    EXPECT_FALSE(materialOf("newmtl one\nbump h.png\n").normalTexture.used());
}

TEST_F(ImportMtl, MissingLibrariesAndNamesLeaveThePlainMaterial) {
    EXPECT_EQ(folder_.import("a.obj", kObj).materials.at(0).albedo, glm::vec3(0.8F)); // no a.mtl at all
    EXPECT_EQ(materialOf("newmtl two\nKd 1 0 0\n").albedo, glm::vec3(0.8F));
    EXPECT_EQ(materialOf("newmtl two\nKd 1 0 0\n").name, "one");
}

TEST_F(ImportMtl, UnreachableTexturesAreLeftOutWithAWarning) {
    const auto warningOf = [&](const std::string& map, Material& material) {
        testing::internal::CaptureStderr();
        material = materialOf("newmtl one\nKd 0 0 0\nPr 0.5\nmap_Pr " + map + "\nmap_Kd " + map + "\nmap_d " + map);
        return testing::internal::GetCapturedStderr();
    };
    const std::vector<std::pair<std::string, std::string>> maps = {{"missing.png", "does not exist"},
                                                                   {"..\\..\\up.png", "leaves the scene folder"},
                                                                   {"C:\\tex\\up.png", "absolute"},
                                                                   {"/up.png", "absolute"}};
    for (const auto& [map, reason] : maps) {
        Material material;
        const std::string warning = warningOf(map, material);
        EXPECT_TRUE(containsAll(warning, {"warning", "a.mtl", "line", reason, "materials go without it"})) << warning;
        EXPECT_EQ(warning.find("go without"), warning.rfind("go without")) << warning; // once for each file
        EXPECT_FALSE(material.albedoTexture.used());
        EXPECT_FALSE(material.metallicRoughnessTexture.used());
        EXPECT_EQ(material.albedo, glm::vec3(0.8F)); // Kd 0 is what exporters write beside a map
        EXPECT_EQ(material.roughness, 0.5F);
        EXPECT_EQ(material.alphaMode, AlphaMode::Opaque);
    }
    folder_.write("there.png", makePng(1, 1, {10, 20, 30, 255}));
    EXPECT_TRUE(materialOf("newmtl one\nmap_Kd there.png\nmap_Pr missing.png\n").albedoTexture.used());
}

TEST_F(ImportMtl, ErrorsNameFileAndLine) {
    const auto messageFor = [&](const std::string& mtl) { return messageOf([&] { materialOf(mtl); }); };
    EXPECT_TRUE(containsAll(messageFor("newmtl one\n\nKd 1 x 1\n"), {"a.mtl", "line 3", "'x'", "number"}));
    EXPECT_TRUE(containsAll(messageFor("newmtl one\nPr nan\n"), {"a.mtl", "line 2", "'nan'"}));
    EXPECT_TRUE(containsAll(messageFor("Kd 1 1 1\n"), {"a.mtl", "line 1", "newmtl"}));
    EXPECT_TRUE(containsAll(
        messageOf([&] { folder_.import("b.obj", "mtllib ../../x.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"); }),
        {"b.obj", "line 1", "leaves the scene folder"}));
}

TEST(ParseMtl, KeepsEachMaterialApart) {
    const std::vector<obj::MtlMaterial> materials =
        obj::parseMtl("\xef\xbb\xbfnewmtl a\nKd 0.5\nnewmtl b c\nmap_kd -o 1 x.png\nillum 2\n", "m.mtl");
    ASSERT_EQ(materials.size(), 2U);
    EXPECT_EQ(materials[0].diffuse, glm::vec3(0.5F)); // one number for all channels
    EXPECT_EQ(materials[1].name, "b c");
    EXPECT_FALSE(materials[1].diffuse.has_value());
    EXPECT_EQ(materials[1].diffuseMap->path, "x.png");
    EXPECT_EQ(materials[1].diffuseMap->offset, glm::vec2(1.0F, 0.0F));
}

} // namespace
} // namespace aureole::test
