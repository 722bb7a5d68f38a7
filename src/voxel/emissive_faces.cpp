#include <algorithm>
#include <bit>

#include "core/parallel.h"
#include "shared/attributes.h"
#include "voxel/morton.h"
#include "voxel/octree.h"

namespace aureole {

namespace {

constexpr std::int64_t kLeavesPerTask = 4096;

std::uint64_t wholeMask(std::uint32_t low, std::uint32_t high) {
    return (std::uint64_t{high} << 32U) | low;
}

/// The Morton codes of all leaves, in units of their size.
std::vector<std::uint64_t> leafCodes(const Octree& octree) {
    std::vector<std::uint64_t> codes = {0};
    std::size_t first = 0;
    for (std::uint32_t level = 0; level + 1 < octree.levels; ++level) {
        std::vector<std::uint64_t> children;
        for (std::size_t i = 0; i < codes.size(); ++i) {
            const shared::OctreeNode& node = octree.nodes[first + i];
            if ((node.flags & OCTREE_NODE_FULL) != 0) {
                continue;
            }
            for (std::uint64_t mask = wholeMask(node.maskLow, node.maskHigh); mask != 0; mask &= mask - 1) {
                children.push_back((codes[i] << 6U) | static_cast<std::uint64_t>(std::countr_zero(mask)));
            }
        }
        first += codes.size();
        codes = std::move(children);
    }
    return codes;
}

bool neighbourSolid(const Octree& octree, std::uint64_t mask, const glm::uvec3& voxel, std::uint32_t face) {
    const auto axis = static_cast<int>(face >> 1U);
    glm::ivec3 neighbour(voxel);
    neighbour[axis] += (face & 1U) != 0 ? 1 : -1;
    if ((neighbour[axis] >> 2) == (static_cast<int>(voxel[axis]) >> 2)) {
        const glm::uvec3 cell(neighbour);
        return ((mask >> shared::cellBit(cell.x, cell.y, cell.z)) & 1U) != 0;
    }
    return isSolid(octree, neighbour);
}

void collectFromLeaf(const Octree& octree, std::size_t leaf, std::uint64_t code, std::vector<EmissiveFace>& faces) {
    const std::uint64_t mask = wholeMask(octree.leaves[leaf].x, octree.leaves[leaf].y);
    std::uint64_t index = attributeBase(octree, static_cast<std::uint32_t>(leaf));
    const shared::uvec2 surface = surfaceMask(octree, leaf);
    for (std::uint64_t rest = wholeMask(surface.x, surface.y); rest != 0; rest &= rest - 1, ++index) {
        const std::uint32_t emission = emissionIndex(
            octree, index, (octree.attributes[index].shading >> ATTRIBUTE_EMISSION_SHIFT) & ATTRIBUTE_MAX_EMISSION);
        if (emission == 0) {
            continue;
        }
        const glm::uvec3 voxel = mortonCell((code << 6U) | static_cast<std::uint64_t>(std::countr_zero(rest)));
        for (std::uint32_t face = 0; face < 6; ++face) {
            if (!neighbourSolid(octree, mask, voxel, face)) {
                faces.push_back({voxel, face, emission});
            }
        }
    }
}

} // namespace

std::vector<EmissiveFace> collectEmissiveFaces(const Octree& octree) {
    if (octree.leaves.empty() || octree.emissions.size() < 2) {
        return {};
    }
    const std::vector<std::uint64_t> codes = leafCodes(octree);
    const auto leaves = static_cast<std::int64_t>(codes.size());
    const std::int64_t tasks = (leaves + kLeavesPerTask - 1) / kLeavesPerTask;
    std::vector<std::vector<EmissiveFace>> parts(static_cast<std::size_t>(tasks));
    parallelFor(tasks, 1, [&](std::int64_t task) {
        const std::int64_t end = std::min(leaves, (task + 1) * kLeavesPerTask);
        for (std::int64_t i = task * kLeavesPerTask; i < end; ++i) {
            const auto leaf = static_cast<std::size_t>(i);
            collectFromLeaf(octree, leaf, codes[leaf], parts[static_cast<std::size_t>(task)]);
        }
    });
    std::vector<EmissiveFace> faces;
    for (const std::vector<EmissiveFace>& part : parts) {
        faces.insert(faces.end(), part.begin(), part.end());
    }
    return faces;
}

} // namespace aureole
