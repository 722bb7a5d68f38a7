#include <cmath>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "test_scene.h"
#include "voxel/build/build.h"
#include "voxel/surface/radiance.h"

namespace aureole::test {
namespace {

using Triangle = std::array<glm::vec3, 3>;

Material colour(const glm::vec3& albedo) {
    Material material;
    material.albedo = albedo;
    return material;
}

TEST(Attributes, AreWeightedByAreaWithinTheVoxel) {
    Scene scene = pinnedScene(16);
    Material red = colour({0.9F, 0.1F, 0.0F});
    red.roughness = 0.2F;
    red.metalness = 1.0F;
    Material green = colour({0.1F, 0.9F, 0.5F});
    green.roughness = 0.7F;
    // Side by side in a plane: the voxel at (5, 5, 5) has 0.25 of red and 0.75 of green. Green goes on for long, which
    // must not count.
    addRectangle(scene, {2, 2, 5.5F}, {3.25F, 0, 0}, {0, 8, 0}, red);
    addRectangle(scene, {5.25F, 2, 5.5F}, {8, 0, 0}, {0, 8, 0}, green);
    const Octree octree = voxelizeScene(scene, 16);
    const shared::VoxelSurface surface = surfaceAt(octree, {5, 5, 5});
    EXPECT_NEAR(surface.albedo.x, 0.25F * 0.9F + 0.75F * 0.1F, 1e-3F);
    EXPECT_NEAR(surface.albedo.y, 0.25F * 0.1F + 0.75F * 0.9F, 1e-3F);
    EXPECT_NEAR(surface.albedo.z, 0.75F * 0.5F, 1e-3F);
    EXPECT_NEAR(surface.roughness, 0.25F * 0.2F + 0.75F * 0.7F, 1.0F / 62.0F + 1e-6F);
    EXPECT_NEAR(surface.metalness, 0.25F, 1.0F / 30.0F + 1e-6F);
    EXPECT_EQ(surfaceAt(octree, {4, 5, 5}).albedo, glm::vec3(0.9F, 0.1F, 0.0F));
}

TEST(Attributes, MatchAreasFoundBySampling) {
    // Triangles of different colours, their areas in each voxel measured by a fine grid of points.
    std::mt19937 engine(3);
    std::uniform_real_distribution<float> inside(1.0F, 15.0F);
    std::uniform_real_distribution<float> unit(0.0F, 1.0F);
    Scene scene = pinnedScene(16);
    std::map<std::tuple<int, int, int>, std::pair<double, glm::dvec3>> measured;
    for (int n = 0; n < 60; ++n) {
        const glm::vec3 a(inside(engine), inside(engine), inside(engine));
        const glm::vec3 u = glm::vec3(inside(engine), inside(engine), inside(engine)) * 0.5F - 4.0F;
        const glm::vec3 v = glm::vec3(inside(engine), inside(engine), inside(engine)) * 0.5F - 4.0F;
        const glm::vec3 albedo(unit(engine), unit(engine), unit(engine));
        const auto within = [](const glm::vec3& p) {
            return glm::all(glm::greaterThan(p, glm::vec3(0.5F))) && glm::all(glm::lessThan(p, glm::vec3(15.5F)));
        };
        if (!within(a + u) || !within(a + v) || !within(a + u + v)) {
            continue;
        }
        addRectangle(scene, a, u, v, colour(albedo));
        constexpr int kSteps = 500;
        const double area = glm::length(glm::cross(glm::dvec3(u), glm::dvec3(v))) / (kSteps * kSteps);
        for (int i = 0; i < kSteps * kSteps; ++i) {
            const glm::dvec3 p = glm::dvec3(a) + glm::dvec3(u) * ((i % kSteps + 0.5) / kSteps) +
                                 glm::dvec3(v) * ((i / kSteps + 0.5) / kSteps);
            auto& [weight, sum] = measured[{int(p.x), int(p.y), int(p.z)}];
            weight += area;
            sum += area * glm::dvec3(albedo);
        }
    }
    const Octree octree = voxelizeScene(scene, 16);
    int compared = 0;
    int mixed = 0;
    for (const auto& [voxel, sums] : measured) {
        const auto [x, y, z] = voxel;
        if (sums.first < 0.2) {
            continue;
        }
        const glm::dvec3 difference =
            glm::abs(glm::dvec3(surfaceAt(octree, {x, y, z}).albedo) - sums.second / sums.first);
        EXPECT_LT(std::max({difference.x, difference.y, difference.z}), 0.02) << x << ' ' << y << ' ' << z;
        ++compared;
        mixed += sums.first > 1.2 ? 1 : 0;
    }
    EXPECT_GT(compared, 100);
    EXPECT_GT(mixed, 10);
}

TEST(Attributes, AreSampledWhereTheTriangleIsInTheVoxel) {
    // Colours that are linear in the position, so a voxel's colour is that of the centre of its part of the plane.
    Scene scene = pinnedScene(16);
    addRectangle(scene, {0, 0, 7.5F}, {16, 0, 0}, {0, 16, 0}, colour(glm::vec3(1.0F)));
    scene.meshes[1].colours = {{0, 0, 1, 1}, {1, 0, 1, 1}, {1, 1, 1, 1}, {0, 1, 1, 1}};
    const Octree octree = voxelizeScene(scene, 16);
    for (int x = 0; x < 16; ++x) {
        for (int y = 0; y < 16; ++y) {
            const glm::vec3 albedo = surfaceAt(octree, {x, y, 7}).albedo;
            EXPECT_NEAR(albedo.x, (static_cast<float>(x) + 0.5F) / 16.0F, 2e-3F);
            EXPECT_NEAR(albedo.y, (static_cast<float>(y) + 0.5F) / 16.0F, 2e-3F);
        }
    }
}

TEST(Attributes, OpposingSheetsKeepTheLargerOnesNormal) {
    const glm::vec3 x(8, 0, 0);
    const glm::vec3 y(0, 8, 0);
    for (const bool upFirst : {true, false}) {
        Scene scene = pinnedScene(16);
        // Up covers the voxel (5, 5, 5) wholly, down but a half of it.
        const glm::vec3 downCorner(2, 5.5F, 5.3F);
        if (upFirst) {
            addRectangle(scene, {2, 2, 5.6F}, x, y, colour(glm::vec3(0.5F)));
        }
        addRectangle(scene, downCorner, y, x, colour(glm::vec3(0.5F)));
        if (!upFirst) {
            addRectangle(scene, {2, 2, 5.6F}, x, y, colour(glm::vec3(0.5F)));
        }
        const Octree octree = voxelizeScene(scene, 16);
        EXPECT_GT(surfaceAt(octree, {5, 5, 5}).normal.z, 0.999F);
        EXPECT_LT(surfaceAt(octree, {5, 12, 5}).normal.z, -0.999F); // down alone
        // Equal sheets: either side, but of unit length and not sideways.
        EXPECT_GT(std::abs(surfaceAt(octree, {5, 8, 5}).normal.z), 0.999F);
    }
}

TEST(Attributes, ManySmallTrianglesOutweighOneLargerOppositeOne) {
    Scene scene = pinnedScene(16);
    for (int i = 0; i < 10; ++i) { // up, all of the voxel, in strips
        addRectangle(scene, {5.0F + 0.1F * static_cast<float>(i), 5, 5.6F}, {0.1F, 0, 0}, {0, 1, 0},
                     colour(glm::vec3(0.5F)));
    }
    addRectangle(scene, {5, 5, 5.3F}, {0, 0.6F, 0}, {1, 0, 0}, colour(glm::vec3(0.5F))); // down, 0.6 of it
    EXPECT_GT(surfaceAt(voxelizeScene(scene, 16), {5, 5, 5}).normal.z, 0.999F);
}

/// The edge of two sheets at x = z = 5.5: one faces +z, as far as x = `reach`, the other +x (or -x, where it is
/// hollow), as far up as `top`.
shared::VoxelSurface edge(bool hollow, float reach, float top) {
    Scene scene = pinnedScene(16);
    const float depth = hollow ? 3.5F : -3.5F;
    addRectangle(scene, {2, 2, 5.5F}, {reach - 2, 0, 0}, {0, 8, 0}, colour(glm::vec3(0.5F)));
    addRectangle(scene, {5.5F, 2, top}, {0, 0, depth}, {0, 8, 0}, colour(glm::vec3(0.5F)));
    return surfaceAt(voxelizeScene(scene, 16), {5, 5, 5});
}

/// Where two sheets end at each other, the voxel knows both.
TEST(Attributes, EdgesKeepTheNormalsOfBothSheets) {
    for (const bool hollow : {false, true}) {
        const shared::VoxelSurface surface = edge(hollow, 5.5F, 5.5F);
        ASSERT_EQ(shared::isEdge(surface), 1U) << hollow;
        EXPECT_EQ(surface.hollow, hollow ? 1U : 2U);
        EXPECT_LT(surface.spread, 0.03F);
        const glm::vec3 side(hollow ? -1 : 1, 0, 0);
        const bool first = std::abs(surface.geometricNormal.z) > 0.5F;
        EXPECT_GT((first ? surface.geometricNormal : surface.normal).z, 0.999F) << hollow;
        EXPECT_GT(glm::dot(first ? surface.normal : surface.geometricNormal, side), 0.999F) << hollow;
    }
}

/// Not so where one goes on beyond the other, or ends before it: on which side of the one a path is tells nothing of
/// the other.
TEST(Attributes, SheetsThatCrossOrDoNotTouchAreNoEdge) {
    EXPECT_EQ(shared::isEdge(edge(false, 5.8F, 5.5F)), 0U);
    EXPECT_EQ(shared::isEdge(edge(false, 5.5F, 5.8F)), 0U);
    EXPECT_EQ(shared::isEdge(edge(false, 5.3F, 5.3F)), 0U);
    EXPECT_EQ(edge(false, 5.3F, 5.3F).crease, 1U);
}

/// Two strips that meet in the voxel (5, 5, 5), where each rises by `slope` away from the other.
shared::VoxelSurface gutter(float slope) {
    Scene scene = pinnedScene(16);
    addRectangle(scene, {5.5F, 2, 5.5F}, {3, 0, 3 * slope}, {0, 8, 0}, colour(glm::vec3(0.5F)));
    addRectangle(scene, {5.5F, 2, 5.5F}, {0, 8, 0}, {-3, 0, 3 * slope}, colour(glm::vec3(0.5F)));
    return surfaceAt(voxelizeScene(scene, 16), {5, 5, 5});
}

TEST(Attributes, BendsAreHollowOnOneSide) {
    const shared::VoxelSurface flat = gutter(0.0F);
    EXPECT_EQ(flat.spread, 0.0F);
    EXPECT_EQ(flat.hollow, 0U);
    const shared::VoxelSurface valley = gutter(0.25F);
    EXPECT_GE(valley.spread, 0.242F); // sin(atan(0.25))
    EXPECT_LE(valley.spread, 0.29F);
    EXPECT_EQ(valley.hollow, valley.geometricNormal.z > 0.0F ? 1U : 2U);
    const shared::VoxelSurface ridge = gutter(-0.25F);
    EXPECT_EQ(ridge.hollow, ridge.geometricNormal.z > 0.0F ? 2U : 1U);
    EXPECT_EQ(valley.crease | ridge.crease | flat.crease, 0U);
}

/// Two parallel rectangles in the voxel (5, 5, 5), whose normals point away from each other or towards each other.
shared::VoxelSurface twoFaces(bool apart) {
    const glm::vec3 x(8, 0, 0);
    const glm::vec3 y(0, 8, 0);
    Scene scene = pinnedScene(16);
    addRectangle(scene, {2, 2, apart ? 5.6F : 5.3F}, x, y, colour(glm::vec3(0.5F))); // up
    addRectangle(scene, {2, 2, apart ? 5.3F : 5.6F}, y, x, colour(glm::vec3(0.5F))); // down
    return surfaceAt(voxelizeScene(scene, 16), {5, 5, 5});
}

TEST(Attributes, AThinWallIsOneSheetAndAGapIsACrease) {
    EXPECT_EQ(twoFaces(true).crease, 0U);
    EXPECT_EQ(twoFaces(true).doubleSided, 1U);
    EXPECT_EQ(twoFaces(false).crease, 1U);
}

TEST(Attributes, UniformEmissionIsExact) {
    const glm::vec3 emission(12.345678F, 0.0012345F, 3.3333333F);
    Scene scene = pinnedScene(16);
    Material lamp = colour(glm::vec3(0.5F));
    lamp.emission = emission;
    addRectangle(scene, {2, 2, 5.4F}, {9, 0, 0}, {0, 8, 0}, lamp);
    const Octree octree = voxelizeScene(scene, 16);
    ASSERT_EQ(octree.palette.size(), 3U); // and what only touches the boundary of voxels, dark
    EXPECT_EQ(octree.palette[0].emission, glm::vec3(0.0F));
    EXPECT_EQ(octree.palette[surfaceAt(octree, {5, 5, 5}).material].emission, emission);
    EXPECT_EQ(surfaceAt(octree, {0, 0, 0}).material, 0U);
}

TEST(Attributes, MixedEmissionIsAveragedAndQuantised) {
    Scene scene = pinnedScene(16);
    Material lamp = colour(glm::vec3(0.5F));
    lamp.emission = {1000.0F, 10.0F, 0.0F};
    addRectangle(scene, {2, 2, 5.5F}, {3.3F, 0, 0}, {0, 8, 0}, lamp);
    Material other = lamp;
    other.emission = {10.0F, 200.0F, 0.0F};
    addRectangle(scene, {5.3F, 2, 5.5F}, {7.7F, 0, 0}, {0, 8, 0}, other);
    const Octree octree = voxelizeScene(scene, 16);
    const glm::vec3 emission = octree.palette[surfaceAt(octree, {5, 5, 5}).material].emission;
    // 0.3 of the one (snapped to 77/256), to within half a step of 2^9 / 512.
    EXPECT_NEAR(emission.x, (1000.0F * 77.0F + 10.0F * 179.0F) / 256.0F, 0.5F);
    EXPECT_NEAR(emission.y, (10.0F * 77.0F + 200.0F * 179.0F) / 256.0F, 0.5F);
    EXPECT_EQ(emission.x, std::round(emission.x));
    EXPECT_EQ(emission.z, 0.0F);
    EXPECT_EQ(octree.palette[surfaceAt(octree, {3, 5, 5}).material].emission, lamp.emission);
}

TEST(Attributes, AlphaTestingCutsVoxelsAway) {
    Scene scene = pinnedScene(16);
    Material leaf = colour(glm::vec3(1.0F));
    leaf.alphaMode = AlphaMode::Mask;
    leaf.alphaCutoff = 0.5F;
    addRectangle(scene, {0, 0, 7.5F}, {16, 0, 0}, {0, 16, 0}, leaf);
    // Alpha runs from 1 at x = 0 to 0 at x = 16: cut at x = 8.
    scene.meshes[1].colours = {{1, 0, 0, 1}, {1, 0, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 1}};
    const Octree octree = voxelizeScene(scene, 16);
    for (int x = 0; x < 16; ++x) {
        for (int y = 0; y < 16; ++y) {
            EXPECT_EQ(isSolid(octree, {x, y, 7}), x < 8) << x << ' ' << y;
        }
    }
}

TEST(Attributes, PartlyCutVoxelsStaySolid) {
    // The cut runs at x = 8.8, beyond the centres of the voxels there.
    Scene scene = pinnedScene(16);
    Material leaf = colour(glm::vec3(1.0F));
    leaf.alphaMode = AlphaMode::Mask;
    leaf.alphaCutoff = 1.0F - 8.3F / 16.0F;
    addRectangle(scene, {0, 0, 7.5F}, {16, 0, 0}, {0, 16, 0}, leaf);
    scene.meshes[1].colours = {{1, 0, 0, 1}, {1, 0, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 1}};
    const Octree octree = voxelizeScene(scene, 16);
    for (int y = 0; y < 16; ++y) {
        EXPECT_TRUE(isSolid(octree, {8, y, 7})) << y;
        EXPECT_FALSE(isSolid(octree, {9, y, 7})) << y;
    }
}

TEST(Attributes, TrianglesWithoutAreaInAVoxelStillColourIt) {
    Scene scene = pinnedScene(16);
    Mesh wire;
    wire.name = "wire";
    wire.positions = {{2, 2, 2}, {9, 7, 5}, {9, 7, 5}};
    wire.triangles = {{0, 1, 2}};
    wire.normals = {{0, 1, 0}, {0, 1, 0}, {0, 1, 0}};
    wire.material = 1;
    scene.materials.push_back(colour({0.25F, 0.5F, 0.75F}));
    scene.meshes.push_back(wire);
    scene.meshInstances.push_back({1, glm::dmat4(1.0), kNone});
    const Octree octree = voxelizeScene(scene, 16);
    EXPECT_EQ(surfaceAt(octree, {2, 2, 2}).albedo, glm::vec3(0.25F, 0.5F, 0.75F));
    EXPECT_GT(surfaceAt(octree, {2, 2, 2}).normal.y, 0.999F);
}

TEST(Emission, MoreRadiancesThanAPaletteHoldsFormRuns) {
    // A staircase of tiles, each in a material of its own.
    Scene scene = pinnedScene(16);
    constexpr int kTiles = 700;
    scene.meshes[0].positions = {{0, 0, 0}, {0.1F, 0, 0}, {0, 0.1F, 0}, {1000, 8, 8}, {999.9F, 8, 8}, {1000, 7.9F, 8}};
    const auto radiance = [](int tile) { return glm::vec3(1.0F + static_cast<float>(tile % 500), 0.25F, 3.0F); };
    for (int i = 0; i < kTiles; ++i) {
        Material lamp;
        lamp.emission = radiance(i);
        const auto x = static_cast<float>(i + 10);
        addRectangle(scene, {x + 0.2F, 2.5F, 2.2F}, {0.5F, 0, 0}, {0, 0, 0.5F}, lamp);
    }
    const Octree octree = voxelizeScene(scene, 1000);
    EXPECT_GT(octree.materialRuns.size(), 5U);
    EXPECT_EQ(octree.palette.size(), kTiles + 1U);
    const std::vector<EmissiveVoxel> voxels = collectEmissiveVoxels(octree);
    for (const EmissiveVoxel& voxel : voxels) {
        // A tile fills a quarter of its voxel's face.
        EXPECT_EQ(octree.palette[voxel.entry].emission,
                  quantiseEmission(0.25F * radiance(static_cast<int>(voxel.voxel.x) - 10)));
    }
    EXPECT_EQ(voxels.size(), static_cast<std::size_t>(kTiles));
}

} // namespace
} // namespace aureole::test
