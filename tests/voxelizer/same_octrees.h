#pragma once

#include <string>

#include "voxel/tree/octree.h"

namespace aureole::test {

/// Expects the same occupancy, order, planes and palettes, and attributes and distances within a step.
void expectSame(const Octree& device, const Octree& cpu, const std::string& what);

} // namespace aureole::test
