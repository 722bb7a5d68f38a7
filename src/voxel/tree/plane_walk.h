#pragma once

// Octrees of planes as the voxels that they stand for. A merged node's are those that its slab passes through, within
// the parts where it has surface, all with the node's attributes; at coarser levels likewise, until the node itself is
// the voxel, with its average. The voxels of a level are those that hold finer ones.

#include <cstdint>

#include "voxel/tree/level_walk.h"

namespace aureole {

/// Does what walkOctree does, for an octree with planes.
void walkPlanes(const Octree& octree, const PlanesEncoding& planes, std::uint32_t height, const WalkCalls& calls);

/// As solidMask, for the block of a code within an octree of planes.
std::uint64_t planesSolidMask(const Octree& octree, const PlanesEncoding& planes, std::uint64_t block);

} // namespace aureole
