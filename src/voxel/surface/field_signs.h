#pragma once

// Which corners of voxels are inside closed meshes: those with a winding number other than 0, or, of meshes without a
// side, with an odd number of crossings before them.
//
// Counted as the inside of solids is (solid_fill.h), exactly and for triangles moved as in coverage.h, but along rows
// of corners. A voxel is part of the surface where its closed cube meets a moved triangle, so the corners of any other
// are all inside or all outside: the surface between corners inside and outside is closed within the voxels.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "shared/octree/field.h"
#include "voxel/build/brick.h"
#include "voxel/build/closed_meshes.h"

namespace aureole {

/// The closures of a scene's meshes. Throws ConflictError where a field cannot show the scene: for a mesh that is not
/// closed or whose material is not opaque, and for voxel models.
std::vector<Closure> fieldClosures(const Primitives& primitives);

/// Goes through bricks in the order of codes, in which the neighbour towards -x always comes first, and passes on what
/// winding number their rows leave with. Rows on the border of bricks are counted in all of them.
class FieldSigns {
public:
    explicit FieldSigns(std::uint32_t brickLevels)
        : side_(1U << (2 * brickLevels))
        , blocks_(std::uint64_t{1} << (6 * (brickLevels - 1))) {}

    /// Turns the distances of those corners of the next brick's voxels that are inside. `crossings` are those of its
    /// rows of corners, `voxels` one for each voxel of its blocks, all outside. Only those are turned that are
    /// `ofOpaque` or are not, as given.
    void apply(std::uint64_t brick, std::vector<RowCrossing>&& crossings, const std::vector<VoxelBlock>& blocks,
               bool ofOpaque, std::vector<FieldVoxel>& voxels);

private:
    /// Twice the winding numbers with which a brick's rows leave it, plus 1 for odd parity: inside unless 0.
    struct Rows {
        std::int32_t all = 0;              ///< where they are all the same
        std::vector<std::int32_t> numbers; ///< else by z, then y
    };

    void findInside(Rows& rows, const std::vector<RowCrossing>& crossings);
    shared::CornerDistances turned(const glm::uvec3& voxel, shared::CornerDistances distances) const;

    std::uint32_t side_;
    std::uint64_t blocks_; ///< of a brick
    std::unordered_map<std::uint64_t, Rows> rows_;
    std::vector<std::uint8_t> inside_; ///< of the current brick's corners, 0 or 1, by z, then y, then x
};

} // namespace aureole
