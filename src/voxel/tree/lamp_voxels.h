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

/// Sorts voxels of a grid of 4^levels a side.
SlicedVoxels sortBySlice(std::uint32_t levels, std::span<const EmissiveVoxel> voxels);

/// The lamps among voxels: those that touch, if only at a corner, and whose palette entries are of one of the `kinds`,
/// which has a number for each entry. Indices of the voxels of each, in their order.
std::vector<std::vector<std::uint32_t>> joinLamps(const SlicedVoxels& sliced, std::span<const std::uint32_t> kinds);

} // namespace aureole
