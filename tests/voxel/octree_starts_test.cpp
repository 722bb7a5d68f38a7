#include <algorithm>

#include <gtest/gtest.h>

#include "octree_kinds.h"
#include "voxel/tree/octree_starts.h"

namespace aureole::test {
namespace {

/// The way down to a voxel, one node after the other, as far as a start may go: `most` levels.
shared::OctreeStart descend(const Octree& octree, const glm::uvec3& voxel, std::uint32_t most) {
    const shared::OctreeView view = makeView(octree);
    const auto address = reinterpret_cast<std::uint64_t>(&view);
    shared::OctreeStart start{shared::uvec4(0)};
    shared::OctreeNode node = shared::octreeEntry(address, 0, 0);
    while (node.flags == 0 && start.words.w < most && start.words.w + 2 < octree.levels) {
        const std::uint32_t shift = 2 * (octree.levels - 1 - start.words.w);
        const std::uint32_t bit = shared::cellBit(voxel.x >> shift, voxel.y >> shift, voxel.z >> shift);
        const shared::uvec2 mask(node.maskLow, node.maskHigh);
        if (shared::maskHasBit(mask, bit) == 0) {
            break;
        }
        const std::uint32_t child = node.firstChild + shared::maskRank(mask, bit);
        node = shared::octreeEntry(address, child, 0);
        if (node.flags != 0) {
            break; // the parent is the last that may be started in
        }
        start.words.x = child;
        ++start.words.w;
        if (start.words.w < OCTREE_START_LEVELS) {
            start.words[static_cast<int>(start.words.w)] = child;
        }
    }
    return start;
}

TEST(OctreeStarts, AreTheDeepestNodesOnTheWayDown) {
    std::uint32_t deepest = 0;
    forEachOctreeKind([&](const std::string& name, const Octree& octree) {
        for (const std::uint32_t parts : {2U, 4U, OCTREE_START_BITS}) {
            const std::uint32_t side = 1U << parts;
            const std::vector<shared::OctreeStart> starts = octreeStarts(octree, parts);
            ASSERT_EQ(starts.size(), std::size_t{side} * side * side) << name;
            const std::uint32_t bits = 2 * octree.levels;
            std::size_t wrong = 0;
            for (std::uint32_t i = 0; i < starts.size(); ++i) {
                const glm::uvec3 part(i % side, i / side % side, i / side / side);
                const glm::uvec3 voxel = bits >= parts ? part << (bits - parts) : part >> (parts - bits);
                wrong += starts[i].words == descend(octree, voxel, parts / 2).words ? 0 : 1;
                deepest = std::max(deepest, starts[i].words.w);
            }
            EXPECT_EQ(wrong, 0U) << name << ", " << parts << " bits";
        }
        // The smaller tables that are taken lose no level, or are as large as four octrees.
        const std::uint32_t bits = startBitsThatPay(octree);
        EXPECT_TRUE(bits == OCTREE_START_BITS || bits / 2 >= octree.levels - 2 ||
                    sizeof(shared::OctreeStart) << 3 * (bits + 2) > 4 * octree.bytes())
            << name;
    });
    EXPECT_EQ(deepest, OCTREE_START_LEVELS);
}

} // namespace
} // namespace aureole::test
