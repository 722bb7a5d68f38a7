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
    glm::ivec3 neighbour(voxel);
    neighbour[axis] += (face & 1U) != 0 ? 1 : -1;
    if ((neighbour[axis] >> 2) == (static_cast<int>(voxel[axis]) >> 2)) {
        const glm::uvec3 cell(neighbour);
        return ((mask >> shared::cellBit(cell.x, cell.y, cell.z)) & 1U) != 0;
    }
    return isSolid(octree, neighbour);
}

/// The voxels of a leaf, or of a node of planes in its place.
struct FaceBlock {
    std::uint64_t solid = 0;
    std::uint64_t surface = 0; ///< those with attributes
};

FaceBlock faceBlock(const Octree& octree, const WalkNode& leaf) {
    if (const auto* const planes = std::get_if<PlanesEncoding>(&octree.encoding)) {
        const shared::OctreeNode& node = planes->nodes[leaf.index];
        if (node.flags != 0) {
            return {}; // a merged node: what emits is never merged
        }
        const std::uint64_t mask = wholeMask(maskOf(node));
        return {mask, mask};
    }
    const LeafMasks masks = leafMasks(octree, leaf.index);
    return {wholeMask(masks.solid), wholeMask(masks.surface)};
}

void collectFromLeaf(const Octree& octree, const WalkNode& leaf, std::vector<EmissiveFace>& faces) {
    const FaceBlock block = faceBlock(octree, leaf);
    std::uint64_t index = leaf.attributes;
    for (std::uint64_t rest = block.surface; rest != 0; rest &= rest - 1, ++index) {
        const std::uint32_t entry = paletteIndex(
            octree, index, (octree.attributes[index].shading >> ATTRIBUTE_MATERIAL_SHIFT) & ATTRIBUTE_MAX_MATERIAL);
        if (octree.palette[entry].emission == glm::vec3(0.0F)) {
            continue;
        }
        const glm::uvec3 voxel = codeCell((leaf.code << 6U) | static_cast<std::uint64_t>(std::countr_zero(rest)));
        for (std::uint32_t face = 0; face < 6; ++face) {
            if (!neighbourSolid(octree, block.solid, voxel, face)) {
                faces.push_back({voxel, face, entry});
            }
        }
    }
}

} // namespace

std::vector<EmissiveFace> collectEmissiveFaces(const Octree& octree) {
    if (octree.voxels == 0 || octree.palette.size() < 2) {
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
