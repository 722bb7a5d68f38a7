#pragma once

// Levels of detail: level L of an octree has voxels 2^L times as wide.

#include <cstdint>

#include "voxel/tree/octree.h"

namespace aureole {

/// The grid of a level: the same place, voxels 2^level times as wide, the size rounded up.
VoxelGrid levelGrid(const VoxelGrid& grid, std::uint32_t level);

/// A coarser level as an octree of its own, of cubes; level 0 is the octree itself, with its planes or distances.
/// Voxels of even levels have the averages that the octree stores for its leaves and nodes, or the attributes of the
/// merged node of planes that they are in; those of odd levels the mean of the voxels of the level below, at most 8,
/// which count alike. Where there is surface in a voxel of a solid, it has attributes.
/// Throws Error: BadInput for a level above largestLevel (import/octree_header.h) of the grid and for voxels outside
/// the grid, Interrupted.
Octree takeLevel(Octree octree, std::uint32_t level);

/// How many voxels a level has; of planes, those that its cells stand for (plane_walk.h).
std::uint64_t countVoxels(const Octree& octree, std::uint32_t level);

} // namespace aureole
