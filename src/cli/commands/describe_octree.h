#pragma once

#include <filesystem>

#include <nlohmann/json.hpp>

#include "voxel/tree/octree.h"

namespace aureole::cli {

/// All about an octree file, which is loaded and so checked. Of planes, `voxels` and `cells` are both the cells, each
/// of which stands for one voxel or many. Throws Error (BadInput).
nlohmann::ordered_json describeOctree(const std::filesystem::path& file);

} // namespace aureole::cli
