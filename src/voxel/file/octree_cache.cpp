#include "voxel/file/octree_cache.h"

#include <utility>

#include "core/error.h"
#include "core/hash.h"
#include "core/trace.h"
#include "voxel/file/octree_file.h"

namespace aureole {

namespace {

std::string fileName(const std::string& key) {
    return key + ".avo";
}

} // namespace

std::string octreeKey(const Scene& scene, const VoxelizeOptions& options, const std::string& maker) {
    Hasher hasher;
    hasher.add(fmt::format("octree {} {} {} {} {} {} {}", kBuilderVersion, kOctreeFileVersions.newest,
                           scene.surfaceHash, options.resolution, static_cast<std::uint32_t>(options.coverage),
                           static_cast<std::uint32_t>(options.surface),
                           options.surface == SurfaceKind::Planes ? options.error : 0.0));
    if (options.attributes == VoxelContent::None) {
        hasher.add("shape");
    }
    if (scene.voxels.encoding == TreeKind::Dag) {
        hasher.add("dag");
    }
    if (!maker.empty()) {
        hasher.add("made by " + maker);
    }
    for (const std::string& group : scene.lightGroups) { // materials number them
        hasher.add(group);
        hasher.add("\n");
    }
    return hasher.hex();
}

OctreeCache::OctreeCache(std::filesystem::path folder, std::uint64_t maximumBytes)
    : files_(std::move(folder), maximumBytes, "octrees") {}

std::optional<Octree> OctreeCache::find(const std::string& key) const {
    const std::optional<std::filesystem::path> file = files_.find(fileName(key));
    if (!file) {
        return std::nullopt;
    }
    const TraceSpan span("open octree");
    try {
        return loadOctree(*file);
    } catch (const Error& error) {
        if (error.code() != ExitCode::BadInput) {
            throw;
        }
        files_.discard(fileName(key), error.what());
        return std::nullopt;
    }
}

FileLock OctreeCache::lock(const std::string& key) const {
    return files_.lock(fileName(key));
}

bool OctreeCache::store(const std::string& key, const Octree& octree, const ComingLamps& lamps) const {
    return files_.store(fileName(key), octree.bytes(),
                        [&](const std::filesystem::path& path) { writeCachedOctree(path, octree, lamps); });
}

} // namespace aureole
