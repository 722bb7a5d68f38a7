#ifdef AUREOLE_NANOVDB

#include "bench/traverse/peers/nanovdb/nano_grid.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

#define PNANOVDB_C
#include <nanovdb/PNanoVDB.h>

#include "core/set_bits.h"
#include "core/threads/parallel.h"
#include "voxel/tree/cell_code.h"
#include "voxel/tree/octree_walk.h"

namespace aureole::bench {

namespace {

constexpr std::uint32_t kBrick = 16;
constexpr std::uint32_t kLowerShift = 7;  ///< a lower node has 128 voxels a side
constexpr std::uint32_t kUpperShift = 12; ///< an upper one 4096
constexpr std::int64_t kBricksAtOnce = 256;

/// Finds the bricks below a node; below a full one all are.
void walk(NanoBricks& found, std::uint32_t index, std::uint32_t level, std::uint64_t code, bool isFull) {
    const Octree& octree = *found.octree;
    const shared::OctreeNode node =
        isFull ? shared::OctreeNode{~0U, ~0U, 0, OCTREE_NODE_FULL} : innerNode(octree, index);
    if (level + 2 == octree.levels) {
        if (wholeMask(maskOf(node)) != 0) {
            found.bricks.push_back({codeCell(code) * kBrick, index, node.flags != 0, 0, 0});
        }
        return;
    }
    std::uint32_t child = node.firstChild;
    for (const std::uint32_t bit : setBits(wholeMask(maskOf(node)))) {
        walk(found, child, level + 1, (code << 6U) | bit, node.flags != 0);
        ++child;
    }
}

/// x first, as NanoVDB numbers the children of its nodes.
std::uint64_t placeOf(const glm::uvec3& at, std::uint32_t shift, std::uint32_t bits) {
    const glm::uvec3 cell = (at >> shift) & ((1U << bits) - 1);
    return (std::uint64_t{cell.x} << (2 * bits)) | (std::uint64_t{cell.y} << bits) | cell.z;
}

std::uint64_t keyOf(const glm::uvec3& corner) {
    return (placeOf(corner, kUpperShift, 3) << 24U) | (placeOf(corner, kLowerShift, 5) << 9U) | placeOf(corner, 4, 3);
}

/// The mask of the 4^3 voxels in a brick's cell `bit`, which there are.
std::uint64_t partMask(const Octree& octree, const NanoBrick& brick, const shared::OctreeNode& node,
                       std::uint32_t bit) {
    if (brick.isFull) {
        return ~std::uint64_t{0};
    }
    return wholeMask(findTree(octree)->leaves[node.firstChild + shared::maskRank(maskOf(node), bit)]);
}

/// Calls visit(cell of 4^3 voxels within the brick, their mask).
template <typename Visit>
void forEachPart(const Octree& octree, const NanoBrick& brick, const Visit& visit) {
    const shared::OctreeNode node =
        brick.isFull ? shared::OctreeNode{~0U, ~0U, 0, OCTREE_NODE_FULL} : innerNode(octree, brick.node);
    for (const std::uint32_t bit : setBits(wholeMask(maskOf(node)))) {
        visit(shared::bitCell(bit), partMask(octree, brick, node, bit));
    }
}

std::uint32_t leafInBrick(const glm::uvec3& part) {
    return (part.x >> 1U) | ((part.y >> 1U) << 1U) | ((part.z >> 1U) << 2U);
}

/// What of a brick only a look at its voxels tells.
void measureBricks(NanoBricks& found) {
    found.low = glm::uvec3(~0U);
    for (NanoBrick& brick : found.bricks) {
        forEachPart(*found.octree, brick, [&](const glm::uvec3& part, std::uint64_t mask) {
            brick.leafMask |= static_cast<std::uint8_t>(1U << leafInBrick(part));
            const glm::uvec3 corner = brick.corner + 4U * part;
            if (glm::all(glm::greaterThanEqual(corner, found.low)) &&
                glm::all(glm::lessThanEqual(corner + 3U, found.high))) {
                return; // they change nothing
            }
            for (const std::uint32_t bit : setBits(mask)) {
                const glm::uvec3 voxel = corner + shared::bitCell(bit);
                found.low = glm::min(found.low, voxel);
                found.high = glm::max(found.high, voxel);
            }
        });
        brick.firstLeaf = found.leaves;
        found.leaves += static_cast<std::uint32_t>(std::popcount(brick.leafMask));
    }
}

/// Where things stand in a grid, in bytes.
struct Layout {
    explicit Layout(const NanoBricks& bricks, bool isFloat)
        : type(isFloat ? PNANOVDB_GRID_TYPE_FLOAT : PNANOVDB_GRID_TYPE_INDEX)
        , sizes(pnanovdb_grid_type_constants[type])
        , upper(root + sizes.root_size + bricks.upper.size() * std::uint64_t{sizes.root_tile_size})
        , lower(upper + bricks.upper.size() * std::uint64_t{sizes.upper_size})
        , leaf(lower + bricks.lower.size() * std::uint64_t{sizes.lower_size})
        , end(leaf + std::uint64_t{bricks.leaves} * sizes.leaf_size) {}

    std::uint64_t upperAt(std::size_t i) const { return upper + i * sizes.upper_size; }
    std::uint64_t lowerAt(std::size_t i) const { return lower + i * sizes.lower_size; }
    std::uint64_t leafAt(std::size_t i) const { return leaf + i * sizes.leaf_size; }

    std::uint32_t type;
    pnanovdb_grid_type_constants_t sizes;
    std::uint64_t tree = PNANOVDB_GRID_SIZE;
    std::uint64_t root = PNANOVDB_GRID_SIZE + PNANOVDB_TREE_SIZE;
    std::uint64_t upper;
    std::uint64_t lower;
    std::uint64_t leaf;
    std::uint64_t end;
};

class NanoWriter {
public:
    NanoWriter(const NanoBricks& bricks, bool isFloat)
        : bricks_(bricks)
        , layout_(bricks, isFloat)
        , isFloat_(isFloat) {}

    RawVector<std::uint64_t> write() {
        grid_.resize(layout_.end / sizeof(std::uint64_t));
        constexpr std::int64_t kGrain = 1 << 16;
        parallelFor(static_cast<std::int64_t>(grid_.size()), kGrain,
                    [&](std::int64_t i) { grid_[static_cast<std::size_t>(i)] = 0; });
        writeHeads();
        for (std::size_t i = 0; i < bricks_.lower.size(); ++i) {
            const glm::uvec3& corner = bricks_.lower[i];
            const std::size_t parent = nodeOf(bricks_.upper, corner, kUpperShift);
            put(layout_.lowerAt(i), glm::ivec3(corner));
            put(layout_.lowerAt(i) + PNANOVDB_LOWER_OFF_BBOX_MAX, glm::ivec3(corner) + 127);
            link(layout_.upperAt(parent), PNANOVDB_UPPER_OFF_CHILD_MASK, layout_.sizes.upper_off_table,
                 placeOf(corner, kLowerShift, 5), layout_.lowerAt(i));
        }
        parallelFor(static_cast<std::int64_t>(bricks_.bricks.size()), kBricksAtOnce,
                    [&](std::int64_t i) { writeLeaves(static_cast<std::size_t>(i)); });
        // Bricks of one lower node share words of its mask.
        for (std::size_t i = 0; i < bricks_.bricks.size(); ++i) {
            linkLeaves(i);
        }
        return std::move(grid_);
    }

private:
    template <typename T>
    void put(std::uint64_t offset, const T& value) {
        std::memcpy(reinterpret_cast<std::byte*>(grid_.data()) + offset, &value, sizeof(T));
    }
    void setBit(std::uint64_t mask, std::uint64_t bit) { grid_[mask / 8 + bit / 64] |= std::uint64_t{1} << (bit % 64); }

    /// The number of the node that a corner is in.
    static std::size_t nodeOf(const std::vector<glm::uvec3>& nodes, const glm::uvec3& corner, std::uint32_t shift) {
        const glm::uvec3 own = (corner >> shift) << shift;
        return static_cast<std::size_t>(std::find(nodes.begin(), nodes.end(), own) - nodes.begin());
    }

    void link(std::uint64_t node, std::uint32_t mask, std::uint32_t table, std::uint64_t place, std::uint64_t child) {
        setBit(node + mask, place);
        put(node + table + place * layout_.sizes.table_stride, child - node);
    }

    void writeHeads() {
        put(0, std::uint64_t{PNANOVDB_MAGIC_NUMBER});
        put(PNANOVDB_GRID_OFF_VERSION,
            std::uint32_t{PNANOVDB_MAJOR_VERSION_NUMBER << 21U | PNANOVDB_MINOR_VERSION_NUMBER << 10U});
        put(PNANOVDB_GRID_OFF_FLAGS, std::uint32_t{PNANOVDB_GRID_FLAGS_IS_BREADTH_FIRST});
        put(PNANOVDB_GRID_OFF_GRID_COUNT, std::uint32_t{1});
        put(PNANOVDB_GRID_OFF_GRID_SIZE, layout_.end);
        put(PNANOVDB_GRID_OFF_GRID_CLASS,
            isFloat_ ? std::uint32_t{PNANOVDB_GRID_CLASS_VOXEL_VOLUME} : std::uint32_t{PNANOVDB_GRID_CLASS_INDEX_GRID});
        put(PNANOVDB_GRID_OFF_GRID_TYPE, layout_.type);
        put(layout_.tree + PNANOVDB_TREE_OFF_NODE_OFFSET_LEAF, layout_.leaf - layout_.tree);
        put(layout_.tree + PNANOVDB_TREE_OFF_NODE_OFFSET_LOWER, layout_.lower - layout_.tree);
        put(layout_.tree + PNANOVDB_TREE_OFF_NODE_OFFSET_UPPER, layout_.upper - layout_.tree);
        put(layout_.tree + PNANOVDB_TREE_OFF_NODE_OFFSET_ROOT, layout_.root - layout_.tree);
        put(layout_.tree + PNANOVDB_TREE_OFF_NODE_COUNT_LEAF, bricks_.leaves);
        put(layout_.tree + PNANOVDB_TREE_OFF_NODE_COUNT_LOWER, static_cast<std::uint32_t>(bricks_.lower.size()));
        put(layout_.tree + PNANOVDB_TREE_OFF_NODE_COUNT_UPPER, static_cast<std::uint32_t>(bricks_.upper.size()));
        put(layout_.tree + PNANOVDB_TREE_OFF_VOXEL_COUNT, bricks_.octree->voxelCount());
        put(layout_.root + PNANOVDB_ROOT_OFF_BBOX_MIN, glm::ivec3(bricks_.low));
        put(layout_.root + PNANOVDB_ROOT_OFF_BBOX_MAX, glm::ivec3(bricks_.high));
        put(layout_.root + PNANOVDB_ROOT_OFF_TABLE_SIZE, static_cast<std::uint32_t>(bricks_.upper.size()));
        for (std::size_t i = 0; i < bricks_.upper.size(); ++i) {
            const glm::uvec3& corner = bricks_.upper[i];
            const std::uint64_t tile =
                layout_.root + layout_.sizes.root_size + i * std::uint64_t{layout_.sizes.root_tile_size};
            put(tile, placeOf(corner, kUpperShift, 21));
            put(tile + PNANOVDB_ROOT_TILE_OFF_CHILD, layout_.upperAt(i) - layout_.root);
            put(layout_.upperAt(i), glm::ivec3(corner));
            put(layout_.upperAt(i) + PNANOVDB_UPPER_OFF_BBOX_MAX, glm::ivec3(corner) + 4095);
        }
    }

    std::uint64_t leafOf(const NanoBrick& brick, std::uint32_t leaf) const {
        return layout_.leafAt(brick.firstLeaf + indexOfBit(brick.leafMask, leaf));
    }
    static glm::uvec3 cornerOf(const NanoBrick& brick, std::uint32_t leaf) {
        return brick.corner + 8U * glm::uvec3(leaf & 1U, (leaf >> 1U) & 1U, leaf >> 2U);
    }

    void writeLeaves(std::size_t number) {
        const NanoBrick& brick = bricks_.bricks[number];
        for (std::uint32_t leaf = 0; leaf < 8; ++leaf) {
            if (((brick.leafMask >> leaf) & 1U) != 0) {
                const std::uint64_t at = leafOf(brick, leaf);
                put(at, glm::ivec3(cornerOf(brick, leaf)));
                put(at + PNANOVDB_LEAF_OFF_BBOX_DIF_AND_FLAGS, std::uint32_t{0x02070707}); // the whole leaf
                if (!isFloat_) {
                    put(at + layout_.sizes.leaf_off_table, 1 + (at - layout_.leaf) / layout_.sizes.leaf_size * 512);
                }
            }
        }
        forEachPart(*bricks_.octree, brick, [&](const glm::uvec3& part, std::uint64_t mask) {
            const std::uint64_t at = leafOf(brick, leafInBrick(part));
            for (const std::uint32_t bit : setBits(mask)) {
                const glm::uvec3 voxel = 4U * part + shared::bitCell(bit);
                const std::uint64_t place = placeOf(voxel, 0, 3);
                setBit(at + PNANOVDB_LEAF_OFF_VALUE_MASK, place);
                if (isFloat_) {
                    put(at + layout_.sizes.leaf_off_table + 4 * place, 1.0F);
                }
            }
        });
    }

    void linkLeaves(std::size_t number) {
        const NanoBrick& brick = bricks_.bricks[number];
        const std::uint64_t lower = layout_.lowerAt(bricks_.lowerOf[number]);
        for (std::uint32_t leaf = 0; leaf < 8; ++leaf) {
            if (((brick.leafMask >> leaf) & 1U) != 0) {
                link(lower, PNANOVDB_LOWER_OFF_CHILD_MASK, layout_.sizes.lower_off_table,
                     placeOf(cornerOf(brick, leaf), 3, 4), leafOf(brick, leaf));
            }
        }
    }

    const NanoBricks& bricks_;
    Layout layout_;
    bool isFloat_;
    RawVector<std::uint64_t> grid_;
};

} // namespace

NanoBricks collectBricks(const Octree& octree) {
    NanoBricks found;
    found.octree = &octree;
    walk(found, 0, 0, 0, false);
    std::sort(found.bricks.begin(), found.bricks.end(),
              [](const NanoBrick& a, const NanoBrick& b) { return keyOf(a.corner) < keyOf(b.corner); });
    for (const NanoBrick& brick : found.bricks) {
        const glm::uvec3 lower = (brick.corner >> kLowerShift) << kLowerShift;
        const glm::uvec3 upper = (brick.corner >> kUpperShift) << kUpperShift;
        if (found.lower.empty() || found.lower.back() != lower) {
            found.lower.push_back(lower);
        }
        if (found.upper.empty() || found.upper.back() != upper) {
            found.upper.push_back(upper);
        }
        found.lowerOf.push_back(static_cast<std::uint32_t>(found.lower.size() - 1));
    }
    measureBricks(found);
    return found;
}

std::uint64_t nanoGridBytes(const NanoBricks& bricks, bool isFloat) {
    return Layout(bricks, isFloat).end;
}

RawVector<std::uint64_t> makeNanoGrid(const NanoBricks& bricks, bool isFloat) {
    return NanoWriter(bricks, isFloat).write();
}

} // namespace aureole::bench

#endif
