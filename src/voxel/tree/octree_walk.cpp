#include "voxel/tree/octree_walk.h"

#include <bit>

#include "voxel/tree/dag.h"

namespace aureole {

namespace {

std::uint64_t wholeMask(const shared::uvec2& mask) {
    return (std::uint64_t{mask.y} << 32U) | mask.x;
}

} // namespace

std::uint32_t leafMaskIndex(const Octree& octree, std::uint32_t leaf) {
    return octree.encoding == OctreeEncoding::Dag ? DagReader(octree).leaf(leaf) : leaf;
}

shared::OctreeNode innerNode(const Octree& octree, std::uint32_t index) {
    if (octree.encoding != OctreeEncoding::Dag) {
        return octree.nodes[index];
    }
    const DagReader dag(octree);
    const shared::uvec2 mask = octree.leaves[dag.number(index)];
    const std::uint32_t first = dag.first(index);
    return {mask.x, mask.y, first, first == 0 ? OCTREE_NODE_FULL : 0U};
}

std::vector<WalkNode> walkChildren(const Octree& octree, const WalkNode& node) {
    const shared::OctreeNode inner = innerNode(octree, node.index);
    if (inner.flags != 0) {
        return {};
    }
    const bool isDag = octree.encoding == OctreeEncoding::Dag;
    const bool lowest = node.level + 2 == octree.levels;
    std::vector<WalkNode> children;
    children.reserve(64);
    std::uint64_t attributes = node.attributes;
    std::uint32_t index = inner.firstChild;
    for (std::uint64_t rest = wholeMask({inner.maskLow, inner.maskHigh}); rest != 0; rest &= rest - 1, ++index) {
        WalkNode child{(node.code << 6U) | static_cast<std::uint64_t>(std::countr_zero(rest)), 0, index,
                       node.level + 1};
        if (isDag) {
            child.attributes = lowest ? attributes : node.attributes + DagReader(octree).count(index);
        } else if (lowest) {
            child.attributes = octree.encoding == OctreeEncoding::Planes ? octree.nodes[index].firstChild
                                                                         : attributeBase(octree, index);
        }
        if (isDag && lowest) {
            attributes += shared::maskCount(surfaceMask(octree, leafMaskIndex(octree, index)));
        }
        children.push_back(child);
    }
    return children;
}

} // namespace aureole
