#pragma once

#include <cstdint>
#include <filesystem>

#include "voxel/tree/octree.h"

namespace aureole {

/// What a subtree holds, as a tree.
struct TreeTotals {
    std::uint64_t voxels = 0;
    std::uint64_t attributes = 0;
    std::uint64_t leaves = 0;
    std::uint64_t nodes = 0; ///< inner ones
};

/// Checks the occupancy of a DAG that came from outside: that every index leads into the level below, that all of it is
/// in use, and that the counts of attributes are right. Takes time by the size of the DAG, not by that of the tree.
/// Throws Error (BadInput).
TreeTotals checkDag(const std::filesystem::path& file, const Octree& octree, const DagEncoding& dag);

} // namespace aureole
