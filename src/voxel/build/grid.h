#pragma once

#include <cstdint>

#include "scene/scene.h"
#include "voxel/tree/octree.h"

namespace aureole {

/// The number of octree levels of a grid: the smallest, at least 2, with 4^levels voxels along the longest side.
std::uint32_t octreeLevels(const glm::uvec3& size);

/// The grid of a scene: the longest side of the world bounds of all triangles and voxel models is `resolution` voxels,
/// the others are rounded up, flat ones to one voxel. A voxel model counts with its whole size, so that a lone model at
/// the resolution of its longest side maps one to one.
/// Throws Error (BadInput) naming the meshes or models where the resolution is outside 16 to 16384, a vertex or
/// transform is not finite, a model's transform cannot be inverted, or there is nothing with an area to voxelise; with
/// `mayBeEmpty` that gives a grid of no voxels.
VoxelGrid fitGrid(const Scene& scene, std::uint32_t resolution, bool mayBeEmpty = false);

} // namespace aureole
