#pragma once

#include <filesystem>

#include <nlohmann/json.hpp>

namespace aureole::cli {

/// Whether a file is named as octree files are.
bool isOctreeFile(const std::filesystem::path& file);

/// All about an octree file, which is loaded and so checked. Throws Error (BadInput).
nlohmann::ordered_json describeOctree(const std::filesystem::path& file);

} // namespace aureole::cli
