#pragma once

// How normals for shading turn over a cell of planes (shared/octree/slab_bend.h), fitted to the surface in it.

#include <cstdint>

#include "voxel/surface/block_sampler.h"
#include "voxel/surface/slab_fit.h"

namespace aureole {

/// Sums over samples, weighted, of which a linear change of normals follows. Positions in voxels from any origin.
class NormalMoments {
public:
    /// `origin` is added to the sample's position.
    void add(const SurfaceSample& sample, const glm::dvec3& origin);

    double weight = 0.0;
    glm::dvec3 position{0.0};
    glm::dvec3 normal{0.0};
    glm::dmat3 spread{0.0}; ///< of positions by positions
    glm::dmat3 change{0.0}; ///< of normals by positions: column i for coordinate i of the position
};

/// The normal for shading at a cell's middle, of unit length, and how it turns from there: SurfaceSlab::bend.
struct SlabBend {
    glm::vec3 normal{0.0F};
    std::uint32_t bend = 0;
};

/// The least-squares fit, weighted as the samples are. Where these tell nothing of a change, or too much, there is none
/// and the normal is `mean`, that of the samples. `cell` counts from the origin of the moments.
SlabBend fitBend(const NormalMoments& moments, const glm::vec3& mean, const shared::SurfaceSlab& slab,
                 const CellBox& cell);

} // namespace aureole
