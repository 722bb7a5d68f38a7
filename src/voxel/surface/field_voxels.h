#pragma once

// The voxels of a brick of a field, of which those in a scene with glass may know opaque surfaces alone.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/set_bits.h"
#include "voxel/build/brick.h"
#include "voxel/tree/cell_code.h"

namespace aureole {

/// Whether a brick has voxels of opaque surfaces alone (`ofOpaque`), or, with false, voxels of all surfaces.
inline bool hasFieldVoxels(const BrickVoxels& voxels, bool ofOpaque) {
    return std::any_of(voxels.fieldVoxels.begin(), voxels.fieldVoxels.end(),
                       [&](const FieldVoxel& voxel) { return voxel.ofOpaque == ofOpaque; });
}

/// Calls visit(voxel, number) for each of these voxels: its coordinates from the brick's corner, and its index among
/// all voxels of the brick. `side` is that of the brick, in voxels.
template <typename Visit>
void visitFieldVoxels(const BrickVoxels& voxels, int side, bool ofOpaque, const Visit& visit) {
    const auto blocksASide = static_cast<std::uint64_t>(side) / 4;
    const std::uint64_t blockInBrick = blocksASide * blocksASide * blocksASide - 1; // the low bits of its code
    std::size_t number = 0;
    for (const VoxelBlock& block : voxels.blocks) {
        const glm::ivec3 corner(codeCell(block.code & blockInBrick) << 2U);
        for (const std::uint32_t bit : setBits(block.mask)) {
            if (voxels.fieldVoxels[number].ofOpaque == ofOpaque) {
                visit(corner + glm::ivec3(shared::bitCell(bit)), number);
            }
            ++number;
        }
    }
}

} // namespace aureole
