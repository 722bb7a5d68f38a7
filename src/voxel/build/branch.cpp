#include "voxel/build/branch.h"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "voxel/tree/octree_walk.h"

namespace aureole {

namespace {

struct SummedNode {
    shared::OctreeNode node{};
    SurfaceSum sum;
};

void addLeaf(const VoxelBlock& block, Branch& branch) {
    const LeafAverage average = block.average ? *block.average : averageLeaf(block.sum);
    branch.leaves.push_back(halvesOf(block.mask));
    branch.voxelsBefore.push_back(static_cast<std::uint32_t>(branch.voxels));
    branch.leafAverages.push_back(average.attributes);
    branch.leafMaterials.push_back(average.material);
    branch.voxels += static_cast<std::uint64_t>(std::popcount(block.mask));
}

/// Adds what lies below a node so high over the leaves, which has all of these blocks, and returns the node.
SummedNode addBelow(std::span<const VoxelBlock> blocks, std::size_t height,
                    Branch& branch) { // NOLINT(misc-no-recursion)
    const std::size_t firstChild = height == 0 ? branch.leaves.size() : branch.levels[height - 1].nodes.size();
    const std::size_t shift = 6 * height;
    std::uint64_t mask = 0;
    SummedNode made;
    for (std::size_t first = 0; first < blocks.size();) {
        const std::uint64_t child = blocks[first].code >> shift;
        mask |= std::uint64_t{1} << (child & 63U);
        if (height == 0) {
            addLeaf(blocks[first], branch);
            made.sum.add(blocks[first].sum);
            ++first;
            continue;
        }
        std::size_t end = first + 1;
        while (end < blocks.size() && blocks[end].code >> shift == child) {
            ++end;
        }
        const SummedNode below = addBelow(blocks.subspan(first, end - first), height - 1, branch);
        BranchLevel& level = branch.levels[height - 1];
        level.nodes.push_back(below.node);
        level.averages.push_back(averageAttributes(below.sum));
        level.materials.push_back(averageMaterial(below.sum));
        made.sum.add(below.sum);
        first = end;
    }
    const shared::uvec2 halves = halvesOf(mask);
    made.node = {halves.x, halves.y, static_cast<std::uint32_t>(firstChild), 0};
    return made;
}

} // namespace

std::uint64_t Branch::byteCount() const {
    constexpr std::uint64_t kAverage = sizeof(shared::VoxelAttributes) + sizeof(AverageMaterial);
    std::uint64_t bytes = leaves.size() * (sizeof(leaves[0]) + sizeof(voxelsBefore[0]) + kAverage);
    for (const BranchLevel& level : levels) {
        bytes += level.nodes.size() * (sizeof(level.nodes[0]) + kAverage);
    }
    return bytes;
}

void copyLeaves(const Branch& branch, const LeafPlaces& to) {
    const auto copy = [](const auto& from, auto* places) {
        if (places != nullptr) {
            std::copy(from.begin(), from.end(), places);
        }
    };
    copy(branch.leaves, to.masks);
    copy(branch.leafAverages, to.averages);
    copy(branch.leafMaterials, to.materials);
}

Branch makeBranch(std::span<const VoxelBlock> blocks, std::uint32_t levels) {
    Branch branch;
    branch.firstBlock = blocks.front().code;
    branch.lastBlock = blocks.back().code;
    branch.leaves.reserve(blocks.size());
    branch.voxelsBefore.reserve(blocks.size());
    branch.leafAverages.reserve(blocks.size());
    branch.leafMaterials.reserve(blocks.size());
    branch.levels.resize(levels - 2);
    const SummedNode top = addBelow(blocks, levels - 2, branch);
    branch.top = top.node;
    branch.sum = top.sum;
    return branch;
}

} // namespace aureole
