// How the normal for shading turns over a cell of planes: linearly along the slab, as a sphere's does over its tangent
// plane. Without it a merged cell, with one normal, shows as a facet.
//
// The normal is that at the cell's middle plus a change along the slab, and as much across it as makes its length 1.
// Where normals are those of a smooth surface the change is symmetric: the surface's second fundamental form.
#ifndef AUREOLE_SHARED_SLAB_BEND_H
#define AUREOLE_SHARED_SLAB_BEND_H

#include "shared/octree/attributes.h"
#include "shared/octree/slab.h"

SHARED_BEGIN

#define SLAB_BEND_STEPS 511 ///< either way
#define SLAB_BEND_MOST 2.0f ///< the largest change over the cell's side
/// Least cosine between a bent normal and the slab's.
#define SLAB_BEND_COSINE 0.1f

/// 10 bits for a change, by its root, which makes small ones fine: steps of 0.0018 at 0.1. No bits stand for none.
SHARED_INLINE uint packBendPart(float change) {
    float root = min(sqrt(abs(change) / SLAB_BEND_MOST), 1.0f);
    int steps = int(root * float(SLAB_BEND_STEPS) + 0.5f);
    return uint(change < 0.0f ? -steps : steps) & 1023u;
}

SHARED_INLINE float unpackBendPart(uint bits) {
    float root = float(int(bits << 22u) >> 22) / float(SLAB_BEND_STEPS);
    return root * abs(root) * SLAB_BEND_MOST;
}

/// The changes over the cell's side: of the part of the normal along the first axis of the slab's normalFrame per way
/// along that, along either per way along the other, along the second per way along that.
SHARED_INLINE uint packBend(vec3 bend) {
    return packBendPart(bend.x) | (packBendPart(bend.y) << 10u) | (packBendPart(bend.z) << 20u);
}

SHARED_INLINE vec3 unpackBend(uint bits) {
    return vec3(unpackBendPart(bits & 1023u), unpackBendPart((bits >> 10u) & 1023u),
                unpackBendPart((bits >> 20u) & 1023u));
}

/// The unit vector on the side of `across`, of length 1, whose part along its plane is that of `along`, or is as long
/// as SLAB_BEND_COSINE lets it be.
SHARED_INLINE vec3 slabLean(vec3 across, vec3 along) {
    vec3 part = along - across * dot(across, along);
    float square = dot(part, part);
    float most = 1.0f - SLAB_BEND_COSINE * SLAB_BEND_COSINE;
    float shrink = square > most ? sqrt(most / square) : 1.0f;
    return normalize(part * shrink + across * sqrt(max(1.0f - square, SLAB_BEND_COSINE * SLAB_BEND_COSINE)));
}

/// The normal for shading at a point of the cell, components from 0 to 1. `normal` is that at the cell's middle, on the
/// side of the slab's.
SHARED_INLINE vec3 slabShadingNormal(SurfaceSlab slab, vec3 normal, vec3 point) {
    if (slab.bend == 0u) {
        return normal;
    }
    vec3 across = normalize(slabNormal(slab.normal));
    vec3 first;
    vec3 second;
    normalFrame(across, first, second);
    vec3 bend = unpackBend(slab.bend);
    vec3 fromMiddle = point - vec3(0.5f);
    float x = dot(first, fromMiddle);
    float y = dot(second, fromMiddle);
    return slabLean(across, normal + first * (bend.x * x + bend.y * y) + second * (bend.y * x + bend.z * y));
}

SHARED_END
#endif
