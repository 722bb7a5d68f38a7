#include "session/octree.h"

#include <cstdint>
#include <optional>
#include <utility>

#include "core/file.h"
#include "session/textures.h"
#include "voxelizer/device_bricks.h"

namespace aureole {

namespace {

/// From here on a device makes voxels sooner than the CPU's cores, which are done with fewer before it is ready.
constexpr std::uint32_t kDeviceResolution = 2048;

/// Whether a device is to voxelise: a software one would take longer than the cores that it runs on.
bool isWorthwhile(const gpu::DeviceInfo& device, std::uint32_t resolution) {
    return !device.isCpu && resolution >= kDeviceResolution && voxelizer::whyNoVoxelizer(device).empty();
}

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
    std::optional<voxelizer::DeviceBricks> maker;
    if (device != nullptr && isWorthwhile(device->info(), scene.voxels.resolution)) {
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
