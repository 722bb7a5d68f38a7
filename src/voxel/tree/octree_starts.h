#pragma once

// Where rays enter an octree below its root: the table that shared/octree/octree.h calls starts.

#include <vector>

#include "voxel/tree/octree.h"

namespace aureole {

/// The OctreeStart of each of 2^bits parts of the grid along each axis, x fastest; bits are 2, 4 or 6.
std::vector<shared::OctreeStart> octreeStarts(const Octree& octree, std::uint32_t bits = OCTREE_START_BITS);

/// The bits of a table that enters no less deep than the largest, or, of sparse octrees, takes no more than four times
/// what they take.
std::uint32_t startBitsThatPay(const Octree& octree);

} // namespace aureole
