#pragma once

#include "voxel/tree/octree.h"

namespace aureole::test {

/// A copy in memory of its own.
Octree copyOf(const Octree& octree);

/// Whether two octrees are the same byte for byte.
bool identical(const Octree& a, const Octree& b);

} // namespace aureole::test
