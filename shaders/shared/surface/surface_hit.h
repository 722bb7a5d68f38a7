// Surfaces within voxels: what the encodings that have them ask of the traversal.
//
// A voxel that the traversal stops at holds a piece of the surface, which a ray may meet or pass by. The ray's way
// through the voxel is a segment between two positions of the traversal, in coordinates of the voxel from 0 to 1. These
// are exact, and the ends of one voxel's segment are the start of the next one's, so that nothing is lost in between. A
// kind of surface finds the first meeting with it in additions, multiplications, comparisons and bit operations, so
// that the CPU and the GPU agree in every bit.
//
// Rays carry the side of the surface that they are on, where the kind has sides: a ray that starts on a surface stays
// on its side until it meets the surface again, whatever rounding does to the point that it starts from.
#ifndef AUREOLE_SHARED_SURFACE_HIT_H
#define AUREOLE_SHARED_SURFACE_HIT_H

#include "shared/octree/attributes.h"
#include "shared/octree/field.h"
#include "shared/octree/slab_bend.h"
#include "shared/octree/traversal.h"

SHARED_BEGIN

/// Whether voxels of the view's encoding hold surfaces that rays may pass by.
#define SURFACE_WITHIN(view) (OCTREE_ENCODING(view) == OCTREE_PLANES || OCTREE_ENCODING(view) == OCTREE_FIELD)

/// The distances at the corners of the voxel whose attributes have the index `attributes`.
SHARED_INLINE CornerDistances octreeCorners(uint64_t view, uint64_t attributes) {
    uint64_t chunk = AT(OctreeView, view, 0).details[uint(attributes >> OCTREE_ATTRIBUTE_CHUNK_SHIFT)];
    return AT(CornerDistances, chunk, uint(attributes) & ((1u << OCTREE_ATTRIBUTE_CHUNK_SHIFT) - 1u));
}

/// The slab of the cell whose attributes have the index `attributes`.
SHARED_INLINE SurfaceSlab octreeSlab(uint64_t view, uint64_t attributes) {
    uint64_t chunk = AT(OctreeView, view, 0).details[uint(attributes >> OCTREE_ATTRIBUTE_CHUNK_SHIFT)];
    return AT(SurfaceSlab, chunk, uint(attributes) & ((1u << OCTREE_ATTRIBUTE_CHUNK_SHIFT) - 1u));
}

/// A coordinate within a cell of 2^shift ulps, exactly.
SHARED_INLINE float withinCell(uint position, uint low, float perUlp, uint mirrored) {
    PRECISE float x = float(position - low) * perUlp;
    PRECISE float flipped = 1.0f - x;
    return mirrored != 0u ? flipped : x;
}

/// A position in coordinates of the cell of 2^shift ulps at `low`, in the grid's own orientation.
SHARED_INLINE vec3 surfacePoint(Traversal state, uvec3 position, uvec3 low, uint shift) {
    float perUlp = uintBitsToFloat((127u - shift) << 23u);
    return vec3(withinCell(position.x, low.x, perUlp, state.mirrorAxes & 1u),
                withinCell(position.y, low.y, perUlp, state.mirrorAxes & 2u),
                withinCell(position.z, low.z, perUlp, state.mirrorAxes & 4u));
}

/// Puts the ray at the share `t` of its way from its position to `leave` through the cell at `low`.
SHARED_INLINE void surfaceMove(INOUT(Traversal, state), uvec3 low, uvec3 leave, uint shift, float t) {
    PRECISE vec3 segment =
        vec3(float(leave.x - state.position.x), float(leave.y - state.position.y), float(leave.z - state.position.z)) *
        t;
    uvec3 last = low + uvec3((1u << shift) - 1u);
    state.position = min(state.position + uvec3(uint(segment.x), uint(segment.y), uint(segment.z)), last);
}

/// Whether the ray meets the surface in the voxel that traversalRun stopped at, whose attributes have the index
/// `attributes`. Where it does, the ray's position is the point where it does, within the voxel, and
/// `normal` the surface's, of unit length and on the side that the ray is on. Else traversalSkip takes the ray on.
SHARED_INLINE uint surfaceMet(uint64_t view, INOUT(Traversal, state), uint64_t attributes, INOUT(uint, side),
                              OUT(vec3, normal)) {
    uint shift = traversalHitShift(view, state);
    uint axis;
    uvec3 low = traversalCellLow(state, shift);
    uvec3 leave = traversalExit(state, shift, axis);
    SurfaceSegment segment;
    segment.enter = surfacePoint(state, state.position, low, shift);
    segment.leave = surfacePoint(state, leave, low, shift);
    segment.direction = traversalRayDirection(state);
    segment.startsHere = state.axis == TRAVERSAL_NO_AXIS && side != SIDE_UNKNOWN ? 1u : 0u;
    normal = -segment.direction;
    uint met = 0u;
    float t = 0.0f;
    if (OCTREE_ENCODING(view) == OCTREE_FIELD) {
        met = fieldMet(octreeCorners(view, attributes), segment, side, t, normal);
    } else if (OCTREE_ENCODING(view) == OCTREE_PLANES) {
        met = slabMet(octreeSlab(view, attributes), segment, side, t, normal);
    }
    if (met != 0u) {
        surfaceMove(state, low, leave, shift, t);
    }
    return met;
}

/// The normal for shading where a ray stands in a voxel, whose attributes, with `normal`, have the index `attributes`:
/// over a cell of planes it turns.
SHARED_INLINE vec3 voxelNormalHere(uint64_t view, Traversal state, uint64_t attributes, vec3 normal) {
    if (OCTREE_ENCODING(view) != OCTREE_PLANES) {
        return normal;
    }
    uint shift = traversalHitShift(view, state);
    return slabShadingNormal(octreeSlab(view, attributes), normal,
                             surfacePoint(state, state.position, traversalCellLow(state, shift), shift));
}

/// The distance from the ray's origin to its position, wherever in a voxel that is: along the axis on which it moves
/// most.
SHARED_INLINE float surfaceDistance(Traversal state) {
    PRECISE vec3 along = (uintBitsToFloat(state.position) - state.origin) * state.inverse;
    vec3 d = state.direction;
    return d.x >= d.y && d.x >= d.z ? along.x : d.y >= d.z ? along.y : along.z;
}

/// The normal for shading where the surface in a voxel is met with `normal`: turned from it as the voxel's own shading
/// normal is from its geometric one; at an edge that of the nearer sheet.
SHARED_INLINE vec3 surfaceShadingNormal(VoxelSurface surface, vec3 normal) {
    float own = dot(surface.geometricNormal, normal);
    float turn = own < 0.0f ? -1.0f : 1.0f;
    if (isEdge(surface) != 0u) {
        float other = dot(surface.normal, normal);
        return abs(other) > abs(own) ? surface.normal * (other < 0.0f ? -1.0f : 1.0f) : surface.geometricNormal * turn;
    }
    vec3 shading = normal + (surface.normal - surface.geometricNormal) * turn;
    return dot(shading, normal) > 0.0f ? normalize(shading) : normal;
}

SHARED_END
#endif
