// What the host and the kernels of shaders/voxelize share: voxelizer/device_bricks.h says how they work together.
#ifndef AUREOLE_SHARED_VOXELIZE_WORK_H
#define AUREOLE_SHARED_VOXELIZE_WORK_H

#include "shared/octree/field.h"
#include "shared/voxelize/area_sum.h"
#include "shared/voxelize/plane_merge.h"

SHARED_BEGIN

/// A triangle as the host prepares it.
struct VoxelTriangle {
    double twiceProjected; ///< its area seen along `axis`, twice, with a sign; 0 where it has none
    double areaScale;      ///< what areas seen so are multiplied with
    ivec3 first;           ///< its corners in 1/256 voxel
    ivec3 second;
    ivec3 third;
    vec3 plane;           ///< unit normal of these corners; 0 where it has none
    vec3 geometricNormal; ///< of the mesh's triangle, in the world
    uint instance;
    uint axis; ///< that the plane's normal is nearest to
    vec3 firstNormal;
    vec3 secondNormal; ///< normals of the vertices, in the mesh's space; of a mesh without, `firstNormal` is the
    vec3 thirdNormal;  ///< triangle's in the world
};
SHARED_ARRAY(VoxelTriangle, 8)

struct VoxelMeshInstance {
    dvec3 cofactorX; ///< columns of the matrix that normals go through
    dvec3 cofactorY;
    dvec3 cofactorZ;
    uint material;
    uint hasNormals; ///< of vertices
};
SHARED_ARRAY(VoxelMeshInstance, 8)

/// A material that is the same everywhere.
struct VoxelConstants {
    vec3 albedo;
    float roughness;
    vec3 emission;
    float metalness;
};
SHARED_ARRAY(VoxelConstants, 4)

/// The lower corner of a brick of the batch, in 1/256 voxel.
struct VoxelBrick {
    ivec3 corner;
    uint padding;
};
SHARED_ARRAY(VoxelBrick, 4)

/// A triangle in a brick of the batch.
struct VoxelEntry {
    uint triangle;
    uint brick;
};
SHARED_ARRAY(VoxelEntry, 4)

/// A triangle in a cell of a brick.
struct VoxelPair {
    uint entry;
    uint cell; ///< its code within the brick (cell_code.h)
};
SHARED_ARRAY(VoxelPair, 4)

/// A triangle's voxels in a block; of fields none where it is only near.
struct VoxelFragment {
    uvec2 mask;
    uint triangle;
    uint padding;
};
SHARED_ARRAY(VoxelFragment, 8)

/// What a voxel adds to the sum of its block.
struct VoxelTerm {
    double area;
    vec3 albedo;
    vec3 normal;
    float roughness;
    float metalness;
    vec3 emission; ///< mean over all of its surface
    uint material;
};
SHARED_ARRAY(VoxelTerm, 8)

/// What a voxel emits, and how much of its surface does.
struct VoxelEmitting {
    vec3 emission; ///< mean over the part that emits
    float area;
    float share;
};
SHARED_ARRAY(VoxelEmitting, 4)

/// A block as it goes to the host.
struct VoxelLeaf {
    AreaSum sum;
    VoxelAttributes average;
    uint emission; ///< mean radiance, packed
    uint material;
    uint key; ///< its brick's number in the batch, then its code within the brick
    uvec2 mask;
    uint firstVoxel; ///< the voxels of the blocks before it
    uint padding;
};
SHARED_ARRAY(VoxelLeaf, 8)

/// A part of a brick that may become one plane, from a block up, where its first block stands.
struct PlanePart {
    SurfaceSums sums; ///< over its samples
    NormalMoments moments;
    SurfaceAverage average;
    uint64_t mask; ///< of its children
    SurfaceSlab slab;
    uint end;     ///< the block behind it
    uint state;   ///< PLANE_PART_...
    uint padding; ///< both sides count eights
};
SHARED_ARRAY(PlanePart, 8)

#define PLANE_PART_NONE 0u ///< its voxels, or its children, stand for themselves
#define PLANE_PART_OPEN 1u ///< it is looked at
#define PLANE_PART_HAS_SLAB 2u

/// What the samples of a block say of its part.
struct PlaneFit {
    double spread; ///< as in SurfaceSums, as the next three
    uint crease;
    uint doubleSided;
    uint hollow;
    uint agrees; ///< 0: the average may not stand for its voxels; nothing else is known then
    SlabHeights heights;
};
SHARED_ARRAY(PlaneFit, 8)

/// A plane in place of a part, where its first block stands.
struct PlaneCell {
    VoxelAttributes attributes;
    SurfaceSlab slab;
    uint end;    ///< the block behind the part; 0: there is none
    uint points; ///< of the first level: samples and corners that the block brings where it merges
};
SHARED_ARRAY(PlaneCell, 4)

/// The memory that the kernels work in: addresses. What stands twice is for parents and children in turn.
struct VoxelWork {
    uint64_t triangles;
    uint64_t instances;
    uint64_t constants;
    uint64_t bricks;
    uint64_t entries;
    uint64_t masks[2];   ///< uvec2: of cells, by bits, that a pair's triangle touches
    uint64_t pairs[2];   ///< VoxelPair
    uint64_t offsets[2]; ///< uint: the children before a pair's, and behind the last pair's
    uint64_t counts;     ///< uint: what is scanned
    uint64_t keys;       ///< uint64_t: of fragments, brick in the batch and code in the brick
    uint64_t values;     ///< uint: numbers of fragments
    uint64_t sortedKeys;
    uint64_t sortedValues;
    uint64_t fragments;    ///< VoxelFragment, block by block, those of a block in order of triangles
    uint64_t blockNumbers; ///< uint: of each fragment's block
    uint64_t blockFirst;   ///< uint: a block's first fragment
    uint64_t blockKeys;    ///< uint
    uint64_t blockMasks;   ///< uvec2
    uint64_t voxelOffsets; ///< uint: the voxels before a block's, and behind the last block's
    uint64_t attributes;   ///< VoxelAttributes
    uint64_t terms;        ///< VoxelTerm
    uint64_t materials;    ///< uint: numbers of materials; 0 where the scene has one
    uint64_t emitting;     ///< VoxelEmitting; 0 where the scene has no emission
    uint64_t leaves;       ///< VoxelLeaf
    uint64_t most;         ///< uint: the fragments of the block that has most of them, but for those of a field that
                           ///< are only near; of planes, samples likewise; of fields, all fragments likewise
    uint64_t distances;    ///< CornerDistances, of voxels; 0 where the surface is no field
    uint64_t slabs;        ///< SurfaceSlab, of voxels; 0 where the surface is no planes, as the next three
    uint64_t parts;        ///< PlanePart, of blocks
    uint64_t fits;         ///< PlaneFit, of blocks
    uint64_t cells[3];     ///< PlaneCell, of blocks, by the levels of parts less 1
    double error;          ///< of planes, in voxels
    uint cellBits;         ///< bits of the code of a block within its brick
    uint thin;             ///< 1: thin coverage
};
SHARED_ARRAY(VoxelWork, 8)

struct VoxelizePush {
    uint64_t work;
    uint count;   ///< of items, one an invocation
    uint parents; ///< refining: pairs of the level above
    uint level;   ///< refining: below the bricks; planes: the levels of parts
    int shift;    ///< refining: a cell is 2^shift units wide
    uint isLast;  ///< refining: cells are voxels
    int margin;   ///< refining: how near to a cell above voxels a triangle is in it too, in units
};

SHARED_END
#endif
