#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "emissive_palette.h"
#include "test_scene.h"
#include "test_surfaces.h"
#include "voxel/build/build.h"
#include "voxel/tree/dag.h"
#include "voxel/tree/octree_walk.h"
#include "voxel/tree/packed_words.h"

namespace aureole::test {
namespace {

/// The code of a cell, digit by digit.
std::uint64_t interleaved(const glm::uvec3& p) {
    std::uint64_t code = 0;
    for (std::uint32_t side = 4096; side > 0; side /= 4) {
        code = 64 * code + p.z / side % 4 * 16 + p.y / side % 4 * 4 + p.x / side % 4;
    }
    return code;
}

/// A tree of the voxels that `isIn` picks, each with its place in order as albedo and one of three emissions.
Octree treeOf(const glm::uvec3& size, const std::function<bool(const glm::uvec3&)>& isIn) {
    std::map<std::uint64_t, std::uint64_t> masks;
    for (std::uint32_t i = 0; i < size.x * size.y * size.z; ++i) {
        const glm::uvec3 p(i % size.x, i / size.x % size.y, i / size.x / size.y);
        if (isIn(p)) {
            masks[interleaved(p) >> 6U] |= std::uint64_t{1} << (interleaved(p) & 63U);
        }
    }
    std::vector<VoxelBlock> blocks;
    std::vector<shared::VoxelAttributes> attributes;
    for (const auto& [code, mask] : masks) {
        blocks.push_back({code, mask});
        for (int i = 0; i < std::popcount(mask); ++i) {
            const auto index = static_cast<std::uint32_t>(attributes.size());
            attributes.push_back({index, (index % 3) << ATTRIBUTE_MATERIAL_SHIFT, 0});
        }
    }
    VoxelGrid grid;
    grid.size = size;
    return buildOctree(grid, blocks, attributes, emissivePalette({glm::vec3(1.0F), glm::vec3(2.0F)}));
}

Octree dagOf(const Octree& tree) {
    return toDag(copyOf(tree));
}

/// What a subtree is, written out: equal subtrees have equal texts. Collects the different lists of children.
struct Lists {
    std::set<std::string> leaves;
    std::set<std::string> nodes;
    std::size_t references = 0;
    std::size_t entries = 1; // the root
};

std::string textOf(const shared::uvec2& mask, const shared::uvec2& surface) {
    return std::to_string(mask.x) + ' ' + std::to_string(mask.y) + ' ' + std::to_string(surface.x) + ' ' +
           std::to_string(surface.y) + ';';
}

std::string collect(const Octree& tree, std::uint32_t index, std::uint32_t level, Lists& lists) {
    if (level + 1 == tree.levels) {
        const LeafMasks masks = leafMasks(tree, index);
        return textOf(masks.solid, masks.surface);
    }
    const shared::OctreeNode node = innerNode(tree, index);
    if (node.flags == OCTREE_NODE_FULL) {
        return "full;";
    }
    std::string text;
    const std::uint32_t count = shared::maskCount({node.maskLow, node.maskHigh});
    for (std::uint32_t i = 0; i < count; ++i) {
        text += collect(tree, node.firstChild + i, level + 1, lists);
    }
    const bool lowest = level + 2 == tree.levels;
    if ((lowest ? lists.leaves : lists.nodes).insert(std::to_string(level) + ':' + text).second) {
        (lowest ? lists.references : lists.entries) += count;
    }
    return '(' + textOf({node.maskLow, node.maskHigh}, {}) + text + ')';
}

bool sameAttributes(const std::optional<shared::VoxelAttributes>& a, const std::optional<shared::VoxelAttributes>& b) {
    return a.has_value() == b.has_value() &&
           (!a || (a->albedo == b->albedo && a->shading == b->shading && a->sheet == b->sheet));
}

/// Compares a DAG with its tree at every voxel of the grid and a margin.
void expectSameVoxels(const Octree& tree, const Octree& dag) {
    const shared::OctreeView view = makeView(dag);
    const auto address = reinterpret_cast<std::uint64_t>(&view);
    std::size_t differing = 0;
    for (int z = -1; z <= static_cast<int>(tree.grid.size.z); ++z) {
        for (int y = -1; y <= static_cast<int>(tree.grid.size.y); ++y) {
            for (int x = -1; x <= static_cast<int>(tree.grid.size.x); ++x) {
                const glm::ivec3 voxel(x, y, z);
                const bool solid = isSolid(tree, voxel);
                const bool same = isSolid(dag, voxel) == solid &&
                                  (shared::octreeSolid(address, glm::uvec3(voxel)) == 1) == solid &&
                                  (!solid || sameAttributes(attributesAt(dag, voxel), attributesAt(tree, voxel)));
                differing += same ? 0 : 1;
            }
        }
    }
    EXPECT_EQ(differing, 0U);
}

void expectSameLeaves(const Octree& tree, const Octree& dag) {
    std::vector<WalkNode> expected;
    forEachLeaf(tree, [&](const WalkNode& leaf) { expected.push_back(leaf); });
    ASSERT_EQ(expected.size(), std::get<TreeEncoding>(tree.encoding).leaves.size());
    std::size_t i = 0;
    forEachLeaf(dag, [&](const WalkNode& leaf) {
        ASSERT_LT(i, expected.size());
        ASSERT_EQ(leaf.code, expected[i].code);
        ASSERT_EQ(leaf.attributes, expected[i].attributes);
        ASSERT_EQ(leafMasks(dag, leaf.index).solid, leafMasks(tree, expected[i].index).solid);
        ++i;
    });
    EXPECT_EQ(i, expected.size());
}

void expectSame(const Octree& tree) {
    const Octree dag = dagOf(tree);
    ASSERT_EQ(dag.encodingKind(), OctreeEncoding::Dag);
    EXPECT_EQ(dag.voxelCount(), tree.voxelCount());
    expectSameVoxels(tree, dag);
    expectSameLeaves(tree, dag);
    const std::vector<EmissiveVoxel> expected = collectEmissiveVoxels(tree);
    const std::vector<EmissiveVoxel> voxels = collectEmissiveVoxels(dag);
    EXPECT_TRUE(std::equal(voxels.begin(), voxels.end(), expected.begin(), expected.end(),
                           [](const EmissiveVoxel& a, const EmissiveVoxel& b) {
                               return a.voxel == b.voxel && a.entry == b.entry && a.attributes == b.attributes;
                           }));
    Lists lists;
    collect(tree, 0, 0, lists);
    EXPECT_EQ(dagLayout(std::get<DagEncoding>(dag.encoding)).references - 1, lists.references);
    EXPECT_EQ(dagLayout(std::get<DagEncoding>(dag.encoding)).entries, lists.entries);
}

std::function<bool(const glm::uvec3&)> randomly(double density, unsigned seed) {
    auto engine = std::make_shared<std::mt19937>(seed);
    return [=](const glm::uvec3&) { return std::bernoulli_distribution(density)(*engine); };
}

/// Random voxels that repeat every `period` along each axis.
std::function<bool(const glm::uvec3&)> periodically(std::uint32_t period, double density, unsigned seed) {
    std::mt19937 engine(seed);
    std::vector<bool> tile(std::size_t{period} * period * period);
    std::bernoulli_distribution solid(density);
    std::generate(tile.begin(), tile.end(), [&] { return solid(engine); });
    return [=](const glm::uvec3& p) {
        return tile[p.x % period + std::size_t{period} * (p.y % period + std::size_t{period} * (p.z % period))];
    };
}

TEST(Dag, HoldsTheVoxelsAttributesAndFacesOfItsTree) {
    const std::pair<const char*, Octree> trees[] = {
        {"random, dense", treeOf({16, 16, 16}, randomly(0.3, 1))},
        {"random, sparse", treeOf({50, 31, 64}, randomly(0.01, 2))},
        {"random, flat", treeOf({65, 3, 70}, randomly(0.3, 3))},
        {"full, one node", treeOf({16, 16, 16}, [](const auto&) { return true; })},
        {"full", treeOf({64, 64, 64}, [](const auto&) { return true; })},
        {"one voxel", treeOf({40, 20, 18}, [](const auto& p) { return p == glm::uvec3(39, 2, 17); })},
        {"diagonal", treeOf({100, 100, 30}, [](const auto& p) { return p.x == p.y && p.z == p.x / 4; })},
        {"empty", treeOf({16, 16, 16}, [](const auto&) { return false; })},
        {"period of a leaf", treeOf({64, 64, 64}, periodically(4, 0.3, 4))},
        {"period of a node", treeOf({80, 64, 70}, periodically(16, 0.2, 5))},
        {"no power of two", treeOf({90, 64, 40}, periodically(12, 0.05, 6))},
    };
    for (const auto& [name, tree] : trees) {
        SCOPED_TRACE(name);
        expectSame(tree);
    }
}

TEST(Dag, HoldsSolidsWithTheirInside) {
    std::vector<LatticeTriangle> ball =
        closedSurface({65.3, 63.1, 64.2}, 24, 32, [](const glm::dvec3& d) { return 58.0 + 3.0 * d.y; });
    VoxelizeOptions options;
    options.resolution = 130;
    options.coverage = Coverage::Solid;
    const Octree tree = voxelizeScene(latticeScene(glm::ivec3(130), ball), options);
    const Array<shared::OctreeNode>& nodes = std::get<TreeEncoding>(tree.encoding).nodes;
    const auto full = std::count_if(nodes.begin(), nodes.end(),
                                    [](const shared::OctreeNode& node) { return node.flags == OCTREE_NODE_FULL; });
    ASSERT_GT(full, 0);
    expectSame(tree);
    const Octree dag = dagOf(tree);
    const auto& encoding = std::get<DagEncoding>(dag.encoding);
    EXPECT_EQ(encoding.surfaces.size(), encoding.masks.size());
}

TEST(Dag, StoresARepeatedTileOnce) {
    const Octree tree = treeOf({64, 64, 64}, periodically(16, 0.3, 7));
    const Octree one = treeOf({16, 16, 16}, periodically(16, 0.3, 7));
    const Octree dag = dagOf(tree);
    EXPECT_EQ(dagLayout(std::get<DagEncoding>(dag.encoding)).references,
              1 + std::get<TreeEncoding>(one.encoding).leaves.size());
    EXPECT_EQ(dagLayout(std::get<DagEncoding>(dag.encoding)).entries, 1U + 64U);
    EXPECT_LT(dag.occupancyBytes() * 20, tree.occupancyBytes());
    EXPECT_EQ(dag.attributes.size(), tree.attributes.size());
    EXPECT_EQ(dag.leafAverages.size(), std::get<TreeEncoding>(tree.encoding).leaves.size());
    EXPECT_EQ(dag.nodeAverages.size(), std::get<TreeEncoding>(tree.encoding).nodes.size());
}

TEST(Dag, OrdersMasksByTheirUse) {
    const Octree tree = treeOf({64, 64, 64}, [](const glm::uvec3& p) {
        return p.x < 4 ? p.y % 2 == 0 : p.z % 4 == 0; // one mask on a sixteenth of the grid, another on the rest
    });
    const Octree dag = dagOf(tree);
    const Array<shared::uvec2>& masks = std::get<DagEncoding>(dag.encoding).masks;
    const Array<shared::uvec2>& leaves = std::get<TreeEncoding>(tree.encoding).leaves;
    EXPECT_EQ(masks[0], leaves[leaves.size() - 1]);
    EXPECT_EQ(masks[1], leaves[0]);
}

/// All of 16384^3, made by hand: seven levels of one node each, 2^42 voxels. In the order of codes, so that a voxel's
/// attributes have its code as index.
TEST(Dag, CountsBeyond32Bits) {
    constexpr std::uint32_t kLevels = 7;
    constexpr std::uint32_t kNumberBits = 1;
    constexpr std::uint32_t kFirstBits = 9;
    constexpr std::uint32_t kCountBits = 18;
    Octree octree;
    octree.levels = kLevels;
    DagEncoding dag;
    dag.masks = std::vector<shared::uvec2>{{~0U, ~0U}};
    PackedWords entries;
    std::vector<std::uint32_t> counts;
    const auto add = [&](std::uint32_t level, std::uint64_t before) {
        entries.append(0, kNumberBits);
        entries.append(level + 2 == kLevels ? 1 : 1 + 64 * level, kFirstBits);
        entries.append(level + 2 == kLevels ? static_cast<std::uint32_t>(before) : 0, kCountBits);
        if (level + 2 < kLevels) {
            counts.push_back(static_cast<std::uint32_t>(before));
            counts.push_back(static_cast<std::uint32_t>(before >> 32U));
        }
    };
    add(0, 0);
    for (std::uint32_t level = 1; level + 1 < kLevels; ++level) {
        for (std::uint64_t i = 0; i < 64; ++i) {
            add(level, i << (6U * (kLevels - level)));
        }
    }
    const DagLayout layout{1 + 64 * (kLevels - 2), 65, 1 + 64 * (kLevels - 3),
                           kNumberBits | (kFirstBits << 8U) | ((kNumberBits + kFirstBits + kCountBits) << 16U)};
    std::vector<std::uint32_t> words = {layout.entries, layout.references, layout.upper, layout.bits};
    words.insert(words.end(), entries.words().begin(), entries.words().end());
    words.resize(kDagHeadWords + layout.entryWords() + layout.referenceWords());
    words.insert(words.end(), counts.begin(), counts.end());
    dag.words = words;
    octree.encoding = std::move(dag);
    const shared::OctreeView view = makeView(octree);
    std::mt19937 random(8);
    for (int i = 0; i < 2000; ++i) {
        const glm::uvec3 voxel(random() % 16384, random() % 16384, random() % 16384);
        ASSERT_EQ(shared::dagAttributeIndex(reinterpret_cast<std::uint64_t>(&view), voxel), interleaved(voxel));
    }
    const std::uint64_t last = shared::dagAttributeIndex(reinterpret_cast<std::uint64_t>(&view), glm::uvec3(16383));
    EXPECT_EQ(last, (std::uint64_t{1} << 42U) - 1);
}

TEST(Dag, FarCornersOfTheLargestGrid) {
    std::vector<VoxelBlock> blocks;
    std::vector<glm::uvec3> voxels = {{0, 0, 0}, {16383, 5, 8191}, {16383, 16383, 16383}};
    std::sort(voxels.begin(), voxels.end(),
              [](const auto& a, const auto& b) { return interleaved(a) < interleaved(b); });
    for (const glm::uvec3& p : voxels) {
        blocks.push_back({interleaved(p) >> 6U, std::uint64_t{1} << (interleaved(p) & 63U)});
    }
    VoxelGrid grid;
    grid.size = glm::uvec3(16384);
    const Octree dag = toDag(buildOctree(grid, blocks, {{7, 0, 0}, {8, 0, 0}, {9, 0, 0}}));
    for (std::uint32_t i = 0; i < voxels.size(); ++i) {
        const glm::ivec3 voxel(voxels[i]);
        EXPECT_EQ(attributesAt(dag, voxel).value().albedo, 7 + i);
        EXPECT_FALSE(isSolid(dag, voxel + glm::ivec3(1, 0, 0)));
        EXPECT_FALSE(isSolid(dag, voxel - glm::ivec3(0, 0, 1)));
    }
}

TEST(Dag, OnlyTreesCanBeMerged) {
    Octree dag = toDag(treeOf({16, 16, 16}, randomly(0.3, 9)));
    EXPECT_EQ(errorOf([&] { toDag(std::move(dag)); }).code, ExitCode::Internal);
}

TEST(PackedWords, HoldFieldsOfAnyWidth) {
    std::mt19937 random(10);
    PackedWords packed;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> fields; // value, width
    for (int i = 0; i < 2000; ++i) {
        const auto width = static_cast<std::uint32_t>(1 + random() % 31);
        fields.emplace_back(static_cast<std::uint32_t>(random()) & ((1U << width) - 1), width);
        packed.append(fields.back().first, width);
    }
    const auto address = reinterpret_cast<std::uint64_t>(packed.words().data());
    std::uint64_t position = 0;
    for (const auto& [value, width] : fields) {
        ASSERT_EQ(packedBits(packed.words(), position, width), value);
        ASSERT_EQ(shared::packedField(address, 0, static_cast<std::uint32_t>(position), width), value);
        position += width;
    }
    EXPECT_EQ(packed.bits(), position);
}

} // namespace
} // namespace aureole::test
