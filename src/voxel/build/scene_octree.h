#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/cache/file_lock.h"
#include "core/stopwatch.h"
#include "scene/scene.h"
#include "voxel/build/build.h"
#include "voxel/file/octree_cache.h"
#include "voxel/tree/octree.h"

namespace aureole {

/// Figures of a scene's octree.
struct OctreeFigures {
    std::uint64_t voxels = 0;
    bool cells = false; ///< the voxels are cells of planes, which stand for one voxel or many
    std::uint64_t octreeBytes = 0;
    bool cached = false;       ///< the octree came from the cache
    std::string maker;         ///< who has made its voxels; empty: the CPU
    double buildSeconds = 0.0; ///< voxelising and building the octree, or loading it
};

/// The octree file of the scene, placed as the scene says, or an octree of the cache; none where it is yet to be made.
/// An octree of the cache counts only where it was made as it would be now: by `maker`, where there is one that can
/// make it, else by the CPU. Where there is none and `maker` surely can, that prepares. Throws what loadOctree throws.
std::optional<Octree> findReadyOctree(const Scene& scene, const OctreeCache* cache, BrickMaker* maker);

/// The octree of a scene: its octree file, placed as the scene says, one from the cache, or its models voxelised at the
/// resolution of its settings. The constructor looks for it. Where it finds none, the caller may load what the scene
/// still lacks before take() makes it.
class SceneOctree {
public:
    /// Looks for the octree. Of several processes that find none in the cache, one goes on to make it, and the others
    /// wait here. `ready` is what findReadyOctree found for that maker. `scene` and the cache, where there is one,
    /// outlive this, and the maker take(). Throws what loadOctree throws.
    SceneOctree(const Scene& scene, const OctreeCache* cache, BrickMaker* maker, std::optional<Octree> ready);
    explicit SceneOctree(const Scene& scene, const OctreeCache* cache = nullptr, BrickMaker* maker = nullptr)
        : SceneOctree(scene, cache, maker, findReadyOctree(scene, cache, maker)) {}

    /// Whether models are to be voxelised of which the scene has outlines only, or textures that are yet to be made.
    bool needsWholeScene() const;

    /// The octree, once. Where it was not found, `whole`, the scene with all surfaces and textures, is voxelised.
    /// Throws what voxelizeSurfaces throws.
    Octree take(const Scene& whole);
    /// What emits of an octree that has been voxelised, and has no lamps yet; once.
    std::vector<EmissiveVoxel> takeEmissive() { return std::move(emissive_); }

    /// Whether the cache lacks the octree.
    bool wantsStoring() const { return lock_ != nullptr; }
    /// Gives the cache what take() returned, with its lamps, where it lacks it. On any thread. Throws Error
    /// (Interrupted).
    void store(const Octree& taken, const ComingLamps& lamps = {});

    /// How the octree came about. To be called after take().
    const OctreeFigures& figures() const { return figures_; }

private:
    void noteKept();

    const Scene* scene_;
    const OctreeCache* cache_;
    VoxelizeOptions voxelizing_;
    std::string key_; ///< of the cache: of the octree that is to be made
    std::optional<Octree> found_;
    std::vector<EmissiveVoxel> emissive_;
    std::unique_ptr<FileLock> lock_; ///< of the key, while the octree is made
    OctreeFigures figures_;
    Stopwatch clock_;
};

} // namespace aureole
