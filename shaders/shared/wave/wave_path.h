// Paths in buffers, traced in waves: what the shaders of the wavefront path tracer (wave_*.comp) read and write. After
// Laine, Karras and Aila, "Megakernels Considered Harmful: Wavefront Path Tracing on GPUs" (2013): the rays of all
// paths are traced, with the shadow rays of the wave before, and then all their hits are shaded, so that each kernel is
// small and its lanes do the same.
#ifndef AUREOLE_SHARED_WAVE_PATH_H
#define AUREOLE_SHARED_WAVE_PATH_H

#include "shared/path/path_work.h"
#include "shared/path/voxel_path.h"
#include "shared/wave/wave_grids.h"
#include "shared/wave/wave_push.h"
#include "shared/wave/wave_ray.h"

SHARED_BEGIN

SHARED_INLINE WavePath packPath(PathState path, uint id) {
    WavePath packed;
    packed.identity = uvec4(id, path.rng.pixel, path.rng.index, path.depth | (path.rng.dimension << 16u));
    packed.throughput = uvec4(floatBitsToUint(path.throughput.x), floatBitsToUint(path.throughput.y),
                              floatBitsToUint(path.throughput.z), floatBitsToUint(path.bsdfPdf));
    return packed;
}

/// Surface hits of a path so far.
SHARED_INLINE uint wavePathDepth(WavePath path) {
    return path.identity.w & 0xFFFFu;
}

/// The random numbers that a path has not taken yet.
SHARED_INLINE Rng wavePathNumbers(uint64_t params, WavePath packed) {
    Rng rng = beginNumbers(params, packed.identity.y, packed.identity.z);
    rng.dimension = (packed.identity.w & ~WAVE_HAS_SHADOW_RAY) >> 16u;
    return rng;
}

/// The time of a path (timeOfSample).
SHARED_INLINE float wavePathTime(uint64_t params, WavePath packed) {
    return timeOfSample(params, packed.identity.y, packed.identity.z);
}

/// The path, with nothing gathered yet since it was packed.
SHARED_INLINE PathState unpackPath(uint64_t params, WavePath packed) {
    PathState path = beginPath(params, packed.identity.y, packed.identity.z);
    path.depth = wavePathDepth(packed);
    path.rng = wavePathNumbers(params, packed);
    path.throughput = vec3(uintBitsToFloat(packed.throughput.x), uintBitsToFloat(packed.throughput.y),
                           uintBitsToFloat(packed.throughput.z));
    path.bsdfPdf = uintBitsToFloat(packed.throughput.w);
    return path;
}

SHARED_INLINE WaveGlassPath packGlassPath(PathState path) {
    WaveGlassPath packed;
    packed.medium = path.medium;
    packed.compression = floatBitsToUint(path.compression);
    return packed;
}

/// Gives a path back what packGlassPath kept of it.
SHARED_INLINE void unpackGlassPath(WaveGlassPath packed, INOUT(PathState, path)) {
    path.medium = packed.medium;
    path.compression = uintBitsToFloat(packed.compression);
}

SHARED_INLINE WavePanes packPanes(PathState path) {
    WavePanes packed;
    packed.straightDistance = floatBitsToUint(path.straightDistance);
    packed.passed = 0u;
    return packed;
}

/// The id of a path among those of the pass.
SHARED_INLINE uint wavePathId(WavePath path) {
    return path.identity.x;
}

SHARED_INLINE uint hasShadowRay(WavePath path) {
    return path.identity.w & WAVE_HAS_SHADOW_RAY;
}

/// The path in a slot with a shadow ray, where `hasRay` is WAVE_HAS_SHADOW_RAY, or without one, where it is 0.
SHARED_INLINE WavePath withShadowRay(WavePath path, uint hasRay) {
    path.identity.w = (path.identity.w & ~WAVE_HAS_SHADOW_RAY) | hasRay;
    return path;
}

SHARED_INLINE WaveConnection packConnection(VoxelPath state) {
    WaveConnection packed;
    vec3 c = state.shadow.contribution;
    uint light = state.hasTarget != 0u ? state.target | WAVE_HAS_TARGET : floatBitsToUint(state.shadow.distance);
    packed.bits = uvec4(floatBitsToUint(c.x), floatBitsToUint(c.y), floatBitsToUint(c.z), light);
    return packed;
}

/// A connection as it was kept, for a ray that goes on from where its shadow ray has ended.
SHARED_INLINE void unpackConnection(WaveConnection packed, WaveGlassLight light, INOUT(VoxelPath, state)) {
    state.hasTarget = hasTarget(packed) != 0u ? 1u : 0u;
    state.target = connectionTarget(packed);
    state.shadow.contribution = connectionContribution(packed);
    state.shadow.distance = uintBitsToFloat(light.distance);
    state.path.medium = light.medium;
}

/// What is kept of a connection to an emissive voxel that starts in a medium.
SHARED_INLINE WaveGlassLight packGlassLight(VoxelPath state) {
    WaveGlassLight packed;
    packed.distance = floatBitsToUint(state.shadow.distance);
    packed.medium = state.shadow.transmitted != 0u ? mediumAhead(state.path.medium, state.hit) : state.path.medium;
    return packed;
}

/// The share of the contribution that is left where the shadow ray hit: the light was drawn where the ray enters the
/// emitter's box.
SHARED_INLINE vec3 glassLightShare(uint64_t params, WaveGlassLight light, WaveHit hit) {
    return mediumTransmittance(params, light.medium, shadowDistance(hit) - uintBitsToFloat(light.distance));
}

/// The radiance that a path gains where its shadow ray ended so, in that instance.
SHARED_INLINE vec3 connectionLight(uint64_t params, WaveConnection connection, WaveHit hit, uint instance) {
    vec3 whole = connectionContribution(connection);
    bool missed = hitFace(hit) == HIT_MISSED;
    if (hasTarget(connection) != 0u) {
        return missed || shadowLeavesSolid(hit) != 0u
                   ? vec3(0.0f)
                   : whole * emitterRadiance(params, connectionTarget(connection), instance, hitVoxel(hit));
    }
    return missed || shadowDistance(hit) >= connectionDistance(connection) ? whole : vec3(0.0f);
}

SHARED_END
#endif
