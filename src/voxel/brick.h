#pragma once

#include <cstdint>
#include <vector>

#include "shared/field.h"
#include "shared/slab.h"
#include "voxel/brick_list.h"
#include "voxel/octree_builder.h"

namespace aureole {

/// The voxels of a brick; what several bricks in Morton order have can be appended to each other.
struct BrickVoxels {
    std::vector<VoxelBlock> blocks;
    std::vector<shared::VoxelAttributes> attributes; ///< without emission
    std::vector<glm::vec3> emissions;                ///< of each voxel; none where all are black
    std::vector<SurfaceSum> sums;                    ///< of each block
    std::vector<RowCrossing> crossings;              ///< for the inside of solids and the signs of fields
    std::vector<shared::CornerDistances> distances;  ///< of each voxel of a field
    std::vector<shared::SurfaceSlab> slabs;          ///< parallel to attributes, for octrees of planes

    std::uint64_t byteCount() const {
        return blocks.size() * sizeof(VoxelBlock) + attributes.size() * sizeof(shared::VoxelAttributes) +
               emissions.size() * sizeof(glm::vec3) + crossings.size() * sizeof(RowCrossing) +
               distances.size() * sizeof(shared::CornerDistances) + sums.size() * sizeof(SurfaceSum) +
               slabs.size() * sizeof(shared::SurfaceSlab);
    }
};

BrickVoxels voxelizeBrick(const Primitives& primitives, const BrickList& bricks, const Brick& brick);

/// The same as planes within `error` voxels of the surface (plane_brick.h).
BrickVoxels voxelizeBrickPlanes(const Primitives& primitives, const BrickList& bricks, const Brick& brick, double error,
                                std::uint32_t octreeLevels);

} // namespace aureole
