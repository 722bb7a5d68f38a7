#include "model/density_tree.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "core/byte_size.h"
#include "import_files.h"
#include "volume_scenes.h"

namespace aureole {
namespace {

shared::Volume volumeOf(const DensityTree& tree) {
    shared::Volume volume{};
    volume.nodes = reinterpret_cast<std::uint64_t>(tree.nodes.data());
    volume.bricks = reinterpret_cast<std::uint64_t>(tree.bricks.data());
    volume.levels = tree.levels;
    volume.low = tree.low;
    volume.high = tree.high;
    return volume;
}

/// Puffs far apart, on both sides of the origin, in blocks of which most have a few points alone.
DensityGrid puffs() {
    DensityGrid grid = test::densityOf({-21, -9, -4}, {30, 12, 300}, 1.0, [](const glm::dvec3& at) {
        const double z = std::min(std::abs(at.z - 3.0), std::abs(at.z - 280.0));
        return std::max(0.0, 9.0 - glm::length(glm::dvec3(at.x, at.y, z)) + 3.0 * std::sin(2.0 * at.x + at.z));
    });
    for (std::size_t i = 0; i < grid.densities.size(); ++i) {
        grid.densities[i] *= i % 97 == 0 ? 40.0F : 1.0F;
    }
    return grid;
}

double densityAt(const DensityGrid& grid, const glm::ivec3& point) {
    for (std::size_t i = 0; i < grid.blocks.size(); ++i) {
        if (grid.blocks[i] == point >> 3) {
            const glm::ivec3 in = point & 7;
            return grid.at(i)[in.x + 8 * (in.y + 8 * in.z)];
        }
    }
    return 0.0;
}

double interpolated(const DensityGrid& grid, const glm::dvec3& place) {
    const glm::dvec3 low = glm::floor(place);
    double sum = 0.0;
    for (int corner = 0; corner < 8; ++corner) {
        const glm::ivec3 offset(corner & 1, corner >> 1 & 1, corner >> 2);
        const glm::dvec3 near = 1.0 - glm::abs(place - low - glm::dvec3(offset));
        sum += near.x * near.y * near.z * densityAt(grid, glm::ivec3(low) + offset);
    }
    return sum;
}

/// Densities by the tree are those of the grid between its points, and no part has more than its majorant.
TEST(DensityTree, HasTheDensitiesOfItsGrid) {
    const DensityGrid grid = puffs();
    const DensityTree tree = makeDensityTree(grid, "puffs");
    EXPECT_EQ(tree.levels, 3U);
    const shared::Volume volume = volumeOf(tree);
    const glm::dvec3 shift(glm::inverse(tree.worldFromCells)[3]);
    std::mt19937 random(5);
    std::uniform_real_distribution<double> unit(-0.05, 1.05);
    std::size_t dense = 0;
    std::size_t empty = 0;
    for (int i = 0; i < 40000; ++i) {
        glm::dvec3 place(glm::vec3(glm::dvec3(unit(random), unit(random), unit(random)) * glm::dvec3(51, 21, 304) +
                                   glm::dvec3(-21, -9, -4)));
        place = i % 5 == 0 ? glm::round(place) : place; // also at points, and in planes of bricks
        const glm::vec3 at(place + shift);
        const double expected = interpolated(grid, glm::dvec3(at) - shift);
        const float found = shared::volumeDensityAt(volume, at);
        ASSERT_NEAR(found, expected, 1e-5 * double{tree.most()}) << place.x << ' ' << place.y << ' ' << place.z;
        const shared::VolumePart part = shared::volumePartAt(volume, at, 0.0F);
        const shared::VolumePart coarse = shared::volumePartAt(volume, at, 64.0F * tree.most());
        ASSERT_LE(found, part.most * 1.00001F);
        ASSERT_LE(part.most, coarse.most);
        ASSERT_GE(coarse.side, part.side);
        const bool isInside = glm::all(glm::greaterThanEqual(at, glm::vec3(tree.low))) &&
                              glm::all(glm::lessThanEqual(at, glm::vec3(tree.high)));
        ASSERT_TRUE(isInside || found == 0.0F);
        dense += found > 0.0F ? 1 : 0;
        empty += part.most == 0.0F && part.side > 8.0F ? 1 : 0;
    }
    EXPECT_GT(dense, 1000U);
    EXPECT_GT(empty, 1000U);
}

TEST(DensityTree, UsesTheCellsNextToDensePoints) {
    const DensityGrid grid = test::densityOf({8, -3, 5}, {9, -2, 6}, 0.5, [](const glm::dvec3&) { return 2.0; });
    const DensityTree tree = makeDensityTree(grid, "point");
    EXPECT_EQ(tree.brickCount(), 2U); // the point is the first of its brick along X
    EXPECT_EQ(tree.most(), 2.0F);
    const Bounds bounds = boundsOf(tree, tree.worldFromCells);
    EXPECT_EQ(bounds.min, glm::dvec3(3.5, -2.0, 2.0));
    EXPECT_EQ(bounds.max, glm::dvec3(4.5, -1.0, 3.0));
}

TEST(DensityTree, RefusesNothingAndTooMuch) {
    const DensityGrid nothing = test::densityOf({0, 0, 0}, {9, 9, 9}, 1.0, [](const glm::dvec3&) { return 0.0; });
    EXPECT_TRUE(test::containsAll(test::messageOf([&] { makeDensityTree(nothing, "smoke"); }), {"smoke: ", "above 0"}));
    const DensityGrid smoke = puffs();
    const std::uint64_t bytes = makeDensityTree(smoke, "smoke").bricks.size() * sizeof(std::uint32_t);
    EXPECT_EQ(makeDensityTree(smoke, "smoke", bytes).bricks.size() * sizeof(std::uint32_t), bytes);
    for (const std::uint64_t most : {bytes - 1, std::uint64_t{1000}}) { // of all bricks, and of those of blocks alone
        EXPECT_TRUE(test::containsAll(test::messageOf([&] { makeDensityTree(smoke, "smoke", most); }),
                                      {"smoke: ", "bricks", bytesText(most), "--asset-memory"}));
    }
    DensityGrid far = test::densityOf({0, 0, 0}, {8, 8, 8}, 1.0, [](const glm::dvec3&) { return 1.0; });
    far.blocks.emplace_back(0, 0, 70000);
    far.values.push_back(0);
    ASSERT_TRUE(far.isSound());
    EXPECT_TRUE(
        test::containsAll(test::messageOf([&] { makeDensityTree(far, "smoke"); }), {"smoke: ", "560016", "524288"}));
}

} // namespace
} // namespace aureole
