#pragma once

// What rays may meet of voxels.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/math.h"
#include "voxel/tree/octree.h"

namespace aureole {

/// The corners of what a ray may meet of a voxel: of a cube, of the part of a slab in it, or of a field where it
/// crosses the voxel's edges, between which it may bulge a little.
struct VoxelShape {
    std::array<glm::vec3, 32> points; ///< in voxels of the grid
    std::uint32_t count = 0;
    glm::vec3 normal{0.0F}; ///< of the surface, or 0
};

/// The shape of the surface in a voxel with attributes.
VoxelShape shapeOf(const Octree& octree, const EmissiveVoxel& voxel);

/// The area of the surface in a voxel of planes or of a field, in squares of the voxel's side: of the middle of a slab,
/// which is not all of the voxel, or of the polygon between the voxel's edges.
double surfaceAreaOf(const Octree& octree, const EmissiveVoxel& voxel);

/// The shapes of voxels, which are known by their index.
class LampShapes {
public:
    LampShapes(const Octree& octree, std::span<const EmissiveVoxel> voxels);

    /// The corners of a voxel's shape.
    std::span<const glm::vec3> corners(std::size_t voxel) const {
        const std::size_t first = voxel % kAtOnce != 0 ? ends_[voxel - 1] : 0;
        return std::span(points_[voxel / kAtOnce]).subspan(first, ends_[voxel] - first);
    }
    const glm::vec3& middle(std::size_t voxel) const { return middles_[voxel]; } ///< of the voxel itself
    const glm::vec3& normal(std::size_t voxel) const { return normals_[voxel]; }
    float luminance(std::size_t voxel) const { return luminances_[voxel]; } ///< of its emission

private:
    static constexpr std::size_t kAtOnce = 4096; ///< voxels whose points stand together

    std::vector<std::vector<glm::vec3>> points_;
    std::vector<std::uint32_t> ends_; ///< of each voxel's points, among those that stand together
    std::vector<glm::vec3> middles_;
    std::vector<glm::vec3> normals_;
    std::vector<float> luminances_;
};

} // namespace aureole
