#pragma once

// What the primitives in a block contribute to its voxels' surfaces.

#include <cstdint>
#include <span>
#include <vector>

#include "scene/surface.h"
#include "voxel/build/primitives.h"

namespace aureole {

/// A primitive's voxels in one block.
struct Fragment {
    std::uint64_t mask = 0;
    std::uint32_t primitive = 0;
    std::uint32_t block = 0; ///< code within the brick
};

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

/// Appends the samples of a block's fragments. A voxel has one surface: where it would be of glass and of something
/// opaque, as where a glass stands on a table, it is the latter's alone, lest light go on through the glass into what
/// it stands on. Arguments as below.
void appendBlockSamples(const Primitives& primitives, std::span<const Fragment> fragments, const glm::ivec3& block,
                        std::vector<SurfaceSample>& samples, std::vector<SurfaceCorner>* corners = nullptr);

/// Appends the samples of a fragment: for a triangle at the centroid of its part in the voxel, weighted by that part's
/// area (several where the material is alpha-tested, so that partial cover counts), for a voxel model's cell one per
/// exposed face. `block` is the block's lower corner in voxels. Points cut away by alpha testing are left out. Where
/// `corners` is given, those of triangles' parts are appended to it; alpha testing takes none away.
void appendSamples(const Primitives& primitives, const Fragment& fragment, const glm::ivec3& block,
                   std::vector<SurfaceSample>& samples, std::vector<SurfaceCorner>* corners = nullptr);

} // namespace aureole
