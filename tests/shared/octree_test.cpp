#include <bitset>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "shared/octree/octree.h"

namespace aureole::shared {
namespace {

TEST(CellBit, IsABijectionRowByRow) {
    std::set<uint> bits;
    for (uint z = 0; z < 4; ++z) {
        for (uint y = 0; y < 4; ++y) {
            for (uint x = 0; x < 4; ++x) {
                const uint bit = cellBit(x, y, z);
                ASSERT_LT(bit, 64U);
                bits.insert(bit);
                EXPECT_EQ(bitCell(bit), uvec3(x, y, z));
                EXPECT_EQ(bit, x + 4 * y + 16 * z);
            }
        }
    }
    EXPECT_EQ(bits.size(), 64U);
}

TEST(CellBit, MirroringLeadsToTheOppositeCell) {
    for (uint bit = 0; bit < 64; ++bit) {
        for (uint axes = 0; axes < 8; ++axes) {
            const uvec3 cell = bitCell(bit);
            const uvec3 mirrored = bitCell(bit ^ mirroredBits(axes));
            for (int axis = 0; axis < 3; ++axis) {
                EXPECT_EQ(mirrored[axis], ((axes >> axis) & 1U) != 0 ? 3 - cell[axis] : cell[axis]);
            }
        }
    }
}

TEST(CellBit, ABlockIsTheOctantOfTheCell) {
    for (uint bit = 0; bit < 64; ++bit) {
        for (uint other = 0; other < 64; ++other) {
            const std::uint64_t mask = std::uint64_t{1} << other;
            const uvec2 halves(static_cast<uint>(mask), static_cast<uint>(mask >> 32U));
            EXPECT_EQ(maskBlock(halves, bit) != 0, bitCell(bit) / 2U == bitCell(other) / 2U) << bit << ' ' << other;
        }
    }
}

TEST(CellBit, LooksAtTheLowTwoBitsOfACoordinateOnly) {
    std::mt19937 random(1);
    for (int i = 0; i < 1000; ++i) {
        const uvec3 cell(random(), random(), random());
        EXPECT_EQ(cellBit(cell.x, cell.y, cell.z), cellBit(cell.x % 4, cell.y % 4, cell.z % 4));
    }
}

/// Random bits of which one in eight is set.
template <typename Random>
auto sparseBits(Random& random) {
    auto bits = random();
    bits &= random();
    bits &= random();
    return bits;
}

TEST(Mask, RankAndBitsEqualBruteForce) {
    std::mt19937_64 random(2);
    std::vector<std::uint64_t> masks = {
        0,          ~std::uint64_t{0}, 1, std::uint64_t{1} << 63, std::uint64_t{1} << 31, std::uint64_t{1} << 32,
        0xFFFFFFFF, 0xFFFFFFFF00000000};
    for (int i = 0; i < 2000; ++i) {
        masks.push_back(random());
        masks.push_back(sparseBits(random));
    }
    for (const std::uint64_t mask : masks) {
        const uvec2 halves(static_cast<uint>(mask), static_cast<uint>(mask >> 32U));
        const std::bitset<64> bits(mask);
        uint rank = 0;
        for (uint bit = 0; bit < 64; ++bit) {
            ASSERT_EQ(maskRank(halves, bit), rank) << std::hex << mask << " bit " << std::dec << bit;
            ASSERT_EQ(maskHasBit(halves, bit), bits[bit] ? 1U : 0U) << std::hex << mask << " bit " << std::dec << bit;
            rank += bits[bit] ? 1U : 0U;
        }
    }
}

std::uint64_t addressOf(const void* pointer) {
    return reinterpret_cast<std::uint64_t>(pointer);
}

TEST(OctreeView, FindsAttributesByGroupLeafAndRank) {
    // Leaves on both sides of a group's end; each voxel's attributes hold its place in leaf order.
    constexpr uint kLeaves = (1U << OCTREE_LEAF_GROUP_SHIFT) + 3;
    std::mt19937 random(3);
    std::vector<uvec2> leaves(kLeaves);
    std::vector<uint> offsets;
    std::vector<std::uint64_t> groups;
    std::uint64_t count = 0;
    for (uint leaf = 0; leaf < kLeaves; ++leaf) {
        if ((leaf & ((1U << OCTREE_LEAF_GROUP_SHIFT) - 1)) == 0) {
            groups.push_back(count);
        }
        if (leaf % 8 == 0) {
            offsets.push_back(static_cast<uint>(count - groups.back()));
        }
        leaves[leaf] = uvec2(sparseBits(random), sparseBits(random));
        count += std::bitset<32>(leaves[leaf].x).count() + std::bitset<32>(leaves[leaf].y).count();
    }
    std::vector<VoxelAttributes> attributes(count);
    for (std::size_t i = 0; i < attributes.size(); ++i) {
        attributes[i].albedo = static_cast<uint>(i);
    }
    OctreeView view{};
    view.leaves[0] = addressOf(leaves.data());
    view.leafOffsets[0] = addressOf(offsets.data());
    view.leafGroups = addressOf(groups.data());
    view.attributes[0] = addressOf(attributes.data());
    uint expected = 0;
    for (uint leaf = 0; leaf < kLeaves; ++leaf) {
        for (uint bit = 0; bit < 64; ++bit) {
            if (maskHasBit(leaves[leaf], bit) != 0) {
                ASSERT_EQ(octreeAttributes(addressOf(&view), octreeAttributeIndex(addressOf(&view), leaf, bit)).albedo,
                          expected)
                    << leaf << ", " << bit;
                ++expected;
            }
        }
    }
    EXPECT_EQ(expected, count);
}

TEST(OctreeView, FindsMaterialsByTheRunOfTheVoxel) {
    std::mt19937 random(4);
    for (const uint count : {0U, 1U, 2U, 3U, 7U, 64U, 1000U}) {
        std::vector<MaterialRun> runs;
        for (uint i = 0; i < count; ++i) {
            const MaterialRun last = i == 0 ? MaterialRun{} : runs.back();
            runs.push_back(i == 0 ? last
                                  : MaterialRun{last.first + 1 + random() % 5,
                                                last.base + 1 + static_cast<uint>(random() % 127), 0});
        }
        OctreeView view{};
        view.materialRuns = addressOf(runs.data());
        view.materialRunCount = count;
        const std::uint64_t last = count > 0 ? runs.back().first : 0;
        for (std::uint64_t voxel = 0; voxel < last + 3; ++voxel) {
            uint expected = 0;
            for (const MaterialRun& run : runs) {
                expected = run.first <= voxel ? run.base + 5 : expected;
            }
            ASSERT_EQ(octreePaletteIndex(addressOf(&view), voxel, 5), expected) << voxel << " of " << count;
            ASSERT_EQ(octreePaletteIndex(addressOf(&view), voxel, 0), 0U);
        }
    }
}

} // namespace
} // namespace aureole::shared
