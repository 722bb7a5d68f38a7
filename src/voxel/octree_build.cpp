#include <algorithm>
#include <bit>

#include "core/error.h"
#include "shared/attributes.h"
#include "voxel/build.h"
#include "voxel/grid.h"

namespace aureole {

namespace {

/// The nodes of one level, in Morton order, with their codes in units of their own size.
struct Level {
    std::vector<std::uint64_t> codes;
    std::vector<shared::OctreeNode> nodes;
};

void checkBlocks(const std::vector<VoxelBlock>& blocks, std::uint64_t attributes, std::uint32_t levels) {
    std::uint64_t voxels = 0;
    std::uint64_t next = 0;
    for (const VoxelBlock& block : blocks) {
        if (block.mask == 0 || block.code < next) {
            fail(ExitCode::Internal, "buildOctree: block {:#x} is empty or out of order", block.code);
        }
        voxels += static_cast<std::uint64_t>(std::popcount(block.mask));
        next = block.code + 1;
    }
    if (next > std::uint64_t{1} << (6U * (levels - 1))) {
        fail(ExitCode::Internal, "buildOctree: block {:#x} lies outside a grid of {} levels", next - 1, levels);
    }
    if (voxels != attributes) {
        fail(ExitCode::Internal, "buildOctree: {} voxels but {} attributes", voxels, attributes);
    }
}

/// An octree's indices have 32 bits and its arrays a limited number of chunks.
void checkCount(std::uint64_t count, std::uint64_t limit, const char* what) {
    if (count > limit) {
        fail(ExitCode::OutOfMemory,
             "the octree would have {} {}, more than the largest number of {}; lower the resolution", count, what,
             limit);
    }
}

Level groupChildren(const std::vector<std::uint64_t>& children) {
    Level level;
    for (std::size_t i = 0; i < children.size(); ++i) {
        const std::uint64_t code = children[i] >> 6U;
        if (level.codes.empty() || level.codes.back() != code) {
            level.codes.push_back(code);
            level.nodes.push_back({0, 0, static_cast<std::uint32_t>(i), 0});
        }
        shared::OctreeNode& node = level.nodes.back();
        const auto bit = static_cast<std::uint32_t>(children[i] & 63U);
        (bit < 32 ? node.maskLow : node.maskHigh) |= 1U << (bit & 31U);
    }
    return level;
}

/// Joins the levels, the root first; what counted from a level's own start now counts from that of the array.
std::vector<shared::OctreeNode> joinLevels(const std::vector<Level>& fromBottom) {
    std::uint64_t total = 0;
    for (const Level& level : fromBottom) {
        total += level.nodes.size();
    }
    checkCount(total, std::uint64_t{OCTREE_CHUNKS} << OCTREE_NODE_CHUNK_SHIFT, "nodes");
    std::vector<shared::OctreeNode> nodes;
    nodes.reserve(total);
    for (std::size_t i = fromBottom.size(); i-- > 0;) {
        const auto childLevel = static_cast<std::uint32_t>(nodes.size() + fromBottom[i].nodes.size());
        for (shared::OctreeNode node : fromBottom[i].nodes) {
            node.firstChild += i > 0 ? childLevel : 0; // the lowest level's children are leaves
            nodes.push_back(node);
        }
    }
    return nodes;
}

std::vector<shared::OctreeNode> buildNodes(const std::vector<VoxelBlock>& blocks, std::uint32_t levels) {
    if (blocks.empty()) {
        return {shared::OctreeNode{0, 0, 0, 0}};
    }
    std::vector<Level> fromBottom;
    std::vector<std::uint64_t> codes(blocks.size());
    std::transform(blocks.begin(), blocks.end(), codes.begin(), [](const VoxelBlock& block) { return block.code; });
    for (std::uint32_t level = 0; level + 1 < levels; ++level) {
        fromBottom.push_back(groupChildren(codes));
        codes = std::move(fromBottom.back().codes);
    }
    return joinLevels(fromBottom);
}

void buildLeaves(Octree& octree, const std::vector<VoxelBlock>& blocks) {
    constexpr std::size_t kGroup = std::size_t{1} << OCTREE_LEAF_GROUP_SHIFT;
    octree.leaves.reserve(blocks.size());
    octree.leafOffsets.reserve(blocks.size());
    octree.leafGroups.reserve(blocks.size() / kGroup + 1);
    std::uint64_t voxels = 0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (i % kGroup == 0) {
            octree.leafGroups.push_back(voxels);
        }
        const std::uint64_t mask = blocks[i].mask;
        octree.leaves.emplace_back(static_cast<std::uint32_t>(mask), static_cast<std::uint32_t>(mask >> 32U));
        octree.leafOffsets.push_back(static_cast<std::uint32_t>(voxels - octree.leafGroups.back()));
        voxels += static_cast<std::uint64_t>(std::popcount(mask));
    }
}

} // namespace

Octree buildOctree(const VoxelGrid& grid, const std::vector<VoxelBlock>& blocks,
                   std::vector<shared::VoxelAttributes> attributes, std::vector<glm::vec3> emissions) {
    Octree octree;
    octree.grid = grid;
    octree.levels = octreeLevels(grid.size);
    checkBlocks(blocks, attributes.size(), octree.levels);
    checkCount(blocks.size(), std::uint64_t{OCTREE_CHUNKS} << OCTREE_LEAF_CHUNK_SHIFT, "leaves");
    checkCount(attributes.size(), std::uint64_t{OCTREE_ATTRIBUTE_CHUNKS} << OCTREE_ATTRIBUTE_CHUNK_SHIFT, "voxels");
    checkCount(emissions.size(), ATTRIBUTE_MAX_EMISSIONS, "emissions");
    if (emissions.empty() || emissions[0] != glm::vec3(0.0F)) {
        fail(ExitCode::Internal, "buildOctree: the first emission is not black");
    }
    octree.nodes = buildNodes(blocks, octree.levels);
    buildLeaves(octree, blocks);
    octree.attributes = std::move(attributes);
    octree.emissions = std::move(emissions);
    return octree;
}

} // namespace aureole
