#pragma once

// The octree of a scene that is rendered, and what the user's cache keeps of scenes.

#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <vector>

#include "gpu/device.h"
#include "import/outline_cache.h"
#include "scene/load.h"
#include "voxel/build/brick_maker.h"
#include "voxel/build/scene_octree.h"
#include "voxel/file/octree_cache.h"

namespace aureole {

/// What the user's cache keeps of scenes.
struct SceneCaches {
    explicit SceneCaches(const std::filesystem::path& folder)
        : outlines(folder / "outlines")
        , octrees(folder / "octrees") {}

    OutlineCache outlines;
    OctreeCache octrees;
};

/// None where they are not wanted or have no place.
std::optional<SceneCaches> openSceneCaches(bool wanted);

/// Who makes the voxels of a scene.
enum class VoxelMaker {
    Choose, ///< the device, where it is no software and the voxels are many
    Cpu,
    Device, ///< the device, where it can
};

/// The device's voxeliser where it is to make the voxels of a scene, or of one of its grids; it takes no memory yet.
/// Null where the CPU is to, or there is no device.
std::unique_ptr<BrickMaker> voxelMakerOf(VoxelMaker asked, const VoxelSettings& voxels, const gpu::Device* device);

/// Whether voxelMakerOf needs a device to know.
bool mayBeDevices(VoxelMaker asked, const VoxelSettings& voxels);

/// What is there of the octree of a scene without grids before it is asked for.
struct ReadyOctree {
    std::optional<Octree> octree;      ///< findReadyOctree
    std::unique_ptr<BrickMaker> maker; ///< whose it is, or is to be; null: the CPU's
};

struct FoundOctrees {
    std::shared_ptr<std::vector<Octree>> octrees; ///< of the scene's grids, or the only one; `storing` reads them
    ComingLamps lamps;                            ///< of the only one, where it has just been made: beside other work
    OctreeFigures figures;                        ///< of all together
    std::future<void> storing; ///< into the cache, beside other work, where that lacks some; throws Error (Interrupted)
};

/// The octrees of a scene that was loaded with these overrides and changes. Where one must be made and the scene has
/// outlines of its models only, the scene is loaded again with all surfaces, and its textures are simulated, on the
/// device or, where that is null, on the CPU; `maker` says likewise of the voxels of grids. `scene` and `caches`
/// outlive what is found. Throws what SceneOctree, loadScene and withTextures throw.
FoundOctrees findOctrees(const Scene& scene, const std::vector<SceneOverride>& overrides,
                         const SettingsChanges& changes, const std::optional<SceneCaches>& caches, VoxelMaker maker,
                         const gpu::Device* device, ReadyOctree ready);

} // namespace aureole
