#include "voxel/build/scene_octree.h"

#include <utility>

#include "core/log.h"
#include "core/trace.h"
#include "voxel/build/brick_maker.h"
#include "voxel/file/octree_file.h"
#include "voxel/tree/dag.h"
#include "voxel/tree/level.h"

namespace aureole {

namespace {

Octree loadPlaced(const OctreeInstance& instance) {
    Octree octree = takeLevel(loadOctree(instance.file), instance.level);
    octree.grid.origin = octree.grid.origin * instance.scale + instance.translation;
    octree.grid.voxelSize *= instance.scale;
    return octree;
}

VoxelizeOptions voxelizingOf(const VoxelSettings& settings, BrickMaker* maker) {
    VoxelizeOptions voxelizing;
    voxelizing.maker = maker;
    voxelizing.resolution = settings.resolution;
    voxelizing.surface = settings.surface;
    voxelizing.error = settings.error;
    voxelizing.coverage = settings.mode;
    voxelizing.attributes = settings.attributes;
    voxelizing.mayBeEmpty = true;
    return voxelizing;
}

/// The key of what would be made of a scene, as far as its outlines tell.
std::string keyOf(const Scene& scene, const VoxelizeOptions& voxelizing) {
    const bool byMaker = voxelizing.maker != nullptr && voxelizing.maker->whyNot(scene, voxelizing).empty();
    return octreeKey(scene, voxelizing, byMaker ? voxelizing.maker->name() : "");
}

/// Who has made an octree; empty: the CPU.
std::string makerOf(const Octree& octree, const BrickMaker* maker) {
    const auto noted = octree.metadata.find(kMakerKey);
    return maker != nullptr && noted != octree.metadata.end() && noted->second == maker->name() ? noted->second : "";
}

std::optional<Octree> findCached(const Scene& scene, const OctreeCache& cache, const VoxelizeOptions& voxelizing) {
    std::optional<Octree> found = cache.find(keyOf(scene, voxelizing));
    if (found || voxelizing.maker == nullptr || !scene.outlined) {
        return found;
    }
    // Outlines do not tell whether the maker can make what they stand for. An octree of the CPU's says where it cannot.
    found = cache.find(octreeKey(scene, voxelizing, ""));
    return found && found->metadata.contains(kMakerKey) ? std::move(found) : std::nullopt;
}

} // namespace

std::optional<Octree> findReadyOctree(const Scene& scene, const OctreeCache* cache, BrickMaker* maker) {
    if (scene.octree) {
        return loadPlaced(*scene.octree);
    }
    const VoxelizeOptions voxelizing = voxelizingOf(scene.voxels, maker);
    std::optional<Octree> found = cache != nullptr ? findCached(scene, *cache, voxelizing) : std::nullopt;
    if (!found && maker != nullptr && !scene.outlined && maker->whyNot(scene, voxelizing).empty()) {
        maker->prepare(voxelizing.surface);
    }
    return found;
}

SceneOctree::SceneOctree(const Scene& scene, const OctreeCache* cache, BrickMaker* maker, std::optional<Octree> ready)
    : scene_(&scene)
    , cache_(cache)
    , voxelizing_(voxelizingOf(scene.voxels, maker))
    , found_(std::move(ready)) {
    if (scene.octree || cache_ == nullptr) {
        return;
    }
    key_ = keyOf(scene, voxelizing_);
    if (!found_) {
        // A lock cannot be moved. NOLINTNEXTLINE(modernize-make-unique)
        lock_ = std::unique_ptr<FileLock>(new FileLock(cache_->lock(key_)));
        found_ = findCached(scene, *cache_, voxelizing_); // another process may have made it meanwhile
    }
    if (found_) {
        lock_.reset();
        noteKept();
    }
}

/// Tells of an octree that came from the cache.
void SceneOctree::noteKept() {
    const std::string maker = makerOf(*found_, voxelizing_.maker);
    logInfo("octree   {} from the cache{}", octreeKey(*scene_, voxelizing_, maker),
            maker.empty() ? "" : ", made by " + maker);
    if (const auto warning = found_->metadata.find(kWarningKey); warning != found_->metadata.end()) {
        logWarning("{}: {}", scene_->file.string(), warning->second);
    }
    figures_.cached = true;
}

bool SceneOctree::needsWholeScene() const {
    return !found_ && (scene_->outlined || !scene_->simulated.empty());
}

Octree SceneOctree::take(const Scene& whole) {
    VoxelizedScene made = found_ ? VoxelizedScene{std::move(*found_), {}} : voxelizeSurfaces(whole, voxelizing_);
    emissive_ = std::move(made.emissive);
    const bool merges = whole.voxels.encoding == TreeKind::Dag && made.octree.encodingKind() == OctreeEncoding::Tree;
    Octree octree = merges ? toDag(std::move(made.octree)) : std::move(made.octree);
    figures_.buildSeconds = clock_.seconds();
    figures_.voxels = octree.voxelCount();
    figures_.cells = octree.encodingKind() == OctreeEncoding::Planes;
    figures_.octreeBytes = octree.bytes();
    figures_.maker = makerOf(octree, voxelizing_.maker);
    return octree;
}

void SceneOctree::store(const Octree& taken, const ComingLamps& lamps) {
    if (!lock_) {
        return;
    }
    const TraceSpan span("store octree");
    // It was to be the maker's, and may have become the CPU's.
    const std::string key = octreeKey(*scene_, voxelizing_, figures_.maker);
    if (taken.voxelCount() == 0 || !cache_->store(key, taken, lamps) || key != key_) {
        lock_->giveUp();
    }
    lock_.reset();
}

} // namespace aureole
