#include "bench/traverse/traverse_scene.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "import/octree_header.h"
#include "render/device_scene.h"
#include "scene/load.h"
#include "session/octree.h"
#include "session/scene_options.h"
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

std::vector<SceneOverride> overridesOf(const TraverseSceneOptions& options, std::uint32_t resolution) {
    std::vector<SceneOverride> overrides = options.overrides;
    if (resolution > 0) {
        overrides.emplace_back("/voxels/resolution", fmt::to_string(resolution));
    }
    if (options.surface) {
        overrides.emplace_back("/voxels/surface",
                               fmt::format("\"{}\"", surfaceKindNames()[static_cast<std::size_t>(*options.surface)]));
    }
    if (options.error) {
        overrides.emplace_back("/voxels/error", fmt::to_string(*options.error));
    }
    if (options.level) {
        overrides.push_back(levelOverride(options.file, *options.level));
    }
    return overrides;
}

void checkSurface(const Scene& scene, const TraverseSceneOptions& options) {
    const std::string& surface = surfaceKindNames()[static_cast<std::size_t>(scene.voxels.surface)];
    if (options.error && scene.voxels.surface != SurfaceKind::Planes) {
        fail(ExitCode::Usage, "--error: found {} with surface '{}', expected surface 'planes'", *options.error,
             surface);
    }
    if (options.dag && !scene.octree && scene.voxels.surface != SurfaceKind::Cubes) {
        fail(ExitCode::Usage, "--dag: found surface '{}', expected surface 'cubes'", surface);
    }
}

} // namespace

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

TraverseScene loadTraverseScene(const TraverseSceneOptions& options, std::uint32_t resolution) {
    const std::optional<SceneCaches> caches = openSceneCaches(!options.noCache);
    const std::vector<SceneOverride> overrides = overridesOf(options, resolution);
    Scene scene = loadScene(options.file, overrides, caches ? &caches->outlines : nullptr);
    checkVoxelOptions(overrides, {}, scene);
    checkSurface(scene, options);
    const std::uint32_t camera = findCamera(scene, options.camera);
    Octree octree = findOctree(scene, overrides, {}, caches, nullptr).octree;
    TraverseScene result = prepare(options.file, scene, camera, std::move(octree), options);
    scene.film.aovs = {};
    result.scene = std::move(scene);
    return result;
}

} // namespace aureole::bench
