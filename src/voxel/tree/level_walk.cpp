#include "voxel/tree/level_walk.h"

#include <bit>

#include "core/error.h"
#include "core/set_bits.h"
#include "voxel/tree/cell_code.h"
#include "voxel/tree/octree_walk.h"
#include "voxel/tree/plane_walk.h"
#include "voxel/tree/walked_cells.h"

namespace aureole {

namespace {

class Walk {
public:
    Walk(const Octree& octree, std::uint32_t height, const WalkCalls& calls)
        : octree_(octree)
        , height_(height)
        , calls_(calls)
        , noSurface_(averageAttributes(SurfaceSum{}))
        , cells_(octree) {}

    void run() {
        if (octree_.voxels == 0) {
            return;
        }
        firstCell(0, 0);
        if (height_ < octree_.levels) {
            visit(0, octree_.levels - 1, 0);
            return;
        }
        addNode(innerNode(octree_, 0), 1); // the root is the only cell
        cells_.emit(calls_, 0, 1);
    }

private:
    /// Counts the nodes above the level whose nodes are the cells, which is where their averages begin; those of
    /// leaves stand apart.
    void firstCell(std::uint32_t index, std::uint32_t level) {
        if (height_ < 2 || level + height_ >= octree_.levels) {
            return;
        }
        ++nextCell_;
        const shared::OctreeNode node = innerNode(octree_, index);
        if (node.flags != OCTREE_NODE_FULL && level + height_ + 1 < octree_.levels) {
            const auto children = static_cast<std::uint32_t>(std::popcount(wholeMask(maskOf(node))));
            for (std::uint32_t child = 0; child < children; ++child) {
                firstCell(node.firstChild + child, level + 1);
            }
        }
    }

    /// A node or leaf whose children are cubes of 4^childHeight voxels.
    void visit(std::uint32_t index, std::uint32_t childHeight, std::uint64_t code) {
        if (childHeight == 0) {
            addVoxels(index, code);
            return;
        }
        const shared::OctreeNode node = innerNode(octree_, index);
        if (node.flags == OCTREE_NODE_FULL) {
            calls_.onInside(code, childHeight + 1 - height_);
            return;
        }
        std::uint32_t child = node.firstChild;
        for (const std::uint32_t bit : setBits(wholeMask(maskOf(node)))) {
            if (childHeight > height_) {
                visit(child, childHeight - 1, (code << 6U) | bit);
            } else if (childHeight == 1) {
                addLeaf(child, std::uint64_t{1} << bit);
            } else {
                addNode(innerNode(octree_, child), std::uint64_t{1} << bit);
            }
            ++child;
        }
        if (childHeight == height_) {
            cells_.emit(calls_, code, wholeMask(maskOf(node)));
        }
    }

    void addVoxels(std::uint32_t leaf, std::uint64_t code) {
        const LeafMasks masks = leafMasks(octree_, leaf);
        const std::uint64_t solid = wholeMask(masks.solid);
        const std::uint64_t surface = wholeMask(masks.surface);
        cells_.addInside(solid & ~surface);
        const int count = std::popcount(surface);
        for (int i = 0; i < count; ++i) {
            cells_.addVoxel(nextAttribute_++);
        }
        cells_.emit(calls_, code, solid);
    }

    void addLeaf(std::uint32_t leaf, std::uint64_t bit) {
        const std::uint64_t number = nextCell_++;
        if (wholeMask(leafMasks(octree_, leaf).surface) == 0) {
            cells_.addInside(bit);
            return;
        }
        if (octree_.isShape) {
            cells_.addVoxel(0);
            return;
        }
        cells_.addAverage(octree_.leafAverages[number], octree_.leafMaterials, number);
    }

    void addNode(const shared::OctreeNode& node, std::uint64_t bit) {
        const std::uint64_t number = nextCell_++;
        if (octree_.isShape) {
            if (node.flags == OCTREE_NODE_FULL) {
                cells_.addInside(bit);
            } else {
                cells_.addVoxel(0);
            }
            return;
        }
        const shared::VoxelAttributes& average = octree_.nodeAverages[number];
        const bool hasNone = average.albedo == noSurface_.albedo && average.shading == noSurface_.shading &&
                             average.sheet == noSurface_.sheet;
        if (node.flags == OCTREE_NODE_FULL || (octree_.coverage == Coverage::Solid && hasNone)) {
            cells_.addInside(bit);
            return;
        }
        cells_.addAverage(average, octree_.nodeMaterials, number);
    }

    const Octree& octree_;
    std::uint32_t height_;
    const WalkCalls& calls_;
    shared::VoxelAttributes noSurface_; ///< the average of a node without any surface
    std::uint64_t nextAttribute_ = 0;   ///< attributes stand in the order of the walk
    std::uint64_t nextCell_ = 0;        ///< averages stand level by level, those of a level in this order
    WalkedCells cells_;
};

} // namespace

void walkOctree(const Octree& octree, std::uint32_t height, const WalkCalls& calls) {
    if (height > octree.levels) {
        fail(ExitCode::Internal, "octree: found a height of {}, expected at most {}", height, octree.levels);
    }
    if (const auto* const planes = std::get_if<PlanesEncoding>(&octree.encoding)) {
        walkPlanes(octree, *planes, height, calls);
        return;
    }
    Walk(octree, height, calls).run();
}

std::uint64_t solidMask(const Octree& octree, const glm::ivec3& block) {
    const int blocks = 1 << (2U * (octree.levels - 1));
    if (glm::any(glm::lessThan(block, glm::ivec3(0))) || glm::any(glm::greaterThanEqual(block, glm::ivec3(blocks)))) {
        return 0;
    }
    const std::uint64_t code = cellCode(glm::uvec3(block));
    if (const auto* const planes = std::get_if<PlanesEncoding>(&octree.encoding)) {
        return planesSolidMask(octree, *planes, code);
    }
    if (octree.voxels == 0) {
        return 0;
    }
    std::uint32_t index = 0;
    for (std::uint32_t level = octree.levels - 1; level > 0; --level) {
        const shared::OctreeNode node = innerNode(octree, index);
        if (node.flags == OCTREE_NODE_FULL) {
            return ~std::uint64_t{0};
        }
        const auto bit = static_cast<std::uint32_t>((code >> (6U * (level - 1))) & 63U);
        const shared::uvec2 mask(node.maskLow, node.maskHigh);
        if (shared::maskHasBit(mask, bit) == 0) {
            return 0;
        }
        index = node.firstChild + shared::maskRank(mask, bit);
    }
    return wholeMask(leafMasks(octree, index).solid);
}

} // namespace aureole
