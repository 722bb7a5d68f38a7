#pragma once

#include <random>

#include "voxel/tree/octree.h"

namespace aureole::test {

/// Uses an octree as renderers and exporters do, at places by `random`; ranges and figures are checked. Its arrays
/// should be in memory of their own, so that a sanitizer sees what is behind their ends. Throws std::logic_error where
/// an octree says what it must not.
void useOctree(const Octree& octree, std::mt19937_64& random);

} // namespace aureole::test
