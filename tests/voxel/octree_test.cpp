#include <algorithm>
#include <bit>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "emissive_palette.h"
#include "test_scene.h"
#include "voxel/build/build.h"

namespace aureole::test {
namespace {

using Voxel = std::tuple<int, int, int>;

/// An octree from a plain set of voxels, without the module's codes: blocks are sorted by comparing coordinates' digits
/// of two bits from the highest on, z before y before x. `albedo` gets the order of attributes as a number.
struct Built {
    Octree octree;
    std::map<Voxel, std::uint32_t> order;
};

std::vector<unsigned> orderDigits(const Voxel& voxel) {
    const auto [x, y, z] = voxel;
    std::vector<unsigned> digits;
    for (int height = 6; height >= 0; --height) {
        const int side = 1 << (2 * height);
        digits.push_back(static_cast<unsigned>(z / side % 4 * 16 + y / side % 4 * 4 + x / side % 4));
    }
    return digits;
}

Built build(const std::vector<Voxel>& voxels, const glm::uvec3& size, std::uint32_t emissions = 1) {
    std::vector<std::pair<std::vector<unsigned>, Voxel>> sorted;
    for (const Voxel& voxel : voxels) {
        sorted.emplace_back(orderDigits(voxel), voxel);
    }
    std::sort(sorted.begin(), sorted.end());
    Built built;
    std::vector<VoxelBlock> blocks;
    std::vector<shared::VoxelAttributes> attributes;
    for (const auto& [digits, voxel] : sorted) {
        std::uint64_t code = 0;
        for (std::size_t i = 0; i < 6; ++i) {
            code = code * 64 + digits[i];
        }
        if (blocks.empty() || blocks.back().code != code) {
            blocks.push_back({code, 0});
        }
        blocks.back().mask |= std::uint64_t{1} << digits[6];
        const auto index = static_cast<std::uint32_t>(attributes.size());
        built.order[voxel] = index;
        attributes.push_back({index, (index % emissions) << 23U, 0});
    }
    VoxelGrid grid;
    grid.size = size;
    std::vector<glm::vec3> radiances;
    for (std::uint32_t i = 1; i < emissions; ++i) {
        radiances.emplace_back(static_cast<float>(i));
    }
    built.octree = buildOctree(grid, blocks, attributes, emissivePalette(radiances));
    return built;
}

std::uint32_t viaView(const shared::OctreeView& view, const glm::ivec3& voxel) {
    const auto address = reinterpret_cast<std::uint64_t>(&view);
    std::uint32_t index = 0;
    for (std::uint32_t level = 0; level < view.levels; ++level) {
        const std::uint32_t shift = 2 * (view.levels - 1 - level);
        const glm::uvec3 cell = glm::uvec3(voxel) >> shift;
        const std::uint32_t bit = shared::cellBit(cell.x, cell.y, cell.z);
        if (level + 1 == view.levels) {
            return shared::octreeAttributes(address, shared::octreeAttributeIndex(address, index, bit)).albedo;
        }
        const shared::OctreeNode node = shared::octreeNode(address, index);
        index = node.firstChild + shared::maskRank({node.maskLow, node.maskHigh}, bit);
    }
    return 0;
}

void expectRoundTrip(const Built& built) {
    VoxelSet expected;
    const shared::OctreeView view = makeView(built.octree);
    for (const auto& [voxel, index] : built.order) {
        expected.insert(voxel);
        const auto [x, y, z] = voxel;
        const std::optional<shared::VoxelAttributes> attributes = attributesAt(built.octree, {x, y, z});
        ASSERT_TRUE(attributes.has_value());
        ASSERT_EQ(attributes->albedo, index);
        ASSERT_EQ(viaView(view, {x, y, z}), index);
    }
    EXPECT_EQ(built.octree.voxelCount(), expected.size());
    EXPECT_TRUE(solidVoxels(built.octree) == expected);
}

std::vector<Voxel> randomVoxels(const glm::ivec3& size, double density, unsigned seed) {
    std::mt19937 engine(seed);
    std::bernoulli_distribution solid(density);
    std::vector<Voxel> voxels;
    for (int x = 0; x < size.x; ++x) {
        for (int y = 0; y < size.y; ++y) {
            for (int z = 0; z < size.z; ++z) {
                if (solid(engine)) {
                    voxels.emplace_back(x, y, z);
                }
            }
        }
    }
    return voxels;
}

TEST(OctreeBuild, RandomFullDiagonalAndSingleVoxelsRoundTrip) {
    expectRoundTrip(build(randomVoxels({16, 16, 16}, 0.2, 1), {16, 16, 16}));
    expectRoundTrip(build(randomVoxels({50, 31, 64}, 0.01, 2), {50, 31, 64}));
    expectRoundTrip(build(randomVoxels({65, 3, 70}, 0.3, 3), {65, 3, 70}));
    expectRoundTrip(build(randomVoxels({16, 16, 16}, 1.0, 4), {16, 16, 16}));
    expectRoundTrip(build({{39, 2, 17}}, {40, 20, 18}));
    std::vector<Voxel> diagonal;
    for (int i = 0; i < 100; ++i) {
        diagonal.emplace_back(i, 99 - i, i / 2);
    }
    expectRoundTrip(build(diagonal, {100, 100, 50}));
}

TEST(OctreeBuild, EmptyOctreeIsARootWithoutChildren) {
    const Octree octree = build({}, {16, 16, 16}).octree;
    const Array<shared::OctreeNode>& nodes = std::get<TreeEncoding>(octree.encoding).nodes;
    ASSERT_EQ(nodes.size(), 1U);
    EXPECT_EQ(nodes[0].maskLow | nodes[0].maskHigh, 0U);
    EXPECT_TRUE(solidVoxels(octree).empty());
    EXPECT_TRUE(collectEmissiveVoxels(octree).empty());
}

TEST(OctreeBuild, NodesAreBreadthFirstAndContiguous) {
    const Octree octree = build(randomVoxels({100, 40, 80}, 0.02, 5), {100, 40, 80}).octree;
    const auto& tree = std::get<TreeEncoding>(octree.encoding);
    ASSERT_EQ(octree.levels, 4U);
    std::size_t first = 0;
    std::size_t count = 1;
    for (std::uint32_t level = 0; level + 1 < octree.levels; ++level) {
        std::size_t child = level + 2 < octree.levels ? first + count : 0;
        const std::size_t childrenStart = child;
        for (std::size_t i = first; i < first + count; ++i) {
            const shared::OctreeNode& node = tree.nodes[i];
            EXPECT_EQ(node.firstChild, child);
            child += static_cast<std::size_t>(std::popcount(node.maskLow) + std::popcount(node.maskHigh));
        }
        first = childrenStart;
        count = child - childrenStart;
    }
    EXPECT_EQ(count, tree.leaves.size());
}

TEST(OctreeBuild, LevelsFollowTheLongestSide) {
    const std::pair<unsigned, unsigned> cases[] = {{1, 2},   {16, 2},   {17, 3},   {64, 3},   {65, 4},
                                                   {256, 4}, {1024, 5}, {4096, 6}, {16384, 7}};
    for (const auto& [side, levels] : cases) {
        EXPECT_EQ(build({{0, 0, 0}}, {1, side, 1}).octree.levels, levels) << side;
    }
}

TEST(OctreeBuild, FarCornerOfTheLargestGrid) {
    const Built built = build({{0, 0, 0}, {16383, 16383, 16383}, {16383, 5, 8191}}, {16384, 16384, 16384});
    for (const auto& [voxel, index] : built.order) {
        const auto [x, y, z] = voxel;
        EXPECT_EQ(attributesAt(built.octree, {x, y, z}).value().albedo, index);
        EXPECT_FALSE(isSolid(built.octree, {x + 1, y, z}));
        EXPECT_FALSE(isSolid(built.octree, {x, y, z - 1}));
    }
}

TEST(OctreeBuild, AttributesAreFoundBeyondTheFirstGroupOfLeaves) {
    // 53^3 blocks, more than two groups, with one to three voxels each.
    std::mt19937 engine(6);
    std::uniform_int_distribution<int> digit(0, 3);
    std::vector<Voxel> voxels;
    for (int i = 0; i < 53 * 53 * 53; ++i) {
        const Voxel corner = {i % 53 * 4, i / 53 % 53 * 4, i / 53 / 53 * 4};
        std::set<Voxel> inside;
        for (int n = 0; n < 3; ++n) {
            inside.insert({std::get<0>(corner) + digit(engine), std::get<1>(corner) + digit(engine),
                           std::get<2>(corner) + digit(engine)});
        }
        voxels.insert(voxels.end(), inside.begin(), inside.end());
    }
    const Built built = build(voxels, {212, 212, 212});
    ASSERT_EQ(std::get<TreeEncoding>(built.octree.encoding).leafGroups.size(), 3U);
    const shared::OctreeView view = makeView(built.octree);
    for (const auto& [voxel, index] : built.order) {
        const auto [x, y, z] = voxel;
        ASSERT_EQ(attributesAt(built.octree, {x, y, z}).value().albedo, index);
        ASSERT_EQ(viaView(view, {x, y, z}), index);
    }
}

TEST(OctreeBuild, WrongInputIsRefused) {
    VoxelGrid grid;
    grid.size = {16, 16, 16};
    const auto message = [&](const std::vector<VoxelBlock>& blocks, std::size_t attributes) {
        return errorOf([&] { buildOctree(grid, blocks, std::vector<shared::VoxelAttributes>(attributes)); }).message;
    };
    EXPECT_NE(message({{3, 1}, {2, 1}}, 2).find("out of order"), std::string::npos);
    EXPECT_NE(message({{3, 1}, {3, 1}}, 2).find("out of order"), std::string::npos);
    EXPECT_NE(message({{3, 0}}, 0).find("empty"), std::string::npos);
    EXPECT_NE(message({{64, 1}}, 1).find("outside"), std::string::npos);
    EXPECT_NE(message({{0, 7}}, 2).find("3 voxels but 2"), std::string::npos);
}

TEST(OctreeBytes, CountEveryArray) {
    const Octree octree = build(randomVoxels({16, 16, 16}, 0.5, 7), {16, 16, 16}, 5).octree;
    const auto& tree = std::get<TreeEncoding>(octree.encoding);
    EXPECT_EQ(octree.occupancyBytes(),
              tree.nodes.size() * 16 + tree.leaves.size() * 8 + (tree.leaves.size() + 7) / 8 * 4 + 8);
    EXPECT_EQ(octree.bytes(), octree.occupancyBytes() + octree.voxelCount() * 12 + 5 * 16 + 16 + 60 +
                                  (tree.nodes.size() + tree.leaves.size()) * 20);
}

TEST(EmissiveVoxels, AreThoseWithAnEmptyNeighbour) {
    const glm::ivec3 size(21, 16, 18);
    const Built built = build(randomVoxels(size, 0.8, 8), glm::uvec3(size), 3);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> expected; // order, emission
    for (const auto& [voxel, index] : built.order) {
        const auto [x, y, z] = voxel;
        const Voxel neighbours[] = {{x - 1, y, z}, {x + 1, y, z}, {x, y - 1, z},
                                    {x, y + 1, z}, {x, y, z - 1}, {x, y, z + 1}};
        const bool isHidden = std::all_of(std::begin(neighbours), std::end(neighbours),
                                          [&](const Voxel& other) { return built.order.contains(other); });
        if (index % 3 != 0 && !isHidden) {
            expected.emplace_back(index, index % 3);
        }
    }
    std::sort(expected.begin(), expected.end());
    const std::vector<EmissiveVoxel> voxels = collectEmissiveVoxels(built.octree);
    ASSERT_EQ(voxels.size(), expected.size());
    for (std::size_t i = 0; i < voxels.size(); ++i) {
        const glm::ivec3 voxel(voxels[i].voxel);
        EXPECT_EQ(std::pair(built.order.at({voxel.x, voxel.y, voxel.z}), voxels[i].entry), expected[i]);
        EXPECT_EQ(voxels[i].attributes, expected[i].first);
    }
}

} // namespace
} // namespace aureole::test
