#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "voxel/build/voxel_block.h"

namespace aureole {

/// Nodes of one height, with their averages.
struct BranchLevel {
    std::vector<shared::OctreeNode> nodes;
    std::vector<shared::VoxelAttributes> averages;
    std::vector<AverageMaterial> materials;
};

/// What an octree of cubes or a field that is nowhere solid has below one of its nodes, and that node. Whoever has made
/// the blocks can make it, several at a time, so that a builder, which is one thread's, has only to append it.
struct Branch {
    std::uint64_t firstBlock = 0; ///< codes
    std::uint64_t lastBlock = 0;
    std::uint64_t voxels = 0;
    std::vector<shared::uvec2> leaves;
    std::vector<std::uint32_t> voxelsBefore; ///< each leaf, in the branch
    std::vector<shared::VoxelAttributes> leafAverages;
    std::vector<AverageMaterial> leafMaterials;
    std::vector<BranchLevel> levels; ///< by height over the leaves; children count from the first of the branch
    shared::OctreeNode top{};        ///< of the height above
    SurfaceSum sum;                  ///< of the top

    std::uint64_t byteCount() const;
};

/// Where an octree has the leaves of a branch; null where they stand there already.
struct LeafPlaces {
    shared::uvec2* masks = nullptr;
    shared::VoxelAttributes* averages = nullptr;
    AverageMaterial* materials = nullptr;
};

void copyLeaves(const Branch& branch, const LeafPlaces& to);

/// The branch of some blocks in the order of codes, one or more, all below one node of 4^levels voxels a side, two
/// levels or more. None is inside a solid or merged.
Branch makeBranch(std::span<const VoxelBlock> blocks, std::uint32_t levels);

} // namespace aureole
