#pragma once

#include <optional>
#include <span>
#include <vector>

#include "film/layout.h"
#include "gpu/device.h"
#include "integrator/light_tables.h"
#include "render/coarse_depth.h"
#include "render/device_octree.h"
#include "render/grid_instances.h"
#include "scene/scene.h"
#include "scene/view.h"
#include "shared/path/voxel_path.h"
#include "voxel/tree/emitter_boxes.h"

namespace aureole {

/// From the world to the grid's coordinates: its voxels fill [1, 2]^3, one voxel is 4^-levels long there.
Space gridSpace(const Octree& octree);

/// Where the octrees of a scene stand that is traced as one of several: its grids, or, where media scatter, from which
/// rays start anywhere, its only octree. Else empty.
std::vector<GridPlacement> placementsOf(const Scene& scene, std::span<const Octree> octrees);

/// The space that a scene of these octrees is traced in: that of the only one, or, where it has placements, the
/// middle of all of them is the origin, and their longest side is 1. Throws Error (BadInput) where a placement is out
/// of bounds.
Space sceneSpace(const Scene& scene, std::span<const Octree> octrees);

/// The models that kernels are made for, of materials of these: on a GPU the same. A CPU takes seconds to make a kernel
/// with glass, so that there all scenes with glass share one, and those with several dielectrics another.
std::uint32_t modelsOfKernels(std::uint32_t models, bool isCpu);

/// The materials of octrees in one table, so that each has one number in all of them. Octrees of the scene's own meshes
/// share theirs; those of files have some of their own.
struct SceneMaterials {
    std::vector<Material> all;
    std::vector<std::uint32_t> first;             ///< where those of each octree begin
    std::uint32_t firstOfScene = 0;               ///< where the scene's own begin
    std::vector<std::vector<std::uint32_t>> used; ///< numbers of those that voxels of each octree are of, each once
};

/// A scene in device memory: its octrees, lights and emissive voxels.
class DeviceScene {
public:
    /// `octrees` are those of the scene's grids, in their order, or the only one, of which `lamps` may be. Throws Error
    /// (OutOfMemory), (BadInput) where a placement is out of bounds.
    DeviceScene(const gpu::Device& device, const Scene& scene, std::span<const Octree> octrees,
                const ComingLamps& lamps = {});
    DeviceScene(const gpu::Device& device, const Scene& scene, const Octree& octree);

    /// Puts instances, and what shines on them, where they are in a view's frame; octrees stay as they are. To be
    /// called before a PathTracer gets that view, while the device does nothing with this scene. Returns the scene.
    /// Throws Error as the constructor.
    const DeviceScene& moveTo(const gpu::Device& device, const View& view);

    /// The parameters of a picture's paths, with device addresses, for each octree; firstSample, endSample, batchSize
    /// and the tiles are left to the caller, and so is `grids`.
    std::vector<shared::VoxelParams> allParams(const View& view) const;
    shared::VoxelParams params(const View& view) const { return allParams(view).front(); }
    /// The layers that the scene's film has.
    FilmLayout filmLayout() const { return makeFilmLayout(*scene_, space_); }

    /// The first octree.
    const DeviceOctree& octree() const { return octrees_.front(); }
    bool hasGrids() const { return !placements_.empty(); }
    /// What pipelines for the octrees are made for: their encoding, or OCTREE_MIXED; their depth, or 0 where that
    /// differs; whether each is one chunk.
    std::uint32_t encoding() const;
    std::uint32_t levels() const;
    bool isOneChunk() const;
    const CoarseCells& coarseCells() const { return coarseCells_; }
    std::uint64_t bytes() const;
    /// The models of materials that pipelines are made for, a bit for each (shared/bsdf/material.h): at least those of
    /// the voxels.
    std::uint32_t materialModels() const { return materialModels_; }

private:
    /// The address of a buffer with these values; 0 where there are none.
    template <typename Values>
    std::uint64_t upload(const gpu::Device& device, const Values& values, const char* name);
    /// Uploads an octree with its lamps, which may come; its materials are numbered from `firstMaterial` on.
    void addOctree(const gpu::Device& device, const Octree& octree, std::uint32_t firstMaterial, ComingLamps lamps);
    void uploadLights(const gpu::Device& device);
    void uploadMaterials(const gpu::Device& device, const SceneMaterials& materials);
    void uploadVolumes(const gpu::Device& device, std::size_t materials);
    /// Tells for each octree which materials are solids of glass that it has.
    void uploadOwnGlass(const gpu::Device& device, const SceneMaterials& materials);
    /// The lamps of an octree that has none ready; none where no voxel emits.
    EmitterArrays makeEmitters(const Octree& octree) const;
    /// Returns the boxes and their facings, with the numbers that materials have in the scene.
    EmitterArrays uploadEmitters(const gpu::Device& device, const EmitterArrays& arrays, std::uint32_t firstMaterial,
                                 shared::VoxelParams& params);
    /// Places the octrees of a scene with grids.
    GridInstances uploadInstances(const gpu::Device& device, std::optional<double> moment,
                                  const std::optional<PoseTimes>& times);
    /// The times of all that moves while the shutter is open for a view; none where the scene is not blurred.
    std::optional<PoseTimes> poseTimes(const View& view) const;
    void makeLights(const GridInstances& placed, std::optional<double> moment);
    /// Whether some light or lamp moves from frame to frame.
    bool movesLights() const;

    const Scene* scene_; ///< outlives this
    std::vector<GridPlacement> placements_;
    BufferPool* pool_ = nullptr; ///< while a scene of several octrees is made
    std::vector<DeviceOctree> octrees_;
    std::vector<GridShape> shapes_;       ///< of each octree
    std::vector<EmitterArrays> emitters_; ///< of each octree, boxes and facings; kept where instances move
    CoarseCells coarseCells_;
    Space space_;
    LightTables lights_;
    std::vector<gpu::Buffer> buffers_;
    std::vector<gpu::Buffer> movedBuffers_; ///< of what moveTo placed
    std::optional<double> moment_;          ///< that things are placed at
    std::uint64_t bufferBytes_ = 0;
    std::uint32_t firstMaterial_ = 0;       ///< the number of the scene's first material among the device's
    std::uint32_t usedModels_ = 0;          ///< models of the voxels
    std::uint32_t materialModels_ = 0;      ///< models that pipelines are made for
    shared::PathParams path_{};             ///< the scene's tables alone (setPathView)
    std::vector<shared::VoxelParams> base_; ///< what each octree has of its own, without `path`
};

} // namespace aureole
