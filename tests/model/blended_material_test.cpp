// Which materials are blended over what is behind them, and which are cut out at one half.

#include <gtest/gtest.h>

#include "model/blended_material.h"
#include "shared/bsdf/material.h"

namespace aureole::test {
namespace {

/// A material with a picture of so many texels of each alpha.
struct Blend {
    Material material;
    std::vector<Texture> textures;

    explicit Blend(std::initializer_list<std::pair<int, int>> countsOfAlphas) {
        material.alphaMode = AlphaMode::Blend;
        material.model = MaterialModel::MetallicRoughness;
        Texture texture;
        for (const auto& [alpha, count] : countsOfAlphas) {
            for (int i = 0; i < count; ++i) {
                texture.rgba.insert(texture.rgba.end(), {9, 9, 9, static_cast<std::uint8_t>(alpha)});
            }
        }
        if (countsOfAlphas.size() > 0) {
            texture.width = static_cast<std::uint32_t>(texture.rgba.size() / 4);
            texture.height = 1;
            textures.push_back(texture);
            material.albedoTexture.texture = 0;
        }
    }

    bool isBlended(bool alphaOfColours = false) {
        blendOver(material, textures, alphaOfColours);
        return material.masked == METALNESS_IS_OPACITY;
    }
};

TEST(BlendedMaterial, IsWhatAFactorOrItsTexelsLetThrough) {
    EXPECT_TRUE(Blend({{100, 1}}).isBlended());
    EXPECT_TRUE(Blend({{0, 999}, {128, 1}, {255, 19}}).isBlended()) << "a twentieth of what is there";
    EXPECT_FALSE(Blend({{0, 999}, {128, 1}, {255, 20}}).isBlended()) << "edges of what is cut out";
    EXPECT_FALSE(Blend({{0, 5}, {255, 5}}).isBlended());
    EXPECT_FALSE(Blend({{0, 5}}).isBlended());
    EXPECT_FALSE(Blend({}).isBlended());
    EXPECT_TRUE(Blend({}).isBlended(true));
    Blend factor({});
    factor.material.alpha = 0.3F;
    EXPECT_TRUE(factor.isBlended());
    Blend both({{255, 1}});
    both.material.alpha = 0.3F;
    EXPECT_TRUE(both.isBlended());
}

TEST(BlendedMaterial, IsNothingElseThanASurface) {
    for (const MaterialModel model : {MaterialModel::Mirror, MaterialModel::Dielectric, MaterialModel::ThinGlass}) {
        Blend blend({{100, 1}});
        blend.material.model = model;
        EXPECT_FALSE(blend.isBlended());
        EXPECT_EQ(blend.material.model, model);
        const bool isMirror = model == MaterialModel::Mirror;
        EXPECT_EQ(blend.material.alphaMode, isMirror ? AlphaMode::Blend : AlphaMode::Opaque) << "glass all over";
    }
    for (const AlphaMode mode : {AlphaMode::Opaque, AlphaMode::Mask}) {
        Blend blend({{100, 1}});
        blend.material.alphaMode = mode;
        EXPECT_FALSE(blend.isBlended());
    }
}

TEST(BlendedMaterial, KeepsMattSurfacesMatt) {
    Blend blend({});
    blend.material.model = MaterialModel::Lambert;
    blend.material.roughness = 0.2F; // which Lambert's model does not have
    blend.material.alpha = 0.5F;
    EXPECT_TRUE(blend.isBlended());
    EXPECT_EQ(blend.material.roughness, 1.0F);
    EXPECT_EQ(blend.material.ior, 1.0F);
}

} // namespace
} // namespace aureole::test
