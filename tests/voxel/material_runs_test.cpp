#include "voxel/build/material_runs.h"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace aureole::test {
namespace {

constexpr std::size_t kBlock = 64;

/// Voxels of materials that come and go as the bricks go on, some plain.
std::vector<SurfaceVoxel> brickOf(std::uint32_t number, std::mt19937& engine) {
    const auto below = [&](std::uint32_t count) { return static_cast<std::uint32_t>(engine()) % count; };
    std::vector<SurfaceVoxel> voxels(1 + below(400));
    const std::uint32_t kinds = number % 7 == 0 ? 200 : 1 + below(60);
    for (SurfaceVoxel& voxel : voxels) {
        const std::uint32_t kind = below(kinds);
        voxel.attributes.shading = static_cast<std::uint32_t>(engine()); // of another octree
        voxel.material = {glm::vec3(static_cast<float>(kind % 3), 0.0F, 0.0F), kind == 0 ? 0 : kind + 5 * number};
    }
    return voxels;
}

void assignBlocks(MaterialRuns& runs, std::uint64_t first, std::vector<SurfaceVoxel>& voxels) {
    for (std::size_t i = 0; i < voxels.size(); i += kBlock) {
        runs.assign(first + i, std::span(voxels).subspan(i, std::min(kBlock, voxels.size() - i)));
    }
}

/// Each brick at once, but for those in which a run ends.
TEST(MaterialRuns, BricksAreNumberedAsTheirBlocksAre) {
    std::mt19937 engine(7);
    MaterialRuns byBlocks;
    MaterialRuns byBricks;
    std::uint64_t first = 0;
    std::size_t whole = 0;
    for (std::uint32_t number = 0; number < 300; ++number) {
        std::vector<SurfaceVoxel> expected = brickOf(number, engine);
        std::vector<SurfaceVoxel> voxels = expected;
        assignBlocks(byBlocks, first, expected);
        const std::vector<std::uint32_t> numbers = byBricks.add(numberWithin(voxels));
        if (numbers.empty()) {
            assignBlocks(byBricks, first, voxels);
        }
        for (std::size_t i = 0; i < voxels.size(); ++i) {
            const std::uint32_t found = materialNumber(voxels[i].attributes);
            ASSERT_EQ(numbers.empty() ? found : numbers.at(found), materialNumber(expected[i].attributes)) << number;
        }
        whole += numbers.empty() ? 0 : 1;
        first += voxels.size();
    }
    EXPECT_GT(whole, 150U);
    const std::vector<shared::MaterialRun> runs = byBricks.takeRuns();
    const std::vector<shared::MaterialRun> expectedRuns = byBlocks.takeRuns();
    ASSERT_EQ(runs.size(), expectedRuns.size());
    EXPECT_GT(runs.size(), 20U);
    EXPECT_LT(runs.size(), 280U);
    EXPECT_TRUE(std::equal(runs.begin(), runs.end(), expectedRuns.begin(),
                           [](const auto& a, const auto& b) { return a.first == b.first && a.base == b.base; }));
    const std::vector<shared::VoxelMaterial> palette = byBricks.takePalette();
    const std::vector<shared::VoxelMaterial> expectedPalette = byBlocks.takePalette();
    EXPECT_TRUE(
        std::equal(palette.begin(), palette.end(), expectedPalette.begin(), expectedPalette.end(), SameMaterial()));
}

} // namespace
} // namespace aureole::test
