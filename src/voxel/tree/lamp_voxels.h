#pragma once

// Which emissive voxels hang together.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "voxel/tree/octree.h"

namespace aureole {

/// Emissive voxels by z, y and x.
struct SlicedVoxels {
    std::vector<EmissiveVoxel> voxels;
    std::vector<std::size_t> begins; ///< index of the first voxel with each z, and behind the last
};

/// The order of voxels within a slice: by y and x.
bool isBeforeInSlice(const EmissiveVoxel& a, const EmissiveVoxel& b);

/// Sorts voxels of a grid of 4^levels a side.
SlicedVoxels sortBySlice(std::uint32_t levels, std::span<const EmissiveVoxel> voxels);

/// The lamps among voxels that are sorted by z, y and x. A lamp is all that touches of one palette entry, if only at a
/// corner; its voxels keep their order.
std::vector<std::vector<EmissiveVoxel>> joinLamps(std::span<const EmissiveVoxel> voxels);

} // namespace aureole
