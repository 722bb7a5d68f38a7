#pragma once

// Boxes of any orientation around voxels or the surfaces in them.

#include <array>
#include <cstdint>
#include <span>

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

/// A box in voxels of the grid.
struct FittedBox {
    glm::mat3 axes{1.0F}; ///< its axes, right-handed
    glm::vec3 low{0.0F};  ///< along these
    glm::vec3 high{0.0F};

    float surface() const;
};

/// The box around some voxels that has the least surface among two: the one along the grid's axes, and the one along
/// the commonest normal of the surfaces, turned about that so that its side is least.
FittedBox fitBox(const Octree& octree, std::span<const EmissiveVoxel> voxels);

/// How much of a box hides what is behind it: the share of its sides that the voxels in it cover, seen straight on.
float coveredShare(const Octree& octree, std::span<const EmissiveVoxel> voxels, const FittedBox& box);

/// Sorts the voxels into two parts, by a plane across an axis of their box, so that the boxes of these have the least
/// surface. Returns the size of the first part, which is neither empty nor all, or 0 where no plane parts them.
std::size_t splitBox(const Octree& octree, std::span<EmissiveVoxel> voxels, const FittedBox& box);

} // namespace aureole
