#include <bit>
#include <vector>

#include <gtest/gtest.h>

#include "test_surfaces.h"
#include "voxel/surface/plane_brick.h"

namespace aureole::test {
namespace {

/// A block cut by a plane z = 1.5 or so, as the voxeliser hands it on, with `perVoxel` triangles in each voxel.
struct FlatBlock {
    std::uint64_t mask = 0;
    std::vector<AverageSurface> surfaces;
    std::vector<SurfaceSample> samples;
    std::vector<SurfaceCorner> corners;

    /// `odd` makes one voxel's colour differ, so that no node can stand for all.
    FlatBlock(int perVoxel, bool odd) {
        for (std::uint32_t bit = 0; bit < 64; ++bit) {
            const glm::uvec3 cell = shared::bitCell(bit);
            if (cell.z != 1) {
                continue;
            }
            mask |= std::uint64_t{1} << bit;
            for (int i = 0; i < perVoxel; ++i) {
                SurfaceSample sample;
                sample.bit = bit;
                sample.weight = 1.0 / perVoxel;
                sample.point.albedo = glm::vec3(odd && cell.x == 2 ? 0.9F : 0.4F);
                sample.point.normal = {0.0F, 0.0F, 1.0F};
                sample.point.geometricNormal = sample.point.normal;
                sample.position = glm::vec3(cell) + 0.5F;
                samples.push_back(sample);
                for (int corner = 0; corner < 3; ++corner) {
                    corners.push_back({bit, glm::dvec3(cell) + glm::dvec3(corner % 2, corner / 2, 0.5)});
                }
            }
        }
        averageSamples(samples, surfaces);
    }

    void addTo(PlaneBrick& brick, std::uint32_t code) const {
        brick.addBlock(code, mask, surfaces, samples, corners, 0);
    }
};

std::size_t mergedIn(const BrickVoxels& voxels) {
    std::size_t merged = 0;
    for (const VoxelBlock& block : voxels.blocks) {
        merged += block.merged != 0 ? 1 : 0;
    }
    return merged;
}

/// However many triangles a voxel holds: a brick keeps those of nodes that may merge further only.
TEST(PlanePoints, OfBlocksThatDoNotMergeAreNotKept) {
    PlaneBrick brick(0.25, 3);
    for (std::uint32_t code = 0; code < 4; ++code) {
        FlatBlock(50, true).addTo(brick, code);
        EXPECT_EQ(brick.heldPoints(), 0U);
    }
    FlatBlock(2, false).addTo(brick, 4);
    EXPECT_EQ(brick.heldPoints(), 16U * 2U * 4U);
    const BrickVoxels voxels = brick.take(0);
    EXPECT_EQ(mergedIn(voxels), 1U);
    EXPECT_EQ(voxels.voxels.size(), 4U * 16U + 1U);
}

TEST(PlanePoints, BeyondTheMostAreNotKeptAndTheirBlocksNotMerged) {
    const FlatBlock block(10, false);
    const std::size_t points = block.samples.size() + block.corners.size();
    PlaneBrick brick(0.25, 3, 2 * points);
    for (std::uint32_t code = 0; code < 4; ++code) {
        block.addTo(brick, code);
        EXPECT_LE(brick.heldPoints(), 2 * points);
    }
    const BrickVoxels voxels = brick.take(0);
    EXPECT_EQ(mergedIn(voxels), 2U);
    EXPECT_EQ(voxels.voxels.size(), 2U + 2U * 16U);
    EXPECT_EQ(voxels.slabs.size(), voxels.voxels.size());
}

} // namespace
} // namespace aureole::test
