// Lamps of voxels have the light of their triangles: how the radiance of each follows from areas that are known.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "model/primitives.h"
#include "test_scene.h"
#include "voxel/build/build.h"
#include "voxel/surface/surface_sum.h"

namespace aureole::test {
namespace {

Material lampOf(float radiance) {
    Material lamp;
    lamp.emission = glm::vec3(radiance, 0.5F * radiance, 0.25F * radiance);
    return lamp;
}

Octree voxelize(const Scene& scene, SurfaceKind surface) {
    VoxelizeOptions options;
    options.resolution = 64;
    options.surface = surface;
    return voxelizeScene(scene, options);
}

/// Emissive voxels by their radiance.
std::map<float, std::size_t> litVoxels(const Octree& octree) {
    std::map<float, std::size_t> counts;
    for (const EmissiveVoxel& voxel : collectEmissiveVoxels(octree)) {
        ++counts[octree.palette[voxel.entry].emission.x];
    }
    return counts;
}

/// A rectangle that ends in the middle of voxels shows whole ones. Others of its material have factors of their own.
TEST(LampLight, IsThatOfTheArea) {
    Scene scene = pinnedScene(64.0F);
    addRectangle(scene, {10.5F, 30.3F, 12.5F}, {10, 0, 0}, {0, 0, 8}, lampOf(8.0F));
    addRectangle(scene, {40.5F, 30.3F, 12.5F}, {4, 0, 0}, {0, 0, 3}, lampOf(8.0F));
    addRectangle(scene, {40, 30.3F, 40}, {6, 0, 0}, {0, 0, 5}, lampOf(8.0F)); // needs none
    for (const SurfaceKind surface : {SurfaceKind::Cubes, SurfaceKind::Planes}) {
        const std::map<float, std::size_t> found = litVoxels(voxelize(scene, surface));
        ASSERT_EQ(found.size(), 3U);
        const auto is = [&](std::size_t voxels, double radiance) {
            return std::any_of(found.begin(), found.end(), [&](const auto& one) {
                return one.second == voxels && std::abs(double{one.first} / radiance - 1.0) < 1.0 / 512.0;
            });
        };
        EXPECT_TRUE(is(11 * 9, 8.0 * 80 / 99));
        EXPECT_TRUE(is(5 * 4, 8.0 * 12 / 20));
        EXPECT_EQ(found.rbegin()->first, 8.0F);
        EXPECT_EQ(found.rbegin()->second, 30U);
    }
}

/// A lamp of several brightnesses keeps its light, not its area: that of the wide rim of its dim part is little.
TEST(LampLight, OfSeveralBrightnessesIsThatOfTheirAreas) {
    Scene scene = pinnedScene(64.0F);
    addRectangle(scene, {40, 30.3F, 40}, {6, 0, 0}, {0, 0, 5}, lampOf(8.0F));
    addRectangle(scene, {40, 30.3F, 45}, {6, 0, 0}, {0, 0, 0.5F}, lampOf(1.0F));
    for (const SurfaceKind surface : {SurfaceKind::Cubes, SurfaceKind::Planes}) {
        double light = 0.0;
        for (const auto& [radiance, voxels] : litVoxels(voxelize(scene, surface))) {
            light += double{radiance} * static_cast<double>(voxels);
        }
        EXPECT_NEAR(light / (8.0 * 30.0 + 1.0 * 3.0), 1.0, 1.0 / 256.0);
    }
}

/// A plane is as large whichever way it lies, though its stairs have more faces; so is one on a ceiling, whose voxels
/// show one side.
TEST(LampLight, DoesNotDependOnTheWayItLies) {
    Scene scene = pinnedScene(64.0F);
    addRectangle(scene, {10.5F, 20.3F, 12.5F}, {32, 17, 0}, {-3, 7, 38}, lampOf(8.0F));
    for (const SurfaceKind surface : {SurfaceKind::Cubes, SurfaceKind::Planes}) {
        const std::map<float, std::size_t> found = litVoxels(voxelize(scene, surface));
        ASSERT_EQ(found.size(), 1U);
        EXPECT_GT(found.begin()->first, 0.88F * 8.0F);
        EXPECT_LT(found.begin()->first, 0.97F * 8.0F);
    }
}

/// In a ceiling, voxels that a lamp shares with it are of the ceiling where that has more of their surface, and light
/// is not lost by them.
TEST(LampLight, StaysWhereTheLampIs) {
    Scene scene = pinnedScene(64.0F);
    addRectangle(scene, {20.3F, 40.5F, 20.3F}, {10, 0, 0}, {0, 0, 10}, lampOf(8.0F));
    addRectangle(scene, {5, 40.5F, 5}, {15.3F, 0, 0}, {0, 0, 40}, Material());
    addRectangle(scene, {30.3F, 40.5F, 5}, {15.7F, 0, 0}, {0, 0, 40}, Material());
    for (const SurfaceKind surface : {SurfaceKind::Cubes, SurfaceKind::Planes}) {
        const Octree octree = voxelize(scene, surface);
        const std::map<float, std::size_t> found = litVoxels(octree);
        ASSERT_EQ(found.size(), 1U);
        // Of the voxels at x = 20 and 30 the lamp has 0.7 and 0.3; at a corner, 0.21 beside 0.3 of the ceiling.
        EXPECT_EQ(found.begin()->second, 10U * 11U - 1U);
        EXPECT_NEAR(found.begin()->first, 8.0F * 100.0F / 109.0F, 8.0F / 512.0F);
        // Averages are of all surface, lit or not.
        const AverageMaterial& root = octree.nodeMaterials[0];
        const double all = 15.3 * 40 + 15.7 * 40 + 100;
        EXPECT_NEAR(unpackEmission(root.emission).x, 8.0 * 100.0 / all, 0.02);
    }
}

/// What is around the whole scene is seen from within: its radiance is what counts.
TEST(LampLight, OfWhatSurroundsTheSceneIsItsRadiance) {
    Scene scene = pinnedScene(64.0F);
    const Material lamp = lampOf(8.0F);
    for (const float at : {0.5F, 63.5F}) {
        addRectangle(scene, {0.5F, 0.5F, at}, {63, 0, 0}, {0, 63, 0}, lamp);
        addRectangle(scene, {0.5F, at, 0.5F}, {63, 0, 0}, {0, 0, 63}, lamp);
        addRectangle(scene, {at, 0.5F, 0.5F}, {0, 63, 0}, {0, 0, 63}, lamp);
    }
    const std::map<float, std::size_t> found = litVoxels(voxelize(scene, SurfaceKind::Cubes));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found.begin()->first, 8.0F);
}

void addMesh(Scene& scene, Mesh mesh, const Material& material) {
    mesh.material = static_cast<std::uint32_t>(scene.materials.size());
    scene.materials.push_back(material);
    scene.meshInstances.emplace_back();
    scene.meshInstances.back().mesh = static_cast<std::uint32_t>(scene.meshes.size());
    scene.meshes.push_back(std::move(mesh));
}

/// The mean radiance of lit voxels by that of their triangles, 8.
double meanFactor(const Octree& octree) {
    double sum = 0.0;
    std::size_t count = 0;
    for (const auto& [radiance, voxels] : litVoxels(octree)) {
        sum += double{radiance} * static_cast<double>(voxels);
        count += voxels;
    }
    return sum / (8.0 * static_cast<double>(count));
}

/// What is inside another solid shows nothing of its triangles either, so that nothing is to make up for it.
TEST(LampLight, InsideAnotherSolidIsNotMissed) {
    Scene scene; // of closed meshes, as a field must be
    addMesh(scene, makeBox({0, 0, 0}, {2, 2, 2}), Material());
    addMesh(scene, makeBox({62, 62, 62}, {64, 64, 64}), Material());
    addMesh(scene, makeSphere({30.3, 30.2, 30.1}, 16.0, 5), lampOf(8.0F));
    addMesh(scene, makeBox({20.2, 10.3, 20.4}, {40.1, 22.6, 40.7}), Material());
    EXPECT_NEAR(meanFactor(voxelize(scene, SurfaceKind::Field)), 1.0, 0.04);
}

/// What is unlit is seen for its colour, though it lights others a little more than its triangles would: none of its
/// voxels is darker, also not one that it only touches.
TEST(LampLight, OfWhatIsUnlitIsItsColour) {
    for (const bool unlit : {false, true}) {
        Scene scene = pinnedScene(64.0F);
        Material material = lampOf(8.0F);
        material.unlit = unlit;
        addMesh(scene, makeSphere({30, 30, 30}, 10.0, 4), material); // which touches voxels beyond its six ends
        for (const SurfaceKind surface : {SurfaceKind::Cubes, SurfaceKind::Planes}) {
            const Octree octree = voxelize(scene, surface);
            const std::vector<EmissiveVoxel> lit = allEmissiveVoxels(octree);
            const std::size_t others = voxelize(pinnedScene(64.0F), surface).attributes.size();
            const bool isWhole = lit.size() + others == octree.attributes.size() &&
                                 std::all_of(lit.begin(), lit.end(), [&](const EmissiveVoxel& voxel) {
                                     return octree.palette[voxel.entry].emission.x == 8.0F;
                                 });
            EXPECT_EQ(isWhole, unlit);
        }
    }
}

/// Of a ball with dark patches the far side is seen through them, which makes its silhouette no smaller.
TEST(LampLight, OfABodyWithDarkPatchesIsKept) {
    Scene scene = pinnedScene(128.0F);
    Mesh ball = makeSphere({64.3, 64.2, 64.1}, 50.0, 5);
    Mesh patches = ball;
    std::vector<glm::uvec3> lit;
    patches.triangles.clear();
    for (const glm::uvec3& triangle : ball.triangles) {
        const glm::vec3 at = (ball.positions[triangle.x] - glm::vec3(64)) / 16.0F;
        const bool dark = std::sin(at.x * 2.0F) * std::sin(at.y * 2.0F) * std::sin(at.z * 2.0F) > 0.3F;
        (dark ? patches.triangles : lit).push_back(triangle);
    }
    ASSERT_GT(patches.triangles.size(), ball.triangles.size() / 10);
    ball.triangles = lit;
    addMesh(scene, ball, lampOf(8.0F));
    addMesh(scene, patches, Material());
    VoxelizeOptions options;
    options.resolution = 128;
    EXPECT_NEAR(meanFactor(voxelizeScene(scene, options)), 1.0, 0.03);
}

/// The outline of a ball of a radius in voxels over that of its cubes along the axes, which are columns of voxels: they
/// reach 0.8 (slant - 1) beyond it, of a slant of 3/2, and are seen from all sides that much larger.
double outlineShare(const Octree& octree, double radius) {
    std::array<std::set<std::pair<std::uint32_t, std::uint32_t>>, 3> columns;
    for (const EmissiveVoxel& voxel : allEmissiveVoxels(octree)) {
        for (int axis = 0; axis < 3; ++axis) {
            columns.at(static_cast<std::size_t>(axis))
                .emplace(voxel.voxel[(axis + 1) % 3], voxel.voxel[(axis + 2) % 3]);
        }
    }
    double seen = 0.0;
    for (const auto& along : columns) {
        const auto count = static_cast<double>(along.size());
        seen += count + 0.4 * 2.0 * std::sqrt(kPi * count);
    }
    return 0.75 * 4.0 * kPi * radius * radius / seen;
}

TEST(LampLight, OfABallIsThatOfItsOutlines) {
    Scene scene = pinnedScene(64.0F);
    addMesh(scene, makeSphere({30.3, 30.2, 30.1}, 16.0, 6), lampOf(8.0F));
    const Octree octree = voxelize(scene, SurfaceKind::Cubes);
    const std::map<float, std::size_t> found = litVoxels(octree);
    EXPECT_EQ(found.size(), 1U);
    EXPECT_NEAR(double{found.begin()->first} / 8.0, outlineShare(octree, 16.0), 1.0 / 256.0);
}

/// So it is of one that is an octree by itself and is placed; alone in a scene it surrounds that.
TEST(LampLight, OfAnAssetIsThatOfItsOutlines) {
    Scene scene;
    addMesh(scene, makeSphere({0.0, 0.0, 0.0}, 1.0, 6), lampOf(8.0F));
    EXPECT_EQ(litVoxels(voxelize(scene, SurfaceKind::Cubes)).begin()->first, 8.0F);
    scene.asset = "ball";
    const Octree octree = voxelize(scene, SurfaceKind::Cubes);
    const std::map<float, std::size_t> found = litVoxels(octree);
    EXPECT_EQ(found.size(), 1U);
    EXPECT_NEAR(double{found.begin()->first} / 8.0, outlineShare(octree, 1.0 / octree.grid.voxelSize), 1.0 / 256.0);
}

/// Where nothing but small shares of voxels emit, these are the lamp.
TEST(LampLight, OfASmallLampIsKept) {
    Scene scene = pinnedScene(64.0F);
    addRectangle(scene, {20.3F, 40.2F, 20.3F}, {0.4F, 0, 0}, {0, 0, 0.5F}, lampOf(8.0F));
    addRectangle(scene, {5, 40.5F, 5}, {40, 0, 0}, {0, 0, 40}, Material());
    const std::map<float, std::size_t> found = litVoxels(voxelize(scene, SurfaceKind::Cubes));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found.begin()->second, 1U);
    EXPECT_NEAR(found.begin()->first, 8.0F * 0.2F, 8.0F / 512.0F);
}

} // namespace
} // namespace aureole::test
