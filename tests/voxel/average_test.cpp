#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "test_scene.h"
#include "voxel/build/build.h"
#include "voxel/surface/surface_average.h"
#include "voxel/surface/surface_sum.h"

namespace aureole::test {
namespace {

/// A node of the lowest inner level, 16 voxels a side, or a leaf, 4 voxels a side, in a tree of three levels.
struct Inner {
    shared::VoxelSurface surface;
    glm::vec3 radiance;
};

Inner lookUp(const Octree& octree, const glm::uvec3& voxel, bool leaf) {
    EXPECT_EQ(octree.levels, 3U);
    std::uint32_t index = 0;
    for (std::uint32_t level = 0; level < (leaf ? 2U : 1U); ++level) {
        const glm::uvec3 cell = voxel >> (2 * (2 - level));
        const shared::OctreeNode& node = std::get<TreeEncoding>(octree.encoding).nodes[index];
        const shared::uvec2 mask(node.maskLow, node.maskHigh);
        const std::uint32_t bit = shared::cellBit(cell.x, cell.y, cell.z);
        EXPECT_EQ(shared::maskHasBit(mask, bit), 1U);
        index = node.firstChild + shared::maskRank(mask, bit);
    }
    const Array<AverageMaterial>& materials = leaf ? octree.leafMaterials : octree.nodeMaterials;
    return {shared::unpackAttributes(leaf ? octree.leafAverages[index] : octree.nodeAverages[index]),
            materials.empty() ? glm::vec3(0.0F) : unpackEmission(materials[index].emission)};
}

TEST(Averages, WeighSurfacesByTheirArea) {
    // In the cube of 16 voxels at (16, 16, 16): red over 12 x 16, blue and bright over 4 x 16 square metres.
    Scene scene = pinnedScene(64);
    Material red;
    red.albedo = {0.8F, 0.2F, 0.0F};
    red.roughness = 0.0F;
    Material blue;
    blue.albedo = {0.0F, 0.2F, 0.4F};
    blue.emission = {8.0F, 4.0F, 0.0F};
    blue.metalness = 1.0F;
    addRectangle(scene, {16, 16, 20.5F}, {12, 0, 0}, {0, 16, 0}, red);
    addRectangle(scene, {28, 16, 20.5F}, {4, 0, 0}, {0, 16, 0}, blue);
    const Octree octree = voxelizeScene(scene, 64);
    const auto& tree = std::get<TreeEncoding>(octree.encoding);
    ASSERT_EQ(octree.leafAverages.size(), tree.leaves.size());
    ASSERT_EQ(octree.nodeAverages.size(), tree.nodes.size());
    const Inner node = lookUp(octree, {20, 20, 20}, false);
    EXPECT_NEAR(node.surface.albedo.x, 0.6F, 1e-3F);
    EXPECT_NEAR(node.surface.albedo.y, 0.2F, 1e-3F);
    EXPECT_NEAR(node.surface.albedo.z, 0.1F, 1e-3F);
    EXPECT_NEAR(node.surface.roughness, 0.25F, 1.0F / 62.0F);
    EXPECT_NEAR(node.surface.metalness, 0.25F, 1.0F / 30.0F);
    EXPECT_NEAR(node.radiance.x, 2.0F, 2.0F / 512.0F);
    EXPECT_NEAR(node.radiance.y, 1.0F, 2.0F / 512.0F);
    EXPECT_EQ(node.surface.normal, glm::vec3(0, 0, 1));
    EXPECT_EQ(node.surface.crease, 0U);
    EXPECT_EQ(node.surface.spread, 0.0F);
    const Inner leaf = lookUp(octree, {20, 20, 20}, true);
    EXPECT_NEAR(leaf.surface.albedo.x, 0.8F, 1e-3F);
    EXPECT_EQ(leaf.radiance, glm::vec3(0.0F));
    EXPECT_NEAR(lookUp(octree, {29, 20, 20}, true).radiance.x, 8.0F, 8.0F / 512.0F);
    // The corners' pins are too small to show in the root's average.
    const shared::VoxelSurface root = shared::unpackAttributes(octree.nodeAverages[0]);
    EXPECT_NEAR(root.albedo.x, 0.6F, 1e-3F);
}

TEST(Averages, GrazedVoxelsHardlyCount) {
    // A black strip a hundredth of a voxel wide beside a white one of two voxels.
    Scene scene = pinnedScene(64);
    Material white;
    white.albedo = glm::vec3(1.0F);
    Material black;
    black.albedo = glm::vec3(0.0F);
    addRectangle(scene, {16, 16, 20.5F}, {2, 0, 0}, {0, 16, 0}, white);
    addRectangle(scene, {19, 16, 20.5F}, {0.01F, 0, 0}, {0, 16, 0}, black);
    const Octree octree = voxelizeScene(scene, 64);
    ASSERT_TRUE(isSolid(octree, {19, 18, 20}));
    EXPECT_NEAR(lookUp(octree, {17, 18, 20}, true).surface.albedo.x, 2.0F / 2.01F, 2e-3F);
}

TEST(Averages, OpposingSheetsDoNotCancelAndBendsAreCreases) {
    Scene scene = pinnedScene(64);
    Material grey;
    addRectangle(scene, {16, 16, 20.5F}, {16, 0, 0}, {0, 16, 0}, grey); // towards +z
    addRectangle(scene, {16, 16, 26.5F}, {0, 16, 0}, {12, 0, 0}, grey); // towards -z, smaller
    addRectangle(scene, {32, 16, 20.5F}, {16, 0, 0}, {0, 16, 0}, grey); // an edge of 90 degrees
    addRectangle(scene, {40.5F, 16, 32}, {0, 0, -16}, {0, 16, 0}, grey);
    const Octree octree = voxelizeScene(scene, 64);
    const shared::VoxelSurface sheets = lookUp(octree, {20, 20, 20}, false).surface;
    EXPECT_EQ(sheets.normal, glm::vec3(0, 0, 1));
    EXPECT_EQ(sheets.doubleSided, 1U);
    EXPECT_EQ(sheets.crease, 0U);
    const shared::VoxelSurface edge = lookUp(octree, {36, 20, 20}, false).surface;
    EXPECT_EQ(edge.crease, 1U);
    EXPECT_NEAR(std::abs(edge.normal.x), std::sqrt(0.5F), 0.02F);
    EXPECT_EQ(edge.doubleSided, 0U);
}

TEST(Averages, EveryLevelKeepsTheTotal) {
    // Of random coloured triangles: each node's mean is that of its children, weighed by what they hold.
    std::mt19937 engine(3);
    std::uniform_real_distribution<float> unit(0.0F, 1.0F);
    Scene scene = pinnedScene(64);
    double area = 0.0;
    glm::dvec3 albedo(0.0);
    for (int i = 0; i < 60; ++i) {
        Material material;
        material.albedo = {unit(engine), unit(engine), unit(engine)};
        const glm::vec3 a = 40.0F * glm::vec3(unit(engine), unit(engine), unit(engine));
        const glm::vec3 u = 11.0F * glm::vec3(unit(engine), unit(engine), unit(engine));
        const glm::vec3 v = 11.0F * glm::vec3(unit(engine), -0.5F * unit(engine), unit(engine));
        addRectangle(scene, a + glm::vec3(1, 12, 1), u, v, material);
        const double own = glm::length(glm::cross(glm::dvec3(u), glm::dvec3(v)));
        area += own;
        albedo += own * glm::dvec3(material.albedo);
    }
    const Octree octree = voxelizeScene(scene, 64);
    ASSERT_EQ(octree.grid.size, glm::uvec3(64));
    const shared::VoxelSurface root = shared::unpackAttributes(octree.nodeAverages[0]);
    for (int axis = 0; axis < 3; ++axis) {
        EXPECT_NEAR(root.albedo[axis], albedo[axis] / area, 2e-3) << axis; // vertices are snapped
    }
}

TEST(Averages, EmissionKeepsItsErrorBound) {
    std::mt19937 engine(4);
    std::uniform_real_distribution<double> exponent(-14.0, 15.9);
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    for (int i = 0; i < 100000; ++i) {
        const double scale = std::exp2(exponent(engine));
        SurfaceSum sum;
        sum.weight = 3.0;
        sum.emission = 3.0 * scale * glm::dvec3(0.5 + 0.5 * unit(engine), unit(engine), unit(engine));
        const glm::dvec3 expected = sum.emission / 3.0;
        const glm::dvec3 found(unpackEmission(averageEmission(sum)));
        const double largest = std::max({expected.x, expected.y, expected.z});
        for (int axis = 0; axis < 3; ++axis) {
            ASSERT_LE(std::abs(found[axis] - expected[axis]), largest / 512.0 * (1.0 + 1e-6)) << expected[axis];
        }
    }
    SurfaceSum huge;
    huge.weight = 1.0;
    huge.emission = {1e30, 0.0, 0.0};
    EXPECT_EQ(unpackEmission(averageEmission(huge)), glm::vec3(65408.0F, 0, 0));
    EXPECT_EQ(averageEmission(SurfaceSum{}), 0U);
}

/// A sample of random content; some have no usable normal, no area, or emit.
SurfaceSample randomSample(std::mt19937& engine) {
    std::uniform_real_distribution<float> unit(0.0F, 1.0F);
    std::normal_distribution<float> normal;
    const auto direction = [&] { return glm::normalize(glm::vec3(normal(engine), normal(engine), normal(engine))); };
    SurfaceSample sample;
    sample.bit = 21;
    sample.exactEmission = unit(engine) < 0.5F ? 1 : 0;
    sample.hasArea = unit(engine) < 0.9F ? 1 : 0;
    sample.weight = std::pow(10.0, -9.0 * unit(engine));
    sample.position = {unit(engine), unit(engine), unit(engine)};
    sample.plane = direction();
    shared::SurfacePoint& point = sample.point;
    point.albedo = {unit(engine), unit(engine), unit(engine)};
    point.geometricNormal = direction();
    const glm::vec3 bent = glm::normalize(point.geometricNormal + 0.9F * unit(engine) * direction());
    point.normal = unit(engine) < 0.9F ? bent : glm::vec3(0.0F);
    point.roughness = unit(engine);
    point.metalness = unit(engine);
    point.emission = unit(engine) < 0.5F ? glm::vec3(0.0F) : 20.0F * glm::vec3(unit(engine), unit(engine), 0.0F);
    point.material = 3;
    return sample;
}

// Twice the same doubles all sums, without rounding, so that the means are those of one to the last bit.
TEST(Averages, OneSampleIsAsTwoAlike) {
    std::mt19937 engine(5);
    std::vector<AverageSurface> one;
    std::vector<AverageSurface> two;
    for (int i = 0; i < 20000; ++i) {
        const SurfaceSample sample = randomSample(engine);
        ASSERT_EQ(averageSamples(std::vector{sample}, one), std::uint64_t{1} << 21U);
        ASSERT_EQ(averageSamples(std::vector{sample, sample}, two), std::uint64_t{1} << 21U);
        ASSERT_EQ(one.size(), 1U);
        ASSERT_EQ(two.size(), 1U);
        EXPECT_EQ(one[0].albedo, two[0].albedo);
        EXPECT_EQ(one[0].normal, two[0].normal);
        EXPECT_EQ(one[0].geometricNormal, two[0].geometricNormal);
        EXPECT_EQ(one[0].roughness, two[0].roughness);
        EXPECT_EQ(one[0].metalness, two[0].metalness);
        EXPECT_EQ(one[0].emission, two[0].emission);
        EXPECT_EQ(2.0 * one[0].emitting, two[0].emitting);
        EXPECT_EQ(2.0 * one[0].area, two[0].area);
        EXPECT_EQ(one[0].crease, two[0].crease);
        EXPECT_EQ(one[0].doubleSided, two[0].doubleSided);
        EXPECT_EQ(one[0].hollow, two[0].hollow);
        EXPECT_EQ(one[0].spread, two[0].spread);
        EXPECT_EQ(one[0].material, two[0].material);
        ASSERT_FALSE(HasFailure()) << i;
    }
}

} // namespace
} // namespace aureole::test
