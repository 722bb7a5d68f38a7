#include "session/octree.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "core/file.h"
#include "scene/grid_scene.h"
#include "session/textures.h"
#include "voxelizer/device_bricks.h"

namespace aureole {

namespace {

/// From here on a device makes voxels sooner than the CPU's cores, which are done with fewer before it is ready.
constexpr std::uint32_t kDeviceResolution = 2048;

/// What voxelises a scene on the device, where that pays: a software one would take longer than the cores that it runs
/// on.
std::unique_ptr<voxelizer::DeviceBricks> makerFor(const Scene& scene, const gpu::Device* device) {
    const bool pays = device != nullptr && !device->info().isCpu && scene.voxels.resolution >= kDeviceResolution &&
                      voxelizer::whyNoVoxelizer(device->info()).empty();
    return pays ? std::make_unique<voxelizer::DeviceBricks>(*device) : nullptr;
}

Scene loadWhole(const Scene& scene, const std::vector<SceneOverride>& overrides, const SettingsChanges& changes,
                const gpu::Device* device) {
    return withTextures(loadScene(scene.file, overrides, nullptr, changes), device);
}

void addFigures(const OctreeFigures& one, OctreeFigures& all) {
    all.voxels += one.voxels;
    all.cells = all.cells || one.cells;
    all.octreeBytes += one.octreeBytes;
    all.cached = all.cached && one.cached;
    all.buildSeconds += one.buildSeconds;
}

} // namespace

std::optional<SceneCaches> openSceneCaches(bool wanted) {
    const std::filesystem::path folder = cacheFolder();
    return !wanted || folder.empty() ? std::nullopt : std::optional<SceneCaches>(folder);
}

FoundOctrees findOctrees(const Scene& scene, const std::vector<SceneOverride>& overrides,
                         const SettingsChanges& changes, const std::optional<SceneCaches>& caches,
                         const gpu::Device* device) {
    const OctreeCache* const cache = caches ? &caches->octrees : nullptr;
    FoundOctrees found;
    found.octrees = std::make_shared<std::vector<Octree>>();
    if (!scene.hasGrids()) {
        const auto maker = makerFor(scene, device);
        const auto source = std::make_shared<SceneOctree>(scene, cache, maker.get());
        found.octrees->push_back(source->needsWholeScene() ? source->take(loadWhole(scene, overrides, changes, device))
                                                           : source->take(scene));
        found.figures = source->figures();
        if (source->wantsStoring()) {
            found.storing =
                std::async(std::launch::async, [source, octrees = found.octrees] { source->store(octrees->front()); });
        }
        return found;
    }
    std::optional<Scene> whole; // loaded once, when the first octree has to be made
    found.figures.cached = true;
    for (std::uint32_t grid = 0; grid < scene.grids.size(); ++grid) {
        const Scene part = sceneOfGrid(scene, grid);
        const auto maker = makerFor(part, device);
        SceneOctree source(part, cache, maker.get());
        if (source.needsWholeScene() && !whole) {
            whole = loadWhole(scene, overrides, changes, device);
        }
        found.octrees->push_back(source.take(source.needsWholeScene() ? sceneOfGrid(*whole, grid) : part));
        if (source.wantsStoring()) { // at once: who holds several locks may wait for others for ever
            source.store(found.octrees->back());
        }
        addFigures(source.figures(), found.figures);
    }
    return found;
}

} // namespace aureole
