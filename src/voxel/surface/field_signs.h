#pragma once

// Which corners of voxels are inside closed meshes: those with a winding number other than 0, or, of meshes without a
// side, with an odd number of crossings before them.
//
// Counted as the inside of solids is (solid_fill.h), exactly and for triangles moved as in coverage.h, but along rows
// of corners. A voxel is part of the surface where its closed cube meets a moved triangle, so the corners of any other
// are all inside or all outside: the surface between corners inside and outside is closed within the voxels.

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "shared/octree/field.h"
#include "voxel/build/brick.h"
#include "voxel/build/closed_meshes.h"

namespace aureole {

/// The closures of a scene's meshes. Throws ConflictError where a field cannot show the scene: for a mesh that is not
/// closed or whose material is not opaque, and for voxel models.
std::vector<Closure> fieldClosures(const Primitives& primitives);

/// Twice the winding numbers that a brick's rows of corners have where they enter it or leave it, plus 1 for odd
/// parity: inside unless 0.
struct FieldRows {
    std::int32_t all = 0;              ///< where they are all the same
    std::vector<std::int32_t> numbers; ///< else by z, then y
};

/// Goes through bricks in the order of codes, in which the neighbour towards -x always comes first, and passes on what
/// winding number their rows leave with. Rows on the border of bricks are counted in all of them. Only this goes brick
/// by brick; turning, which is most of the work, does not hang on other bricks.
class FieldSigns {
public:
    explicit FieldSigns(std::uint32_t brickLevels)
        : side_(1U << (2 * brickLevels))
        , blocks_(std::uint64_t{1} << (6 * (brickLevels - 1))) {}

    /// What the rows of the next brick enter with. `crossings` are those of its rows of corners, in their order
    /// (sortCrossings).
    FieldRows enter(std::uint64_t brick, const std::vector<RowCrossing>& crossings);

    /// Turns the distances of those corners of a brick's voxels that are inside. `voxels` are one for each voxel of its
    /// blocks, all outside. Only those are turned that are `ofOpaque` or are not, as given. May be called by several
    /// threads.
    void turn(const FieldRows& entering, const std::vector<RowCrossing>& crossings,
              const std::vector<VoxelBlock>& blocks, bool ofOpaque, std::vector<FieldVoxel>& voxels) const;
    /// Likewise the distances of all voxels of a brick, which go to `to`.
    void turn(const FieldRows& entering, const std::vector<RowCrossing>& crossings,
              const std::vector<VoxelBlock>& blocks, std::span<const shared::CornerDistances> distances,
              shared::CornerDistances* to) const;

private:
    template <typename Turn>
    void visitVoxels(const std::vector<VoxelBlock>& blocks, const Turn& turn) const;

    std::uint32_t side_;
    std::uint64_t blocks_; ///< of a brick
    std::unordered_map<std::uint64_t, FieldRows> rows_;
};

/// Puts crossings in the order of rows, those of a row from left to right.
void sortCrossings(std::vector<RowCrossing>& crossings);

} // namespace aureole
