#include "render/voxel_scene.h"

#include <chrono>
#include <utility>

#include "core/log.h"
#include "voxel/build.h"
#include "voxel/level.h"
#include "voxel/octree_file.h"

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

/// Voxelises a scene with all its surfaces, and keeps the octree.
Octree voxelizeAndKeep(const Scene& scene, const VoxelSceneOptions& options, const VoxelizeOptions& voxelizing,
                       VoxelSceneStats& stats) {
    Octree octree = voxelizeScene(scene, voxelizing);
    if (options.cache != nullptr && octree.voxelCount() > 0) {
        const Clock::time_point built = Clock::now();
        options.cache->store(octreeKey(scene, voxelizing), octree);
        stats.storeSeconds = secondsSince(built);
    }
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
    if (options.cache != nullptr) {
        const std::string key = octreeKey(scene, voxelizing);
        if (std::optional<Octree> octree = options.cache->find(key)) {
            logInfo("octree   {} from the cache", key);
            if (const auto warning = octree->metadata.find(kWarningKey); warning != octree->metadata.end()) {
                logWarning("{}: {}", scene.file.string(), warning->second);
            }
            stats.cached = true;
            return std::move(*octree);
        }
    }
    return scene.outlined || !scene.simulated.empty() ? voxelizeAndKeep(options.loadWhole(), options, voxelizing, stats)
                                                      : voxelizeAndKeep(scene, options, voxelizing, stats);
}

} // namespace

Octree makeSceneOctree(const Scene& scene, const VoxelSceneOptions& options, VoxelSceneStats& stats) {
    const Clock::time_point start = Clock::now();
    Octree octree = findOrMakeOctree(scene, options, stats);
    stats.buildSeconds = secondsSince(start) - stats.storeSeconds;
    stats.voxels = octree.voxelCount();
    stats.cells = octree.encoding == OctreeEncoding::Planes;
    stats.octreeBytes = octree.bytes();
    return octree;
}

} // namespace aureole
