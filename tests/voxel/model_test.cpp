#include <random>

#include <gtest/gtest.h>

#include "test_scene.h"
#include "voxel/build/build.h"
#include "voxel/build/model_cells.h"

namespace aureole::test {
namespace {

/// A model of random cells in three materials whose albedo tells them apart.
Scene modelScene(const glm::uvec3& size, double density) {
    Scene scene;
    scene.file = "scene.json";
    VoxelModel model;
    model.name = "castle";
    model.size = size;
    std::mt19937 engine(9);
    std::bernoulli_distribution solid(density);
    for (unsigned i = 0; i < size.x * size.y * size.z; ++i) {
        model.cells.push_back(solid(engine) ? static_cast<std::uint8_t>(1 + i % 3) : std::uint8_t{0});
    }
    model.materials.fill(0);
    for (std::uint8_t i = 1; i <= 3; ++i) {
        Material material;
        material.albedo = glm::vec3(0.25F * static_cast<float>(i), 0.5F, 0.0F);
        material.emission = glm::vec3(i == 2 ? 3.7F : 0.0F);
        model.materials[i] = i - 1U;
        scene.materials.push_back(material);
    }
    scene.voxelModels.push_back(model);
    scene.voxelInstances.emplace_back();
    return scene;
}

std::uint8_t cellAt(const VoxelModel& model, const glm::ivec3& c) {
    const glm::ivec3 size(model.size);
    if (glm::any(glm::lessThan(c, glm::ivec3(0))) || glm::any(glm::greaterThanEqual(c, size))) {
        return 0;
    }
    return model.cells[static_cast<std::size_t>(c.x + size.x * (c.y + size.y * c.z))];
}

/// The sum of the directions of a cell's exposed faces, and their number.
std::pair<glm::ivec3, int> exposure(const VoxelModel& model, const glm::ivec3& c) {
    glm::ivec3 sum(0);
    int count = 0;
    for (int axis = 0; axis < 3; ++axis) {
        for (const int step : {-1, 1}) {
            glm::ivec3 next = c;
            next[axis] += step;
            if (cellAt(model, next) == 0) {
                sum[axis] += step;
                ++count;
            }
        }
    }
    return {sum, count};
}

TEST(VoxelModels, MapOneToOneAtTheirOwnResolution) {
    const Scene scene = modelScene({20, 16, 13}, 0.8);
    const VoxelModel& model = scene.voxelModels[0];
    const Octree octree = voxelizeScene(scene, 20);
    ASSERT_EQ(octree.grid.size, glm::uvec3(20, 16, 13));
    for (int x = 0; x < 20; ++x) {
        for (int y = 0; y < 16; ++y) {
            for (int z = 0; z < 13; ++z) {
                const glm::ivec3 voxel(x, y, z);
                const std::uint8_t index = cellAt(model, voxel);
                const auto [sum, faces] = exposure(model, voxel);
                ASSERT_EQ(isSolid(octree, voxel), index != 0 && faces > 0);
                if (index == 0 || faces == 0) {
                    continue;
                }
                const shared::VoxelSurface surface = surfaceAt(octree, voxel);
                EXPECT_EQ(surface.albedo, scene.materials[index - 1U].albedo);
                EXPECT_EQ(octree.palette[surface.material].emission, scene.materials[index - 1U].emission);
                if (sum.x * sum.x + sum.y * sum.y + sum.z * sum.z == faces) { // no opposing faces
                    EXPECT_GT(glm::dot(surface.normal, glm::normalize(glm::vec3(sum))), 0.9999F);
                }
            }
        }
    }
}

/// Two solids of different glass show both faces where they touch, one glass none; a pane shows none to a solid.
TEST(VoxelModels, DifferentGlassShowsItsFaces) {
    std::vector<Material> materials(4);
    for (std::size_t i = 0; i < 3; ++i) {
        materials[i].model = i < 2 ? MaterialModel::Dielectric : MaterialModel::ThinGlass;
    }
    VoxelModel model;
    model.size = {2, 1, 1};
    model.materials.fill(3);
    model.materials[1] = 0;
    model.materials[2] = 1;
    model.materials[3] = 0; // the glass of index 1 again
    model.materials[4] = 2;
    model.materials[5] = 3;
    constexpr std::uint32_t kTowards = 1U << 1U; // of the first cell, the face to the second
    constexpr std::uint32_t kBack = 1U << 0U;
    const auto touching = [&](std::uint8_t first, std::uint8_t second) {
        model.cells = {first, second};
        const std::vector<ExposedCell> cells = exposedCells(model, materials);
        return std::pair((cells.at(0).faces & kTowards) != 0, (cells.at(1).faces & kBack) != 0);
    };
    EXPECT_EQ(touching(1, 2), std::pair(true, true));
    EXPECT_EQ(touching(1, 3), std::pair(false, false));
    EXPECT_EQ(touching(1, 4), std::pair(false, false));
    EXPECT_EQ(touching(1, 5), std::pair(false, true));
    EXPECT_EQ(touching(5, 4), std::pair(true, false));
}

TEST(VoxelModels, LargerCellsFillTheirVoxels) {
    Scene scene = modelScene({16, 9, 11}, 0.5);
    // Mirrored and turned: world (x, y, z) = (-z, x, y) of the model, times 0.5, and a shift.
    glm::dmat4 place(0.0);
    place[0] = {0.0, 0.5, 0.0, 0.0};
    place[1] = {0.0, 0.0, 0.5, 0.0};
    place[2] = {-0.5, 0.0, 0.0, 0.0};
    place[3] = {3.0, -7.0, 100.0, 1.0};
    scene.voxelInstances[0].worldFromModel = place;
    const Octree octree = voxelizeScene(scene, 48); // three voxels a cell
    ASSERT_EQ(octree.grid.size, glm::uvec3(33, 48, 27));
    VoxelSet expected;
    for (int x = 0; x < 33; ++x) {
        for (int y = 0; y < 48; ++y) {
            for (int z = 0; z < 27; ++z) {
                const glm::ivec3 cell(y / 3, z / 3, 10 - x / 3);
                if (cellAt(scene.voxelModels[0], cell) != 0 && exposure(scene.voxelModels[0], cell).second > 0) {
                    expected.insert({x, y, z});
                }
            }
        }
    }
    EXPECT_TRUE(solidVoxels(octree) == expected);
}

TEST(VoxelModels, SmallerCellsLeaveNoGaps) {
    // A solid block of 50^3 in 32^3 voxels: all around must be solid.
    Scene scene = modelScene({50, 50, 50}, 1.0);
    const Octree octree = voxelizeScene(scene, 32);
    for (int a = 0; a < 32; ++a) {
        for (int b = 0; b < 32; ++b) {
            for (const int side : {0, 31}) {
                EXPECT_TRUE(isSolid(octree, {side, a, b}));
                EXPECT_TRUE(isSolid(octree, {a, side, b}));
                EXPECT_TRUE(isSolid(octree, {a, b, side}));
            }
        }
    }
}

TEST(VoxelModels, StandBesideMeshes) {
    Scene scene = sceneOf({{{{20, 0, 0}, {32, 0, 0}, {32, 9, 0}}}});
    Scene model = modelScene({8, 8, 8}, 1.0);
    scene.voxelModels = model.voxelModels;
    scene.voxelInstances = model.voxelInstances;
    const Material mesh = scene.materials[0];
    scene.materials = model.materials;
    scene.meshes[0].material = static_cast<std::uint32_t>(scene.materials.size());
    scene.materials.push_back(mesh);
    const Octree octree = voxelizeScene(scene, 32);
    EXPECT_EQ(octree.grid.size, glm::uvec3(32, 9, 8));
    EXPECT_TRUE(isSolid(octree, {7, 7, 7}));
    EXPECT_FALSE(isSolid(octree, {8, 7, 7}));
    EXPECT_FLOAT_EQ(surfaceAt(octree, {30, 0, 0}).albedo.x, 0.8F);
}

} // namespace
} // namespace aureole::test
