#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "shared/octree/field.h"
#include "shared/octree/slab.h"
#include "voxel/build/branch.h"
#include "voxel/build/brick_list.h"
#include "voxel/build/octree_builder.h"
#include "voxel/build/voxel_material.h"
#include "voxel/surface/surface_average.h"

namespace aureole {

/// What a voxel of a field has beside its attributes.
struct FieldVoxel {
    shared::CornerDistances distances{};
    bool ofOpaque =
        false; ///< in a scene with glass: no glass is in the voxel, and its surface is that of opaque meshes
};

/// The voxels of a brick; what several bricks in the order of codes have can be appended to each other. All lists of
/// voxels go block by block, bit by bit.
struct BrickVoxels {
    std::vector<VoxelBlock> blocks;
    std::vector<SurfaceVoxel> voxels;
    /// In place of `voxels`, of a maker (brick_maker.h): their attributes, with numbers within `materials`.
    std::span<const shared::VoxelAttributes> numbered;
    bool plain = true;                            ///< whether all voxels are of kPlainMaterial
    std::vector<shared::VoxelMaterial> materials; ///< of the voxels, where not: what numberWithin has returned
    std::vector<shared::SurfaceSlab> slabs;       ///< of planes only: that of each voxel
    std::vector<EmittingArea> emitting;           ///< of the voxels that emit
    std::vector<FieldVoxel> fieldVoxels;          ///< of fields only: likewise
    /// In place of `fieldVoxels`, of a maker: their distances, all of them above 0.
    std::span<const shared::CornerDistances> distances;
    std::vector<shared::CornerDistances> levelSets; ///< of fields with level sets only: the distances of these
    std::optional<Branch> branch;                   ///< of the blocks, where the octree takes such
    std::vector<RowCrossing> crossings;             ///< for the inside of solids and the signs of fields
    std::vector<RowCrossing> opaqueCrossings;       ///< crossings of opaque meshes alone, of a field with glass

    std::uint64_t byteCount() const {
        return blocks.size() * sizeof(VoxelBlock) + voxels.size() * sizeof(SurfaceVoxel) +
               (branch ? branch->byteCount() : 0) + slabs.size() * sizeof(shared::SurfaceSlab) +
               emitting.size() * sizeof(EmittingArea) + fieldVoxels.size() * sizeof(FieldVoxel) +
               levelSets.size() * sizeof(shared::CornerDistances) +
               (crossings.size() + opaqueCrossings.size()) * sizeof(RowCrossing);
    }
};

/// Fragments (a primitive's part in a block) that are held at once, 16 bytes each and twice while they are sorted. Few
/// bricks have more.
inline constexpr std::size_t kFragmentsAtOnce = std::size_t{1} << 18U;

/// The voxels of a brick, the same for any `fragmentsAtOnce`. A brick with more of them is done in some 16 parts,
/// each a pass over its primitives; a single block's are always held together, with their samples.
BrickVoxels voxelizeBrick(const Primitives& primitives, const BrickList& bricks, const Brick& brick,
                          std::size_t fragmentsAtOnce = kFragmentsAtOnce);

/// A brick's blocks without voxels and averages: of a shape alone.
BrickVoxels voxelizeBrickShape(const Primitives& primitives, const BrickList& bricks, const Brick& brick,
                               std::size_t fragmentsAtOnce = kFragmentsAtOnce);

/// The levels that a node of planes may have: the root is never merged.
inline std::uint32_t mostPlaneLevels(const BrickList& bricks, std::uint32_t octreeLevels) {
    return std::min(bricks.brickLevels(), octreeLevels - 1);
}

/// The voxels of a brick as planes within `error` voxels of the surface (plane_brick.h).
BrickVoxels voxelizeBrickPlanes(const Primitives& primitives, const BrickList& bricks, const Brick& brick, double error,
                                std::uint32_t octreeLevels, std::size_t fragmentsAtOnce = kFragmentsAtOnce);

} // namespace aureole
