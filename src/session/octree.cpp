#include "session/octree.h"

#include <optional>
#include <utility>

#include "core/file.h"
#include "session/textures.h"
#include "voxelizer/device_bricks.h"

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
    // A software device would take longer than the cores that it runs on.
    std::optional<voxelizer::DeviceBricks> maker;
    if (device != nullptr && !device->info().isCpu && voxelizer::whyNoVoxelizer(device->info()).empty()) {
        maker.emplace(*device);
    }
    const auto source =
        std::make_shared<SceneOctree>(scene, caches ? &caches->octrees : nullptr, maker ? &*maker : nullptr);
    FoundOctree found;
    found.octree = std::make_shared<Octree>(
        source->needsWholeScene() ? source->take(loadWhole(scene, overrides, changes, device)) : source->take(scene));
    found.figures = source->figures();
    if (source->wantsStoring()) {
        found.storing = std::async(std::launch::async, [source, octree = found.octree] { source->store(*octree); });
    }
    return found;
}

} // namespace aureole
