#include "session/octree.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/file.h"
#include "core/threads/loop_threads.h"
#include "scene/grid_scene.h"
#include "session/textures.h"
#include "voxel/tree/emitter_boxes.h"
#include "voxelizer/device_bricks.h"

namespace aureole {

namespace {

/// Voxels along the longest side from which on the device makes them. Below, the CPU takes no longer than the driver
/// for the device's kernels where it compiles these for the first time, or than the device by more than half a second.
constexpr std::uint32_t kWorthDevice = 2048;

Scene loadWhole(const Scene& scene, const std::vector<SceneOverride>& overrides, const SettingsChanges& changes,
                const gpu::Device* device) {
    return withTextures(loadScene(scene.file, overrides, nullptr, changes), device);
}

void addFigures(const OctreeFigures& one, OctreeFigures& all) {
    all.voxels += one.voxels;
    all.cells = all.cells || one.cells;
    all.octreeBytes += one.octreeBytes;
    all.cached = all.cached && one.cached;
    all.maker = all.maker.empty() ? one.maker : all.maker;
    all.buildSeconds += one.buildSeconds;
}

} // namespace

std::optional<SceneCaches> openSceneCaches(bool wanted) {
    const std::filesystem::path folder = cacheFolder();
    return !wanted || folder.empty() ? std::nullopt : std::optional<SceneCaches>(folder);
}

bool mayBeDevices(VoxelMaker asked, const VoxelSettings& voxels) {
    const bool isWorthIt = voxels.resolution >= kWorthDevice && voxels.attributes == VoxelContent::All;
    return asked == VoxelMaker::Device || (asked == VoxelMaker::Choose && isWorthIt);
}

std::unique_ptr<BrickMaker> voxelMakerOf(VoxelMaker asked, const VoxelSettings& voxels, const gpu::Device* device) {
    if (device == nullptr || !mayBeDevices(asked, voxels) || (asked == VoxelMaker::Choose && device->info().isCpu)) {
        return nullptr;
    }
    return std::make_unique<voxelizer::DeviceBricks>(*device);
}

FoundOctrees findOctrees(const Scene& scene, const std::vector<SceneOverride>& overrides,
                         const SettingsChanges& changes, const std::optional<SceneCaches>& caches, VoxelMaker maker,
                         const gpu::Device* device, ReadyOctree ready) {
    const OctreeCache* const cache = caches ? &caches->octrees : nullptr;
    FoundOctrees found;
    found.octrees = std::make_shared<std::vector<Octree>>();
    if (!scene.hasGrids()) {
        const auto source = std::make_shared<SceneOctree>(scene, cache, ready.maker.get(), std::move(ready.octree));
        found.octrees->push_back(source->needsWholeScene() ? source->take(loadWhole(scene, overrides, changes, device))
                                                           : source->take(scene));
        found.figures = source->figures();
        // Futures keep their functions until they are asked, and would keep the octree with them.
        if (std::vector<EmissiveVoxel> emissive = source->takeEmissive(); !emissive.empty()) {
            found.lamps =
                std::async(std::launch::async, [emissive = std::move(emissive), octrees = found.octrees]() mutable {
                    const auto lit = std::move(octrees);
                    const LoopThreads some(std::max(loopThreads() / 2, 1U)); // others copy and store it
                    return makeEmitterBoxes(lit->front(), std::move(emissive));
                }).share();
        }
        if (source->wantsStoring()) {
            found.storing =
                std::async(std::launch::async, [source, octrees = found.octrees, lamps = found.lamps]() mutable {
                    const auto stored = std::move(octrees);
                    const ComingLamps coming = std::move(lamps);
                    source->store(stored->front(), coming);
                });
        }
        return found;
    }
    std::optional<Scene> whole; // loaded once, when the first octree has to be made
    found.figures.cached = true;
    for (std::uint32_t grid = 0; grid < scene.grids.size(); ++grid) {
        const Scene part = sceneOfGrid(scene, grid);
        const std::unique_ptr<BrickMaker> makes = voxelMakerOf(maker, part.voxels, device);
        SceneOctree source(part, cache, makes.get());
        if (source.needsWholeScene() && !whole) {
            whole = loadWhole(scene, overrides, changes, device);
        }
        Octree& octree =
            found.octrees->emplace_back(source.take(source.needsWholeScene() ? sceneOfGrid(*whole, grid) : part));
        if (std::vector<EmissiveVoxel> emissive = source.takeEmissive(); !emissive.empty()) {
            octree.lamps = makeEmitterBoxes(octree, std::move(emissive));
        }
        if (source.wantsStoring()) { // at once: who holds several locks may wait for others for ever
            source.store(octree);
        }
        OctreeFigures figures = source.figures();
        figures.octreeBytes = octree.bytes(); // with its lamps
        addFigures(figures, found.figures);
    }
    return found;
}

} // namespace aureole
