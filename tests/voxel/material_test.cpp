#include <map>

#include <gtest/gtest.h>

#include "test_scene.h"
#include "voxel/build/build.h"
#include "voxel/file/octree_file.h"
#include "voxel/surface/surface_sum.h"
#include "voxel/tree/dag.h"
#include "voxel/tree/level.h"

namespace aureole::test {
namespace {

Material glass(float ior, const glm::vec3& absorption) {
    Material material;
    material.model = MaterialModel::Dielectric;
    material.ior = ior;
    material.absorption = absorption;
    return material;
}

/// What the voxel is made of, by the octree's own table.
const shared::VoxelMaterial& entryAt(const Octree& octree, const glm::ivec3& voxel) {
    const std::optional<std::uint64_t> index = attributeIndexAt(octree, voxel);
    EXPECT_TRUE(index.has_value()) << voxel.x << ' ' << voxel.y << ' ' << voxel.z;
    const std::uint32_t number = shared::unpackAttributes(octree.attributes[*index]).material;
    return octree.palette[paletteIndex(octree, *index, number)];
}

/// Three walls of one material each, apart from each other, and a pinned grid of 16.
Scene walls() {
    Scene scene = pinnedScene(16);
    Material lamp;
    lamp.emission = {2.0F, 3.0F, 4.0F};
    lamp.lightGroup = 1;
    scene.lightGroups = {"", "lamps"};
    addRectangle(scene, {2, 2, 3.5F}, {9, 0, 0}, {0, 9, 0}, glass(1.25F, {1.0F, 2.0F, 0.5F}));
    addRectangle(scene, {2, 2, 7.5F}, {9, 0, 0}, {0, 9, 0}, lamp);
    Material mirror;
    mirror.model = MaterialModel::Mirror;
    addRectangle(scene, {2, 2, 12.5F}, {9, 0, 0}, {0, 9, 0}, mirror);
    return scene;
}

TEST(VoxelMaterials, EveryVoxelNamesItsOwn) {
    for (const SurfaceKind surface : {SurfaceKind::Cubes, SurfaceKind::Planes}) {
        VoxelizeOptions options;
        options.resolution = 16;
        options.surface = surface;
        const Octree octree = voxelizeScene(walls(), options);
        ASSERT_EQ(octree.materials.size(), 4U);
        EXPECT_EQ(octree.materials[1].model, MaterialModel::Dielectric);
        EXPECT_EQ(octree.materials[1].ior, 1.25F);
        EXPECT_EQ(octree.materials[1].absorption, glm::vec3(1.0F, 2.0F, 0.5F));
        EXPECT_EQ(octree.materials[2].lightGroup, 1U);
        EXPECT_EQ(octree.materials[3].model, MaterialModel::Mirror);
        EXPECT_EQ(entryAt(octree, {5, 5, 3}).material, 1U);
        EXPECT_EQ(entryAt(octree, {5, 5, 7}).material, 2U);
        EXPECT_EQ(entryAt(octree, {5, 5, 7}).emission, glm::vec3(2.0F, 3.0F, 4.0F));
        EXPECT_EQ(entryAt(octree, {5, 5, 12}).material, 3U);
        EXPECT_EQ(entryAt(octree, {0, 0, 0}).material, 0U);
    }
}

TEST(VoxelMaterials, OneThatDoesNotEmitCostsNothing) {
    const Octree octree = voxelizeScene(pinnedScene(16), 16);
    EXPECT_EQ(octree.materials.size(), 1U);
    EXPECT_EQ(octree.palette.size(), 1U);
    EXPECT_TRUE(octree.materialRuns.empty());
    EXPECT_TRUE(octree.leafMaterials.empty());
    EXPECT_TRUE(octree.nodeMaterials.empty());
}

TEST(VoxelMaterials, AVoxelOfSeveralHasTheOneOfTheLargestShare) {
    // Voxel 5 is covered by 0.3 and 0.7 of its width, and by triangles of both in any order.
    for (const bool turned : {false, true}) {
        Scene scene = pinnedScene(16);
        const auto left = [&] {
            addRectangle(scene, {2, 2, 5.5F}, {3.3F, 0, 0}, {0, 8, 0}, glass(1.5F, glm::vec3(0)));
        };
        const auto right = [&] { addRectangle(scene, {5.3F, 2, 5.5F}, {8, 0, 0}, {0, 8, 0}, Material{}); };
        if (turned) {
            right();
            left();
        } else {
            left();
            right();
        }
        const Octree octree = voxelizeScene(scene, 16);
        EXPECT_EQ(entryAt(octree, {4, 5, 5}).material, turned ? 2U : 1U);
        EXPECT_EQ(entryAt(octree, {5, 5, 5}).material, turned ? 1U : 2U);
        EXPECT_EQ(entryAt(octree, {6, 5, 5}).material, turned ? 1U : 2U);
    }
}

TEST(VoxelMaterials, ManyFormRunsAndKeepTheirPlaces) {
    Scene scene = pinnedScene(16);
    constexpr int kTiles = 400;
    scene.meshes[0].positions = {{0, 0, 0}, {0.1F, 0, 0}, {0, 0.1F, 0}, {500, 8, 8}, {499.9F, 8, 8}, {500, 7.9F, 8}};
    for (int i = 0; i < kTiles; ++i) {
        addRectangle(scene, {static_cast<float>(i + 10) + 0.2F, 2.5F, 2.2F}, {0.5F, 0, 0}, {0, 0, 0.5F}, Material{});
    }
    const Octree octree = voxelizeScene(scene, 500);
    EXPECT_GT(octree.materialRuns.size(), 3U);
    EXPECT_TRUE(collectEmissiveVoxels(octree).empty());
    const Octree dag = toDag(copyOf(octree));
    for (int i = 0; i < kTiles; ++i) {
        ASSERT_EQ(entryAt(octree, {i + 10, 2, 2}).material, static_cast<std::uint32_t>(i + 1));
        ASSERT_EQ(entryAt(dag, {i + 10, 2, 2}).material, static_cast<std::uint32_t>(i + 1));
    }
}

TEST(VoxelMaterials, CellsOfPlanesAreOfOne) {
    // A flat wall, half of it of another material that looks the same: merged nodes end where the material does.
    Scene scene = pinnedScene(64);
    addRectangle(scene, {0, 0, 20.5F}, {24, 0, 0}, {0, 64, 0}, Material{});
    addRectangle(scene, {24, 0, 20.5F}, {40, 0, 0}, {0, 64, 0}, Material{});
    VoxelizeOptions options;
    options.resolution = 64;
    options.surface = SurfaceKind::Planes;
    const Octree octree = voxelizeScene(scene, options);
    EXPECT_LT(octree.voxelCount(), 1000U); // merged for the most part
    for (int y = 1; y < 63; ++y) {
        for (int x = 1; x < 63; ++x) {
            ASSERT_EQ(entryAt(octree, {x, y, 20}).material, x < 24 ? 1U : 2U) << x << ' ' << y;
        }
    }
}

TEST(VoxelMaterials, LevelsHaveThatOfMostOfTheirVoxels) {
    Scene scene = pinnedScene(64);
    addRectangle(scene, {0, 0, 20.5F}, {27, 0, 0}, {0, 64, 0}, glass(1.5F, glm::vec3(0)));
    addRectangle(scene, {27, 0, 20.5F}, {37, 0, 0}, {0, 64, 0}, Material{});
    for (const std::uint32_t level : {1U, 2U, 4U}) { // 3 counts cells of 2 alike, whatever they hold
        const Octree coarse = takeLevel(voxelizeScene(scene, 64), level);
        EXPECT_EQ(coarse.materials.size(), 3U);
        EXPECT_EQ(coarse.materials[1].model, MaterialModel::Dielectric);
        const int side = 1 << level;
        for (int x = 1; x + 1 < 64 / side; ++x) {
            const int ofFirst = std::clamp(27 - x * side, 0, side);
            if (2 * ofFirst != side) {
                ASSERT_EQ(entryAt(coarse, {x, 1, 20 / side}).material, 2 * ofFirst > side ? 1U : 2U)
                    << level << ' ' << x;
            }
        }
    }
}

TEST(VoxelMaterials, AnAverageFindsWhatHasMoreThanHalfInAnyOrder) {
    const shared::VoxelSurface surface{};
    for (unsigned seed = 0; seed < 50; ++seed) {
        SurfaceSum sum;
        double total = 0.0;
        std::map<std::uint32_t, double> shares;
        std::uint32_t state = seed * 747796405U + 1U;
        for (int i = 0; i < 20; ++i) {
            state = state * 747796405U + 2891336453U;
            const std::uint32_t material = (state >> 20U) % 3;
            const double area = 0.25 * (1 + (state >> 28U));
            SurfaceSum one;
            one.add(surface, {glm::vec3(0.0F), material}, area);
            sum.add(one);
            shares[material] += area;
            total += area;
        }
        for (const auto& [material, share] : shares) {
            if (2.0 * share > total) {
                EXPECT_EQ(averageMaterial(sum).material, material) << seed;
            }
        }
    }
}

TEST(VoxelMaterials, FilesKeepThem) {
    const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "materials.avo";
    const Octree octree = voxelizeScene(walls(), 16);
    writeOctree(file, octree);
    EXPECT_TRUE(identical(octree, loadOctree(file)));
    std::filesystem::remove(file);
}

} // namespace
} // namespace aureole::test
