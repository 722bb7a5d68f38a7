#include <algorithm>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "octree_kinds.h"
#include "test_scene.h"
#include "voxel/tree/coarse_cells.h"

namespace aureole::test {
namespace {

struct CoarseCube {
    glm::uvec3 low{0};
    std::uint32_t shift = 0;
};

CoarseCube cubeOf(const shared::CoarseCell& cell) {
    return {{cell.words.x & 0xFFFFU, cell.words.x >> 16U, cell.words.y & 0xFFFFU}, cell.words.y >> 16U};
}

bool anySolid(const Octree& octree, const CoarseCube& cube) {
    const std::uint32_t side = 1U << cube.shift;
    for (std::uint32_t i = 0; i < side * side * side; ++i) {
        const glm::uvec3 voxel = cube.low + glm::uvec3(i % side, i / side % side, i / side / side);
        if (isSolid(octree, glm::ivec3(voxel))) {
            return true;
        }
    }
    return false;
}

/// Whether one of the cubes, of whatever size, holds the voxel.
class CubeSet {
public:
    explicit CubeSet(const std::vector<shared::CoarseCell>& cells) {
        for (const shared::CoarseCell& cell : cells) {
            EXPECT_TRUE(cubes_.insert({cell.words.x, cell.words.y}).second) << "a cell twice";
        }
    }

    bool holds(const glm::uvec3& voxel) const {
        for (std::uint32_t shift = 0; shift <= 2 * OCTREE_MAX_LEVELS; ++shift) {
            const glm::uvec3 low = (voxel >> shift) << shift;
            if (cubes_.contains({low.x | (low.y << 16U), low.z | (shift << 16U)})) {
                return true;
            }
        }
        return false;
    }

private:
    std::set<std::pair<std::uint32_t, std::uint32_t>> cubes_;
};

/// All solid voxels of a small octree, and of a large one those among many.
std::vector<glm::uvec3> someSolid(const Octree& octree) {
    std::vector<glm::uvec3> voxels;
    if (octree.levels == 3) {
        for (const auto& [x, y, z] : solidVoxels(octree)) {
            voxels.emplace_back(x, y, z);
        }
        return voxels;
    }
    std::mt19937 random(3);
    const std::uint32_t last = (1U << (2 * octree.levels)) - 1;
    for (int i = 0; i < 200000; ++i) {
        const glm::uvec3 voxel(random() & last, random() & last, random() & last);
        if (isSolid(octree, glm::ivec3(voxel))) {
            voxels.push_back(voxel);
        }
    }
    return voxels;
}

TEST(CoarseCells, HoldEverySolidVoxelAndNoneIsEmpty) {
    forEachOctreeKind([](const std::string& name, const Octree& octree) {
        const std::vector<glm::uvec3> voxels = someSolid(octree);
        for (std::uint32_t shift = 2; shift <= std::min(2 * octree.levels, 7U); ++shift) {
            SCOPED_TRACE(testing::Message() << name << ", cells of 2^" << shift);
            const std::vector<shared::CoarseCell> cells = coarseCells(octree, shift);
            const CubeSet set(cells);
            std::size_t wrong = 0;
            for (const shared::CoarseCell& cell : cells) {
                const CoarseCube cube = cubeOf(cell);
                wrong += cube.shift >= shift && anySolid(octree, cube) ? 0 : 1;
            }
            EXPECT_EQ(wrong, 0U);
            for (const glm::uvec3& voxel : voxels) {
                wrong += set.holds(voxel) ? 0 : 1;
            }
            EXPECT_EQ(wrong, 0U);
        }
    });
}

TEST(CoarseCells, AreTheFinestThatAreNotTooMany) {
    forEachOctreeKind([](const std::string& name, const Octree& octree) {
        for (const std::size_t most : {std::size_t{0}, std::size_t{1}, std::size_t{20}, std::size_t{1} << 30U}) {
            SCOPED_TRACE(testing::Message() << name << ", at most " << most);
            const std::vector<shared::CoarseCell> cells = coarseCellsUpTo(octree, most);
            EXPECT_LE(cells.size(), std::max(most, std::size_t{1}));
            std::uint32_t shift = 2 * octree.levels;
            while (shift > 2 && coarseCells(octree, shift - 1).size() <= most) {
                --shift;
            }
            EXPECT_EQ(cells.size(), coarseCells(octree, shift).size());
        }
    });
}

} // namespace
} // namespace aureole::test
