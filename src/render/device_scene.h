#pragma once

#include <vector>

#include "film/layout.h"
#include "gpu/device.h"
#include "integrator/light_tables.h"
#include "render/coarse_depth.h"
#include "render/device_octree.h"
#include "scene/scene.h"
#include "scene/view.h"
#include "shared/path/voxel_path.h"
#include "voxel/tree/emitter_boxes.h"

namespace aureole {

/// From the world to the grid's coordinates: its voxels fill [1, 2]^3, one voxel is 4^-levels long there.
Space gridSpace(const Octree& octree);

/// A scene in device memory: its octree, lights and emissive voxels.
class DeviceScene {
public:
    /// Throws Error (OutOfMemory).
    DeviceScene(const gpu::Device& device, const Scene& scene, const Octree& octree);

    /// The parameters of a picture's paths, with device addresses; firstSample, endSample, batchSize and the tiles are
    /// left to the caller.
    shared::VoxelParams params(const View& view) const;
    /// The layers that the scene's film has.
    FilmLayout filmLayout() const { return makeFilmLayout(*scene_, space_); }

    const DeviceOctree& octree() const { return octree_; }
    const CoarseCells& coarseCells() const { return coarseCells_; }
    std::uint64_t bytes() const { return octree_.bytes() + coarseCells_.cells.size() + lightBytes_; }
    /// The models of materials that pipelines are made for, a bit for each (shared/bsdf/material.h): at least those of
    /// the voxels.
    std::uint32_t materialModels() const { return materialModels_; }

private:
    /// The address of a buffer with these values; 0 where there are none.
    template <typename T>
    std::uint64_t upload(const gpu::Device& device, const std::vector<T>& values, const char* name);
    void uploadLights(const gpu::Device& device, std::span<const Material> materials);
    /// Returns the boxes around the emissive voxels, and their power; none where no voxel emits.
    EmitterArrays uploadEmitters(const gpu::Device& device, const Octree& octree);

    const Scene* scene_; ///< outlives this
    DeviceOctree octree_;
    CoarseCells coarseCells_;
    Space space_;
    LightTables lights_;
    std::vector<gpu::Buffer> buffers_;
    std::uint64_t lightBytes_ = 0;
    std::uint32_t usedModels_ = 0;     ///< those of the voxels
    std::uint32_t materialModels_ = 0; ///< those of pipelines
    shared::VoxelParams base_{};
};

} // namespace aureole
