#pragma once

// The faces between solid and empty voxels.

#include <array>
#include <cstdint>
#include <functional>

#include "voxel/tree/octree.h"

namespace aureole {

/// A corner of a face: a corner of the grid's voxels, less 1/256 of a voxel along the axes whose bits are set in
/// `inset`.
struct QuadCorner {
    glm::ivec3 cell{0};
    std::uint32_t inset = 0;
};

/// The world position of a corner.
glm::dvec3 cornerPosition(const VoxelGrid& grid, const QuadCorner& corner);

/// Counter-clockwise seen from outside.
struct ExposedQuad {
    std::array<QuadCorner, 4> corners;
    shared::VoxelAttributes attributes{}; ///< of its voxel, without a meaning of the emission number
    glm::vec3 radiance{0.0F};
};

struct QuadCalls {
    std::function<void(const ExposedQuad&)> onQuad;
    /// Where a cube of 64^3 voxels has been left, in the order of codes, and where further voxels are behind.
    std::function<void()> onTile;
    std::function<void(std::uint64_t voxels)> onVoxels;
};

/// The faces of all exposed voxels, block by block in the order of codes.
///
/// A face towards + lies on the boundary of the next voxel, to which coverage.h gives it. So that the faces, voxelised
/// on the same grid, give the very voxels that they are of, those are drawn in by 1/256 voxel, and so are the corners
/// that they share with others, where these stay within solid voxels; elsewhere, as at edges where voxels touch in a
/// line only, corners are split.
void walkExposedQuads(const Octree& octree, const QuadCalls& calls);

/// Side of the tiles of onTile.
inline constexpr int kQuadTile = 64;

} // namespace aureole
