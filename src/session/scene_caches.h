#pragma once

#include <filesystem>
#include <optional>

#include "import/outline_cache.h"
#include "voxel/file/octree_cache.h"

namespace aureole {

/// What the user's cache keeps of scenes.
struct SceneCaches {
    explicit SceneCaches(const std::filesystem::path& folder)
        : outlines(folder / "outlines")
        , octrees(folder / "octrees") {}

    OutlineCache outlines;
    OctreeCache octrees;
};

/// None where they are not wanted or have no place.
std::optional<SceneCaches> openSceneCaches(bool wanted);

} // namespace aureole
