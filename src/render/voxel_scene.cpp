#include "render/voxel_scene.h"

#include <chrono>

#include "voxel/build.h"

namespace aureole {

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

} // namespace

DeviceScene makeVoxelScene(const gpu::Device& device, const Scene& scene, VoxelSceneStats& stats) {
    const Clock::time_point start = Clock::now();
    const Octree octree = voxelizeScene(scene, scene.voxels.resolution);
    stats.voxels = octree.voxelCount();
    stats.octreeBytes = octree.bytes();
    stats.buildSeconds = secondsSince(start);
    const Clock::time_point built = Clock::now();
    DeviceScene deviceScene(device, scene, octree);
    stats.uploadSeconds = secondsSince(built);
    return deviceScene;
}

} // namespace aureole
