#pragma once

// Options of commands that take a scene: its camera, its voxels and its level of detail.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scene/load.h"
#include "settings/surface_kind.h"

namespace aureole {

/// The camera of that name; without a name, the scene's own. Throws Error (Usage) that lists the cameras.
std::uint32_t findCamera(const Scene& scene, const std::string& name);

/// Where the scene is an octree, its voxels are made already: refuses overrides and changes of the settings of voxels
/// that have an option, which only a voxelisation uses. Throws Error (Usage).
void checkVoxelOptions(const std::vector<SceneOverride>& overrides, const SettingsChanges& changes, const Scene& scene);

/// Refuses options that another surface than this one would need: --error goes with planes, --dag with cubes. `error`
/// is what --error was given, `dag` whether --dag was. Throws Error (Usage).
void checkSurfaceOptions(SurfaceKind surface, const std::optional<double>& error, bool dag);

/// Tells the log which resolutions the cameras chose, and why.
void logResolutions(const Scene& scene);

/// The override that --level stands for. Throws Error (Usage) where `file` is no octree.
SceneOverride levelOverride(const std::string& file, std::uint32_t level);

} // namespace aureole
