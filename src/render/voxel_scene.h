#pragma once

#include <cstdint>
#include <functional>

#include "scene/scene.h"
#include "voxel/file/octree_cache.h"
#include "voxel/tree/octree.h"

namespace aureole {

/// Where a scene's octree may come from besides its models.
struct VoxelSceneOptions {
    const OctreeCache* cache = nullptr; ///< is asked first, and gets what it does not have
    /// Loads a scene that is outlined, or has textures to be simulated, again, with its surfaces and all textures made;
    /// called where the cache does not have its octree.
    std::function<Scene()> loadWhole;
};

/// Figures of a voxelised scene.
struct VoxelSceneStats {
    std::uint64_t voxels = 0;
    bool cells = false; ///< the voxels are cells of planes, which stand for one voxel or many
    std::uint64_t octreeBytes = 0;
    bool cached = false;       ///< the octree came from the cache
    double buildSeconds = 0.0; ///< voxelising and building the octree, or loading it
    double storeSeconds = 0.0; ///< into the cache
};

/// The scene's own octree in its place, one from the cache, or its models as voxels at the resolution of its settings.
/// Throws what voxelizeScene, loadOctree and `loadWhole` throw.
Octree makeSceneOctree(const Scene& scene, const VoxelSceneOptions& options, VoxelSceneStats& stats);

} // namespace aureole
