#pragma once

// The inside of closed meshes: voxels whose centres have a winding number other than 0, or, of meshes without a side,
// an odd number of crossings before them.
//
// Winding numbers are counted along rows of voxels in the direction of x, from crossings of the meshes with the rows'
// centre lines. Which crossings there are is decided exactly, for triangles moved as in coverage.h, so that a line
// through an edge or a vertex crosses a closed mesh as any line does. Bricks are filled in the order of codes, in which
// the neighbour towards -x always comes first, and pass on what winding number their rows leave with; a cube without a
// triangle is inside as a whole or not at all.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "voxel/build/brick_list.h"
#include "voxel/build/closed_meshes.h"
#include "voxel/build/octree_builder.h"

namespace aureole {

/// The crossings of a brick's rows of points with the triangles of closed meshes.
std::vector<RowCrossing> findCrossings(const Primitives& primitives, const BrickList& bricks, const Brick& brick,
                                       const std::vector<Closure>& closures, RowPoints points);

class SolidFill {
public:
    SolidFill(std::uint32_t brickLevels, std::uint32_t octreeLevels)
        : brickLevels_(brickLevels)
        , octreeLevels_(octreeLevels) {}

    /// A cube without triangles that is inside; `code` is in units of its size of 4^levels voxels.
    struct Cube {
        std::uint64_t code = 0;
        std::uint32_t levels = 1;
    };

    /// The cubes inside that lie between the last brick and this one in the order of codes.
    std::vector<Cube> cubesBefore(std::uint64_t brick);

    /// Fills the next brick: `blocks` are those of the surface, and what is returned are they and those inside.
    std::vector<VoxelBlock> fillBrick(std::uint64_t brick, std::vector<RowCrossing>&& crossings,
                                      const std::vector<VoxelBlock>& blocks);

private:
    /// Twice the winding numbers with which a brick's rows leave it, plus 1 for odd parity: inside unless 0.
    struct Rows {
        std::int32_t all = 0;              ///< where they are all the same
        std::vector<std::int32_t> numbers; ///< else by z, then y
    };

    Rows& rowsOf(std::uint64_t brick);
    std::vector<std::uint64_t> insideRows(Rows& rows, const std::vector<RowCrossing>& crossings) const;
    std::uint32_t side() const { return 1U << (2 * brickLevels_); }

    std::uint32_t brickLevels_;
    std::uint32_t octreeLevels_;
    std::uint64_t next_ = 0; ///< the brick after the last
    std::unordered_map<std::uint64_t, Rows> rows_;
};

} // namespace aureole
