#pragma once

// The coarse cells of an octree that hold something: what coarse_depth.h draws.

#include <cstdint>
#include <vector>

#include "shared/octree/coarse_depth.h"
#include "voxel/tree/octree.h"

namespace aureole {

/// Cubes of 2^shift voxels a side, aligned to their size, that hold every solid voxel, each of them at least one; the
/// inside of a solid, and merged cells of planes, may come in larger ones. `shift` from 2 to 2 * octree.levels.
std::vector<shared::CoarseCell> coarseCells(const Octree& octree, std::uint32_t shift);

/// The finest of them that are at most so many; the whole grid as one where there is no such.
std::vector<shared::CoarseCell> coarseCellsUpTo(const Octree& octree, std::size_t most);

} // namespace aureole
