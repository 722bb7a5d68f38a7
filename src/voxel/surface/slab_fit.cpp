#include "voxel/surface/slab_fit.h"

#include "shared/voxelize/slab_fit.h"
#include "voxel/build/coverage.h"

namespace aureole {

static_assert(SLAB_LENGTH == SLAB_NORMAL && SLAB_HALF_SNAP == 0.5 / kSnapUnits);

shared::SurfaceSlab fitSlab(const glm::vec3& normal, std::span<const glm::dvec3> corners, const CellBox& cell) {
    const std::uint32_t direction = shared::packSlabDirection(normal);
    const glm::dvec3 across = shared::slabAcross(direction, 1.0 / cell.side);
    const glm::dvec3 middle = cell.low + 0.5 * cell.side;
    shared::SlabHeights heights = shared::noHeights();
    for (const glm::dvec3& corner : corners) {
        shared::addHeight(heights, shared::wideDot(across, corner - middle));
    }
    return shared::slabOfHeights(direction, heights);
}

std::uint64_t partsAcross(const shared::SurfaceSlab& slab, double side, double depth) {
    return shared::slabPartsAcross(slab, 1.0 / side, depth);
}

std::uint64_t partsMet(const shared::SurfaceSlab& slab, double side, const CellBox& box, std::uint64_t among) {
    return shared::slabPartsMet(slab, 1.0 / side, box.low, box.side, among);
}

} // namespace aureole
