#pragma once

#include <cstdint>

#include "scene/surface.h"

namespace aureole {

/// A surface somewhere in a voxel.
struct SurfaceSample {
    std::uint32_t bit = 0;
    bool exactEmission = false; ///< the emission is a material's constant
    bool flat = true;           ///< false for a triangle without area, whose geometric normal says nothing
    double weight = 0.0;        ///< area in squares of the voxel's side, above 0
    SurfacePoint point;
    glm::vec3 position{0.0F}; ///< in voxels from the block's corner
    glm::vec3 plane{0.0F}; ///< normal, on the side of the point's, of the plane that positions of the triangle lie in:
                           ///< that of its snapped corners. 0 where these have no area
};

/// A corner of a triangle's part in a voxel, or of the triangle where rounding left no part.
struct SurfaceCorner {
    std::uint32_t bit = 0;
    glm::dvec3 position{0.0}; ///< in voxels from the block's corner
    glm::vec3 normal{0.0F};   ///< of the triangle, on either side; unit length, 0 where it has no area
};

} // namespace aureole
