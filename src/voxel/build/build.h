#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <vector>

#include "scene/scene.h"
#include "voxel/build/octree_builder.h"
#include "voxel/build/voxel_material.h"
#include "voxel/tree/octree.h"

namespace aureole {

/// Builds an octree in memory from blocks in ascending order of code, each once and with a mask that is not 0, and the
/// attributes of their voxels in that order (block by block, bit by bit), which give the blocks their sums. The palette
/// has at most 128 entries, the first of material 0 without emission. Throws Error: Internal where the input is not so,
/// OutOfMemory where an octree's indices could not count it.
Octree buildOctree(const VoxelGrid& grid, const std::vector<VoxelBlock>& blocks,
                   std::vector<shared::VoxelAttributes> attributes,
                   std::vector<shared::VoxelMaterial> palette = {kPlainMaterial},
                   std::vector<MaterialConstants> materials = {MaterialConstants()});

class BrickMaker;

struct VoxelizeOptions {
    std::uint32_t resolution = 512; ///< voxels along the longest side of the scene's bounds, 16 to 16384
    Coverage coverage = Coverage::Conservative;
    SurfaceKind surface = SurfaceKind::Cubes; ///< others need Coverage::Conservative
    double error = kDefaultSurfaceError;      ///< voxels that planes may lie from the surface; above 0
    /// None: a shape alone (Octree::isShape), not of planes, of one opaque material without textures, vertex colours
    /// and emission (shape_material.h).
    VoxelContent attributes = VoxelContent::All;
    bool mayBeEmpty = false; ///< a scene without a voxel gives an octree without one: it may show its environment
    /// Bytes that voxelisation may take, the scene not counted. What is more goes to temporary files. Beyond it come,
    /// for each core, the primitives of a block with their samples, some 120 bytes each; of planes, kPlanePoints; of
    /// solids and fields, 17 KB for each row of bricks that the surface leaves partly inside, until its end: some MiB
    /// for most meshes, 1.1 GB at most, at 16384^3.
    std::uint64_t memory = std::numeric_limits<std::uint64_t>::max();
    std::filesystem::path spillFolder; ///< for temporary files; needed where memory is limited
    /// Makes the bricks, where it can; else, and where this is null, the CPU's cores do. What it holds itself comes
    /// beside `memory`.
    BrickMaker* maker = nullptr;
};

/// What voxelising a scene comes to.
struct VoxelizedScene {
    Octree octree; ///< without lamps
    /// What of it emits, to make lamps of (makeEmitterBoxes); none where there is too much of it.
    std::vector<EmissiveVoxel> emissive;
};

/// Voxelises a scene: which voxels is decided exactly, in integer arithmetic on vertices snapped to 1/256 voxel, and a
/// surface on a voxel boundary belongs to the voxel on its far side (coverage.h);
/// attributes averaged by area over the triangles in a voxel. Exposed cells of voxel models are resampled to the grid
/// (model_cells.h). The same bytes for any number of threads and any amount of memory, and for any maker the same but
/// for a step in attributes.
/// Throws Error: BadInput for a scene without a voxel (but see mayBeEmpty) or with vertices that are not finite, naming
/// its meshes, and for a resolution out of range; Usage for a surface that the coverage does not suit; OutOfMemory for
/// more voxels than an octree can count, and for too little memory to work at all; CannotWrite for temporary files;
/// Interrupted.
VoxelizedScene voxelizeSurfaces(const Scene& scene, const VoxelizeOptions& options);

/// The octree with its lamps.
Octree voxelizeScene(const Scene& scene, const VoxelizeOptions& options);

/// Voxelizes a scene at a resolution, in memory.
Octree voxelizeScene(const Scene& scene, std::uint32_t resolution);

} // namespace aureole
