#include "voxel/tree/octree_walk.h"

#include "core/set_bits.h"
#include "voxel/tree/dag.h"

namespace aureole {

LeafMasks leafMasks(const Octree& octree, std::uint32_t leaf) {
    if (const auto* const dag = std::get_if<DagEncoding>(&octree.encoding)) {
        const std::uint32_t number = DagReader(*dag).leaf(leaf);
        return {dag->masks[number], dag->surface(number)};
    }
    const TreeEncoding& tree = *findTree(octree);
    return {tree.leaves[leaf], tree.surface(leaf)};
}

shared::OctreeNode innerNode(const Octree& octree, std::uint32_t index) {
    if (const TreeEncoding* const tree = findTree(octree)) {
        return tree->nodes[index];
    }
    if (const auto* const planes = std::get_if<PlanesEncoding>(&octree.encoding)) {
        return planes->nodes[index];
    }
    const auto& dag = std::get<DagEncoding>(octree.encoding);
    const DagReader reader(dag);
    const shared::uvec2 mask = dag.masks[reader.number(index)];
    const std::uint32_t first = reader.first(index);
    return {mask.x, mask.y, first, first == 0 ? OCTREE_NODE_FULL : 0U};
}

std::vector<WalkNode> walkChildren(const Octree& octree, const WalkNode& node) {
    const shared::OctreeNode inner = innerNode(octree, node.index);
    if (inner.flags != 0) {
        return {};
    }
    const auto* const dag = std::get_if<DagEncoding>(&octree.encoding);
    const TreeEncoding* const tree = findTree(octree);
    const bool lowest = node.level + 2 == octree.levels;
    std::vector<WalkNode> children;
    children.reserve(64);
    std::uint32_t index = inner.firstChild;
    std::uint64_t attributes = lowest && tree != nullptr ? attributeBase(*tree, index) : node.attributes;
    for (const std::uint32_t bit : setBits(wholeMask(maskOf(inner)))) {
        WalkNode child{(node.code << 6U) | bit, 0, index, node.level + 1};
        if (octree.isShape && octree.encodingKind() != OctreeEncoding::Field) {
            child.attributes = 0; // as of all others
        } else if (lowest && (dag != nullptr || tree != nullptr)) {
            child.attributes = attributes;
            attributes += shared::maskCount(leafMasks(octree, index).surface);
        } else if (dag != nullptr) {
            child.attributes = node.attributes + DagReader(*dag).count(index);
        } else if (lowest) {
            child.attributes = innerNode(octree, index).firstChild;
        }
        children.push_back(child);
        ++index;
    }
    return children;
}

} // namespace aureole
