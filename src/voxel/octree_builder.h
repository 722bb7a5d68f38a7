#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "voxel/octree.h"
#include "voxel/stored_bytes.h"

namespace aureole {

/// One block of 4x4x4 voxels: what the octree is built from.
struct VoxelBlock {
    std::uint64_t code = 0; ///< Morton code of the block: of voxel coordinates divided by 4
    std::uint64_t mask = 0; ///< solid voxels, by cellBit
};

/// Builds an octree from its blocks in Morton order, in one pass and in memory that does not grow with their number
/// beyond the arrays themselves.
class OctreeBuilder {
public:
    /// `budget` outlives this.
    OctreeBuilder(const VoxelGrid& grid, MemoryBudget& budget);

    /// Adds a block, each with a code above the one before and a mask that is not 0; returns its leaf. Throws Error:
    /// Internal where it is not so, OutOfMemory where an octree's indices could not count it.
    std::uint32_t addBlock(const VoxelBlock& block);
    /// Adds the attributes of the solid voxels of one or more blocks, block by block, bit by bit.
    void addAttributes(std::span<const shared::VoxelAttributes> attributes);

    bool empty() const { return nextCode_ == 0; }

    /// The octree, with its palettes of radiances and their runs, as EmissionRuns makes them. Throws Error (Internal)
    /// where there is not one attribute for each voxel.
    Octree finish(std::vector<glm::vec3> emissions, std::vector<shared::uvec2> emissionRuns);

private:
    /// A node whose children are not complete yet.
    struct OpenNode {
        std::uint64_t code = 0; ///< in units of its own size
        std::uint64_t mask = 0; ///< 0 where none is open
        std::uint64_t firstChild = 0;
    };

    void appendLeaf(std::uint64_t mask);
    void addChild(std::size_t height, std::uint64_t code, std::uint64_t index);
    void close(std::size_t height);
    Array<shared::OctreeNode> joinNodes();

    MemoryBudget* budget_;
    Octree octree_;
    std::vector<OpenNode> open_;                            ///< by height over the leaves, the last is the root
    std::vector<StoredArray<shared::OctreeNode>> finished_; ///< likewise
    StoredArray<shared::uvec2> leaves_;
    StoredArray<std::uint32_t> leafOffsets_;
    StoredArray<std::uint64_t> leafGroups_;
    StoredArray<shared::VoxelAttributes> attributes_;
    std::uint64_t nextCode_ = 0;
    std::uint64_t voxels_ = 0;
    std::uint64_t groupStart_ = 0; ///< voxels before the current group of leaves
};

} // namespace aureole
