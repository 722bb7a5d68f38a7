#pragma once

#include <cstdint>

#include "core/math.h"
#include "shared/voxelize/area_sum.h"
#include "voxel/tree/octree.h"

namespace aureole {

/// Surfaces of many voxels, added up by their areas (shared/voxelize/area_sum.h).
struct SurfaceSum : shared::AreaSum {
    SurfaceSum()
        : shared::AreaSum() {}
    explicit SurfaceSum(const shared::AreaSum& sum)
        : shared::AreaSum(sum) {}

    /// Adds a surface of some area above 0.
    void add(const shared::VoxelSurface& surface, const shared::VoxelMaterial& entry, double area);
    void add(const SurfaceSum& other) { shared::addAreaSum(*this, other); }
    bool operator==(const SurfaceSum& other) const;
};

/// The average as attributes of a voxel of an inner level, without its material; those of an inside voxel where there
/// is no surface. A crease where normals differ as they do at one in a voxel.
shared::VoxelAttributes averageAttributes(const SurfaceSum& sum);

/// The mean radiance, over the whole surface, in 32 bits: 9 for each component and 5 for their common exponent, as
/// VK_FORMAT_E5B9G9R9_UFLOAT_PACK32 has it. Error at most 1/512 of the largest component within 2^-15 to 2^16, beyond
/// which it is clamped.
std::uint32_t averageEmission(const SurfaceSum& sum);

/// That emission, with the material.
AverageMaterial averageMaterial(const SurfaceSum& sum);

/// The radiance that averageEmission packed.
glm::vec3 unpackEmission(std::uint32_t bits);

} // namespace aureole
