// Emissive voxels as lights: points drawn on their faces, and the density of those that a path finds by chance.
#ifndef AUREOLE_SHARED_VOXEL_EMITTERS_H
#define AUREOLE_SHARED_VOXEL_EMITTERS_H

#include "shared/surface/voxel_state.h"

SHARED_BEGIN

/// Whether a ray that ignored nothing could enter the voxel by the face that was hit. A ray that ignored a voxel, or
/// passed by the surface in it, may go on straight into the next one, through a face between the two that light
/// sampling does not know.
SHARED_INLINE uint voxelFaceExposed(uint64_t params, VoxelHit hit) {
    if (hit.face == FACE_INSIDE) {
        return 0u;
    }
    uint axis = hit.face >> 1u;
    uint step = (hit.face & 1u) != 0u ? 1u : 0xFFFFFFFFu; // 1 or -1
    uvec3 neighbour = hit.voxel + uvec3(axis == 0u ? step : 0u, axis == 1u ? step : 0u, axis == 2u ? step : 0u);
    // Only smooth sheets and glass are ignored, and what passes by a surface within a voxel.
    uint64_t view = VOXEL_OCTREE(params);
    uint passable = SURFACE_WITHIN(view) || HAS_TRANSMISSION ? 1u : AT(VoxelParams, params, 0).smoothNormals;
    return passable != 0u && octreeSolid(view, neighbour) != 0u ? 0u : 1u;
}

/// Density per solid angle of finding a point of an emissive voxel's face by light sampling.
SHARED_INLINE float emitterPdf(uint64_t params, vec3 emission, float distance, float cosine) {
    uint64_t lights = PATH_LIGHTS(params);
    uint surfaces = AT(LightParams, lights, 0).surfaces;
    if (surfaces >= AT(LightParams, lights, 0).lightCount || cosine <= 0.0f) {
        return 0.0f;
    }
    float voxelSize = AT(VoxelParams, params, 0).voxelSize;
    float chosen = AT(Light, AT(LightParams, lights, 0).lights, surfaces).probability * emissionLuminance(emission) /
                   AT(VoxelParams, params, 0).emitterPower;
    float scaled = distance / voxelSize;
    return chosen * scaled * scaled / cosine;
}

/// Samples a point on an emissive voxel as seen from `point`: `pick` are random bits for the face, `u` uniform numbers
/// for the point on it.
SHARED_INLINE LightSample sampleEmitter(uint64_t params, vec3 point, uvec2 pick, vec2 u, OUT(uvec3, target)) {
    uint count = AT(VoxelParams, params, 0).emitterCount;
    uint picked = sampleAliasBits(AT(VoxelParams, params, 0).emitterPick, count, pick);
    EmitterFace emitter = AT(EmitterFace, AT(VoxelParams, params, 0).emitters, picked);
    float voxelSize = AT(VoxelParams, params, 0).voxelSize;
    target = uvec3(emitter.xy & 0xFFFFu, emitter.xy >> 16u, emitter.zFace & 0xFFFFu);
    uint face = emitter.zFace >> 16u;
    uint axis = face >> 1u;
    float side = float(face & 1u);
    vec3 offset = axis == 0u ? vec3(side, u.x, u.y) : axis == 1u ? vec3(u.x, side, u.y) : vec3(u.x, u.y, side);
    vec3 towards = voxelCorner(target, voxelSize) + offset * voxelSize - point;
    LightSample s;
    s.distance = length(towards);
    s.direction = towards / max(s.distance, 1e-20f);
    VoxelMaterial entry = AT(VoxelMaterial, AT(OctreeView, VOXEL_OCTREE(params), 0).palette, emitter.entry);
    s.radiance = entry.emission;
    s.pdf = emitterPdf(params, s.radiance, s.distance, -dot(faceNormal(face), s.direction));
    s.isDelta = 0u;
    s.group = AT(MaterialTraits, AT(PathParams, params, 0).materials, entry.material).lightGroup;
    return s;
}

SHARED_END
#endif
