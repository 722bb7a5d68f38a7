#pragma once

// The leaves of octrees of cubes, for peers that trace boxes.

#include <cstdint>
#include <vector>

#include "voxel/tree/octree.h"

namespace aureole::bench {

/// A part of 4^3 voxels of which some are solid.
struct OctreePart {
    glm::uvec3 corner{0}; ///< in voxels
    std::uint64_t mask = 0;
};

/// The parts of an octree of cubes as a tree. Those of one node stand together.
std::vector<OctreePart> findParts(const Octree& octree);

} // namespace aureole::bench
