#include "model/density_tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <glm/gtc/matrix_transform.hpp>

#include "core/byte_size.h"
#include "core/cube_index.h"
#include "core/error.h"
#include "core/threads/parallel.h"
#include "model/level_set.h"

namespace aureole {

namespace {

constexpr int kCells = VOLUME_BRICK_CELLS;
constexpr int kPoints = VOLUME_BRICK_POINTS;
constexpr std::size_t kNoBlock = std::numeric_limits<std::size_t>::max();

/// The densities of a brick's points.
using BrickPoints = std::array<float, std::size_t{kPoints} * kPoints * kPoints>;

/// The number of a block; kNoBlock where there is none.
std::size_t findBlock(const DensityGrid& grid, const glm::ivec3& block) {
    const auto found = std::lower_bound(grid.blocks.begin(), grid.blocks.end(), block, blockBefore);
    return found != grid.blocks.end() && *found == block ? static_cast<std::size_t>(found - grid.blocks.begin())
                                                         : kNoBlock;
}

/// Which bricks have points of a block with a density: its own, and by the points that come first along axes those
/// before it; a bit for each of 8, by the axes along which it is before.
std::uint32_t touchedBy(const float* values) {
    std::uint32_t firsts = 0; // kinds of points, by the axes along which they are first
    for (std::uint32_t p = 0; p < DensityGrid::kBlockPoints; ++p) {
        if (values[p] > 0.0F) {
            firsts |= 1U << (((p & 7U) == 0 ? 1U : 0U) | ((p & 56U) == 0 ? 2U : 0U) | (p < 64 ? 4U : 0U));
        }
    }
    std::uint32_t touched = 0;
    for (std::uint32_t before = 0; before < 8; ++before) {
        for (std::uint32_t first = 0; first < 8; ++first) {
            if ((firsts >> first & 1U) != 0 && (first & before) == before) {
                touched |= 1U << before;
            }
        }
    }
    return touched;
}

void requireRoom(std::size_t bricks, std::uint64_t mostBytes, const std::string& place) {
    const std::uint64_t bytes = std::uint64_t{bricks} * VOLUME_BRICK_WORDS * sizeof(std::uint32_t);
    if (bytes > mostBytes) {
        fail(ExitCode::BadInput,
             "{}: found values above 0 in {} bricks of 8 x 8 x 8 voxels, which take {} of memory, expected at most {}, "
             "which --asset-memory raises",
             place, bricks, bytesText(bytes), bytesText(mostBytes));
    }
}

/// The bricks that have points with a density, some of them several times.
std::vector<glm::ivec3> candidates(const DensityGrid& grid, std::uint64_t mostBytes, const std::string& place) {
    std::vector<std::uint8_t> touched(grid.blocks.size());
    parallelFor(static_cast<std::int64_t>(touched.size()), 64, [&](std::int64_t i) {
        touched[static_cast<std::size_t>(i)] =
            static_cast<std::uint8_t>(touchedBy(grid.at(static_cast<std::size_t>(i))));
    });
    // Each of these is a brick: what is too much is refused before the list takes memory.
    requireRoom(touched.size() - static_cast<std::size_t>(std::count(touched.begin(), touched.end(), 0)), mostBytes,
                place);
    std::vector<glm::ivec3> bricks;
    for (std::size_t i = 0; i < touched.size(); ++i) {
        for (std::uint32_t before = 0; before < 8; ++before) {
            if ((touched[i] >> before & 1U) != 0) {
                bricks.push_back(grid.blocks[i] - glm::ivec3(before & 1U, (before >> 1U) & 1U, before >> 2U));
            }
        }
    }
    return bricks;
}

/// The way of a brick down the tree: the places of children, the uppermost first, 6 bits each.
std::uint64_t keyOf(const glm::ivec3& brick, std::uint32_t levels) {
    std::uint64_t key = 0;
    for (std::uint32_t level = levels; level-- > 0;) {
        key = key << 6U | shared::volumeChild(glm::uvec3(brick), 2 * level);
    }
    return key;
}

glm::ivec3 brickOf(std::uint64_t key, std::uint32_t levels) {
    glm::ivec3 brick(0);
    for (std::uint32_t level = 0; level < levels; ++level, key >>= 6U) {
        brick += glm::ivec3(key & 3U, key >> 2U & 3U, key >> 4U & 3U) << static_cast<int>(2 * level);
    }
    return brick;
}

/// The densities of a brick's points; `brick` counts as the grid's blocks do.
BrickPoints pointsOf(const DensityGrid& grid, const glm::ivec3& brick) {
    BrickPoints points{};
    for (int block = 0; block < 8; ++block) {
        const glm::ivec3 offset(block & 1, block >> 1 & 1, block >> 2);
        const std::size_t number = findBlock(grid, brick + offset);
        if (number == kNoBlock) {
            continue;
        }
        const float* const values = grid.at(number);
        const glm::ivec3 end(offset.x == 0 ? kCells : 1, offset.y == 0 ? kCells : 1, offset.z == 0 ? kCells : 1);
        for (int z = 0; z < end.z; ++z) {
            for (int y = 0; y < end.y; ++y) {
                for (int x = 0; x < end.x; ++x) {
                    const glm::ivec3 at = glm::ivec3(x, y, z) + kCells * offset;
                    points[cubeIndex(at, kPoints)] = values[cubeIndex({x, y, z}, kCells)];
                }
            }
        }
    }
    return points;
}

void fillBrick(const BrickPoints& points, std::uint32_t* words) {
    const float most = *std::max_element(points.begin(), points.end());
    words[0] = shared::floatBitsToUint(most);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double share = most > 0.0F ? double{points[i]} / double{most} : 0.0;
        const auto bits = static_cast<std::uint32_t>(std::lround(share * double{VOLUME_SHARE_ONE}));
        words[1 + i / 2] |= i % 2 == 0 ? bits : bits << 16U;
    }
}

/// Nodes of one level, by their ways down the tree.
struct Level {
    std::vector<std::uint64_t> keys;
    std::vector<shared::VolumeNode> nodes;
};

/// The nodes above others, or above bricks: their keys ascend, `mostOf` says their largest densities.
template <typename MostOf>
Level levelAbove(const std::vector<std::uint64_t>& keys, const MostOf& mostOf) {
    Level level;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (level.keys.empty() || level.keys.back() != keys[i] >> 6U) {
            level.keys.push_back(keys[i] >> 6U);
            level.nodes.push_back({0, 0, static_cast<std::uint32_t>(i), 0.0F});
        }
        shared::VolumeNode& node = level.nodes.back();
        const auto child = static_cast<std::uint32_t>(keys[i] & 63U);
        (child < 32 ? node.maskLow : node.maskHigh) |= 1U << (child & 31U);
        node.most = std::max(node.most, mostOf(i));
    }
    return level;
}

/// All nodes, the root first, over bricks of these keys.
std::vector<shared::VolumeNode> nodesOver(const std::vector<std::uint64_t>& keys, std::uint32_t levels,
                                          const std::vector<std::uint32_t>& bricks) {
    std::vector<Level> all;
    all.push_back(levelAbove(
        keys, [&](std::size_t i) { return shared::uintBitsToFloat(bricks[i * std::size_t{VOLUME_BRICK_WORDS}]); }));
    while (all.size() < levels) {
        const Level& below = all.back();
        all.push_back(levelAbove(below.keys, [&](std::size_t i) { return below.nodes[i].most; }));
    }
    std::vector<shared::VolumeNode> nodes;
    for (std::size_t i = all.size(); i-- > 0;) {
        const auto next = static_cast<std::uint32_t>(nodes.size() + all[i].nodes.size());
        for (shared::VolumeNode node : all[i].nodes) {
            node.first += i > 0 ? next : 0;
            nodes.push_back(node);
        }
    }
    return nodes;
}

std::vector<std::uint64_t> sortedKeys(const std::vector<glm::ivec3>& bricks, const glm::ivec3& first,
                                      std::uint32_t levels) {
    std::vector<std::uint64_t> keys;
    keys.reserve(bricks.size());
    for (const glm::ivec3& brick : bricks) {
        keys.push_back(keyOf(brick - first, levels));
    }
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    return keys;
}

/// Narrows the cells in use to those next to points with a density.
void addUsed(const BrickPoints& points, const glm::ivec3& corner, glm::ivec3& low, glm::ivec3& high) {
    for (int i = 0; i < static_cast<int>(points.size()); ++i) {
        if (points[static_cast<std::size_t>(i)] > 0.0F) {
            const glm::ivec3 at = corner + glm::ivec3(i % kPoints, i / kPoints % kPoints, i / (kPoints * kPoints));
            low = glm::min(low, at - 1);
            high = glm::max(high, at + 1);
        }
    }
}

} // namespace

DensityTree makeDensityTree(const DensityGrid& grid, const std::string& place, std::uint64_t mostBytes) {
    const std::vector<glm::ivec3> bricks = candidates(grid, mostBytes, place);
    if (bricks.empty()) {
        fail(ExitCode::BadInput, "{}: found no value above 0, expected some", place);
    }
    glm::ivec3 first = bricks.front();
    glm::ivec3 last = bricks.front();
    for (const glm::ivec3& brick : bricks) {
        first = glm::min(first, brick);
        last = glm::max(last, brick);
    }
    const glm::ivec3 extent = last - first + 1;
    DensityTree tree;
    while (tree.levels < VOLUME_MAX_LEVELS && std::max({extent.x, extent.y, extent.z}) > 1 << (2 * tree.levels)) {
        ++tree.levels;
    }
    constexpr int kMost = 1 << (2 * VOLUME_MAX_LEVELS);
    if (std::max({extent.x, extent.y, extent.z}) > kMost) {
        fail(ExitCode::BadInput, "{}: found values over {} x {} x {} voxels, expected at most {} along a side", place,
             kCells * extent.x, kCells * extent.y, kCells * extent.z, kCells * kMost);
    }
    const std::vector<std::uint64_t> keys = sortedKeys(bricks, first, tree.levels);
    requireRoom(keys.size(), mostBytes, place);
    tree.bricks.resize(keys.size() * VOLUME_BRICK_WORDS);
    std::vector<std::array<glm::ivec3, 2>> used(
        keys.size(), {glm::ivec3(std::numeric_limits<int>::max()), glm::ivec3(std::numeric_limits<int>::min())});
    parallelFor(static_cast<std::int64_t>(keys.size()), 64, [&](std::int64_t number) {
        const auto i = static_cast<std::size_t>(number);
        const glm::ivec3 brick = brickOf(keys[i], tree.levels);
        const auto points = pointsOf(grid, brick + first);
        fillBrick(points, &tree.bricks[i * VOLUME_BRICK_WORDS]);
        addUsed(points, kCells * brick, used[i][0], used[i][1]);
    });
    tree.low = used.front()[0];
    tree.high = used.front()[1];
    for (std::size_t i = 0; i < keys.size(); ++i) {
        tree.low = glm::min(tree.low, used[i][0]);
        tree.high = glm::max(tree.high, used[i][1]);
    }
    tree.nodes = nodesOver(keys, tree.levels, tree.bricks);
    tree.worldFromCells = glm::translate(grid.worldFromPoint, glm::dvec3(kCells * first));
    return tree;
}

Bounds boundsOf(const DensityTree& tree, const glm::dmat4& matrix) {
    return transformed({glm::dvec3(tree.low), glm::dvec3(tree.high)}, matrix);
}

} // namespace aureole
