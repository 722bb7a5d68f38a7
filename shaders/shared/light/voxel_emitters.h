// Emissive voxels as lights: points drawn on their faces, and the density of those that a path finds by chance.
//
// Light is drawn on the faces of voxels whatever surface lies in them: a direction enters a voxel by one face.
#ifndef AUREOLE_SHARED_VOXEL_EMITTERS_H
#define AUREOLE_SHARED_VOXEL_EMITTERS_H

#include "shared/surface/voxel_state.h"

SHARED_BEGIN

/// Density per solid angle, from `point`, of a direction in which light sampling finds a rectangle whose voxels have
/// that luminance: at `distance`, under `cosine` to its normal.
SHARED_INLINE float rectanglePdf(uint64_t params, vec3 point, EmitterRectangle rectangle, float luminance,
                                 float distance, float cosine) {
    uint64_t lights = PATH_LIGHTS(params);
    uint surfaces = AT(LightParams, lights, 0).surfaces;
    float chosen = AT(Light, AT(LightParams, lights, 0).lights, surfaces).probability *
                   rectangleProbability(AT(VoxelParams, params, 0).emitters, point, rectangle, luminance);
    SeenRectangle seen = seeRectangle(rectangle, AT(VoxelParams, params, 0).voxelSize, point);
    return chosen * seenRectanglePdf(seen, distance, cosine);
}

/// Density per solid angle, from `point`, of finding by light sampling what a ray from there hit; 0 where that cannot
/// be. A ray that ignored a voxel, or passed by the surface in it, may go on straight into the next one, through a face
/// between the two, which is in no rectangle.
SHARED_INLINE float emitterPdf(uint64_t params, vec3 point, VoxelHit hit, float luminance, float cosine) {
    uint64_t lights = PATH_LIGHTS(params);
    if (hit.face == FACE_INSIDE || AT(LightParams, lights, 0).surfaces >= AT(LightParams, lights, 0).lightCount) {
        return 0.0f;
    }
    uint64_t tables = AT(VoxelParams, params, 0).emitters;
    uint found = rectangleOfFace(tables, OCTREE_LEVELS(VOXEL_OCTREE(params)), hit.voxel, hit.face);
    if (found == NO_RECTANGLE) {
        return 0.0f;
    }
    EmitterRectangle rectangle = AT(EmitterRectangle, AT(EmitterTables, tables, 0).rectangles, found);
    return rectanglePdf(params, point, rectangle, luminance, hit.distance, cosine);
}

/// Samples a point on an emissive voxel as seen from `point`: `pick` are random bits for the rectangle, `u` uniform
/// numbers: two for the point on it and one for the side that it is on. Its pdf is 0 where no rectangle faces the
/// point.
SHARED_INLINE LightSample sampleEmitter(uint64_t params, vec3 point, uvec2 pick, vec3 u,
                                        OUT(EmitterRectangle, target)) {
    uint64_t tables = AT(VoxelParams, params, 0).emitters;
    uint picked = chooseRectangle(tables, point, u.z, pick);
    LightSample s;
    s.direction = vec3(0.0f, 1.0f, 0.0f);
    s.distance = LIGHT_FAR;
    s.radiance = vec3(0.0f);
    s.pdf = 0.0f;
    s.isDelta = 0u;
    s.group = 0u;
    target = AT(EmitterRectangle, AT(EmitterTables, tables, 0).rectangles, picked == NO_RECTANGLE ? 0u : picked);
    SeenRectangle seen = seeRectangle(target, AT(VoxelParams, params, 0).voxelSize, point);
    if (picked == NO_RECTANGLE || seen.height <= 0.0f) {
        return s;
    }
    vec3 towards = wayToRectangle(seen, rectangleFace(target), sampleSeenRectangle(seen, vec2(u.x, u.y)));
    s.distance = length(towards);
    s.direction = towards / s.distance;
    VoxelMaterial entry = AT(VoxelMaterial, AT(OctreeView, VOXEL_OCTREE(params), 0).palette, target.entry);
    s.radiance = entry.emission;
    s.pdf =
        rectanglePdf(params, point, target, emissionLuminance(entry.emission), s.distance, seen.height / s.distance);
    s.group = AT(MaterialTraits, AT(PathParams, params, 0).materials, entry.material).lightGroup;
    return s;
}

SHARED_END
#endif
