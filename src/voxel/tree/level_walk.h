#pragma once

// All that level-of-detail and export code knows of how an octree is encoded: one walk over it in order, and one
// question.

#include <cstdint>
#include <functional>
#include <span>

#include "voxel/build/voxel_material.h"
#include "voxel/tree/octree.h"

namespace aureole {

/// 4x4x4 cells of one level. Spans are valid during the call only.
struct WalkedBlock {
    std::uint64_t code = 0;   ///< cell_code.h, in units of the block's own size
    std::uint64_t mask = 0;   ///< solid cells, by cellBit; never 0
    std::uint64_t inside = 0; ///< solid cells that have no attributes
    /// Of the others, in order of their bits. The numbers of materials in them mean nothing here.
    std::span<const shared::VoxelAttributes> attributes;
    std::span<const shared::VoxelMaterial> materials; ///< theirs; none where all in the block are plain

    shared::VoxelMaterial material(std::size_t index) const {
        return materials.empty() ? kPlainMaterial : materials[index];
    }
};

/// What a walk calls. `onInside` gets a cube of 4^cubeLevels cells that are all inside a solid, with its code in units
/// of its own size.
struct WalkCalls {
    std::function<void(const WalkedBlock&)> onBlock;
    std::function<void(std::uint64_t code, std::uint32_t cubeLevels)> onInside;
};

/// Walks an octree in the order of codes. Cells are cubes of 4^height voxels, height from 0 to octree.levels: the
/// voxels themselves with their attributes, or leaves and nodes with their averages. A merged node of planes has the
/// cells that its plane passes (plane_walk.h).
void walkOctree(const Octree& octree, std::uint32_t height, const WalkCalls& calls);

/// Which of the 4x4x4 voxels from 4 * block on are solid, by cellBit; none outside the grid.
std::uint64_t solidMask(const Octree& octree, const glm::ivec3& block);

} // namespace aureole
