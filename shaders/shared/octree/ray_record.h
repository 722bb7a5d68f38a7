// A ray in a buffer, by which one kernel hands it to another, and where it stands if it was suspended on its way. The
// kernels of the wavefront path tracer (wave_path.h) and of the traversal benchmark (ray_stream.h) use the same
// records.
//
// A record consists of whole 128-bit words, because devices load such a word at once. Each family of kernels stores
// something of its own in the bits that the ray leaves free, the payload.
#ifndef AUREOLE_SHARED_RAY_RECORD_H
#define AUREOLE_SHARED_RAY_RECORD_H

#include "shared/octree/traversal.h"

SHARED_BEGIN

/// A ray, mirrored so that it runs upwards on every axis. A record whose direction is 0 is no ray.
struct RayRecord {
    uvec4 origin;    ///< bits of the origin, in [1, 2); mirrored axes | axis entered through << RAY_AXIS_SHIFT |
                     ///< payload << RAY_PAYLOAD_SHIFT
    uvec4 direction; ///< bits of the direction's magnitudes; payload
};
SHARED_ARRAY(RayRecord, 16)

#define RAY_AXIS_SHIFT 3u
#define RAY_PAYLOAD_SHIFT 5u

/// The face of a hit record whose ray hit nothing; the record's other members are 0.
#define HIT_MISSED 7u

/// Marks the record of a suspended ray, in its last word: neither a distance nor a sheet has that bit.
#define RAY_SUSPENDED 0x80000000u

SHARED_INLINE uint isRay(RayRecord ray) {
    return (ray.direction.x | ray.direction.y | ray.direction.z) != 0u ? 1u : 0u;
}

SHARED_INLINE RayRecord noRay(uint payload) {
    RayRecord ray;
    ray.origin = uvec4(0u);
    ray.direction = uvec4(0u, 0u, 0u, payload);
    return ray;
}

/// The mirrored axes of a ray, bit a for axis a.
SHARED_INLINE uint rayMirrorAxes(RayRecord ray) {
    return ray.origin.w & 7u;
}

/// The axis of the plane that a ray came in through, or TRAVERSAL_NO_AXIS.
SHARED_INLINE uint rayAxis(RayRecord ray) {
    return (ray.origin.w >> RAY_AXIS_SHIFT) & 3u;
}

SHARED_INLINE uvec3 rayStart(RayRecord ray) {
    return uvec3(ray.origin.x, ray.origin.y, ray.origin.z);
}

SHARED_INLINE vec3 rayMagnitudes(RayRecord ray) {
    return uintBitsToFloat(uvec3(ray.direction.x, ray.direction.y, ray.direction.z));
}

/// The reciprocals that rayBegin is given: devices need not round a division as the CPU does, and all that follows
/// depends on them.
SHARED_INLINE vec3 rayReciprocals(RayRecord ray) {
    return vec3(1.0f) / rayMagnitudes(ray);
}

/// The ray of a traversal that has just begun, with what its kernels store in the free bits of either word.
SHARED_INLINE RayRecord packTraversal(Traversal state, uint axis, uint originPayload, uint payload) {
    RayRecord ray;
    ray.origin = uvec4(state.position.x, state.position.y, state.position.z,
                       state.mirrorAxes | (axis << RAY_AXIS_SHIFT) | (originPayload << RAY_PAYLOAD_SHIFT));
    ray.direction = uvec4(floatBitsToUint(state.direction.x), floatBitsToUint(state.direction.y),
                          floatBitsToUint(state.direction.z), payload);
    return ray;
}

/// The state of a ray, which is one, without a node: traversalLoadStart comes before it is traced.
SHARED_INLINE void raySet(RayRecord ray, vec3 inverse, OUT(Traversal, state)) {
    state.position = rayStart(ray);
    state.origin = uintBitsToFloat(state.position);
    state.direction = rayMagnitudes(ray);
    state.inverse = inverse;
    state.mirrorAxes = rayMirrorAxes(ray);
    state.axis = rayAxis(ray);
}

/// All that has to be kept of a suspended traversal besides its ray: the bits of its position, and RAY_SUSPENDED | its
/// axis. The bits between those two are free.
SHARED_INLINE uvec4 suspendTraversal(Traversal state) {
    return uvec4(state.position.x, state.position.y, state.position.z, RAY_SUSPENDED | state.axis);
}

/// Puts a ray that raySet made where it stood when it was suspended.
SHARED_INLINE void resumeTraversal(uvec4 suspended, INOUT(Traversal, state)) {
    state.position = uvec3(suspended.x, suspended.y, suspended.z);
    state.axis = suspended.w & 3u;
}

SHARED_END
#endif
