#include "voxel/tree/plane_walk.h"

#include <bit>
#include <cmath>

#include "core/set_bits.h"
#include "voxel/surface/slab_fit.h"
#include "voxel/tree/cell_code.h"
#include "voxel/tree/octree_walk.h"
#include "voxel/tree/walked_cells.h"

namespace aureole {

namespace {

bool isMerged(const shared::OctreeNode& node) {
    return (node.flags & OCTREE_NODE_TERMINAL) != 0;
}

/// A merged node, as if it had nodes below.
class MergedNode {
public:
    /// `code` in units of the node's size, 4^height voxels.
    MergedNode(const Octree& octree, const PlanesEncoding& planes, const shared::OctreeNode& node, std::uint64_t code,
               std::uint32_t height)
        : slab_(planes.slabs[node.firstChild])
        , side_(std::ldexp(1.0, static_cast<int>(2 * height)))
        , low_(glm::dvec3(codeCell(code)) * side_)
        , size_(octree.grid.size) {}

    /// Which of the 64 parts of a cube of 4^height voxels within the node, by its code, have voxels.
    std::uint64_t parts(std::uint64_t code, std::uint32_t height) const {
        const double side = std::ldexp(1.0, static_cast<int>(2 * height));
        const glm::dvec3 low = glm::dvec3(codeCell(code)) * side;
        std::uint64_t inGrid = 0; // the plane may go on beyond
        for (std::uint32_t bit = 0; bit < 64; ++bit) {
            const glm::dvec3 part = low + glm::dvec3(shared::bitCell(bit)) * (0.25 * side);
            inGrid |= glm::all(glm::lessThan(part, size_)) ? std::uint64_t{1} << bit : 0;
        }
        return partsMet(slab_, side_, {low - low_, side}, inGrid);
    }

private:
    shared::SurfaceSlab slab_;
    double side_;
    glm::dvec3 low_;
    glm::dvec3 size_; ///< of the grid
};

class PlaneWalk {
public:
    PlaneWalk(const Octree& octree, const PlanesEncoding& planes, std::uint32_t height, const WalkCalls& calls)
        : octree_(octree)
        , planes_(planes)
        , height_(height)
        , calls_(calls)
        , cells_(octree) {}

    void run() {
        if (height_ < octree_.levels) {
            visit(0, octree_.levels - 1, 0);
            return;
        }
        addNode(0); // the root is the only cell
        cells_.emit(calls_, 0, 1);
    }

private:
    /// A node whose parts are cubes of 4^partHeight voxels.
    void visit(std::uint64_t index, std::uint32_t partHeight, std::uint64_t code) {
        const shared::OctreeNode& node = planes_.nodes[index];
        if (isMerged(node)) {
            visitMerged(MergedNode(octree_, planes_, node, code, partHeight + 1), node.firstChild, partHeight, code,
                        wholeMask(maskOf(node)));
            return;
        }
        std::uint64_t child = node.firstChild;
        for (const std::uint32_t bit : setBits(wholeMask(maskOf(node)))) {
            if (partHeight > height_) {
                visit(child, partHeight - 1, (code << 6U) | bit);
            } else if (partHeight == 0) {
                cells_.addVoxel(child);
            } else {
                addNode(child);
            }
            ++child;
        }
        if (partHeight == height_) {
            cells_.emit(calls_, code, wholeMask(maskOf(node)));
        }
    }

    /// A merged node or a cube within it.
    void visitMerged(const MergedNode& node, std::uint64_t attributes, std::uint32_t partHeight, std::uint64_t code,
                     std::uint64_t mask) {
        if (partHeight > height_) {
            for (const std::uint32_t bit : setBits(mask)) {
                const std::uint64_t part = (code << 6U) | bit;
                visitMerged(node, attributes, partHeight - 1, part, node.parts(part, partHeight));
            }
            return;
        }
        for (int i = 0; i < std::popcount(mask); ++i) {
            cells_.addVoxel(attributes);
        }
        if (mask != 0) { // a damaged file's may have no parts in the grid
            cells_.emit(calls_, code, mask);
        }
    }

    void addNode(std::uint64_t index) { cells_.addAverage(octree_.nodeAverages[index], octree_.nodeMaterials, index); }

    const Octree& octree_;
    const PlanesEncoding& planes_;
    std::uint32_t height_;
    const WalkCalls& calls_;
    WalkedCells cells_;
};

} // namespace

void walkPlanes(const Octree& octree, const PlanesEncoding& planes, std::uint32_t height, const WalkCalls& calls) {
    if (octree.voxels > 0) {
        PlaneWalk(octree, planes, height, calls).run();
    }
}

std::uint64_t planesSolidMask(const Octree& octree, const PlanesEncoding& planes, std::uint64_t block) {
    if (octree.voxels == 0) {
        return 0;
    }
    const auto bitAt = [&](std::uint32_t height) {
        return static_cast<std::uint32_t>((block >> (6U * (height - 1))) & 63U);
    };
    const auto codeAt = [&](std::uint32_t height) { return block >> (6U * (height - 1)); }; // of a cube of 4^height
    std::uint64_t index = 0;
    for (std::uint32_t partHeight = octree.levels - 1; partHeight > 0; --partHeight) {
        const shared::OctreeNode& node = planes.nodes[index];
        std::uint64_t mask = wholeMask(maskOf(node));
        if (isMerged(node)) {
            const MergedNode merged(octree, planes, node, codeAt(partHeight + 1), partHeight + 1);
            for (std::uint32_t height = partHeight; height > 0 && mask != 0; --height) {
                mask = ((mask >> bitAt(height)) & 1U) != 0 ? merged.parts(codeAt(height), height) : 0;
            }
            return mask;
        }
        if (((mask >> bitAt(partHeight)) & 1U) == 0) {
            return 0;
        }
        index = std::uint64_t{node.firstChild} +
                shared::maskRank(shared::uvec2(node.maskLow, node.maskHigh), bitAt(partHeight));
    }
    return wholeMask(maskOf(planes.nodes[index]));
}

} // namespace aureole
