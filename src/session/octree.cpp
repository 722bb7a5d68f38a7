#include "session/octree.h"

#include <utility>

#include "core/file.h"
#include "session/textures.h"

namespace aureole {

namespace {

Scene loadWhole(const Scene& scene, const std::vector<SceneOverride>& overrides, const SettingsChanges& changes,
                const gpu::Device* device) {
    return withTextures(loadScene(scene.file, overrides, nullptr, changes), device);
}

} // namespace

std::optional<SceneCaches> openSceneCaches(bool wanted) {
    const std::filesystem::path folder = cacheFolder();
    return !wanted || folder.empty() ? std::nullopt : std::optional<SceneCaches>(folder);
}

FoundOctree findOctree(const Scene& scene, const std::vector<SceneOverride>& overrides, const SettingsChanges& changes,
                       const std::optional<SceneCaches>& caches, const gpu::Device* device) {
    SceneOctree source(scene, caches ? &caches->octrees : nullptr);
    if (source.needsWholeScene()) {
        Octree octree = source.take(loadWhole(scene, overrides, changes, device));
        return {std::move(octree), source.figures()};
    }
    Octree octree = source.take(scene);
    return {std::move(octree), source.figures()};
}

} // namespace aureole
