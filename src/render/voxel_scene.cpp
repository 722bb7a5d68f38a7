#include "render/voxel_scene.h"

#include <chrono>

#include "voxel/build.h"
#include "voxel/octree_file.h"

namespace aureole {

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The scene's own octree in its place, or its models as voxels.
Octree makeOctree(const Scene& scene) {
    if (!scene.octree) {
        VoxelizeOptions options;
        options.resolution = scene.voxels.resolution;
        options.surface = scene.voxels.surface;
        options.error = scene.voxels.error;
        return voxelizeScene(scene, options);
    }
    Octree octree = loadOctree(scene.octree->file);
    octree.grid.origin = octree.grid.origin * scene.octree->scale + scene.octree->translation;
    octree.grid.voxelSize *= scene.octree->scale;
    return octree;
}

} // namespace

DeviceScene makeVoxelScene(const gpu::Device& device, const Scene& scene, VoxelSceneStats& stats) {
    const Clock::time_point start = Clock::now();
    const Octree octree = makeOctree(scene);
    stats.voxels = octree.voxelCount();
    stats.octreeBytes = octree.bytes();
    stats.buildSeconds = secondsSince(start);
    const Clock::time_point built = Clock::now();
    DeviceScene deviceScene(device, scene, octree);
    stats.uploadSeconds = secondsSince(built);
    return deviceScene;
}

} // namespace aureole
