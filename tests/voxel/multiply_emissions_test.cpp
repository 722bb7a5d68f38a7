#include "voxel/build/multiply_emissions.h"

#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "test_scene.h"
#include "voxel/build/build.h"
#include "voxel/surface/radiance.h"
#include "voxel/tree/octree_check.h"

namespace aureole::test {
namespace {

std::vector<shared::VoxelMaterial> materialsOfVoxels(const Octree& octree) {
    std::vector<shared::VoxelMaterial> materials;
    for (std::uint64_t i = 0; i < octree.attributes.size(); ++i) {
        const std::uint32_t number = shared::unpackAttributes(octree.attributes[i]).material;
        materials.push_back(octree.palette[paletteIndex(octree, i, number)]);
    }
    return materials;
}

/// 300 tiles in a row, every other one a lamp, in several runs: tiles of `voxels` voxels a side.
Octree tiles(int voxels) {
    Scene scene = pinnedScene(16);
    const auto side = static_cast<float>(voxels);
    const float length = 300.0F * (side + 1.0F) + 20.0F;
    scene.meshes[0].positions = {{0, 0, 0},      {0.1F, 0, 0},          {0, 0.1F, 0},
                                 {length, 8, 8}, {length - 0.1F, 8, 8}, {length, 7.9F, 8}};
    for (int i = 0; i < 300; ++i) {
        Material material;
        if (i % 2 == 0) {
            material.emission = glm::vec3(1.0F + static_cast<float>(i), 2.0F, 0.5F);
        }
        addRectangle(scene, {10.2F + static_cast<float>(i) * (side + 1.0F), 2.2F, 2.5F}, {side - 0.4F, 0, 0},
                     {0, side - 0.4F, 0}, material);
    }
    return voxelizeScene(scene, static_cast<std::uint32_t>(length));
}

/// Multiplies by what `factorOf(number of the voxel among the emissive ones)` says, and holds each voxel to it.
void expectMultiplied(int voxels, const std::function<float(std::size_t)>& factorOf) {
    Octree octree = tiles(voxels);
    ASSERT_GT(octree.materialRuns.size(), 2U);
    const std::vector<EmissiveVoxel> emissive = allEmissiveVoxels(octree);
    ASSERT_GE(emissive.size(), static_cast<std::size_t>(150 * voxels * voxels));
    std::vector<shared::VoxelMaterial> expected = materialsOfVoxels(octree);
    std::vector<float> factors;
    for (std::size_t i = 0; i < emissive.size(); ++i) {
        factors.push_back(factorOf(i));
        glm::vec3& emission = expected[emissive[i].attributes].emission;
        emission = factors[i] == 1.0F ? emission : glm::vec3(quantiseEmission(emission * factors[i]));
    }
    multiplyEmissions(octree, emissive, factors);
    const std::vector<shared::VoxelMaterial> found = materialsOfVoxels(octree);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        ASSERT_EQ(found[i].material, expected[i].material) << i;
        ASSERT_EQ(found[i].emission, expected[i].emission) << i;
    }
    EXPECT_NO_THROW(checkOctree("tiles", octree));
}

TEST(MultiplyEmissions, OneFactorForEachLamp) {
    expectMultiplied(2, [](std::size_t i) { return i / 4 % 3 == 0 ? 1.0F : 0.75F; });
}

TEST(MultiplyEmissions, DarkVoxelsAmongOthersOfTheirLamp) {
    expectMultiplied(3, [](std::size_t i) { return i % 4 == 0 ? 0.0F : 0.5F; });
}

/// Palettes that grow beyond what a voxel can number.
TEST(MultiplyEmissions, RunsAreCutWhereTheirPaletteOverflows) {
    std::mt19937 random(1);
    std::uniform_real_distribution<float> uniform(0.25F, 2.0F);
    expectMultiplied(4, [&](std::size_t) { return uniform(random); });
}

} // namespace
} // namespace aureole::test
