// Rays in buffers (ray_record.h), and what they hit: what the shaders of the traversal benchmark read and write
// (stream_*.comp, traverse_*.comp).
#ifndef AUREOLE_SHARED_RAY_STREAM_H
#define AUREOLE_SHARED_RAY_STREAM_H

#include "shared/octree/ray_record.h"
#include "shared/path/camera.h"
#include "shared/stream/stream_push.h"
#include "shared/surface/surface_hit.h"

SHARED_BEGIN

/// What a ray hit: voxel x | y << 16; voxel z | face << 16; leaf; bits of the distance. Of a suspended ray, where it
/// stands: suspendTraversal, and the side of the surface that it is on << HIT_SIDE_SHIFT.
struct HitRecord {
    uvec4 bits;
};
SHARED_ARRAY(HitRecord, 16)

#define HIT_SIDE_SHIFT 2u
#define HIT_SIDE_MASK 0x1FFFFFFFu

/// 64-bit numbers in two halves: not every device adds to them atomically. All but the first two are counted by the
/// counting variants alone.
struct StreamCounters {
    uint next;       ///< persistent threads: the ray to fetch next
    uint unfinished; ///< rays that must go on in another dispatch
    uvec2 steps;     ///< steps of rays
    uvec2 slots;     ///< steps of subgroups, counted for each of their lanes
    uvec2 nodes;     ///< nodes read
    uvec2 leaves;    ///< leaf masks read
    uvec2 surfaces;  ///< surfaces within voxels that were looked at
    uvec2 hits;      ///< rays that hit something
};
SHARED_ARRAY(StreamCounters, 4)

#define STREAM_SCATTER_COSINE 0u ///< about the normal of the face that was hit
#define STREAM_SCATTER_LIGHT 1u  ///< towards a light

/// One dispatch of stream_scatter.comp: rays from where others hit.
struct StreamScatterPush {
    uint64_t octree;
    uint64_t source; ///< RayRecord
    uint64_t hits;   ///< HitRecord of each
    uint64_t target; ///< RayRecord, where there is no ray too
    uint count;
    uint kind; ///< STREAM_SCATTER_
    uint seed;
    uint bounce; ///< with seed and pixel, what the direction is drawn from
    vec3 light;  ///< direction towards the light
    uint padding;
};

/// One dispatch of stream_primary.comp.
struct StreamCameraPush {
    uint64_t octree;
    uint64_t camera; ///< CameraParams
    uint64_t target; ///< RayRecord for each pixel, tile by tile
    vec3 boxLow;     ///< the part of the grid in use
    vec3 boxHigh;
    uint count;
    uint padding;
};

/// One dispatch of a kernel that moves rays or hits, or makes keys for them.
struct StreamMovePush {
    uint64_t source;
    uint64_t target;
    uint64_t other; ///< what else the kernel reads or writes
    uint count;
    uint keyBits; ///< stream_keys: bits of the origin, on each axis
};

/// The payload of a place outside the picture. That of all other rays is the number of their pixel.
#define STREAM_NO_PIXEL 0xFFFFFFFFu

/// The number of the pixel that a ray belongs to.
SHARED_INLINE uint rayPixel(RayRecord ray) {
    return ray.direction.w;
}

/// A ray as traversalBegin takes it; the origin is clamped to the cell. `axis` is that of the plane which it came in
/// through, or TRAVERSAL_NO_AXIS.
SHARED_INLINE RayRecord packRay(uint64_t view, vec3 origin, vec3 direction, uvec3 cell, uint axis, uint pixel) {
    Traversal state;
    traversalBegin(view, origin, direction, vec3(1.0f), cell, state);
    return packTraversal(state, axis, 0u, pixel);
}

/// Starts the traversal of a ray, which is one.
SHARED_INLINE void rayBegin(uint64_t view, RayRecord ray, vec3 inverse, OUT(Traversal, state)) {
    raySet(ray, inverse, state);
    traversalLoadStart(view, state);
}

SHARED_INLINE HitRecord packHit(VoxelHit hit) {
    HitRecord record;
    record.bits = uvec4(hit.voxel.x | (hit.voxel.y << 16u), hit.voxel.z | (hit.face << 16u), hit.leaf,
                        floatBitsToUint(hit.distance));
    return record;
}

/// The record of a ray that hit nothing.
SHARED_INLINE HitRecord packMiss() {
    HitRecord record;
    record.bits = uvec4(0u, HIT_MISSED << 16u, 0u, 0u);
    return record;
}

/// The record of a ray that goes on in a later dispatch, on that side of the surface (surface_segment.h).
SHARED_INLINE HitRecord packSuspended(Traversal state, uint side) {
    HitRecord record;
    record.bits = suspendTraversal(state);
    record.bits.w = record.bits.w | (side << HIT_SIDE_SHIFT);
    return record;
}

/// Puts a ray that raySet made where it stood when it was suspended. Returns the side that it is on.
SHARED_INLINE uint resumeSuspended(HitRecord suspended, INOUT(Traversal, state)) {
    resumeTraversal(suspended.bits, state);
    return (suspended.bits.w >> HIT_SIDE_SHIFT) & HIT_SIDE_MASK;
}

SHARED_INLINE uint isSuspended(HitRecord hit) {
    return hit.bits.w >> 31u;
}

SHARED_INLINE uint hitFace(HitRecord hit) {
    return hit.bits.y >> 16u;
}

SHARED_INLINE uvec3 hitVoxel(HitRecord hit) {
    return uvec3(hit.bits.x & 0xFFFFu, hit.bits.x >> 16u, hit.bits.y & 0xFFFFu);
}

SHARED_INLINE uint hitLeaf(HitRecord hit) {
    return hit.bits.z;
}

SHARED_INLINE float hitDistance(HitRecord hit) {
    return uintBitsToFloat(hit.bits.w);
}

/// The distance at which a ray has ended: at the surface within a voxel where `surfaces` is not 0, else at the voxel.
SHARED_INLINE float endDistance(uint64_t view, Traversal state, uint surfaces) {
    return surfaces != 0u && SURFACE_WITHIN(view) ? surfaceDistance(state) : traversalDistance(state);
}

/// The record of a ray that has ended, as rayRun has it.
SHARED_INLINE HitRecord packEnd(uint64_t view, Traversal state, uint status, uint surfaces) {
    if (status != TRAVERSAL_HIT) {
        return packMiss();
    }
    VoxelHit hit = traversalHit(view, state);
    hit.distance = endDistance(view, state, surfaces);
    return packHit(hit);
}

/// How rays run: what they end at, and where.
struct RayRules {
    uint surfaces; ///< 1: at the surfaces within voxels, where the encoding has them (surface_hit.h); 0: at voxels
    uint hasReach; ///< 1: beyond `reach`, in grid units, nothing is hit
    float reach;
};

/// What changes on the way of a ray besides its Traversal.
struct RayWay {
    uint side;  ///< of the surface that the ray is on
    uint looks; ///< at surfaces within voxels, so far
};

SHARED_INLINE RayWay rayWayFrom(uint side) {
    RayWay way;
    way.side = side;
    way.looks = 0u;
    return way;
}

/// Goes on with a ray for at most `steps` steps, as traversalRunKeyed does, or to the next voxel, and past that where
/// the ray does not meet the surface within. The result does not depend on how many steps it takes at a time.
SHARED_INLINE uint rayRun(uint64_t view, INOUT(Traversal, state), uint key, INOUT(uint, steps), INOUT(RayWay, way),
                          RayRules rules) {
    uint status = traversalRunKeyed(view, state, key, steps);
    if (rules.surfaces != 0u && SURFACE_WITHIN(view) && status == TRAVERSAL_HIT) {
        vec3 normal;
        state.mirrorAxes = traversalKeyAxes(key); // which need no registers of their own then
        way.looks += 1u;
        uint64_t attributes = hitAttributeIndex(view, traversalHit(view, state));
        if (surfaceMet(view, state, attributes, way.side, normal) == 0u) {
            status = traversalSkip(view, state);
        }
    }
    if (rules.hasReach == 0u) {
        return status;
    }
    // From step to step the distance may go back by some roundings.
    float surely = status == TRAVERSAL_HIT ? rules.reach : 1.0001f * rules.reach;
    float distance = status == TRAVERSAL_HIT ? endDistance(view, state, rules.surfaces) : traversalDistance(state);
    return distance > surely ? TRAVERSAL_MISS : status;
}

/// Where a ray met the face of a voxel, on the plane of the face exactly.
SHARED_INLINE vec3 pointOnFace(RayRecord from, HitRecord hit, uint levels) {
    uint axis = hitFace(hit) >> 1u;
    uvec3 voxel = hitVoxel(hit);
    PRECISE vec3 travelled = rayMagnitudes(from) * hitDistance(hit);
    PRECISE vec3 met = uintBitsToFloat(rayStart(from)) + travelled;
    vec3 point = mirrorPoint(met, rayMirrorAxes(from));
    uint coordinate = axis == 0u ? voxel.x : axis == 1u ? voxel.y : voxel.z;
    uint plane = coordinate + (hitFace(hit) & 1u);
    float exact = uintBitsToFloat(0x3F800000u + (plane << (23u - 2u * levels)));
    return vec3(axis == 0u ? exact : point.x, axis == 1u ? exact : point.y, axis == 2u ? exact : point.z);
}

/// The ray from where another hit, along a direction that points away from the face. It starts on the face itself, in
/// the empty cell before it. No ray where the first hit nothing, or started inside, or where the cell is outside the
/// grid.
SHARED_INLINE RayRecord rayFromHit(uint64_t view, RayRecord from, HitRecord hit, vec3 direction) {
    uint pixel = rayPixel(from);
    uint face = hitFace(hit);
    if (face >= FACE_INSIDE) {
        return noRay(pixel);
    }
    uint levels = AT(OctreeView, view, 0).levels;
    uint axis = face >> 1u;
    uvec3 voxel = hitVoxel(hit);
    uint coordinate = axis == 0u ? voxel.x : axis == 1u ? voxel.y : voxel.z;
    uint ahead = (face & 1u) != 0u ? coordinate + 1u : coordinate - 1u; // wraps round below 0
    if (ahead >= 1u << (2u * levels)) {
        return noRay(pixel);
    }
    uvec3 cell = uvec3(axis == 0u ? ahead : voxel.x, axis == 1u ? ahead : voxel.y, axis == 2u ? ahead : voxel.z);
    return packRay(view, pointOnFace(from, hit, levels), traversalDirection(direction), cell, TRAVERSAL_NO_AXIS, pixel);
}

/// The ray of a camera through a point of the grid, from where it enters the box `low` to `high`; none where it misses.
SHARED_INLINE RayRecord rayFromCamera(uint64_t view, CameraRay ray, vec3 low, vec3 high, uint pixel) {
    vec3 direction = traversalDirection(ray.direction);
    float travelled;
    uint axis;
    if (clipToBox(low, high, ray.origin, direction, vec3(1.0f) / direction, travelled, axis) == 0u) {
        return noRay(pixel);
    }
    uvec3 cell = entryCell(ray.origin, direction, axis, AT(OctreeView, view, 0).levels);
    return packRay(view, ray.origin, direction, cell, axis, pixel);
}

/// Moves bit i of a 10-bit number to bit 3 i.
SHARED_INLINE uint spreadTenBits(uint x) {
    x = (x | (x << 16u)) & 0x030000FFu;
    x = (x | (x << 8u)) & 0x0300F00Fu;
    x = (x | (x << 4u)) & 0x030C30C3u;
    return (x | (x << 2u)) & 0x09249249u;
}

/// What rays are sorted by: their octant, then the Morton code of the origin to `bits` bits an axis, 1 to 9. Of
/// 3 + 3 * bits bits.
SHARED_INLINE uint rayKey(RayRecord ray, uint bits) {
    uint shift = 23u - bits;
    uint mask = (1u << bits) - 1u;
    uint morton = spreadTenBits((ray.origin.x >> shift) & mask) |
                  (spreadTenBits((ray.origin.y >> shift) & mask) << 1u) |
                  (spreadTenBits((ray.origin.z >> shift) & mask) << 2u);
    return ((rayMirrorAxes(ray)) << (3u * bits)) | morton;
}

SHARED_END
#endif
