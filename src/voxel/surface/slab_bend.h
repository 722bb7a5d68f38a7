#pragma once

// How normals for shading turn over a cell of planes (shared/octree/slab_bend.h), fitted to the surface in it.

#include "shared/voxelize/bend_fit.h"
#include "voxel/surface/block_sampler.h"
#include "voxel/surface/slab_fit.h"

namespace aureole {

/// Sums over samples, weighted, of which a linear change of normals follows. Positions in voxels from any origin.
struct NormalMoments : shared::NormalMoments {
    NormalMoments()
        : shared::NormalMoments(shared::noMoments()) {}

    /// `origin` is added to the sample's position.
    void add(const SurfaceSample& sample, const glm::dvec3& origin) {
        shared::addMoment(*this, sample.weight, glm::dvec3(sample.position) + origin, glm::dvec3(sample.point.normal));
    }
};

/// The least-squares fit, weighted as the samples are. Where these tell nothing of a change, or too much, there is none
/// and the normal is `mean`, that of the samples. `cell` counts from the origin of the moments.
inline shared::SlabBend fitBend(const NormalMoments& moments, const glm::vec3& mean, const shared::SurfaceSlab& slab,
                                const CellBox& cell) {
    return shared::fitSlabBend(moments, mean, slab.normal, cell.low + 0.5 * cell.side, 1.0 / cell.side);
}

} // namespace aureole
