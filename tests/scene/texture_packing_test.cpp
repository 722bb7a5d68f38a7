// Pictures whose channels mean something else: see scene/json/texture_packing.h.

#include "scene/json/texture_packing.h"

#include <cmath>

#include <gtest/gtest.h>

#include "foreign_png.h"
#include "image/png/png.h"
#include "json_test_util.h"
#include "model/texture_sample.h"
#include "scene/surface.h"

namespace aureole {
namespace {

TEST(TexturePacking, RoughnessAndMetalnessComeFromAnyChannel) {
    const Texture packed{"aso.png", 2, 1, {10, 20, 30, 40, 250, 240, 230, 220}};
    // Roughness in R and metalness in G, as games have it; smoothness is roughness inverted.
    EXPECT_EQ(repacked(packed, 0, 1).rgba, (std::vector<std::uint8_t>{10, 10, 20, 40, 250, 250, 240, 220}));
    EXPECT_EQ(repacked(packed, 7, 2).rgba, (std::vector<std::uint8_t>{10, 215, 30, 40, 250, 35, 230, 220}));
    EXPECT_EQ(repacked(packed, 1, kNoChannel).rgba, (std::vector<std::uint8_t>{10, 20, 255, 40, 250, 240, 255, 220}));
    EXPECT_EQ(repacked(packed, 1, 2).rgba, packed.rgba);
}

TEST(TexturePacking, OcclusionDarkensInLinearLight) {
    const Texture occlusion = occlusionOf({"ao.png", 1, 1, {0, 102, 0, 0}}, 1, 0.5F); // 0.4
    EXPECT_EQ(occlusion.rgba, (std::vector<std::uint8_t>{179, 179, 179, 255}));       // 0.7
    TextureSlot slot;
    slot.srgb = true;
    const Texture dark = darkened({"albedo.png", 1, 1, {188, 0, 255, 77}}, slot,
                                  {"ao.png",
                                   2,
                                   1, //
                                   {128, 128, 128, 255, 255, 255, 255, 255}});
    ASSERT_EQ(dark.width, 2U);
    // Half of 0.5, which sRGB stores as 188, is 0.25, stored as 137; half of 1 as 188.
    EXPECT_NEAR(dark.rgba[0], 137, 1);
    EXPECT_EQ(dark.rgba[1], 0);
    EXPECT_NEAR(dark.rgba[2], 188, 1);
    EXPECT_EQ(dark.rgba[3], 77);
    EXPECT_EQ(dark.rgba[4], 188);
}

// A wave along x and one along y: the normals are those of the surface z = scale width h(x, y).
TEST(TexturePacking, NormalsAreThoseOfTheHeights) {
    constexpr std::uint32_t kSide = 64;
    const double turn = 2.0 * kPi / kSide;
    Texture heights{"height.png", kSide, kSide, {}};
    for (std::uint32_t y = 0; y < kSide; ++y) {
        for (std::uint32_t x = 0; x < kSide; ++x) {
            const double h = 0.5 + 0.25 * std::sin(turn * x) + 0.25 * std::cos(turn * y);
            heights.rgba.insert(heights.rgba.end(), {0, static_cast<std::uint8_t>(std::lround(255.0 * h)), 0, 255});
        }
    }
    constexpr double kScale = 0.1;
    const Texture normals = normalsOf(heights, 1, kScale, {Wrap::Repeat, Wrap::Repeat});
    const Texture inverted = normalsOf(heights, 5, kScale, {Wrap::Repeat, Wrap::Repeat});
    for (std::uint32_t y = 0; y < kSide; y += 7) {
        for (std::uint32_t x = 0; x < kSide; x += 5) {
            const double slopeX = kScale * kSide * 0.25 * turn * std::cos(turn * x);
            const double slopeDown = -kScale * kSide * 0.25 * turn * std::sin(turn * y);
            const glm::dvec3 expected = glm::normalize(glm::dvec3(-slopeX, slopeDown, 1.0)); // up is against the rows
            for (std::size_t c = 0; c < 3; ++c) {
                const double found = normals.rgba[4 * (y * kSide + x) + c] / 127.5 - 1.0;
                EXPECT_NEAR(found, expected[static_cast<glm::length_t>(c)], 0.025) << x << ' ' << y << ' ' << c;
                const double other = inverted.rgba[4 * (y * kSide + x) + c] / 127.5 - 1.0;
                EXPECT_NEAR(other, (c < 2 ? -1.0 : 1.0) * found, 0.02);
            }
        }
    }
    // A ramp that is clamped is level beyond its edges, which its outermost texels show, across it and along it.
    const Texture ramp{"ramp.png", 3, 1, {0, 0, 0, 255, 51, 0, 0, 255, 102, 0, 0, 255}};
    const Texture clamped = normalsOf(ramp, 0, 0.5, {Wrap::Clamp, Wrap::Clamp});
    const double slope = -0.3 / std::sqrt(1.0 + 0.3 * 0.3);
    for (const std::size_t edge : {0U, 8U}) {
        EXPECT_EQ(clamped.rgba[edge], 128) << edge;
        EXPECT_EQ(clamped.rgba[edge + 1], 128) << edge;
    }
    EXPECT_NEAR(clamped.rgba[4] / 127.5 - 1.0, slope, 0.01);
    TextureSlot slot;
    slot.wrap.fill(Wrap::Clamp);
    for (const float beyond : {-2.0F, -0.1F, 0.0F, 0.16F, 0.84F, 1.0F, 5.0F}) {
        EXPECT_NEAR(sampleTexture(clamped, slot, {beyond, 0.5F}).r, 128 / 255.0, 1e-6) << beyond;
    }
    const Texture column{"ramp.png", 1, 3, ramp.rgba};
    const Texture upright = normalsOf(column, 0, 0.5, {Wrap::Clamp, Wrap::Clamp});
    EXPECT_EQ(upright.rgba[1], 128);
    EXPECT_GT(upright.rgba[5], 128) << "what rises downwards leans up";
    EXPECT_EQ(upright.rgba[9], 128);
    // What rises falls in the mirrored half.
    const Texture mirrored = normalsOf(ramp, 0, 0.5, {Wrap::Mirror, Wrap::Clamp});
    ASSERT_EQ(mirrored.width, 6U);
    EXPECT_EQ(mirrored.rgba[4], clamped.rgba[4]);
    EXPECT_EQ(mirrored.rgba[16], 255 - clamped.rgba[4]);
}

class PackedScene : public SceneJsonTest {
protected:
    void SetUp() override {
        SceneJsonTest::SetUp();
        write("texture.png", tinyPng());
    }
};

TEST_F(PackedScene, SaysWhereItsTexturesAreReadFrom) {
    const Scene plain =
        load(minimalScene(), {{"/materials/wall/metallicRoughnessTexture", R"({"file": "texture.png"})"}});
    const Scene scene = load(minimalScene(), {{"/materials/wall/metallicRoughnessTexture",
                                               R"({"file": "texture.png", "roughness": "1-r", "metalness": "none"})"},
                                              {"/materials/wall/heightTexture", R"({"file": "texture.png"})"},
                                              {"/materials/wall/occlusionTexture", R"({"file": "texture.png"})"}});
    const Material& wall = scene.materials[0];
    const Texture& file = plain.textures[plain.materials[0].metallicRoughnessTexture.texture];
    EXPECT_EQ(scene.textures[wall.metallicRoughnessTexture.texture].rgba, repacked(file, 4, kNoChannel).rgba);
    EXPECT_EQ(scene.textures[wall.normalTexture.texture].rgba,
              normalsOf(file, 0, 0.02, {Wrap::Repeat, Wrap::Repeat}).rgba);
    EXPECT_EQ(scene.textures[wall.albedoTexture.texture].rgba, occlusionOf(file, 0, 1.0F).rgba);
    EXPECT_NE(scene.surfaceHash, plain.surfaceHash);
}

/// A ramp of which 8 bits tell two steps only, of 257 each.
TEST_F(PackedScene, HeightsKeepSixteenBits) {
    write("ramp.png", std::string(reinterpret_cast<const char*>(foreign::kGrey16), sizeof foreign::kGrey16));
    const Scene scene =
        load(minimalScene(), {{"/materials/wall/heightTexture", R"({"file": "ramp.png", "wrap": "clamp"})"},
                              {"/materials/wall/heightScale", "1"}});
    const Texture& normals = scene.textures[scene.materials[0].normalTexture.texture];
    const double slope = 2.0 * 128.0 / 65535.0; // over two texels, in the middle
    const auto leaning = static_cast<std::uint8_t>(std::lround(255.0 * (0.5 - 0.5 * slope / std::hypot(1.0, slope))));
    EXPECT_EQ(normals.rgba.at(4), leaning);
    EXPECT_EQ(normals.rgba.at(8), leaning);
    EXPECT_EQ(deepHeights(folder / "ramp.png", 4)->values.at(0),
              1.0F - deepHeights(folder / "ramp.png", 0)->values.at(0));
    EXPECT_FALSE(deepHeights(folder / "texture.png", 0)) << "of 8 bits";
    Image veiled = makeImage(2, 1, {"Y", "A"});
    veiled.channels[0].values = {0.25F, 1.0F};
    veiled.channels[1].values = {0.1F, 1.0F};
    writePng(folder / "veiled.png", veiled, {.bitDepth = 16, .transfer = PngTransfer::Linear});
    EXPECT_EQ(deepHeights(folder / "veiled.png", 0)->values.at(0), 16384.0F / 65535.0F);
    EXPECT_EQ(deepHeights(folder / "veiled.png", 3)->values.at(0), 6554.0F / 65535.0F);
    EXPECT_FALSE(deepHeights(folder / "ramp.png", 3)) << "it has no alpha";
}

TEST_F(PackedScene, WhatIsWrongIsNamed) {
    const auto only = [&](const char* key, const char* value) {
        const auto found = problems(minimalScene(), {{std::string("/materials/wall/") + key, value}});
        return found.size() == 1 ? found[0].pointer + ": " + found[0].message : join(found);
    };
    EXPECT_NE(only("metallicRoughnessTexture", R"({"file": "texture.png", "roughness": "x"})").find("'1-r'"),
              std::string::npos);
    EXPECT_NE(only("metallicRoughnessTexture", R"({"texture": {"type": "reaction_diffusion"}, "roughness": "r"})")
                  .find("'file' beside"),
              std::string::npos);
    EXPECT_NE(only("heightScale", "0.1").find("'heightTexture' beside it"), std::string::npos);
    const auto both = problems(minimalScene(), {{"/materials/wall/heightTexture", R"({"file": "texture.png"})"},
                                                {"/materials/wall/normalTexture", R"({"file": "texture.png"})"}});
    ASSERT_EQ(both.size(), 1U) << join(both);
    const auto other =
        problems(minimalScene(), {{"/materials/wall/albedoTexture", R"({"file": "texture.png"})"},
                                  {"/materials/wall/occlusionTexture", R"({"file": "texture.png", "uvSet": 1})"}});
    ASSERT_EQ(other.size(), 1U) << join(other);
    EXPECT_NE(other[0].message.find("lies otherwise"), std::string::npos);
}

} // namespace
} // namespace aureole
