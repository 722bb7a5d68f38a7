#include "voxel/surface/surface_edges.h"

#include <bit>
#include <vector>

#include "core/set_bits.h"
#include "shared/voxelize/edges.h"

namespace aureole {

std::uint64_t creases(std::uint64_t mask, std::span<const AverageSurface> surfaces) {
    std::uint64_t found = 0;
    std::size_t slot = 0;
    for (const std::uint32_t bit : setBits(mask)) {
        found |= surfaces[slot].crease != 0 ? std::uint64_t{1} << bit : 0;
        ++slot;
    }
    return found;
}

void findEdges(std::span<const SurfaceSample> samples, std::span<const SurfaceCorner> corners, std::uint64_t mask,
               std::uint64_t among, std::span<AverageSurface> surfaces) {
    std::vector<shared::EdgeFinder> finders(static_cast<std::size_t>(std::popcount(among)), shared::noEdge());
    const auto find = [&](std::uint32_t bit) {
        return ((among >> bit) & 1U) == 0 ? nullptr : &finders[indexOfBit(among, bit)];
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
    for (const std::uint32_t bit : setBits(among & mask)) {
        const shared::EdgeFinder& finder = *find(bit);
        if (shared::isEdgeFound(finder) != 0) {
            shared::describeEdge(finder, surfaces[indexOfBit(mask, bit)]);
        }
    }
}

} // namespace aureole
