#pragma once

#include <cstdint>
#include <optional>

#include "voxel/surface/surface_sum.h"
#include "voxel/tree/octree.h"

namespace aureole {

/// What a leaf shows in the mean.
struct LeafAverage {
    shared::VoxelAttributes attributes{};
    AverageMaterial material;
};

LeafAverage averageLeaf(const SurfaceSum& sum);

/// One block of 4x4x4 voxels: what the octree is built from.
struct VoxelBlock {
    std::uint64_t code = 0; ///< of the block (cell_code.h): of voxel coordinates divided by 4
    std::uint64_t mask = 0; ///< solid voxels, by cellBit
    /// Those of them that are inside a solid and have no attributes; for octrees of solids only.
    std::uint64_t inside = 0;
    /// Where not 0, a node in an octree of planes that is one cell in place of its voxels, 4^merged of them a side;
    /// code and mask are then those of that node.
    std::uint32_t merged = 0;
    SurfaceSum sum = {}; ///< of its surfaces, for the averages above it
    /// That of the sum, where whoever has made the block has made that too: the builder is one thread's.
    std::optional<LeafAverage> average = {};

    bool operator==(const VoxelBlock& other) const {
        return code == other.code && mask == other.mask && inside == other.inside && merged == other.merged &&
               sum == other.sum;
    }
};

} // namespace aureole
