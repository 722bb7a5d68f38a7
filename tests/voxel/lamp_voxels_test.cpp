// Which emissive voxels hang together, held against a search from voxel to voxel.

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "voxel/tree/lamp_voxels.h"

namespace aureole::test {
namespace {

constexpr std::uint32_t kLampGridLevels = 3;
constexpr std::uint32_t kLampGridSide = 64;

using Place = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>; ///< z, y, x

Place placeOf(const EmissiveVoxel& voxel) {
    return {voxel.voxel.z, voxel.voxel.y, voxel.voxel.x};
}

/// Voxels of two entries in any order, about one in `of`, in the slices from `first` up to `end`.
std::vector<EmissiveVoxel> scattered(std::uint32_t of, std::uint32_t first, std::uint32_t end) {
    std::mt19937 random(of);
    std::vector<EmissiveVoxel> voxels;
    for (std::uint32_t z = first; z < end; ++z) {
        for (std::uint32_t y = 0; y < kLampGridSide; ++y) {
            for (std::uint32_t x = 0; x < kLampGridSide; ++x) {
                if (random() % of == 0) {
                    voxels.push_back({{x, y, z}, 1 + static_cast<std::uint32_t>(random() % 2), voxels.size()});
                }
            }
        }
    }
    std::shuffle(voxels.begin(), voxels.end(), random);
    return voxels;
}

/// The number of each voxel's lamp, in the order of the first voxels of lamps.
std::vector<std::size_t> searchLamps(const std::vector<EmissiveVoxel>& voxels) {
    std::map<Place, std::size_t> at;
    for (std::size_t i = 0; i < voxels.size(); ++i) {
        at[placeOf(voxels[i])] = i;
    }
    const std::size_t none = voxels.size();
    std::vector<std::size_t> lampOf(voxels.size(), none);
    std::size_t lamps = 0;
    for (std::size_t start = 0; start < voxels.size(); ++start) {
        if (lampOf[start] != none) {
            continue;
        }
        std::vector<std::size_t> open = {start};
        lampOf[start] = lamps;
        while (!open.empty()) {
            const EmissiveVoxel& voxel = voxels[open.back()];
            open.pop_back();
            for (int i = 0; i < 27; ++i) {
                const glm::ivec3 next = glm::ivec3(voxel.voxel) + glm::ivec3(i % 3, i / 3 % 3, i / 9) - 1;
                const auto found = at.find({static_cast<std::uint32_t>(next.z), static_cast<std::uint32_t>(next.y),
                                            static_cast<std::uint32_t>(next.x)});
                if (found != at.end() && lampOf[found->second] == none && voxels[found->second].entry == voxel.entry) {
                    lampOf[found->second] = lamps;
                    open.push_back(found->second);
                }
            }
        }
        ++lamps;
    }
    return lampOf;
}

TEST(LampVoxels, HangTogetherAsASearchFinds) {
    const std::vector<std::uint32_t> kinds = {0, 7, 3};
    for (const auto& [of, first, end] : {std::tuple{30U, 0U, kLampGridSide}, std::tuple{12U, 0U, kLampGridSide},
                                         std::tuple{5U, 20U, 23U}, std::tuple{1000U, 0U, kLampGridSide}}) {
        const std::vector<EmissiveVoxel> voxels = scattered(of, first, end);
        const SlicedVoxels sliced = sortBySlice(kLampGridLevels, voxels);
        ASSERT_EQ(sliced.voxels.size(), voxels.size());
        EXPECT_TRUE(
            std::is_sorted(sliced.voxels.begin(), sliced.voxels.end(),
                           [](const EmissiveVoxel& a, const EmissiveVoxel& b) { return placeOf(a) < placeOf(b); }));
        ASSERT_EQ(sliced.begins.size(), kLampGridSide + 1);
        for (std::uint32_t z = 0; z < kLampGridSide; ++z) {
            for (std::size_t i = sliced.begins[z]; i < sliced.begins[z + 1]; ++i) {
                ASSERT_EQ(sliced.voxels[i].voxel.z, z);
            }
        }
        const std::vector<std::size_t> expected = searchLamps(sliced.voxels);
        const std::vector<std::vector<std::uint32_t>> lamps = joinLamps(sliced, kinds);
        std::size_t count = 0;
        for (std::size_t lamp = 0; lamp < lamps.size(); ++lamp) {
            EXPECT_TRUE(std::is_sorted(lamps[lamp].begin(), lamps[lamp].end()));
            for (const std::uint32_t voxel : lamps[lamp]) {
                ASSERT_EQ(expected[voxel], lamp) << of;
            }
            count += lamps[lamp].size();
        }
        EXPECT_EQ(count, voxels.size());
        EXPECT_EQ(lamps.size(), *std::max_element(expected.begin(), expected.end()) + 1);
    }
}

TEST(LampVoxels, OfNoneAreNone) {
    const SlicedVoxels sliced = sortBySlice(kLampGridLevels, {});
    EXPECT_TRUE(sliced.voxels.empty());
    EXPECT_TRUE(joinLamps(sliced, {}).empty());
}

} // namespace
} // namespace aureole::test
