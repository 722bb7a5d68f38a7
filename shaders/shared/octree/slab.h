// Slabs: what lies between two parallel planes, within a cube. One stands for the surface in a cell of an octree of
// planes (Laine and Karras, "Efficient Sparse Voxel Octrees", 2010: contours), a voxel or a whole node.
//
// The planes' normal is kept at octahedral length, |x| + |y| + |z| = SLAB_NORMAL, which makes its components whole
// numbers, exact in floats: heights over the slab's middle plane are the same in every bit wherever they are computed,
// without a root or a division. Heights are in units of cell sides times SLAB_NORMAL; within the cell, over its middle,
// they are at most SLAB_NORMAL / 2.
#ifndef AUREOLE_SHARED_SLAB_H
#define AUREOLE_SHARED_SLAB_H

#include "shared/surface/surface_segment.h"

SHARED_BEGIN

/// A slab in 12 bytes, of which rays on their way read 8.
struct SurfaceSlab {
    uint normal; ///< octahedral, 2 x 14 bits: x and y from 0 to 2 SLAB_NORMAL; the direction to within 0.015 degrees
    uint extent; ///< height of the middle plane over the cell's middle, 18 bits, and half of the thickness, 14 bits
    uint bend;   ///< how the normal for shading turns over the cell (slab_bend.h); 0: not at all
};
SHARED_ARRAY(SurfaceSlab, 4)

#define SLAB_NORMAL 8191
#define SLAB_HEIGHT_SHIFT 14
#define SLAB_HEIGHT_ZERO 131072   ///< code of the height 0; the height is at most as many steps either way
#define SLAB_HEIGHT_STEP 0.03125f ///< 2^17 steps reach SLAB_NORMAL / 2
#define SLAB_THICKNESS_STEP 0.25f ///< 2^14 - 2 steps reach SLAB_NORMAL / 2
#define SLAB_WHOLE 0x3FFFu        ///< thickness of a cell in which no plane fits: all of it is surface

/// A slab, unpacked.
struct SlabPlanes {
    vec3 normal; ///< whole numbers, |x| + |y| + |z| = SLAB_NORMAL
    float low;   ///< heights of the two planes
    float high;
};

SHARED_INLINE uint slabIsWhole(SurfaceSlab slab) {
    return (slab.extent & SLAB_WHOLE) == SLAB_WHOLE ? 1u : 0u;
}

SHARED_INLINE vec3 slabNormal(uint bits) {
    int x = int(bits & 0x3FFFu) - SLAB_NORMAL;
    int y = int((bits >> 14u) & 0x3FFFu) - SLAB_NORMAL;
    int z = SLAB_NORMAL - abs(x) - abs(y);
    int foldedX = (SLAB_NORMAL - abs(y)) * (x < 0 ? -1 : 1);
    int foldedY = (SLAB_NORMAL - abs(x)) * (y < 0 ? -1 : 1);
    return z < 0 ? vec3(float(foldedX), float(foldedY), float(z)) : vec3(float(x), float(y), float(z));
}

SHARED_INLINE SlabPlanes unpackSlab(SurfaceSlab slab) {
    float height = float(int(slab.extent >> SLAB_HEIGHT_SHIFT) - SLAB_HEIGHT_ZERO) * SLAB_HEIGHT_STEP; // exact
    float thickness = float(slab.extent & SLAB_WHOLE) * SLAB_THICKNESS_STEP;
    SlabPlanes planes;
    planes.normal = slabNormal(slab.normal);
    planes.low = height - thickness; // exact: multiples of 1/32 below 2^13
    planes.high = height + thickness;
    return planes;
}

/// The height of a point of the cell, whose components are from 0 to 1. Rounding is below 1/512, which is
/// 2^-22 of the cell's side.
SHARED_INLINE float slabPointHeight(vec3 normal, vec3 point) {
    PRECISE vec3 fromMiddle = point - vec3(0.5f); // exact
    PRECISE vec3 parts = normal * fromMiddle;
    PRECISE float height = parts.x + parts.y + parts.z;
    return height;
}

/// 1 / x to within a few units in the last place, for x above 0 and far from the ends of the range: by Newton's method,
/// since devices do not agree on divisions.
SHARED_INLINE float slabReciprocal(float x) {
    PRECISE float r = uintBitsToFloat(0x7EF311C7u - floatBitsToUint(x));
    for (uint i = 0u; i < 4u; i++) {
        PRECISE float product = x * r;
        PRECISE float error = 2.0f - product;
        r = r * error;
    }
    return r;
}

/// Whether the ray meets the slab on its way through the cell, at the share `t` of it; a way that starts here leaves
/// it. Where it does not, `side` is the one that the ray passes by on. Where it does, that is the one whose plane the
/// ray enters by, and `normal` that plane's, or SIDE_UNKNOWN and 0 where it comes in between the planes: through a face
/// of the cell.
SHARED_INLINE uint slabMet(SurfaceSlab slab, SurfaceSegment segment, INOUT(uint, side), OUT(float, t),
                           OUT(vec3, normal)) {
    t = 0.0f;
    normal = vec3(0.0f);
    if (slabIsWhole(slab) != 0u) {
        side = SIDE_UNKNOWN;
        return 1u;
    }
    SlabPlanes planes = unpackSlab(slab);
    float enter = slabPointHeight(planes.normal, segment.enter);
    float leave = slabPointHeight(planes.normal, segment.leave);
    // A slab between the two ends is met however they are rounded; one beyond them is not.
    float over = min(enter, leave) - planes.high;
    float under = planes.low - max(enter, leave);
    if (over > 0.0f || under > 0.0f || segment.startsHere != 0u) {
        side = over >= under ? SIDE_FRONT : SIDE_BACK;
        return 0u;
    }
    float before = max(enter - planes.high, planes.low - enter);
    side = before <= 0.0f ? SIDE_UNKNOWN : enter > planes.high ? SIDE_FRONT : SIDE_BACK;
    if (side != SIDE_UNKNOWN) {
        PRECISE float share = before * slabReciprocal(abs(enter - leave));
        t = clamp(share, 0.0f, 1.0f);
        normal = planes.normal / length(planes.normal) * (side == SIDE_BACK ? -1.0f : 1.0f);
    }
    return 1u;
}

SHARED_END
#endif
