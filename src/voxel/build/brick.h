#pragma once

#include <cstdint>
#include <vector>

#include "shared/octree/field.h"
#include "shared/octree/slab.h"
#include "voxel/build/brick_list.h"
#include "voxel/build/octree_builder.h"

namespace aureole {

/// The voxels of a brick; what several bricks in the order of codes have can be appended to each other.
struct BrickVoxels {
    std::vector<VoxelBlock> blocks;
    std::vector<shared::VoxelAttributes> attributes; ///< without material numbers
    std::vector<shared::VoxelMaterial> materials;    ///< of each voxel; none where all are plain
    std::vector<SurfaceSum> sums;                    ///< of each block
    std::vector<RowCrossing> crossings;              ///< for the inside of solids and the signs of fields
    std::vector<RowCrossing> opaqueCrossings;        ///< those of opaque meshes, where ofOpaque is used
    std::vector<char> ofOpaque;                      ///< of each voxel of a field with glass: 1 if it is none of glass
    std::vector<shared::CornerDistances> distances;  ///< of each voxel of a field
    std::vector<shared::SurfaceSlab> slabs;          ///< parallel to attributes, for octrees of planes

    std::uint64_t byteCount() const {
        return blocks.size() * sizeof(VoxelBlock) + attributes.size() * sizeof(shared::VoxelAttributes) +
               materials.size() * sizeof(shared::VoxelMaterial) +
               (crossings.size() + opaqueCrossings.size()) * sizeof(RowCrossing) + ofOpaque.size() +
               distances.size() * sizeof(shared::CornerDistances) + sums.size() * sizeof(SurfaceSum) +
               slabs.size() * sizeof(shared::SurfaceSlab);
    }
};

/// Fragments (a primitive's part in a block) that are held at once, 16 bytes each and twice while they are sorted. Few
/// bricks have more.
inline constexpr std::size_t kFragmentsAtOnce = std::size_t{1} << 18U;

/// The voxels of a brick, the same for any `fragmentsAtOnce`. A brick with more of them is done in some 16 parts,
/// each a pass over its primitives; a single block's are always held together, with their samples.
BrickVoxels voxelizeBrick(const Primitives& primitives, const BrickList& bricks, const Brick& brick,
                          std::size_t fragmentsAtOnce = kFragmentsAtOnce);

/// The same as planes within `error` voxels of the surface (plane_brick.h).
BrickVoxels voxelizeBrickPlanes(const Primitives& primitives, const BrickList& bricks, const Brick& brick, double error,
                                std::uint32_t octreeLevels, std::size_t fragmentsAtOnce = kFragmentsAtOnce);

} // namespace aureole
