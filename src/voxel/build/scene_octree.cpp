#include "voxel/build/scene_octree.h"

#include <utility>

#include "core/log.h"
#include "core/trace.h"
#include "voxel/file/octree_file.h"
#include "voxel/tree/level.h"

namespace aureole {

namespace {

Octree loadPlaced(const OctreeInstance& instance) {
    Octree octree = takeLevel(loadOctree(instance.file), instance.level);
    octree.grid.origin = octree.grid.origin * instance.scale + instance.translation;
    octree.grid.voxelSize *= instance.scale;
    return octree;
}

VoxelizeOptions voxelizingOf(const VoxelSettings& settings) {
    VoxelizeOptions voxelizing;
    voxelizing.resolution = settings.resolution;
    voxelizing.surface = settings.surface;
    voxelizing.error = settings.error;
    voxelizing.attributes = settings.attributes;
    voxelizing.mayBeEmpty = true;
    return voxelizing;
}

} // namespace

std::optional<Octree> findReadyOctree(const Scene& scene, const OctreeCache* cache) {
    if (scene.octree) {
        return loadPlaced(*scene.octree);
    }
    return cache != nullptr ? cache->find(octreeKey(scene, voxelizingOf(scene.voxels))) : std::nullopt;
}

SceneOctree::SceneOctree(const Scene& scene, const OctreeCache* cache, std::optional<Octree> ready)
    : scene_(&scene)
    , cache_(cache)
    , voxelizing_(voxelizingOf(scene.voxels))
    , found_(std::move(ready)) {
    if (scene.octree || cache_ == nullptr) {
        return;
    }
    key_ = octreeKey(scene, voxelizing_);
    if (!found_) {
        // A lock cannot be moved. NOLINTNEXTLINE(modernize-make-unique)
        lock_ = std::unique_ptr<FileLock>(new FileLock(cache_->lock(key_)));
        found_ = cache_->find(key_); // another process may have made it meanwhile
    }
    if (found_) {
        lock_.reset();
        noteKept();
    }
}

/// Tells of an octree that came from the cache.
void SceneOctree::noteKept() {
    logInfo("octree   {} from the cache", key_);
    if (const auto warning = found_->metadata.find(kWarningKey); warning != found_->metadata.end()) {
        logWarning("{}: {}", scene_->file.string(), warning->second);
    }
    figures_.cached = true;
}

bool SceneOctree::needsWholeScene() const {
    return !found_ && (scene_->outlined || !scene_->simulated.empty());
}

Octree SceneOctree::take(const Scene& whole) {
    Octree octree = found_ ? std::move(*found_) : voxelizeScene(whole, voxelizing_);
    figures_.buildSeconds = clock_.seconds();
    figures_.voxels = octree.voxelCount();
    figures_.cells = octree.encodingKind() == OctreeEncoding::Planes;
    figures_.octreeBytes = octree.bytes();
    return octree;
}

void SceneOctree::store(const Octree& taken) {
    if (!lock_) {
        return;
    }
    const TraceSpan span("store octree");
    if (taken.voxelCount() == 0 || !cache_->store(key_, taken)) {
        lock_->giveUp();
    }
    lock_.reset();
}

} // namespace aureole
