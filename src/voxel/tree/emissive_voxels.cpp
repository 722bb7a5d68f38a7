#include <algorithm>
#include <bit>

#include "core/parallel.h"
#include "shared/octree/attributes.h"
#include "voxel/tree/cell_code.h"
#include "voxel/tree/octree.h"
#include "voxel/tree/octree_walk.h"

namespace aureole {

namespace {

constexpr std::size_t kSubtrees = 512;

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
    const glm::ivec3 neighbour = neighbourOf(voxel, face);
    if ((neighbour[axis] >> 2) == (static_cast<int>(voxel[axis]) >> 2)) {
        const glm::uvec3 cell(neighbour);
        return ((mask >> shared::cellBit(cell.x, cell.y, cell.z)) & 1U) != 0;
    }
    return isSolid(octree, neighbour);
}

/// Whether rays may come to a voxel of a leaf with these solid voxels. Past surfaces within voxels they go everywhere.
bool isReached(const Octree& octree, std::uint64_t solid, const glm::uvec3& voxel) {
    const OctreeEncoding encoding = octree.encodingKind();
    bool reached = encoding == OctreeEncoding::Planes || encoding == OctreeEncoding::Field;
    for (std::uint32_t face = 0; face < 6 && !reached; ++face) {
        reached = !neighbourSolid(octree, solid, voxel, face);
    }
    return reached;
}

/// The voxels with attributes of a leaf, or of a node of planes in its place.
std::uint64_t surfaceMask(const Octree& octree, const WalkNode& leaf) {
    if (const auto* const planes = std::get_if<PlanesEncoding>(&octree.encoding)) {
        const shared::OctreeNode& node = planes->nodes[leaf.index];
        return node.flags != 0 ? 0 : wholeMask(maskOf(node)); // what emits is never merged
    }
    return wholeMask(leafMasks(octree, leaf.index).surface);
}

void collectFromLeaf(const Octree& octree, const WalkNode& leaf, bool reachedOnly, std::vector<EmissiveVoxel>& voxels) {
    const bool isLeaf = octree.encodingKind() != OctreeEncoding::Planes;
    const std::uint64_t solid = isLeaf ? wholeMask(leafMasks(octree, leaf.index).solid) : 0;
    std::uint64_t index = leaf.attributes;
    for (std::uint64_t rest = surfaceMask(octree, leaf); rest != 0; rest &= rest - 1, ++index) {
        const std::uint32_t entry = paletteIndex(
            octree, index, (octree.attributesOf(index).shading >> ATTRIBUTE_MATERIAL_SHIFT) & ATTRIBUTE_MAX_MATERIAL);
        if (octree.palette[entry].emission != glm::vec3(0.0F)) {
            const glm::uvec3 voxel = codeCell((leaf.code << 6U) | static_cast<std::uint64_t>(std::countr_zero(rest)));
            if (!reachedOnly || isReached(octree, solid, voxel)) {
                voxels.push_back({voxel, entry, index});
            }
        }
    }
}

std::vector<EmissiveVoxel> collect(const Octree& octree, bool reachedOnly) {
    const auto emits = [](const shared::VoxelMaterial& entry) { return entry.emission != glm::vec3(0.0F); };
    if (octree.voxels == 0 || std::none_of(octree.palette.begin(), octree.palette.end(), emits)) {
        return {};
    }
    const std::vector<WalkNode> tasks = subtrees(octree);
    std::vector<std::vector<EmissiveVoxel>> parts(tasks.size());
    parallelFor(static_cast<std::int64_t>(tasks.size()), 1, [&](std::int64_t i) {
        const auto task = static_cast<std::size_t>(i);
        forEachLeaf(
            octree, [&](const WalkNode& leaf) { collectFromLeaf(octree, leaf, reachedOnly, parts[task]); },
            tasks[task]);
    });
    std::vector<EmissiveVoxel> voxels;
    for (const std::vector<EmissiveVoxel>& part : parts) {
        voxels.insert(voxels.end(), part.begin(), part.end());
    }
    return voxels;
}

} // namespace

std::vector<EmissiveVoxel> collectEmissiveVoxels(const Octree& octree) {
    return collect(octree, true);
}

std::vector<EmissiveVoxel> allEmissiveVoxels(const Octree& octree) {
    return collect(octree, false);
}

} // namespace aureole
