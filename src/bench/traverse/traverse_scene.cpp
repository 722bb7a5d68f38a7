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
    View view;
    view.camera = camera;
    view.size = options.size;
    view.cropSize = options.size;
    result.resolution = std::max({octree.grid.size.x, octree.grid.size.y, octree.grid.size.z});
    result.camera = makeCameraParams(scene, view, gridSpace(octree));
    // A pinhole, and a ray through the centre of each pixel.
    result.camera.apertureRadius = 0.0F;
    result.camera.filterRadius = 0.0F;
    result.octree = std::move(octree);
    result.view = view;
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

TraverseScene loadTraverseScene(const TraverseSceneOptions& options, std::uint32_t resolution) {
    const std::optional<SceneCaches> caches = openSceneCaches(!options.noCache);
    const std::vector<SceneOverride> overrides = overridesOf(options);
    const SettingsChanges changes = changesOf(options, resolution);
    Scene scene = loadScene(options.file, overrides, caches ? &caches->outlines : nullptr, changes);
    checkVoxelOptions(overrides, changes, scene);
    checkSurface(scene, options);
    const std::uint32_t camera = findCamera(scene, options.camera);
    if (scene.hasGrids()) {
        fail(ExitCode::BadInput,
             "{}: found a scene of several octrees, expected one: benchmarks take one octree; leave out "
             "assets/NAME/voxels",
             scene.file.string());
    }
    const OctreeCache* const cache = caches ? &caches->octrees : nullptr;
    FoundOctrees found = findOctrees(scene, overrides, changes, caches, nullptr, findReadyOctree(scene, cache));
    if (found.storing.valid()) {
        found.storing.get();
    }
    TraverseScene result = prepare(options.file, scene, camera, std::move(found.octrees->front()), options);
    result.scene = std::move(scene);
    return result;
}

} // namespace aureole::bench
