// Nodes of planes that stand for their voxels: voxel/surface/plane_brick.h. Sums over samples are those of blocks of
// 4x4x4 voxels, in the order of these; a larger part adds up what its children have, in their order, so that all parts
// are worked out at the same time. What bends and how high corners lie is asked of each sample again.
#ifndef AUREOLE_SHARED_PLANE_MERGE_H
#define AUREOLE_SHARED_PLANE_MERGE_H

#include "shared/voxelize/average.h"
#include "shared/voxelize/bend_fit.h"
#include "shared/voxelize/slab_fit.h"

SHARED_BEGIN

// How far the attributes of a voxel may be from those of the node that stands for it. The node has the right mean, so
// that what differs shows within its own width only: normals may differ by more in small nodes.
#define PLANE_ALBEDO 0.03125f
#define PLANE_DARK_ALBEDO 0.125f         ///< or, of a dark colour, this share of it
#define PLANE_DARKEST_ALBEDO 0.00390625f ///< beside this
#define PLANE_ROUGHNESS 0.0625f          ///< of metalness too
/// Voxels that the plane of a lamp and the end of a wall may be apart by.
#define PLANE_LAMP_REACH WIDE(0.015625)
/// Levels that nodes of planes have at most: 64 voxels a side.
#define PLANE_LEVELS 3u

/// The least cosine between shading normals: 5, 3 and 2 degrees in nodes of 4, 16 and 64 voxels a side.
SHARED_INLINE float planeCosine(uint levels) {
    return levels == 1u ? 0.9961947f : (levels == 2u ? 0.9986295f : 0.9993908f);
}

SHARED_INLINE uint isAlbedoNear(float albedo, float average) {
    PRECISE float dark = average * PLANE_DARK_ALBEDO + PLANE_DARKEST_ALBEDO;
    return abs(albedo - average) > min(PLANE_ALBEDO, dark) ? 0u : 1u;
}

/// Whether the average may stand for a voxel that is smooth and emits nothing.
SHARED_INLINE uint isPlaneNear(vec3 albedo, float roughness, float metalness, vec3 normal, uint material,
                               SurfaceAverage average, float cosine) {
    uint near = isAlbedoNear(albedo.x, average.albedo.x) & isAlbedoNear(albedo.y, average.albedo.y) &
                isAlbedoNear(albedo.z, average.albedo.z);
    return near != 0u && material == average.material && abs(roughness - average.roughness) <= PLANE_ROUGHNESS &&
                   abs(metalness - average.metalness) <= PLANE_ROUGHNESS && plainDot(normal, average.normal) >= cosine
               ? 1u
               : 0u;
}

/// Adds the samples of a part to those of a larger one: all of its parts, then joinNormals of all.
SHARED_INLINE void joinSamples(INOUT(SurfaceSums, sums), SurfaceSums part) {
    sums.weight += part.weight;
    sums.albedo += part.albedo;
    sums.roughness += part.roughness;
    sums.metalness += part.metalness;
    if (part.heaviest > sums.heaviest) {
        sums.heaviest = part.heaviest;
        sums.heaviestNormal = part.heaviestNormal;
        sums.heaviestGeometric = part.heaviestGeometric;
        sums.heaviestPosition = part.heaviestPosition;
        sums.heaviestPlane = part.heaviestPlane;
    }
}

/// The normals of a part are turned to the side of the heaviest sample already: all are turned about with that.
SHARED_INLINE void joinNormals(INOUT(SurfaceSums, sums), SurfaceSums part) {
    bool turned = double(plainDot(part.heaviestNormal, sums.heaviestNormal)) < SURFACE_OPPOSING;
    sums.normal += turned ? -part.normal : part.normal;
    sums.facing += turned ? -part.facing : part.facing;
    bool geometricTurned = plainDot(part.heaviestGeometric, sums.heaviestGeometric) < 0.0f;
    sums.geometricNormal += geometricTurned ? -part.geometricNormal : part.geometricNormal;
    sums.geometricWeight += part.geometricWeight;
}

/// How the normal turns over a cell with a slab.
SHARED_INLINE SlabBend bendOfCell(NormalMoments moments, SurfaceAverage average, SurfaceSlab slab, dvec3 middle,
                                  double scale) {
    if (slabIsWhole(slab) != 0u || (average.doubleSided | average.crease) != 0u) {
        SlabBend none;
        none.normal = average.normal;
        none.bend = 0u;
        return none;
    }
    return fitSlabBend(moments, average.normal, slab.normal, middle, scale);
}

/// Whether a crease is where a lamp meets something else.
SHARED_INLINE uint isLampBorder(SurfaceAverage average) {
    return average.crease != 0u && average.edge == 0u && isBlack(average.emission) == 0u &&
                   average.emitting < WIDE_RATIO(999.0, 1000.0) * average.area
               ? 1u
               : 0u;
}

/// The normal of a lamp's plane, on the side that attributes tell of, as slabs face.
SHARED_INLINE vec3 lampNormal(vec3 plane, vec3 geometricNormal) {
    return plainDot(plane, geometricNormal) < 0.0f ? -plane : plane;
}

/// The height of a corner over a lamp's plane. The corner counts from where `low` does, the sample of the lamp from
/// `low`.
SHARED_INLINE double lampHeight(vec3 normal, dvec3 corner, dvec3 low, vec3 position) {
    PRECISE dvec3 apart = corner - low - dvec3(position);
    return wideDot(dvec3(normal), apart);
}

/// Whether a lamp's plane has all corners on one side; the heights begin with 0.
SHARED_INLINE uint isOnOneSide(SlabHeights heights) {
    return min(-heights.low, heights.high) < PLANE_LAMP_REACH ? 1u : 0u;
}

/// The blocks of a part of 4^levels voxels a side, 1 to 3 levels, by their codes, whose last bits tell the place in it.
struct PlaneBlocks {
    uint64_t codes; ///< uint, in order
    uint64_t masks; ///< uvec2
    uint first;
    uint end;
    uint levels;
};

/// The mask of the block with a code within the part.
SHARED_INLINE uvec2 planeBlockMask(PlaneBlocks blocks, uint code) {
    uint bits = (1u << (6u * (blocks.levels - 1u))) - 1u;
    uint first = blocks.first;
    uint size = blocks.end - first;
    while (size > 1u) {
        uint upper = size >> 1u;
        first = (AT(uint, blocks.codes, first + upper) & bits) <= code ? first + upper : first;
        size -= upper;
    }
    return (AT(uint, blocks.codes, first) & bits) == code ? AT(uvec2, blocks.masks, first) : uvec2(0u);
}

/// Whether a voxel of the part is solid; none outside it counts as such. `mask` is that of the block `code`.
SHARED_INLINE uint planeVoxelAt(PlaneBlocks blocks, ivec3 voxel, uint code, uvec2 mask) {
    int side = 1 << (2u * blocks.levels);
    if (min(voxel.x, min(voxel.y, voxel.z)) < 0 || max(voxel.x, max(voxel.y, voxel.z)) >= side) {
        return 0u;
    }
    uvec3 v = uvec3(voxel);
    uint block = cellBit(v.x >> 2u, v.y >> 2u, v.z >> 2u);
    block |= blocks.levels > 2u ? cellBit(v.x >> 4u, v.y >> 4u, v.z >> 4u) << 6u : 0u;
    return maskHasBit(block == code ? mask : planeBlockMask(blocks, block), cellBit(v.x, v.y, v.z));
}

/// Whether a voxel of a block of the part, or another at most so many steps away along an axis, is solid; where these
/// leave the part, whether any next to the voxel is.
SHARED_INLINE uint isSurfaceNear(PlaneBlocks blocks, ivec3 voxel, uint code, uvec2 mask, uint axis, int steps) {
    ivec3 along = ivec3(axis == 0u ? 1 : 0, axis == 1u ? 1 : 0, axis == 2u ? 1 : 0);
    int place = axis == 0u ? voxel.x : (axis == 1u ? voxel.y : voxel.z);
    int side = 1 << (2u * blocks.levels);
    uint near = planeVoxelAt(blocks, voxel, code, mask);
    for (int step = -steps; step <= steps && near == 0u; ++step) {
        near = planeVoxelAt(blocks, voxel + along * step, code, mask);
    }
    int around = place - steps < 0 || place + steps >= side ? 27 : 0;
    for (int i = 0; i < around && near == 0u; ++i) {
        near = planeVoxelAt(blocks, voxel + ivec3(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1), code, mask);
    }
    return near;
}

/// 1 over the side of a part in voxels, which is 4^levels.
SHARED_INLINE double planeScale(uint levels) {
    return levels == 1u ? WIDE(0.25) : (levels == 2u ? WIDE(0.0625) : WIDE(0.015625));
}

/// The children of a part that its slab meets, by their bits: also those without a surface. A part of one block has one
/// child, with bit 0.
SHARED_INLINE uint64_t slabChildrenMet(SurfaceSlab slab, uint levels) {
    if (levels < 2u) {
        return uint64_t(1);
    }
    return slabPartsMet(slab, planeScale(levels), dvec3(0.0), double(1 << (2u * levels)), ~uint64_t(0));
}

/// The blocks that its slab meets in a child, by their bits. A child of one block has one, with bit 0.
SHARED_INLINE uint64_t slabBlocksMet(SurfaceSlab slab, uint levels, uint child) {
    if (levels < 3u) {
        return uint64_t(1);
    }
    return slabPartsMet(slab, planeScale(levels), dvec3(bitCell(child)) * WIDE(16.0), WIDE(16.0), ~uint64_t(0));
}

/// Whether the slab of a part keeps to voxels with a surface, or passes them closely, within one block of a child; the
/// only one of a part of one level is block 0 of child 0. A merged node does not know its voxels: in all of it the
/// plane goes on, beyond the border of a sheet, or as a plate over a tip that touches one voxel at the node's side.
SHARED_INLINE uint staysInBlock(PlaneBlocks blocks, SurfaceSlab slab, uint child, uint block) {
    SlabPlanes planes = unpackSlab(slab);
    int steps = slabSteps(planes, double(1 << (2u * blocks.levels)));
    uint axis = slabAxis(planes.normal);
    bool isLarge = blocks.levels > 2u;
    ivec3 low = (ivec3(bitCell(child)) * (isLarge ? 4 : 1) + ivec3(bitCell(block))) * 4;
    uint code = isLarge ? (child << 6u) | block : child;
    uvec2 mask = planeBlockMask(blocks, code);
    uint64_t voxels = slabPartsMet(slab, planeScale(blocks.levels), dvec3(low), WIDE(4.0), ~uint64_t(0));
    for (uint bit = 0u; bit < 64u; ++bit) {
        if ((voxels & (uint64_t(1) << bit)) != uint64_t(0) &&
            isSurfaceNear(blocks, low + ivec3(bitCell(bit)), code, mask, axis, steps) == 0u) {
            return 0u;
        }
    }
    return 1u;
}

SHARED_END
#endif
