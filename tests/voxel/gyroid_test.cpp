#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "shared/octree/attributes.h"
#include "voxel/build/gyroid.h"

namespace aureole {
namespace {

/// The function whose sign tells inside from outside, from the formula alone.
double shellAt(const glm::dvec3& p, std::uint32_t side) {
    const glm::dvec3 a = 2.0 * kPi / (side / 4) * p;
    const double g = std::sin(a.x) * std::cos(a.y) + std::sin(a.y) * std::cos(a.z) + std::sin(a.z) * std::cos(a.x);
    const double r = glm::distance(p, glm::dvec3(0.5 * side)) / (0.48 * side);
    return std::max(std::abs(g) - 0.12, 12.0 * (r - 1.0));
}

/// Which corners of the grid lie inside the shell.
std::vector<bool> insideOf(std::uint32_t side) {
    std::vector<bool> inside;
    for (std::uint32_t z = 0; z <= side; ++z) {
        for (std::uint32_t y = 0; y <= side; ++y) {
            for (std::uint32_t x = 0; x <= side; ++x) {
                inside.push_back(shellAt({x, y, z}, side) < 0.0);
            }
        }
    }
    return inside;
}

/// How many voxels of a gyroid are solid where the formula says they are not, or the other way round.
std::uint64_t countWrong(const Octree& octree, std::uint32_t side) {
    const std::vector<bool> inside = insideOf(side);
    const auto corner = [&](const glm::uvec3& p) -> bool {
        return inside[(std::size_t{p.z} * (side + 1) + p.y) * (side + 1) + p.x];
    };
    std::uint64_t wrong = 0;
    for (std::uint32_t i = 0; i < side * side * side; ++i) {
        const glm::uvec3 voxel(i % side, i / side % side, i / side / side);
        int count = 0;
        for (std::uint32_t c = 0; c < 8; ++c) {
            count += corner(voxel + glm::uvec3(c & 1U, c >> 1U & 1U, c >> 2U)) ? 1 : 0;
        }
        wrong += isSolid(octree, voxel) == (count != 0 && count != 8) ? 0 : 1;
    }
    return wrong;
}

TEST(Gyroid, HasTheVoxelsWhoseCornersDiffer) {
    constexpr std::uint32_t kSide = 64;
    const Octree octree = makeGyroid(kSide);
    EXPECT_EQ(octree.voxelCount(), 50760U);
    EXPECT_EQ(octree.grid.size, glm::uvec3(kSide));
    EXPECT_EQ(countWrong(octree, kSide), 0U);
}

TEST(Gyroid, FillsGridsThatAreHalfAnOctree) {
    constexpr std::uint32_t kSide = 128; // of the 256 of four levels
    const Octree octree = makeGyroid(kSide);
    EXPECT_EQ(octree.grid.size, glm::uvec3(kSide));
    EXPECT_EQ(countWrong(octree, kSide), 0U);
}

TEST(Gyroid, HasNormalsAlongWhichTheFunctionGrows) {
    constexpr std::uint32_t kSide = 64;
    const Octree octree = makeGyroid(kSide);
    std::uint64_t voxels = 0;
    std::uint64_t along = 0;
    for (std::uint32_t i = 0; i < kSide * kSide * kSide; ++i) {
        const glm::uvec3 voxel(i % kSide, i / kSide % kSide, i / kSide / kSide);
        if (const auto attributes = attributesAt(octree, voxel)) {
            const glm::dvec3 normal(shared::unpackAttributes(*attributes).normal);
            const glm::dvec3 corner(voxel);
            const double ahead = shellAt(corner + 0.25 * normal, kSide);
            const double behind = shellAt(corner - 0.25 * normal, kSide);
            ++voxels;
            along += ahead > behind ? 1 : 0;
        }
    }
    EXPECT_EQ(voxels, octree.voxelCount());
    EXPECT_GT(static_cast<double>(along), 0.97 * static_cast<double>(voxels)); // but at the ridges of the function
}

TEST(Gyroid, HasHardlyMoreVoxelsThanTheLeast) {
    EXPECT_LT(leastGyroidVoxels(64), 50760U);
    const std::uint64_t voxels = makeGyroid(256).voxelCount();
    EXPECT_LT(leastGyroidVoxels(256), voxels);
    // As tests/bench/record/voxelisation.md has them, counted on a GPU's host.
    for (const auto& [side, counted] : {std::pair{256U, voxels}, {1024U, 19229064U}, {2048U, 77037468U}}) {
        EXPECT_LT(leastGyroidVoxels(side), counted);
        EXPECT_GT(static_cast<double>(leastGyroidVoxels(side)), 0.97 * static_cast<double>(counted));
    }
    EXPECT_GT(leastGyroidVoxels(16384), 4800000000U) << "no index of 32 bits counts them";
}

TEST(Gyroid, SidesArePowersOfTwo) {
    for (const std::uint32_t side : {64U, 1024U, 16384U}) {
        EXPECT_TRUE(isGyroidSide(side)) << side;
    }
    for (const std::uint32_t side : {0U, 1U, 32U, 96U, 32768U}) {
        EXPECT_FALSE(isGyroidSide(side)) << side;
    }
}

} // namespace
} // namespace aureole
