#include "bench/traverse/traverse_scene.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "import/octree_header.h"
#include "integrator/camera_params.h"
#include "render/device_scene.h"
#include "scene/load.h"
#include "session/octree.h"
#include "session/scene_options.h"
#include "settings/aov.h"
#include "settings/fields.h"
#include "voxel/build/grid.h"
#include "voxel/build/gyroid.h"
#include "voxel/tree/dag.h"
#include "voxel/tree/level.h"

namespace aureole::bench {

namespace {

View viewBy(std::uint32_t camera, const TraverseSceneOptions& options) {
    View view;
    view.camera = camera;
    view.size = options.size;
    view.cropSize = options.size;
    return view;
}

std::uint32_t sideOf(const Octree& octree) {
    return std::max({octree.grid.size.x, octree.grid.size.y, octree.grid.size.z});
}

/// The octree as it is traced, seen by a camera of the scene.
TraverseScene prepare(const std::string& name, const Scene& scene, std::uint32_t camera, Octree octree,
                      const TraverseSceneOptions& options) {
    TraverseScene result;
    result.name = options.level ? fmt::format("{}, level {}", name, *options.level) : name;
    if (options.dag && octree.encodingKind() != OctreeEncoding::Dag) {
        if (octree.encodingKind() != OctreeEncoding::Tree) {
            fail(ExitCode::Usage, "--dag: found it for {}, an octree of {}, expected one of cubes", name,
                 encodingNames()[octree.encoding.index()]);
        }
        octree = toDag(std::move(octree));
    }
    result.view = viewBy(camera, options);
    result.resolution = sideOf(octree);
    result.camera = makeCameraParams(scene, result.view, gridSpace(octree));
    // A pinhole, and a ray through the centre of each pixel.
    result.camera.apertureRadius = 0.0F;
    result.camera.filterRadius = 0.0F;
    result.octree = std::move(octree);
    return result;
}

/// Throws Error (Usage) for --level where the file is no octree.
std::vector<SceneOverride> overridesOf(const TraverseSceneOptions& options) {
    std::vector<SceneOverride> overrides = options.overrides;
    if (options.level) {
        overrides.push_back(levelOverride(options.file, *options.level));
    }
    return overrides;
}

SettingsChanges changesOf(const TraverseSceneOptions& options, std::uint32_t resolution) {
    SettingsChanges changes = options.changes;
    if (resolution > 0) {
        changes.settings.push_back({&fieldOf(kVoxelFields, "resolution"), resolution});
    }
    changes.aovs = [](const AovSet&) { return AovSet(); };
    return changes;
}

void checkSurface(const Scene& scene, const TraverseSceneOptions& options) {
    const std::optional<SettingChange> error = options.changes.find(fieldOf(kVoxelFields, "error"));
    checkSurfaceOptions(scene.voxels.surface, error ? std::optional(std::get<double>(error->value)) : std::nullopt,
                        options.dag && !scene.octree);
}

RenderedScene load(const TraverseSceneOptions& options, std::uint32_t resolution, bool mayHaveSeveral) {
    const std::optional<SceneCaches> caches = openSceneCaches(!options.noCache);
    const std::vector<SceneOverride> overrides = overridesOf(options);
    const SettingsChanges changes = changesOf(options, resolution);
    RenderedScene result;
    result.name = options.file;
    result.scene = loadScene(options.file, overrides, caches ? &caches->outlines : nullptr, changes);
    checkVoxelOptions(overrides, changes, result.scene);
    checkSurface(result.scene, options);
    result.view = viewBy(findCamera(result.scene, options.camera), options);
    if (result.scene.hasGrids() && !mayHaveSeveral) {
        fail(ExitCode::BadInput,
             "{}: found a scene of several octrees, expected one: rays are measured on one octree; leave out "
             "assets/NAME/voxels",
             result.scene.file.string());
    }
    const OctreeCache* const cache = caches ? &caches->octrees : nullptr;
    ReadyOctree ready;
    if (!result.scene.hasGrids()) {
        ready.octree = findReadyOctree(result.scene, cache, nullptr);
    }
    FoundOctrees found =
        findOctrees(result.scene, overrides, changes, caches, VoxelMaker::Cpu, nullptr, std::move(ready));
    if (found.storing.valid()) {
        found.storing.get();
    }
    if (found.lamps.valid()) {
        found.lamps.wait(); // they are made of the octree where it is
    }
    result.octrees = std::move(*found.octrees);
    for (const Octree& octree : result.octrees) {
        result.resolution = std::max(result.resolution, sideOf(octree));
    }
    return result;
}

} // namespace

bool hasSurfacesWithin(const Octree& octree) {
    return octree.encodingKind() == OctreeEncoding::Planes || octree.encodingKind() == OctreeEncoding::Field;
}

const std::string& surfaceName(const Octree& octree) {
    const SurfaceKind kind = octree.encodingKind() == OctreeEncoding::Planes  ? SurfaceKind::Planes
                             : octree.encodingKind() == OctreeEncoding::Field ? SurfaceKind::Field
                                                                              : SurfaceKind::Cubes;
    return surfaceKindNames()[static_cast<std::size_t>(kind)];
}

void checkGyroid(std::uint32_t side, const TraverseSceneOptions& options, const gpu::DeviceInfo& device,
                 std::uint64_t hostBytes) {
    const std::uint32_t level = options.level.value_or(0);
    const std::uint32_t largest = largestLevel(glm::uvec3(side));
    if (level > largest) {
        fail(ExitCode::Usage, "--level: found {} for a gyroid of {}, expected at most {}, where a single voxel is left",
             level, side, largest);
    }
    const std::uint64_t bytes = leastGyroidVoxels(side) * sizeof(shared::VoxelAttributes);
    const auto expectRoom = [&](const std::string& what, std::uint64_t room) {
        constexpr double kGigabyte = 1e9;
        if (bytes > room) {
            fail(ExitCode::OutOfMemory, "--gyroid: found {}, which takes {:.1f} GB and more; {} has {:.1f} GB", side,
                 static_cast<double>(bytes) / kGigabyte, what, static_cast<double>(room) / kGigabyte);
        }
    };
    expectRoom("this machine", hostBytes);
    if (level == 0 && !device.isCpu) {
        expectRoom(fmt::format("'{}'", device.name), device.memoryBytes);
    }
}

TraverseScene makeGyroidScene(std::uint32_t side, const TraverseSceneOptions& options) {
    Camera camera;
    camera.position = {1.15, 0.8, 1.3};
    camera.target = glm::dvec3(0.5);
    camera.verticalFov = glm::degrees(2.0 * std::atan(0.5));
    Scene scene;
    scene.cameras = {camera};
    Octree octree = takeLevel(makeGyroid(side), options.level.value_or(0));
    return prepare(fmt::format("gyroid {}", side), scene, 0, std::move(octree), options);
}

bool hasSeveralOctrees(const TraverseSceneOptions& options) {
    const std::optional<SceneCaches> caches = openSceneCaches(!options.noCache);
    return loadScene(options.file, overridesOf(options), caches ? &caches->outlines : nullptr, changesOf(options, 0))
        .hasGrids();
}

RenderedScene loadRenderedScene(const TraverseSceneOptions& options, std::uint32_t resolution) {
    return load(options, resolution, true);
}

TraverseScene loadTraverseScene(const TraverseSceneOptions& options, std::uint32_t resolution) {
    RenderedScene loaded = load(options, resolution, false);
    TraverseScene result =
        prepare(options.file, loaded.scene, loaded.view.camera, std::move(loaded.octrees.front()), options);
    result.scene = std::move(loaded.scene);
    return result;
}

} // namespace aureole::bench
