#pragma once

// Grids as NanoVDB 32 has them in memory: one piece, with offsets in bytes. Leaves of 8^3 voxels are in lower nodes of
// 16^3 leaves, these in upper nodes of 32^3, which a root lists. What aureole keeps together, blocks of 16^3 voxels, is
// eight leaves.

#include <array>
#include <cstdint>
#include <vector>

#include "core/math.h"
#include "core/raw_vector.h"
#include "voxel/tree/octree.h"

namespace aureole::bench {

/// A block of 16^3 voxels of which some are solid.
struct NanoBrick {
    glm::uvec3 corner{0};        ///< in voxels
    std::uint32_t node = 0;      ///< whose children are the masks of its 4^3 parts
    bool isFull = false;         ///< all voxels are solid, and there is no such node
    std::uint8_t leafMask = 0;   ///< which of its 2^3 leaves have voxels, x fastest
    std::uint32_t firstLeaf = 0; ///< of the grid
};

/// The bricks of an octree of cubes as a tree in the order of NanoVDB's nodes, and the nodes above.
struct NanoBricks {
    const Octree* octree = nullptr;
    std::vector<NanoBrick> bricks;
    std::vector<glm::uvec3> lower; ///< corners of nodes, in the order in which they stand
    std::vector<glm::uvec3> upper;
    std::vector<std::uint32_t> lowerOf; ///< by brick, the node that it is in
    std::uint32_t leaves = 0;
    glm::uvec3 low{0}; ///< bounds of the solid voxels, both inclusive
    glm::uvec3 high{0};
};

NanoBricks collectBricks(const Octree& octree);

/// The bytes of a grid of floats, or of indices.
std::uint64_t nanoGridBytes(const NanoBricks& bricks, bool isFloat);

/// The grid; active voxels have the value 1, or are numbered leaf by leaf.
RawVector<std::uint64_t> makeNanoGrid(const NanoBricks& bricks, bool isFloat);

} // namespace aureole::bench
