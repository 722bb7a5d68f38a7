#pragma once

#include <cstdint>

#include "core/math.h"
#include "shared/octree/attributes.h"
#include "voxel/tree/octree.h"

namespace aureole {

/// Normals, of parts within a voxel or of whole voxels, whose cosine is below this belong to two sides of a sheet, not
/// to an edge or a corner.
inline constexpr double kOpposing = -0.5;

/// A crease is where the mean of the unit geometric normals is shorter than this: an edge of 90 degrees whose smaller
/// side has more than a tenth of the area, or a bend of more than 50 degrees.
inline constexpr double kCrease = 0.9;

/// Surfaces of many voxels, added up by their areas: what the attributes of inner levels are made of. Opposing sheets
/// do not cancel: the smaller side counts towards the larger one. Of several materials the one is kept that has more
/// than half of the area; where none has, one that survives a vote in which they cancel each other (Boyer and Moore,
/// "MJRTY", 1991), which needs no room for all of them.
struct SurfaceSum {
    double weight = 0.0; ///< 0 where there is no surface
    glm::dvec3 albedo{0.0};
    glm::dvec3 emission{0.0};
    double roughness = 0.0;
    double metalness = 0.0;
    glm::dvec3 normal{0.0};
    double facing = 0.0; ///< weight on the side of `normal` minus that on the other
    std::uint32_t material = 0;
    double lead = 0.0; ///< of the material over the others

    /// Adds a surface of some area above 0.
    void add(const shared::VoxelSurface& surface, const shared::VoxelMaterial& entry, double area);
    void add(const SurfaceSum& other);
    bool operator==(const SurfaceSum& other) const = default;
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
