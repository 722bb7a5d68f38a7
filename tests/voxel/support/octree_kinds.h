#pragma once

// Octrees of every kind, for what walks them without a look at attributes.

#include <functional>
#include <string>

#include "voxel/tree/octree.h"

namespace aureole::test {

/// Calls visit with an empty octree, a gyroid as tree and as DAG, a shape alone, solids with full nodes, a full grid,
/// planes with merged nodes, and two specks at the ends of a deep one.
void forEachOctreeKind(const std::function<void(const std::string& name, const Octree& octree)>& visit);

} // namespace aureole::test
