// Octrees that are built of branches, held against those that are built of the same blocks one by one.

#include <bit>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "test_scene.h"
#include "voxel/build/build.h"
#include "voxel/build/octree_builder.h"

namespace aureole::test {
namespace {

/// Blocks close to each other and far apart, in the order of codes, in an octree of so many levels.
std::vector<VoxelBlock> randomBlocks(std::uint32_t levels, std::mt19937_64& random) {
    const std::uint64_t end = std::uint64_t{1} << (6 * (levels - 1));
    std::set<std::uint64_t> codes = {0, end - 1};
    while (codes.size() < 60) {
        const std::uint64_t first = random() % end;
        for (std::uint64_t code = first; code < std::min(end, first + random() % 9); ++code) {
            codes.insert(code);
        }
    }
    std::vector<VoxelBlock> blocks;
    for (const std::uint64_t code : codes) {
        VoxelBlock& block = blocks.emplace_back();
        block.code = code;
        block.mask = random() | 1U;
        for (int i = 0; i < 3; ++i) {
            shared::VoxelSurface surface{};
            surface.albedo = shared::vec3(static_cast<float>(random() % 256) / 255.0F);
            surface.normal = glm::normalize(glm::vec3(1.0F, static_cast<float>(random() % 7) - 3.0F, 0.5F));
            surface.geometricNormal = surface.normal;
            block.sum.add(surface, {shared::vec3(static_cast<float>(random() % 3)), 0}, 0.25 + i);
        }
    }
    return blocks;
}

/// By branches of `branchLevels`, or, of 0, block by block.
Octree built(const std::vector<VoxelBlock>& blocks, std::uint32_t levels, std::uint32_t branchLevels) {
    MemoryBudget unlimited;
    OctreeBuilder builder({{}, 1.0, glm::uvec3(1U << (2 * levels))}, unlimited);
    std::vector<shared::VoxelAttributes> attributes;
    for (std::size_t first = 0; first < blocks.size();) {
        std::size_t end = first + 1;
        const std::uint32_t shift = 6 * (branchLevels - 1);
        while (branchLevels > 0 && end < blocks.size() && blocks[end].code >> shift == blocks[first].code >> shift) {
            ++end;
        }
        if (branchLevels > 0) {
            Branch branch = makeBranch(std::span(blocks).subspan(first, end - first), branchLevels);
            copyLeaves(branch, builder.addBranch(branch));
        } else {
            builder.addBlock(blocks[first]);
        }
        for (; first < end; ++first) {
            attributes.resize(attributes.size() + static_cast<std::size_t>(std::popcount(blocks[first].mask)));
        }
    }
    builder.addAttributes(attributes);
    return builder.finish({kPlainMaterial, {shared::vec3(1.0F), 0}}, singleRun(2), {MaterialConstants()});
}

TEST(Branch, MakesTheOctreeOfItsBlocks) {
    std::mt19937_64 random(30);
    for (std::uint32_t levels = 3; levels <= 6; ++levels) {
        for (int i = 0; i < 20; ++i) {
            const std::vector<VoxelBlock> blocks = randomBlocks(levels, random);
            const Octree one = built(blocks, levels, 0);
            for (std::uint32_t branchLevels = 2; branchLevels < levels; ++branchLevels) {
                EXPECT_TRUE(identical(built(blocks, levels, branchLevels), one)) << levels << " " << branchLevels;
            }
        }
    }
}

TEST(Branch, OutOfPlaceIsRefused) {
    std::mt19937_64 random(31);
    const std::vector<VoxelBlock> blocks = randomBlocks(3, random);
    const auto addTo = [&](OctreeBuilder& to, std::size_t block) {
        Branch branch = makeBranch(std::span(blocks).subspan(block, 1), 2);
        to.addBranch(branch);
    };
    MemoryBudget unlimited;
    OctreeBuilder builder({{}, 1.0, glm::uvec3(64)}, unlimited);
    addTo(builder, 20);
    EXPECT_EQ(errorOf([&] { addTo(builder, 19); }).code, ExitCode::Internal);
    EXPECT_EQ(errorOf([&] { addTo(builder, 20); }).code, ExitCode::Internal);
    OctreeBuilder small({{}, 1.0, glm::uvec3(16)}, unlimited);
    EXPECT_EQ(errorOf([&] { addTo(small, 0); }).code, ExitCode::Internal);
}

} // namespace
} // namespace aureole::test
