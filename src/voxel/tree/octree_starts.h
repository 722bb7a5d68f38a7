#pragma once

// Where rays enter an octree below its root: the table that shared/octree/octree.h calls starts.

#include <vector>

#include "voxel/tree/octree.h"

namespace aureole {

/// The OctreeStart of each part of the grid, x fastest.
std::vector<shared::OctreeStart> octreeStarts(const Octree& octree);

} // namespace aureole
