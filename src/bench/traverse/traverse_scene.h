#pragma once

// Octrees for the traversal benchmark, and what they are seen by.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpu/device.h"
#include "scene/load.h"
#include "scene/scene.h"
#include "scene/view.h"
#include "settings/changes.h"
#include "shared/path/camera.h"
#include "voxel/tree/octree.h"

namespace aureole::bench {

/// What is traced, and from where.
struct TraverseScene {
    std::string name;
    std::uint32_t resolution = 0; ///< voxels along the longest side
    Octree octree;
    shared::CameraParams camera{};
    std::optional<Scene> scene; ///< of a file: what paths need
    View view;
};

/// A scene of a file as it is rendered: with the octrees of its grids, in their order, or the only one.
struct RenderedScene {
    std::string name;
    std::uint32_t resolution = 0; ///< voxels along the longest side of the largest octree
    Scene scene;
    std::vector<Octree> octrees;
    View view;
};

/// Whether rays may pass by what is in a voxel: in octrees of planes and fields.
bool hasSurfacesWithin(const Octree& octree);

/// "cubes", "planes" or "field", whatever encoding cubes have.
const std::string& surfaceName(const Octree& octree);

/// What the command line says of a scene's, or a gyroid's, octree. What is missing is the scene's.
struct TraverseSceneOptions {
    std::string file;                     ///< scene, model or octree
    std::vector<SceneOverride> overrides; ///< --set
    SettingsChanges changes;              ///< --surface and --error
    std::string camera;                   ///< by name; empty: the scene's own
    std::optional<std::uint32_t> level;   ///< of detail
    bool dag = false;                     ///< with equal subtrees merged
    bool noCache = false;
    glm::uvec2 size{0}; ///< of the picture
};

/// Refuses a gyroid that has no such level (Usage), or whose attributes alone, 12 bytes a voxel, do not fit into the
/// host's memory or the device's (OutOfMemory): to make the largest takes long. What a software device says of its
/// memory is no limit.
void checkGyroid(std::uint32_t side, const TraverseSceneOptions& options, const gpu::DeviceInfo& device,
                 std::uint64_t hostBytes);

/// A gyroid on a grid of side^3 (voxel/build/gyroid.h), seen from outside. Throws what makeGyroid, takeLevel and toDag
/// throw.
TraverseScene makeGyroidScene(std::uint32_t side, const TraverseSceneOptions& options);

/// Whether the file is a scene of several octrees, which loadTraverseScene refuses. Throws what loadScene throws.
bool hasSeveralOctrees(const TraverseSceneOptions& options);

/// The file's octrees, or its models as voxels, from the cache where that has them. `resolution` 0 is the scene's.
/// Throws Error (Usage) for options that the scene has no use for, and what loadScene and findOctrees throw.
RenderedScene loadRenderedScene(const TraverseSceneOptions& options, std::uint32_t resolution);

/// The same of a scene of one octree. Throws Error (BadInput) for one of several too.
TraverseScene loadTraverseScene(const TraverseSceneOptions& options, std::uint32_t resolution);

} // namespace aureole::bench
