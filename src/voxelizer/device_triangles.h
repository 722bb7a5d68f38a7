#pragma once

// What the kernels know of a scene: its triangles, instances and materials.

#include <string>
#include <vector>

#include "gpu/device.h"
#include "shared/voxelize/work.h"
#include "voxel/build/primitives.h"

namespace aureole::voxelizer {

/// What of a scene the kernels do not know how to sample: textures, patterns, colours of vertices, glass, what is not
/// opaque, voxel models. Empty where there is none of it.
std::string whatIsBeyond(const Scene& scene);

/// Whether the triangles of an instance emit.
bool emits(const Scene& scene, const MeshInstance& instance);

/// A triangle as kernels take it.
shared::VoxelTriangle prepareTriangle(const Primitives& primitives, std::uint32_t primitive);

/// The tables of a scene in device memory.
struct DeviceTriangles {
    /// Throws Error: OutOfMemory.
    DeviceTriangles(const gpu::Device& device, const Primitives& primitives);

    gpu::Buffer triangles;
    gpu::Buffer instances;
    gpu::Buffer constants;
    std::vector<bool> emitting; ///< of each triangle whether it emits; empty where none does
};

} // namespace aureole::voxelizer
