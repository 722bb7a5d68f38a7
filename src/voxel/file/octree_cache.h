#pragma once

// Octrees of scenes that were voxelised before, in the user's cache: ordinary octree files, named by the content of
// what they were made from.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "core/cache/file_cache.h"
#include "voxel/build/build.h"

namespace aureole {

/// Raised whenever the same files come to give other voxels: by a change of the importers, of materials or of the
/// voxelisation itself. tests/voxel/octree_cache_test.cpp notices the most common of these.
inline constexpr std::uint32_t kBuilderVersion = 21;

/// What an octree depends on, as 16 hexadecimal digits: the scene's surfaceHash, the resolution, the coverage, the kind
/// of surface with the error of planes, whether it is a shape alone, the name of its maker, empty where that is the
/// CPU, and the versions of the builder and of the format. Nothing else, so that another camera or light finds the same
/// octree.
std::string octreeKey(const Scene& scene, const VoxelizeOptions& options, const std::string& maker);

class OctreeCache {
public:
    /// How much of the disk the octrees may take together.
    static constexpr std::uint64_t kBytes = std::uint64_t{16} << 30U;

    explicit OctreeCache(std::filesystem::path folder, std::uint64_t maximumBytes = kBytes);

    /// The octree of a key, mapped; none where it is not there. A damaged file is removed.
    std::optional<Octree> find(const std::string& key) const;

    /// What to hold while an octree is made and stored; see FileCache.
    FileLock lock(const std::string& key) const;

    /// Keeps an octree with its lamps, its own or those that come, and returns whether it does: where that is not
    /// possible, the log says why. Throws Error (Interrupted).
    bool store(const std::string& key, const Octree& octree, const ComingLamps& lamps = {}) const;

private:
    FileCache files_;
};

} // namespace aureole
