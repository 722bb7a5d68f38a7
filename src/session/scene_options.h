#pragma once

// Options of commands that take a scene: its camera, its voxels and its level of detail.

#include <cstdint>
#include <string>
#include <vector>

#include "scene/load.h"

namespace aureole {

/// The camera of that name; without a name, the scene's own. Throws Error (Usage) that lists the cameras.
std::uint32_t findCamera(const Scene& scene, const std::string& name);

/// Refuses overrides of what --resolution, --surface and --error set, where the scene is an octree. Throws Error
/// (Usage).
void checkVoxelOverrides(const std::vector<SceneOverride>& overrides, const Scene& scene);

/// The same for changes by those options. Throws Error (Usage).
void checkVoxelChanges(const SettingsChanges& changes, const Scene& scene);

/// The override that --level stands for. Throws Error (Usage) where `file` is no octree.
SceneOverride levelOverride(const std::string& file, std::uint32_t level);

} // namespace aureole
