#include "voxel/surface/surface_edges.h"

#include <bit>
#include <vector>

#include "shared/voxelize/edges.h"

namespace aureole {

std::uint64_t creases(std::uint64_t mask, std::span<const AverageSurface> surfaces) {
    std::uint64_t found = 0;
    std::size_t slot = 0;
    for (std::uint64_t rest = mask; rest != 0; rest &= rest - 1, ++slot) {
        found |= surfaces[slot].crease != 0 ? rest & -rest : 0;
    }
    return found;
}

void findEdges(std::span<const SurfaceSample> samples, std::span<const SurfaceCorner> corners, std::uint64_t mask,
               std::uint64_t among, std::span<AverageSurface> surfaces) {
    std::vector<shared::EdgeFinder> finders(static_cast<std::size_t>(std::popcount(among)), shared::noEdge());
    const auto find = [&](std::uint32_t bit) {
        const std::uint64_t one = std::uint64_t{1} << bit;
        return (among & one) == 0 ? nullptr : &finders[static_cast<std::size_t>(std::popcount(among & (one - 1)))];
    };
    for (const SurfaceSample& sample : samples) {
        if (shared::EdgeFinder* const finder = find(sample.bit)) {
            shared::addEdgeSample(*finder, sample);
        }
    }
    for (const SurfaceCorner& corner : corners) {
        if (shared::EdgeFinder* const finder = find(corner.bit)) {
            shared::addEdgeCorner(*finder, corner.position, corner.position - glm::dvec3(shared::bitCell(corner.bit)),
                                  corner.normal);
        }
    }
    for (const SurfaceSample& sample : samples) {
        shared::EdgeFinder* const finder = find(sample.bit);
        if (finder != nullptr && shared::isEdgeFound(*finder) != 0) {
            shared::widenEdge(*finder, sample);
        }
    }
    for (std::uint64_t rest = among & mask; rest != 0; rest &= rest - 1) {
        const shared::EdgeFinder& finder = *find(static_cast<std::uint32_t>(std::countr_zero(rest)));
        if (shared::isEdgeFound(finder) != 0) {
            shared::describeEdge(finder,
                                 surfaces[static_cast<std::size_t>(std::popcount(mask & ((rest & -rest) - 1)))]);
        }
    }
}

} // namespace aureole
