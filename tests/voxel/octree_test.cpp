#include <algorithm>
#include <bit>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "shared/surface/voxel_state.h"
#include "test_scene.h"
#include "voxel/build/build.h"
#include "voxel/tree/emitter_rectangles.h"

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
    EXPECT_TRUE(collectEmissiveFaces(octree).empty());
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
    EXPECT_EQ(octree.bytes(), octree.occupancyBytes() + octree.voxelCount() * 12 + 5 * 16 + 16 + 28 +
                                  (tree.nodes.size() + tree.leaves.size()) * 20);
}

TEST(EmissiveFaces, AreTheFacesWithAnEmptyNeighbour) {
    const glm::ivec3 size(21, 16, 18);
    const Built built = build(randomVoxels(size, 0.4, 8), glm::uvec3(size), 3);
    std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> expected; // order, face, emission
    for (const auto& [voxel, index] : built.order) {
        const auto [x, y, z] = voxel;
        const Voxel neighbours[] = {{x - 1, y, z}, {x + 1, y, z}, {x, y - 1, z},
                                    {x, y + 1, z}, {x, y, z - 1}, {x, y, z + 1}};
        for (std::uint32_t face = 0; face < 6; ++face) {
            if (index % 3 != 0 && !built.order.contains(neighbours[face])) {
                expected.emplace_back(index, face, index % 3);
            }
        }
    }
    std::sort(expected.begin(), expected.end());
    const std::vector<EmissiveFace> faces = collectEmissiveFaces(built.octree);
    ASSERT_EQ(faces.size(), expected.size());
    for (std::size_t i = 0; i < faces.size(); ++i) {
        const glm::ivec3 voxel(faces[i].voxel);
        EXPECT_EQ(std::tuple(built.order.at({voxel.x, voxel.y, voxel.z}), faces[i].face, faces[i].entry), expected[i]);
    }
}

shared::EmitterTables tablesOf(const EmitterArrays& arrays) {
    shared::EmitterTables tables{};
    tables.rectangles = reinterpret_cast<std::uint64_t>(arrays.rectangles.data());
    tables.choice = reinterpret_cast<std::uint64_t>(arrays.choice.data());
    tables.planes = reinterpret_cast<std::uint64_t>(arrays.planes.data());
    tables.rows = reinterpret_cast<std::uint64_t>(arrays.rows.data());
    std::copy(arrays.sides.begin(), arrays.sides.end(), tables.sides);
    return tables;
}

/// What rectangles hold is counted voxel by voxel.
TEST(EmitterRectangles, HoldEachFaceOnce) {
    const glm::ivec3 size(21, 16, 18);
    for (const double density : {0.1, 0.6, 1.0}) {
        const Built built = build(randomVoxels(size, density, 8), glm::uvec3(size), 3);
        std::vector<EmissiveFace> faces = collectEmissiveFaces(built.octree);
        const EmitterArrays arrays = makeEmitterRectangles(built.octree, faces);
        const shared::EmitterTables tables = tablesOf(arrays);
        const auto address = reinterpret_cast<std::uint64_t>(&tables);
        std::map<std::tuple<int, int, int, std::uint32_t>, std::uint32_t> held; // voxel, face: rectangle
        for (std::uint32_t i = 0; i < arrays.rectangles.size(); ++i) {
            const shared::EmitterRectangle& rectangle = arrays.rectangles[i];
            const std::uint32_t face = shared::rectangleFace(rectangle);
            const glm::uvec2 extent = shared::rectangleExtent(rectangle);
            for (std::uint32_t cell = 0; cell < extent.x * extent.y; ++cell) {
                glm::ivec3 voxel(shared::rectangleVoxel(rectangle));
                voxel[face < 2 ? 1 : 0] += static_cast<int>(cell % extent.x);
                voxel[face < 4 ? 2 : 1] += static_cast<int>(cell / extent.x);
                EXPECT_TRUE(held.emplace(std::tuple(voxel.x, voxel.y, voxel.z, face), i).second);
            }
        }
        EXPECT_EQ(held.size(), faces.size());
        for (const EmissiveFace& face : faces) {
            const glm::ivec3 voxel(face.voxel);
            const auto found = held.find({voxel.x, voxel.y, voxel.z, face.face});
            ASSERT_NE(found, held.end());
            EXPECT_EQ(arrays.rectangles[found->second].entry, face.entry);
        }
        for (const auto& [voxel, order] : built.order) {
            const auto [x, y, z] = voxel;
            for (std::uint32_t face = 0; face < 6; ++face) {
                const auto found = held.find({x, y, z, face});
                EXPECT_EQ(shared::rectangleOfFace(address, built.octree.levels, glm::uvec3(x, y, z), face),
                          found == held.end() ? NO_RECTANGLE : found->second);
            }
        }
        std::shuffle(faces.begin(), faces.end(), std::mt19937(3));
        const EmitterArrays shuffled = makeEmitterRectangles(built.octree, faces);
        EXPECT_EQ(shuffled.rows, arrays.rows);
        EXPECT_EQ(shuffled.planes, arrays.planes);
    }
}

/// A box of lamps is six rectangles, and what it is at its edges is found too.
TEST(EmitterRectangles, AreAsLargeAsTheyMayBe) {
    std::vector<Voxel> voxels;
    for (int i = 0; i < 5 * 7 * 3; ++i) {
        voxels.emplace_back(2 + i % 5, 1 + i / 5 % 7, 3 + i / 35);
    }
    Octree octree = build(voxels, {16, 16, 16}, 2).octree;
    for (shared::VoxelAttributes& attributes : octree.attributes) {
        attributes.shading = 1U << ATTRIBUTE_MATERIAL_SHIFT;
    }
    const EmitterArrays arrays = makeEmitterRectangles(octree, collectEmissiveFaces(octree));
    ASSERT_EQ(arrays.rectangles.size(), 6U);
    EXPECT_DOUBLE_EQ(arrays.power, 2.0 * (5 * 7 + 5 * 3 + 7 * 3));
    const std::array<float, 6> planes = {2, 7, 1, 8, 3, 6};
    for (std::size_t face = 0; face < 6; ++face) {
        EXPECT_EQ(arrays.sides[face].first, face);
        EXPECT_EQ(arrays.sides[face].count, 1U);
        EXPECT_EQ(arrays.sides[face].farthest, 1.0F + planes[face] / 16.0F);
    }
}

/// By power, among the sides that a point may see, of which there may be none.
TEST(EmitterRectangles, AreChosenAsTheirProbabilitiesSay) {
    const glm::ivec3 size(12, 12, 12);
    const Built built = build(randomVoxels(size, 0.3, 8), glm::uvec3(size), 3);
    const EmitterArrays arrays = makeEmitterRectangles(built.octree, collectEmissiveFaces(built.octree));
    const shared::EmitterTables tables = tablesOf(arrays);
    const auto address = reinterpret_cast<std::uint64_t>(&tables);
    std::mt19937 random(5);
    std::uniform_real_distribution<float> unit(0.0F, 0.9999999F);
    for (const glm::vec3& point : {glm::vec3(1.9F, 1.3F, 1.2F), glm::vec3(1.3F), glm::vec3(1.01F, 1.95F, 1.96F)}) {
        constexpr int kDraws = 200000;
        std::vector<double> drawn(arrays.rectangles.size());
        for (int i = 0; i < kDraws; ++i) {
            const std::uint32_t found = shared::chooseRectangle(address, point, unit(random), {random(), random()});
            ASSERT_LT(found, drawn.size());
            drawn[found] += 1.0;
        }
        double sum = 0.0;
        double statistic = 0.0;
        for (std::size_t i = 0; i < drawn.size(); ++i) {
            const shared::EmitterRectangle& rectangle = arrays.rectangles[i];
            const double expected =
                kDraws * double{shared::rectangleProbability(
                             address, point, rectangle,
                             shared::emissionLuminance(built.octree.palette[rectangle.entry].emission))};
            const std::uint32_t face = shared::rectangleFace(rectangle);
            const auto axis = static_cast<int>(face >> 1U);
            const bool isSeen = (face & 1U) != 0 ? point[axis] > tables.sides[face].farthest
                                                 : point[axis] < tables.sides[face].farthest;
            EXPECT_EQ(expected > 0.0, isSeen);
            EXPECT_EQ(isSeen || drawn[i] == 0.0, true);
            sum += expected / kDraws;
            statistic += expected > 0.0 ? (drawn[i] - expected) * (drawn[i] - expected) / expected : 0.0;
        }
        EXPECT_NEAR(sum, 1.0, 1e-5);
        const auto degrees = static_cast<double>(drawn.size());
        EXPECT_LT(statistic, degrees + 5.0 * std::sqrt(2.0 * degrees));
    }
    Octree one = build({{4, 4, 4}, {4, 5, 4}}, {16, 16, 16}, 2).octree; // the second one shines
    std::vector<EmissiveFace> faces = collectEmissiveFaces(one);
    std::erase_if(faces, [](const EmissiveFace& face) { return face.face != 3; });
    const EmitterArrays top = makeEmitterRectangles(one, faces);
    const shared::EmitterTables topTables = tablesOf(top);
    const auto topAddress = reinterpret_cast<std::uint64_t>(&topTables);
    const float plane = 1.0F + 6.0F / 16.0F;
    EXPECT_EQ(shared::chooseRectangle(topAddress, glm::vec3(1.3F, plane, 1.3F), 0.5F, {1, 1}), NO_RECTANGLE);
    EXPECT_EQ(shared::chooseRectangle(topAddress, glm::vec3(1.3F, std::nextafter(plane, 2.0F), 1.3F), 0.5F, {1, 1}),
              0U);
}

} // namespace
} // namespace aureole::test
