#pragma once

// Boxes of any orientation around voxels or the surfaces in them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/math.h"
#include "voxel/tree/octree.h"

namespace aureole {

/// The corners of what a ray may meet of a voxel: of a cube, of the part of a slab in it, or of a field where it
/// crosses the voxel's edges, between which it may bulge a little.
struct VoxelShape {
    std::array<glm::vec3, 32> points; ///< in voxels of the grid
    std::uint32_t count = 0;
    glm::vec3 normal{0.0F}; ///< of the surface, or 0
};

/// That of a voxel with attributes.
VoxelShape shapeOf(const Octree& octree, const EmissiveVoxel& voxel);

/// The area of the surface in a voxel of planes or of a field, in squares of the voxel's side: of the middle of a slab,
/// which is not all of the voxel, or of the polygon between the voxel's edges.
double surfaceAreaOf(const Octree& octree, const EmissiveVoxel& voxel);

/// The shapes of a lamp's voxels.
class LampShapes {
public:
    LampShapes(const Octree& octree, std::span<const EmissiveVoxel> voxels);

    std::size_t size() const { return normals_.size(); }
    /// The corners of a voxel's shape.
    std::span<const glm::vec3> corners(std::size_t voxel) const {
        return std::span(points_).subspan(begins_[voxel], begins_[voxel + 1] - begins_[voxel]);
    }
    std::span<const glm::vec3> points() const { return points_; }
    std::span<const glm::vec3> normals() const { return normals_; }

private:
    std::vector<glm::vec3> points_;
    std::vector<std::size_t> begins_; ///< of each voxel's points, and the end
    std::vector<glm::vec3> normals_;
};

/// A box in voxels of the grid.
struct FittedBox {
    glm::mat3 axes{1.0F}; ///< its axes, right-handed
    glm::vec3 low{0.0F};  ///< along these
    glm::vec3 high{0.0F};

    float surface() const;
};

/// The box around some voxels that has the least surface among two: the one along the grid's axes, and the one along
/// the commonest normal of the surfaces, turned about that so that its side is least.
FittedBox fitBox(const LampShapes& shapes);

/// How much of a box hides what is behind it: the share of its sides that the voxels in it cover, seen straight on.
float coveredShare(const LampShapes& shapes, const FittedBox& box);

/// Sorts the voxels, which have these shapes, into two parts, by a plane across an axis of their box, so that the boxes
/// of these have the least surface. Returns the size of the first part, which is neither empty nor all, or 0 where no
/// plane parts them.
std::size_t splitBox(std::span<EmissiveVoxel> voxels, const LampShapes& shapes, const FittedBox& box);

} // namespace aureole
