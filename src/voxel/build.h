#pragma once

#include <cstdint>
#include <vector>

#include "scene/scene.h"
#include "voxel/octree.h"

namespace aureole {

/// One block of 4x4x4 voxels: what the octree is built from.
struct VoxelBlock {
    std::uint64_t code = 0; ///< Morton code of the block: of voxel coordinates divided by 4
    std::uint64_t mask = 0; ///< solid voxels, by cellBit
};

/// Builds an octree from blocks in ascending order of code, each once and with a mask that is not 0, and the attributes
/// of their voxels in that order (block by block, bit by bit). The first emission is black. Throws Error: Internal
/// where the input is not so, OutOfMemory where an octree's indices could not count it.
Octree buildOctree(const VoxelGrid& grid, const std::vector<VoxelBlock>& blocks,
                   std::vector<shared::VoxelAttributes> attributes, std::vector<glm::vec3> emissions);

/// Voxelises a scene: every voxel that a triangle touches (conservative, exact in integer arithmetic on vertices
/// snapped to 1/256 voxel; a surface on a voxel boundary belongs to the voxel on its far side, see coverage.h),
/// attributes averaged by area over the triangles in a voxel. The longest side of the scene's bounds is `resolution`
/// voxels. Exposed cells of voxel models are resampled to the grid (model_cells.h). Deterministic for any number of
/// threads. Throws Error: BadInput for a scene without a voxel or with vertices that are not finite, naming its meshes,
/// and for a resolution outside 16 to 16384; OutOfMemory for more voxels than an octree can count; Interrupted.
Octree voxelizeScene(const Scene& scene, std::uint32_t resolution);

} // namespace aureole
