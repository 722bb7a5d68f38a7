#pragma once

// Walking down an octree in host memory, whatever its encoding.

#include <cstdint>
#include <vector>

#include "voxel/tree/octree.h"

namespace aureole {

/// An inner node or a leaf on the way down.
struct WalkNode {
    std::uint64_t code = 0; ///< cell_code.h, in units of its size
    /// The index of its first voxel's attributes; 0 for a tree's inner nodes, of which it is not known.
    std::uint64_t attributes = 0;
    std::uint32_t index = 0; ///< of the node, or of the leaf (of a DAG, of the reference to it)
    std::uint32_t level = 0; ///< levels - 1 is a leaf, or of planes a node in its place
};

/// The occupancy of an inner node's 64 children.
inline shared::uvec2 maskOf(const shared::OctreeNode& node) {
    return {node.maskLow, node.maskHigh};
}

/// A mask of two words as one, bit 0 first.
inline std::uint64_t wholeMask(const shared::uvec2& mask) {
    return mask.x | (std::uint64_t{mask.y} << 32U);
}

/// The two words of a mask, as octrees store it.
inline shared::uvec2 halvesOf(std::uint64_t mask) {
    return {static_cast<std::uint32_t>(mask), static_cast<std::uint32_t>(mask >> 32U)};
}

/// The voxels of a leaf: the solid ones, and those of them that have attributes.
struct LeafMasks {
    shared::uvec2 solid{0};
    shared::uvec2 surface{0};
};

/// The masks of a leaf of a tree, or of a leaf reference of a DAG. Planes have no leaves.
LeafMasks leafMasks(const Octree& octree, std::uint32_t leaf);

/// An inner node as that of a tree, by its index; its first child is one of the same encoding.
shared::OctreeNode innerNode(const Octree& octree, std::uint32_t index);

/// The children of an inner node, in the order of codes; none of a full or a merged node.
std::vector<WalkNode> walkChildren(const Octree& octree, const WalkNode& node);

/// Calls visit(leaf) for every leaf below a node, the root by default, in the order of codes. In full and
/// merged nodes there are none.
template <typename Visit>
void forEachLeaf(const Octree& octree, const Visit& visit, const WalkNode& node = {}) {
    if (node.level + 1 == octree.levels) {
        visit(node);
        return;
    }
    for (const WalkNode& child : walkChildren(octree, node)) {
        forEachLeaf(octree, visit, child);
    }
}

} // namespace aureole
