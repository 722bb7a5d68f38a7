#include "voxel/export/palette.h"

#include <cmath>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "shared/octree/attributes.h"
#include "voxel/export/colour_clusters.h"

namespace aureole::test {
namespace {

shared::VoxelAttributes diffuse(const glm::vec3& albedo) {
    shared::VoxelSurface surface{};
    surface.albedo = albedo;
    surface.normal = surface.geometricNormal = {0, 1, 0};
    surface.roughness = 1.0F;
    return shared::packAttributes(surface);
}

double encode(double linear) {
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1.0 / 2.4) - 0.055;
}

TEST(Palette, CodesAreTheNearestOfSrgb) {
    for (int i = 0; i <= 1000; ++i) {
        const float linear = static_cast<float>(i) / 1000.0F;
        const double exact = 255.0 * encode(double{linear});
        ASSERT_LE(std::abs(srgbCodes(glm::vec3(linear))[1] - exact), 0.5001) << i;
        ASSERT_EQ(srgbAlbedo(diffuse(glm::vec3(linear))), srgbCodes(glm::vec3(linear))) << i;
    }
    EXPECT_EQ(srgbCodes({-1.0F, 2.0F, 0.0F}), (std::array<std::uint8_t, 3>{0, 255, 0}));
}

TEST(Palette, KeepsFewColoursExactlyTheMostFrequentFirst) {
    PaletteBuilder builder;
    for (int i = 0; i < 255; ++i) {
        const shared::VoxelAttributes attributes = diffuse(glm::vec3(static_cast<float>(i) / 255.0F, 0.25F, 0.5F));
        for (int k = 0; k < (i == 200 ? 9 : 1); ++k) {
            builder.add(attributes, glm::vec3(0.0F));
        }
    }
    Palette palette = builder.finish();
    EXPECT_TRUE(palette.exact());
    std::set<std::uint8_t> used;
    for (int i = 0; i < 255; ++i) {
        const shared::VoxelAttributes attributes = diffuse(glm::vec3(static_cast<float>(i) / 255.0F, 0.25F, 0.5F));
        const std::uint8_t index = palette.find(attributes, glm::vec3(0.0F));
        EXPECT_EQ(palette.colours()[index].srgb, srgbAlbedo(attributes));
        used.insert(index);
    }
    EXPECT_EQ(palette.find(diffuse({200.0F / 255.0F, 0.25F, 0.5F}), glm::vec3(0.0F)), 0);
    EXPECT_EQ(used.size(), palette.colours().size());
}

TEST(Palette, LightTakesTheHueOfItsRadiance) {
    PaletteBuilder builder;
    const glm::vec3 orange(1.0F, 0.5F, 0.25F);
    builder.add(diffuse(orange), 20.0F * PaletteColour{srgbCodes(orange)}.linear());
    builder.add(diffuse(glm::vec3(0.8F)), {0.0F, 3.0F, 0.0F});
    builder.add(diffuse(glm::vec3(0.0F)), {7.0F, 7.0F, 7.0F});
    builder.add(diffuse(orange), glm::vec3(0.0F));
    Palette palette = builder.finish();
    ASSERT_EQ(palette.colours().size(), 4U);
    const auto colour = [&](const glm::vec3& albedo, const glm::vec3& radiance) {
        return palette.colours()[palette.find(diffuse(albedo), radiance)];
    };
    const PaletteColour own = colour(orange, 20.0F * PaletteColour{srgbCodes(orange)}.linear());
    EXPECT_EQ(own.srgb, srgbCodes(orange));
    EXPECT_NEAR(own.strength, 20.0F, 1e-4F);
    EXPECT_EQ(colour(glm::vec3(0.8F), {0, 3, 0}).srgb, (std::array<std::uint8_t, 3>{0, 255, 0}));
    EXPECT_EQ(colour(glm::vec3(0.8F), {0, 3, 0}).strength, 3.0F);
    EXPECT_EQ(colour(glm::vec3(0.0F), {7, 7, 7}).srgb, (std::array<std::uint8_t, 3>{255, 255, 255}));
    EXPECT_EQ(colour(orange, {0, 0, 0}).strength, 0.0F);
}

TEST(Palette, GlassThatAbsorbsHasTheColourOfItsDepth) {
    PaletteBuilder builder;
    const PaletteModel clear{1.5F, false, {}};
    const PaletteModel tinted{1.5F, false, glm::vec3(0.5F, 1.0F, 0.0F)};
    const shared::VoxelAttributes white = diffuse(glm::vec3(1.0F));
    builder.add(white, glm::vec3(0.0F), clear);
    builder.add(white, glm::vec3(0.0F), tinted);
    Palette palette = builder.finish();
    ASSERT_EQ(palette.colours().size(), 2U);
    const PaletteColour& found = palette.colours()[palette.find(white, glm::vec3(0.0F), tinted)];
    EXPECT_TRUE(found.absorbs);
    EXPECT_EQ(found.srgb, srgbCodes({0.5F, 1.0F, 0.0F}));
    EXPECT_FLOAT_EQ(found.ior, 1.5F);
    const PaletteColour& other = palette.colours()[palette.find(white, glm::vec3(0.0F), clear)];
    EXPECT_FALSE(other.absorbs);
    EXPECT_EQ(other.srgb, srgbCodes(glm::vec3(1.0F)));
}

/// Colours of a gradient, a cloud and single lamps, as scenes have them; `add` gets each.
template <typename Add>
void addMany(int count, const Add& add) {
    std::mt19937 engine(9);
    std::uniform_real_distribution<float> unit(0.0F, 1.0F);
    std::normal_distribution<float> normal(0.0F, 0.05F);
    for (int i = 0; i < count; ++i) {
        const float t = unit(engine);
        const glm::vec3 albedo =
            i % 2 == 0 ? glm::vec3(0.9F * t, 0.3F + 0.3F * t, 0.1F)
                       : glm::clamp(glm::vec3(0.2F + normal(engine), 0.5F + normal(engine), 0.3F + normal(engine)),
                                    0.0F, 1.0F);
        add(diffuse(albedo), i % 5000 == 7 ? glm::vec3(10.0F * t, 5.0F, 1.0F) : glm::vec3(0.0F));
    }
}

TEST(Palette, ManyColoursAreNearlyAsSeen) {
    PaletteBuilder builder;
    constexpr int kCount = 300000;
    addMany(kCount, [&](const auto& attributes, const auto& radiance) { builder.add(attributes, radiance); });
    Palette palette = builder.finish();
    EXPECT_FALSE(palette.exact());
    EXPECT_LE(palette.colours().size(), 255U);
    EXPECT_GT(palette.colours().size(), 200U);
    double error = 0.0;
    double cubeError = 0.0;
    double worst = 0.0;
    glm::dvec3 mean(0.0);
    glm::dvec3 expected(0.0);
    addMany(kCount, [&](const auto& attributes, const auto& radiance) {
        const PaletteColour& found = palette.colours()[palette.find(attributes, radiance)];
        ASSERT_EQ(found.strength > 0.0F, radiance != glm::vec3(0.0F));
        if (found.strength > 0.0F) {
            return;
        }
        const glm::dvec3 albedo(shared::unpackAttributes(attributes).albedo);
        const double apart = glm::length(oklab(glm::dvec3(found.linear())) - oklab(albedo));
        error += apart;
        worst = std::max(worst, apart);
        // Against a fixed cube of 6 x 6 x 6 sRGB colours.
        PaletteColour cube;
        for (std::size_t i = 0; i < 3; ++i) {
            cube.srgb[i] = static_cast<std::uint8_t>(51 * std::lround(srgbAlbedo(attributes)[i] / 51.0));
        }
        cubeError += glm::length(oklab(glm::dvec3(cube.linear())) - oklab(albedo));
        mean += glm::dvec3(found.linear());
        expected += albedo;
    });
    EXPECT_LT(error / kCount, 0.012);
    EXPECT_LT(error, 0.3 * cubeError);
    EXPECT_LT(worst, 0.12);
    EXPECT_LT(glm::length(mean - expected), 0.003 * glm::length(expected));
}

TEST(ColourClusters, FindSeparateClustersAndKeepGroupsApart) {
    std::mt19937 engine(2);
    std::normal_distribution<double> near(0.0, 1e-3);
    std::vector<ColourPoint> points;
    for (int i = 0; i < 400; ++i) {
        ColourPoint point;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            point.at[axis] = ((i >> axis) & 1) + near(engine);
        }
        point.group = i % 16 < 8 ? 0 : 3;
        points.push_back(point);
    }
    const std::vector<std::uint32_t> clusters = clusterColours(points, 16);
    for (std::size_t i = 16; i < points.size(); ++i) {
        ASSERT_EQ(clusters[i], clusters[i % 16]);
    }
    EXPECT_EQ(std::set<std::uint32_t>(clusters.begin(), clusters.begin() + 16).size(), 16U);
    const std::vector<std::uint32_t> two = clusterColours(points, 1);
    EXPECT_NE(two[0], two[8]); // a cluster for each group at least
}

TEST(ColourClusters, OklabHasWhiteAndPrimariesInTheirPlaces) {
    const glm::dvec3 white = oklab(glm::dvec3(1.0));
    EXPECT_NEAR(white.x, 1.0, 1e-6);
    EXPECT_NEAR(white.y, 0.0, 1e-6);
    EXPECT_NEAR(white.z, 0.0, 1e-6);
    const glm::dvec3 red = oklab({1.0, 0.0, 0.0}); // published as L 0.62796, a 0.22486, b 0.12585
    EXPECT_NEAR(red.x, 0.62796, 1e-4);
    EXPECT_NEAR(red.y, 0.22486, 1e-4);
    EXPECT_NEAR(red.z, 0.12585, 1e-4);
}

} // namespace
} // namespace aureole::test
