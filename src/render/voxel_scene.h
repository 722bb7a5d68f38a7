#pragma once

#include <cstdint>

#include "gpu/device.h"
#include "render/device_scene.h"
#include "scene/scene.h"

namespace aureole {

/// Figures of a voxelised scene.
struct VoxelSceneStats {
    std::uint64_t voxels = 0;
    std::uint64_t octreeBytes = 0;
    double buildSeconds = 0.0;  ///< voxelising and building the octree
    double uploadSeconds = 0.0; ///< to the device
};

/// Voxelises a scene at the resolution of its settings, or loads its octree, and puts it in device memory; the octree
/// is not kept on the host. `scene` outlives the result. Throws what voxelizeScene, loadOctree and DeviceScene throw.
DeviceScene makeVoxelScene(const gpu::Device& device, const Scene& scene, VoxelSceneStats& stats);

} // namespace aureole
