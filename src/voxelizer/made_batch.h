#pragma once

// What the device has made of a batch of bricks, cut into these.

#include <cstdint>
#include <span>
#include <vector>

#include "shared/voxelize/work.h"
#include "voxel/build/brick.h"

namespace aureole::voxelizer {

/// The leaves of a brick within those of its batch.
struct BrickLeaves {
    std::size_t first = 0;
    std::size_t end = 0;
    std::uint64_t firstBlock = 0; ///< code of the brick's first block
    std::uint32_t cellMask = 0;   ///< of a key, what tells the block within the brick
};

/// What a batch has come to, in the order of blocks and voxels.
struct MadeBatch {
    std::span<const shared::VoxelLeaf> leaves;
    std::span<shared::VoxelAttributes> attributes;      ///< which get numbers where they are
    std::span<const std::uint32_t> materials;           ///< numbers; empty: all are 0
    std::span<const shared::VoxelEmitting> emitting;    ///< empty: none emits
    std::span<const shared::CornerDistances> distances; ///< of fields only
    // Of planes only:
    std::span<const shared::SurfaceSlab> slabs;
    std::vector<std::span<const shared::PlaneCell>> planes; ///< in place of parts, by their levels less 1

    shared::VoxelMaterial materialOf(std::size_t voxel) const {
        // -0 and 0 are equal and must hash alike.
        const glm::vec3 emission = emitting.empty() ? glm::vec3(0.0F) : emitting[voxel].emission + 0.0F;
        return {emission, materials.empty() ? 0 : materials[voxel]};
    }

    /// The points of a brick of planes, as the CPU counts them: those of all blocks that might merge.
    std::uint64_t pointsOf(const BrickLeaves& brick) const;
};

/// A brick of cubes or fields.
BrickVoxels brickOf(const MadeBatch& batch, const BrickLeaves& brick);

/// A brick of planes.
BrickVoxels planesOf(const MadeBatch& batch, const BrickLeaves& brick);

} // namespace aureole::voxelizer
