#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "voxel/tree/outline.h"

namespace aureole {
namespace {

/// The area that cubes cover, seen along `way`.
double areaOf(const std::vector<glm::uvec3>& cubes, const glm::vec3& way) {
    Octree octree;
    octree.attributes = std::vector<shared::VoxelAttributes>(1); // of all of them
    std::vector<EmissiveVoxel> voxels;
    for (const glm::uvec3& cube : cubes) {
        voxels.emplace_back().voxel = cube;
    }
    return outlineArea(octree, voxels, glm::normalize(way));
}

TEST(Outline, OfCubesIsWhatTheyProjectTo) {
    const glm::vec3 along(0.31F, 0.52F, 0.79F);
    const double one = (0.31 + 0.52 + 0.79) / glm::length(glm::dvec3(along));
    EXPECT_NEAR(areaOf({{3, 4, 5}}, along), one, 0.1 * one) << "some 26 points";
    EXPECT_NEAR(areaOf({{3, 4, 5}, {9, 4, 5}}, along), 2.0 * one, 0.2 * one) << "side by side";
    EXPECT_EQ(areaOf({{3, 4, 5}, {3, 4, 5}}, along), areaOf({{3, 4, 5}}, along)) << "one in front of the other";
    // Of a block 12 wide, whose faces show by their cosines.
    std::vector<glm::uvec3> block;
    for (std::uint32_t i = 0; i < 12 * 12 * 12; ++i) {
        block.emplace_back(i % 12, i / 12 % 12, i / 144);
    }
    for (const glm::vec3& way :
         {glm::vec3(1.0F, 1.0F, 1.0F), glm::vec3(-0.2F, 0.9F, 0.3F), glm::vec3(0.1F, 0.2F, -1.0F)}) {
        const glm::vec3 cosines = glm::abs(glm::normalize(way));
        const double expected = 144.0 * (cosines.x + cosines.y + cosines.z);
        EXPECT_NEAR(areaOf(block, way), expected, 0.008 * expected);
    }
}

/// The points lie further apart where voxels are many.
TEST(Outline, OfFarCubesIsRoughlyThat) {
    std::vector<glm::uvec3> plate;
    for (std::uint32_t i = 0; i < 400 * 400; ++i) {
        plate.emplace_back(i % 400, i / 400, 7);
    }
    EXPECT_NEAR(areaOf(plate, {0.01F, 0.02F, 1.0F}), 160000.0, 1600.0);
}

} // namespace
} // namespace aureole
