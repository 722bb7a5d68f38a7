#include "voxel/tree/coarse_cells.h"

#include <limits>
#include <utility>

#include "voxel/tree/octree_walk.h"

namespace aureole {

namespace {

shared::CoarseCell cellAt(const glm::uvec3& low, std::uint32_t shift) {
    return {{low.x | (low.y << 16U), low.z | (shift << 16U)}};
}

class CellWalk {
public:
    CellWalk(const Octree& octree, std::uint32_t shift, std::size_t most)
        : octree_(octree)
        , shift_(shift)
        , most_(most) {}

    /// A node of 2^(childShift + 2) voxels a side.
    void visit(std::uint32_t index, std::uint32_t childShift, const glm::uvec3& low) {
        const shared::OctreeNode node = innerNode(octree_, index);
        const shared::uvec2 mask(node.maskLow, node.maskHigh);
        if (shared::maskCount(mask) == 0 || cells_.size() > most_) {
            return; // the root of an empty octree, or a walk given up
        }
        if (node.flags != 0 || childShift + 2 <= shift_) {
            cells_.push_back(cellAt(low, childShift + 2));
            return;
        }
        if (childShift + 1 == shift_) {
            addBlocks(mask, childShift, low);
            return;
        }
        std::uint32_t child = node.firstChild;
        for (std::uint32_t bit = 0; bit < 64; ++bit) {
            if (shared::maskHasBit(mask, bit) == 0) {
                continue;
            }
            const glm::uvec3 corner = low + (shared::bitCell(bit) << childShift);
            if (childShift == shift_) {
                cells_.push_back(cellAt(corner, childShift));
            } else {
                visit(child, childShift - 2, corner);
            }
            ++child;
        }
    }

    std::vector<shared::CoarseCell> take() { return std::move(cells_); }

private:
    void addBlocks(const shared::uvec2& mask, std::uint32_t childShift, const glm::uvec3& low) {
        for (std::uint32_t block = 0; block < 8; ++block) {
            const glm::uvec3 first(2 * (block & 1U), block & 2U, 2 * (block >> 2U));
            if (shared::maskBlock(mask, shared::cellBit(first.x, first.y, first.z)) != 0) {
                cells_.push_back(cellAt(low + (first << childShift), childShift + 1));
            }
        }
    }

    const Octree& octree_;
    std::uint32_t shift_;
    std::size_t most_;
    std::vector<shared::CoarseCell> cells_;
};

/// More than `most` where there are more, of which some.
std::vector<shared::CoarseCell> someCells(const Octree& octree, std::uint32_t shift, std::size_t most) {
    CellWalk walk(octree, shift, most);
    walk.visit(0, 2 * octree.levels - 2, glm::uvec3(0));
    return walk.take();
}

} // namespace

std::vector<shared::CoarseCell> coarseCells(const Octree& octree, std::uint32_t shift) {
    return someCells(octree, shift, std::numeric_limits<std::size_t>::max());
}

std::vector<shared::CoarseCell> coarseCellsUpTo(const Octree& octree, std::size_t most) {
    std::uint32_t shift = 2 * octree.levels;
    std::vector<shared::CoarseCell> cells = coarseCells(octree, shift);
    while (shift > 2) {
        --shift;
        std::vector<shared::CoarseCell> finer = someCells(octree, shift, most);
        if (finer.size() > most) {
            break;
        }
        cells = std::move(finer);
    }
    return cells;
}

} // namespace aureole
