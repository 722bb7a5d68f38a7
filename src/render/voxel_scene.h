#pragma once

#include <cstdint>
#include <functional>

#include "gpu/device.h"
#include "render/device_scene.h"
#include "scene/scene.h"
#include "voxel/octree_cache.h"

namespace aureole {

/// Where a scene's octree may come from besides its models.
struct VoxelSceneOptions {
    const OctreeCache* cache = nullptr; ///< is asked first, and gets what it does not have
    /// Loads an outlined scene again, with its surfaces; called where the cache does not have its octree.
    std::function<Scene()> loadWhole;
};

/// Figures of a voxelised scene.
struct VoxelSceneStats {
    std::uint64_t voxels = 0;
    bool cells = false; ///< the voxels are cells of planes, which stand for one voxel or many
    std::uint64_t octreeBytes = 0;
    bool cached = false;        ///< the octree came from the cache
    double buildSeconds = 0.0;  ///< voxelising and building the octree, or loading it
    double storeSeconds = 0.0;  ///< into the cache
    double uploadSeconds = 0.0; ///< to the device
};

/// The scene's own octree in its place, one from the cache, or its models as voxels. Fills in all figures but those of
/// the octree and the upload. Throws what voxelizeScene, loadOctree and `loadWhole` throw.
Octree makeSceneOctree(const Scene& scene, const VoxelSceneOptions& options, VoxelSceneStats& stats);

/// Voxelises a scene at the resolution of its settings, or loads its octree, and puts it in device memory; the octree
/// is not kept on the host. `scene` outlives the result. Throws what voxelizeScene, loadOctree, `loadWhole` and
/// DeviceScene throw.
DeviceScene makeVoxelScene(const gpu::Device& device, const Scene& scene, const VoxelSceneOptions& options,
                           VoxelSceneStats& stats);

} // namespace aureole
