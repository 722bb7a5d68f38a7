#include <bit>

#include "core/parallel.h"
#include "shared/octree/attributes.h"
#include "voxel/tree/cell_code.h"
#include "voxel/tree/octree.h"
#include "voxel/tree/octree_walk.h"

namespace aureole {

namespace {

constexpr std::size_t kSubtrees = 512;

std::uint64_t wholeMask(std::uint32_t low, std::uint32_t high) {
    return (std::uint64_t{high} << 32U) | low;
}

/// The nodes of one level, about enough of them to share out.
std::vector<WalkNode> subtrees(const Octree& octree) {
    std::vector<WalkNode> nodes = {WalkNode{}};
    while (nodes.size() < kSubtrees && nodes[0].level + 2 < octree.levels) {
        std::vector<WalkNode> children;
        for (const WalkNode& node : nodes) {
            const std::vector<WalkNode> own = walkChildren(octree, node);
            children.insert(children.end(), own.begin(), own.end());
        }
        if (children.empty()) {
            return {};
        }
        nodes = std::move(children);
    }
    return nodes;
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

/// A leaf, or a node of planes in its place, as a node.
shared::OctreeNode leafBlock(const Octree& octree, const WalkNode& leaf) {
    if (octree.encoding == OctreeEncoding::Planes) {
        return octree.nodes[leaf.index];
    }
    const shared::uvec2 mask = octree.leaves[leafMaskIndex(octree, leaf.index)];
    return {mask.x, mask.y, 0, 0};
}

/// Those of its voxels, all in `mask`, that have attributes.
std::uint64_t surfaceOf(const Octree& octree, const WalkNode& leaf, std::uint64_t mask) {
    if (octree.encoding == OctreeEncoding::Planes) {
        return mask;
    }
    const shared::uvec2 surface = surfaceMask(octree, leafMaskIndex(octree, leaf.index));
    return wholeMask(surface.x, surface.y);
}

void collectFromLeaf(const Octree& octree, const WalkNode& leaf, std::vector<EmissiveFace>& faces) {
    const shared::OctreeNode block = leafBlock(octree, leaf);
    if (block.flags != 0) {
        return; // what emits is never merged
    }
    const std::uint64_t mask = wholeMask(block.maskLow, block.maskHigh);
    std::uint64_t index = leaf.attributes;
    for (std::uint64_t rest = surfaceOf(octree, leaf, mask); rest != 0; rest &= rest - 1, ++index) {
        const std::uint32_t entry = paletteIndex(
            octree, index, (octree.attributes[index].shading >> ATTRIBUTE_MATERIAL_SHIFT) & ATTRIBUTE_MAX_MATERIAL);
        if (octree.palette[entry].emission == glm::vec3(0.0F)) {
            continue;
        }
        const glm::uvec3 voxel = codeCell((leaf.code << 6U) | static_cast<std::uint64_t>(std::countr_zero(rest)));
        for (std::uint32_t face = 0; face < 6; ++face) {
            if (!neighbourSolid(octree, mask, voxel, face)) {
                faces.push_back({voxel, face, entry});
            }
        }
    }
}

} // namespace

std::vector<EmissiveFace> collectEmissiveFaces(const Octree& octree) {
    if ((octree.leaves.empty() && octree.slabs.empty()) || octree.palette.size() < 2) {
        return {};
    }
    const std::vector<WalkNode> tasks = subtrees(octree);
    std::vector<std::vector<EmissiveFace>> parts(tasks.size());
    parallelFor(static_cast<std::int64_t>(tasks.size()), 1, [&](std::int64_t i) {
        const auto task = static_cast<std::size_t>(i);
        forEachLeaf(
            octree, [&](const WalkNode& leaf) { collectFromLeaf(octree, leaf, parts[task]); }, tasks[task]);
    });
    std::vector<EmissiveFace> faces;
    for (const std::vector<EmissiveFace>& part : parts) {
        faces.insert(faces.end(), part.begin(), part.end());
    }
    return faces;
}

} // namespace aureole
