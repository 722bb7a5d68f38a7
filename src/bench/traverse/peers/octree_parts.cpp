#include "bench/traverse/peers/octree_parts.h"

#include "core/set_bits.h"
#include "voxel/tree/cell_code.h"
#include "voxel/tree/octree_walk.h"

namespace aureole::bench {

namespace {

/// Finds the parts below a node; below a full one all are, and full.
void findBelow(const Octree& octree, std::uint32_t index, std::uint32_t level, std::uint64_t code, bool isFull,
               std::vector<OctreePart>& parts) {
    const shared::OctreeNode node =
        isFull ? shared::OctreeNode{~0U, ~0U, 0, OCTREE_NODE_FULL} : innerNode(octree, index);
    std::uint32_t child = node.firstChild;
    for (const std::uint32_t bit : setBits(wholeMask(maskOf(node)))) {
        const std::uint64_t at = (code << 6U) | bit;
        if (level + 2 < octree.levels) {
            findBelow(octree, child, level + 1, at, node.flags != 0, parts);
        } else {
            parts.push_back(
                {codeCell(at) * 4U, node.flags != 0 ? ~std::uint64_t{0} : wholeMask(leafMasks(octree, child).solid)});
        }
        ++child;
    }
}

} // namespace

std::vector<OctreePart> findParts(const Octree& octree) {
    std::vector<OctreePart> parts;
    findBelow(octree, 0, 0, 0, false, parts);
    return parts;
}

} // namespace aureole::bench
