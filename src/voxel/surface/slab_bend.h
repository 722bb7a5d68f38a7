#pragma once

// How normals for shading turn over a cell of planes (shared/octree/slab_bend.h), fitted to the surface in it.

#include "shared/voxelize/bend_fit.h"
#include "voxel/surface/block_sampler.h"
#include "voxel/surface/slab_fit.h"

namespace aureole {

/// The sums that both sides share, over samples as the CPU has them.
struct NormalMoments : shared::NormalMoments {
    NormalMoments()
        : shared::NormalMoments(shared::noMoments()) {}

    /// `origin` is added to the sample's position.
    void add(const SurfaceSample& sample, const glm::dvec3& origin) {
        shared::addMoment(*this, sample.weight, glm::dvec3(sample.position) + origin, glm::dvec3(sample.point.normal));
    }
};

} // namespace aureole
