#include "render/voxel_scene.h"

#include <chrono>
#include <utility>

#include "core/log.h"
#include "voxel/build/build.h"
#include "voxel/file/octree_file.h"
#include "voxel/tree/level.h"

namespace aureole {

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

Octree loadPlaced(const OctreeInstance& instance) {
    Octree octree = takeLevel(loadOctree(instance.file), instance.level);
    octree.grid.origin = octree.grid.origin * instance.scale + instance.translation;
    octree.grid.voxelSize *= instance.scale;
    return octree;
}

/// Voxelises a scene, with all its surfaces.
Octree voxelizeWhole(const Scene& scene, const VoxelSceneOptions& options, const VoxelizeOptions& voxelizing) {
    return scene.outlined || !scene.simulated.empty() ? voxelizeScene(options.loadWhole(), voxelizing)
                                                      : voxelizeScene(scene, voxelizing);
}

/// The octree of a key, if the cache has it.
std::optional<Octree> findKept(const Scene& scene, const OctreeCache& cache, const std::string& key,
                               VoxelSceneStats& stats) {
    std::optional<Octree> octree = cache.find(key);
    if (octree) {
        logInfo("octree   {} from the cache", key);
        if (const auto warning = octree->metadata.find(kWarningKey); warning != octree->metadata.end()) {
            logWarning("{}: {}", scene.file.string(), warning->second);
        }
        stats.cached = true;
    }
    return octree;
}

/// An octree from the cache, or a new one that the cache gets. Of several processes one makes it, and the others wait.
Octree findOrKeep(const Scene& scene, const VoxelSceneOptions& options, const VoxelizeOptions& voxelizing,
                  VoxelSceneStats& stats) {
    const OctreeCache& cache = *options.cache;
    const std::string key = octreeKey(scene, voxelizing);
    if (std::optional<Octree> octree = findKept(scene, cache, key, stats)) {
        return std::move(*octree);
    }
    FileLock lock = cache.lock(key);
    if (std::optional<Octree> octree = findKept(scene, cache, key, stats)) { // made meanwhile
        return std::move(*octree);
    }
    Octree octree = voxelizeWhole(scene, options, voxelizing);
    const Clock::time_point built = Clock::now();
    if (octree.voxelCount() == 0 || !cache.store(key, octree)) {
        lock.giveUp();
    }
    stats.storeSeconds = secondsSince(built);
    return octree;
}

/// The scene's own octree, one from the cache, or its models as voxels.
Octree findOrMakeOctree(const Scene& scene, const VoxelSceneOptions& options, VoxelSceneStats& stats) {
    if (scene.octree) {
        return loadPlaced(*scene.octree);
    }
    VoxelizeOptions voxelizing;
    voxelizing.resolution = scene.voxels.resolution;
    voxelizing.surface = scene.voxels.surface;
    voxelizing.error = scene.voxels.error;
    voxelizing.mayBeEmpty = true;
    return options.cache != nullptr ? findOrKeep(scene, options, voxelizing, stats)
                                    : voxelizeWhole(scene, options, voxelizing);
}

} // namespace

Octree makeSceneOctree(const Scene& scene, const VoxelSceneOptions& options, VoxelSceneStats& stats) {
    const Clock::time_point start = Clock::now();
    Octree octree = findOrMakeOctree(scene, options, stats);
    stats.buildSeconds = secondsSince(start) - stats.storeSeconds;
    stats.voxels = octree.voxelCount();
    stats.cells = octree.encodingKind() == OctreeEncoding::Planes;
    stats.octreeBytes = octree.bytes();
    return octree;
}

} // namespace aureole
