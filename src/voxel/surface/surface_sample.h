#pragma once

#include <cstdint>

#include "scene/surface.h"
#include "shared/voxelize/sample.h"

namespace aureole {

/// A surface somewhere in a voxel; one with an area unless it is told otherwise.
struct SurfaceSample : shared::SurfaceSample {
    SurfaceSample()
        : shared::SurfaceSample() {
        hasArea = 1;
        point = SurfacePoint();
    }
};

/// A corner of a triangle's part in a voxel, or of the triangle where rounding left no part.
struct SurfaceCorner {
    std::uint32_t bit = 0;
    glm::dvec3 position{0.0}; ///< in voxels from the block's corner
    glm::vec3 normal{0.0F};   ///< of the triangle, on either side; unit length, 0 where it has no area
};

} // namespace aureole
