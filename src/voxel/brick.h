#pragma once

#include <cstdint>
#include <vector>

#include "shared/octree.h"
#include "voxel/brick_list.h"
#include "voxel/build.h"

namespace aureole {

/// The voxels of a brick; what several bricks in Morton order have can be appended to each other.
struct BrickVoxels {
    std::vector<VoxelBlock> blocks;
    std::vector<shared::VoxelAttributes> attributes; ///< emissions are indices into the brick's own palette
    std::vector<glm::vec3> emissions;                ///< entry 0 is black
};

struct BrickCounts {
    std::uint64_t blocks = 0;
    std::uint64_t voxels = 0;
};

/// How much the primitives of a brick cover. An upper bound of what voxelizeBrick finds: alpha testing may remove some.
BrickCounts countBrick(const Primitives& primitives, const BrickList& bricks, const Brick& brick);

BrickVoxels voxelizeBrick(const Primitives& primitives, const BrickList& bricks, const Brick& brick);

} // namespace aureole
