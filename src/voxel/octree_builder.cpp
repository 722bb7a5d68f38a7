#include "voxel/octree_builder.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/error.h"
#include "shared/attributes.h"
#include "voxel/build.h"
#include "voxel/grid.h"

namespace aureole {

namespace {

constexpr std::uint64_t kMaxNodes = std::uint64_t{OCTREE_CHUNKS} << OCTREE_NODE_CHUNK_SHIFT;
constexpr std::uint64_t kMaxLeaves = std::uint64_t{OCTREE_CHUNKS} << OCTREE_LEAF_CHUNK_SHIFT;
constexpr std::uint64_t kMaxVoxels = std::uint64_t{OCTREE_ATTRIBUTE_CHUNKS} << OCTREE_ATTRIBUTE_CHUNK_SHIFT;

/// An octree's indices have 32 bits and its arrays a limited number of chunks.
void checkCount(std::uint64_t count, std::uint64_t limit, const char* what) {
    if (count > limit) {
        fail(ExitCode::OutOfMemory, "the octree would have more {} than the largest number of {}; lower the resolution",
             what, limit);
    }
}

} // namespace

OctreeBuilder::OctreeBuilder(const VoxelGrid& grid, MemoryBudget& budget)
    : budget_(&budget)
    , leaves_(budget)
    , leafOffsets_(budget)
    , leafGroups_(budget)
    , attributes_(budget) {
    octree_.grid = grid;
    octree_.levels = octreeLevels(grid.size);
    open_.resize(octree_.levels - 1);
    for (std::size_t i = 0; i < open_.size(); ++i) {
        finished_.emplace_back(budget);
    }
}

std::uint32_t OctreeBuilder::addBlock(const VoxelBlock& block) {
    if (block.mask == 0 || block.code < nextCode_) {
        fail(ExitCode::Internal, "octree: block {:#x} is empty or out of order", block.code);
    }
    if (block.code >> (6U * (octree_.levels - 1)) != 0) {
        fail(ExitCode::Internal, "octree: block {:#x} lies outside a grid of {} levels", block.code, octree_.levels);
    }
    nextCode_ = block.code + 1;
    const std::uint64_t index = leaves_.size();
    appendLeaf(block.mask);
    addChild(0, block.code, index);
    return static_cast<std::uint32_t>(index);
}

void OctreeBuilder::appendLeaf(std::uint64_t mask) {
    const std::uint64_t index = leaves_.size();
    checkCount(index + 1, kMaxLeaves, "leaves");
    if ((index & ((std::uint64_t{1} << OCTREE_LEAF_GROUP_SHIFT) - 1)) == 0) {
        groupStart_ = voxels_;
        leafGroups_.append(voxels_);
    }
    if ((index & ((std::uint64_t{1} << OCTREE_LEAF_LINE_SHIFT) - 1)) == 0) {
        leafOffsets_.append(static_cast<std::uint32_t>(voxels_ - groupStart_));
    }
    leaves_.append(shared::uvec2(static_cast<std::uint32_t>(mask), static_cast<std::uint32_t>(mask >> 32U)));
    voxels_ += static_cast<std::uint64_t>(std::popcount(mask));
}

/// Adds child `index` with `code`, in units of its size, to the open node at `height`.
void OctreeBuilder::addChild(std::size_t height, std::uint64_t code, std::uint64_t index) {
    OpenNode& node = open_[height];
    if (node.mask != 0 && node.code != code >> 6U) {
        close(height);
    }
    if (node.mask == 0) {
        node = {code >> 6U, 0, index};
    }
    node.mask |= std::uint64_t{1} << (code & 63U);
}

/// Finishes the open node at `height`, whose children are complete.
void OctreeBuilder::close(std::size_t height) {
    const OpenNode node = std::exchange(open_[height], {});
    const std::uint64_t index = finished_[height].size();
    checkCount(index + 1, kMaxNodes, "nodes");
    finished_[height].append({static_cast<std::uint32_t>(node.mask), static_cast<std::uint32_t>(node.mask >> 32U),
                              static_cast<std::uint32_t>(node.firstChild), 0});
    if (height + 1 < open_.size()) {
        addChild(height + 1, node.code, index);
    }
}

void OctreeBuilder::addAttributes(std::span<const shared::VoxelAttributes> attributes) {
    checkCount(attributes_.size() + attributes.size(), kMaxVoxels, "voxels");
    attributes_.append(attributes);
}

/// All levels in one array, the root first; what counted from a level's own start now counts from that of the array.
Array<shared::OctreeNode> OctreeBuilder::joinNodes() {
    std::uint64_t total = 0;
    for (const StoredArray<shared::OctreeNode>& level : finished_) {
        total += level.size();
    }
    checkCount(total, kMaxNodes, "nodes");
    StoredArray<shared::OctreeNode> joined(*budget_);
    std::uint64_t childLevel = 0;
    for (std::size_t height = finished_.size(); height-- > 0;) {
        const Array<shared::OctreeNode> level = finished_[height].take();
        childLevel += level.size();
        for (shared::OctreeNode node : level) {
            node.firstChild += height > 0 ? static_cast<std::uint32_t>(childLevel) : 0; // the lowest have leaves
            joined.append(node);
        }
    }
    return joined.take();
}

Octree OctreeBuilder::finish(std::vector<glm::vec3> emissions, std::vector<shared::uvec2> emissionRuns) {
    if (voxels_ != attributes_.size()) {
        fail(ExitCode::Internal, "octree: {} voxels but {} attributes", voxels_, attributes_.size());
    }
    if (emissions.empty() || emissions[0] != glm::vec3(0.0F)) {
        fail(ExitCode::Internal, "octree: the first emission is not black");
    }
    if (empty()) {
        finished_.back().append({0, 0, 0, 0});
    } else {
        for (std::size_t height = 0; height < open_.size(); ++height) {
            close(height);
        }
    }
    octree_.nodes = joinNodes();
    octree_.leaves = leaves_.take();
    octree_.leafOffsets = leafOffsets_.take();
    octree_.leafGroups = leafGroups_.take();
    octree_.attributes = attributes_.take();
    octree_.emissions = std::move(emissions);
    octree_.emissionRuns = std::move(emissionRuns);
    return std::move(octree_);
}

Octree buildOctree(const VoxelGrid& grid, const std::vector<VoxelBlock>& blocks,
                   std::vector<shared::VoxelAttributes> attributes, std::vector<glm::vec3> emissions) {
    MemoryBudget unlimited;
    OctreeBuilder builder(grid, unlimited);
    for (const VoxelBlock& block : blocks) {
        builder.addBlock(block);
    }
    builder.addAttributes(attributes);
    std::vector<shared::uvec2> runs = singleRun(emissions.size());
    return builder.finish(std::move(emissions), std::move(runs));
}

} // namespace aureole
