#pragma once

#include <filesystem>

#include <nlohmann/json.hpp>

#include "voxel/octree.h"

namespace aureole::cli {

/// Whether a file is named as octree files are.
bool isOctreeFile(const std::filesystem::path& file);

/// What an octree's voxelCount counts: "voxel" or, of planes, "cell".
const char* unitName(const Octree& octree);

/// All about an octree file, which is loaded and so checked. Of planes, `voxels` and `cells` are both the cells, each
/// of which stands for one voxel or many. Throws Error (BadInput).
nlohmann::ordered_json describeOctree(const std::filesystem::path& file);

} // namespace aureole::cli
