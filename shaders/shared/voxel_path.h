// Paths through the voxels: where rays start, what a hit voxel looks like, and what follows a hit or a miss.
#ifndef AUREOLE_SHARED_VOXEL_PATH_H
#define AUREOLE_SHARED_VOXEL_PATH_H

#include "shared/path.h"
#include "shared/sheet.h"
#include "shared/surface_hit.h"

SHARED_BEGIN

/// A face of an emissive voxel, for light sampling.
struct EmitterFace {
    uint xy;    ///< voxel x | y << 16
    uint zFace; ///< voxel z | face << 16
    uint emission;
};
SHARED_ARRAY(EmitterFace, 4)

/// All that a path needs. Lengths and positions are those of the grid, which fills [1, 2]^3.
struct VoxelParams {
    PathParams path;
    OctreeView octree;
    uint64_t emitters;    ///< EmitterFace
    uint64_t emitterPick; ///< AliasSlot for each
    uint emitterCount;
    float emitterPower; ///< sum of the emitters' luminances
    uint smoothNormals; ///< 0: a voxel's faces are its normals
    float voxelSize;
    vec3 boxLow; ///< the part of the grid in use
    vec3 boxHigh;
    uint firstSample; ///< absolute index of the first sample of the pass, and of the sample after its last
    uint endSample;
    uint batchSize; ///< samples of one work item
    uint tileCount; ///< tiles of pixels that get samples
    uint64_t tiles; ///< their indices; 0: all, in order
};
SHARED_ARRAY(VoxelParams, 8)

#define VOXEL_OCTREE(params) ((params) + uint64_t(440))
#ifdef __cplusplus
static_assert(offsetof(VoxelParams, path) == 0 && offsetof(VoxelParams, octree) == 440);
#endif

#define PHASE_IDLE 0u
#define PHASE_PATH 1u   ///< the ray looks for the path's next hit
#define PHASE_SHADOW 2u ///< the ray tests a connection to a light; the path waits at `from`

/// One path on its way, and the ray that it waits for.
struct VoxelPath {
    PathState path;
    Traversal ray;
    uint phase;
    VoxelPoint from;
    SurfaceHit hit; ///< what the path scatters at there
    LightConnection shadow;
    uvec3 target; ///< the emissive voxel that the shadow ray must reach
    uint hasTarget;
    float leftAt;   ///< distance at which the ray left the last voxel that it ignored; 0 where it started in one
    uint leftSheet; ///< of that voxel; or, with surfaces within voxels, the side that the ray is on
    uint rays;      ///< rays started
};

SHARED_INLINE float emissionLuminance(vec3 e) {
    return 0.2126f * e.x + 0.7152f * e.y + 0.0722f * e.z;
}

/// Starts the ray from the surface at `from`: in the neighbouring cell where it leaves the hit face, else in the hit
/// voxel itself, which the sheet rule then ignores. Returns TRAVERSAL_MISS where it leaves the grid at once.
SHARED_INLINE uint voxelRayFrom(uint64_t params, INOUT(VoxelPath, state), vec3 direction) {
    uint64_t view = VOXEL_OCTREE(params);
    vec3 d = traversalDirection(direction);
    uvec3 cell = state.from.voxel;
    state.rays += 1u;
    state.leftAt = 0.0f;
    state.leftSheet = state.from.sheet;
    if (state.from.face != FACE_INSIDE && dot(direction, faceNormal(state.from.face)) > 0.0f) {
        uint last = (1u << (2u * AT(OctreeView, view, 0).levels)) - 1u;
        uint axis = state.from.face >> 1u;
        uint coordinate = axis == 0u ? cell.x : axis == 1u ? cell.y : cell.z;
        uint positive = state.from.face & 1u;
        if (coordinate == (positive != 0u ? last : 0u)) {
            return TRAVERSAL_MISS;
        }
        coordinate = positive != 0u ? coordinate + 1u : coordinate - 1u;
        state.leftSheet = state.from.sheetAhead;
        cell =
            uvec3(axis == 0u ? coordinate : cell.x, axis == 1u ? coordinate : cell.y, axis == 2u ? coordinate : cell.z);
    }
    traversalBegin(view, state.from.position, d, vec3(1.0f) / d, cell, state.ray);
    return TRAVERSAL_RUNNING;
}

/// Starts sample `index` of a pixel (of the full picture). A path whose ray passes the grid by is complete at once:
/// PHASE_IDLE.
SHARED_INLINE void voxelPathBegin(uint64_t params, INOUT(VoxelPath, state), uvec2 pixel, uint index) {
    uint width = AT(VoxelParams, params, 0).path.camera.size.x;
    state.path = beginPath(AT(VoxelParams, params, 0).path.seed, pixel.y * width + pixel.x, index);
    vec4 u = rngNext(state.path.rng);
    CameraRay ray = sampleCamera(PATH_CAMERA(params), pixel, vec2(u.x, u.y), vec2(u.z, u.w));
    state.phase = PHASE_PATH;
    state.rays += 1u;
    vec3 d = traversalDirection(ray.direction);
    vec3 inverse = vec3(1.0f) / d;
    float travelled;
    uint axis;
    state.from.sheet = NO_SHEET;
    state.from.sheetAhead = NO_SHEET;
    state.leftAt = 0.0f;
    state.leftSheet = NO_SHEET;
    if (clipToBox(AT(VoxelParams, params, 0).boxLow, AT(VoxelParams, params, 0).boxHigh, ray.origin, d, inverse,
                  travelled, axis) == 0u) {
        pathMiss(params, state.path, ray.direction);
        state.phase = PHASE_IDLE;
        return;
    }
    uint64_t view = VOXEL_OCTREE(params);
    uint levels = AT(OctreeView, view, 0).levels;
    uvec3 cell = gridCell(ray.origin, levels);
    // On the far side of a box the entry plane belongs to the cell before it.
    if (axis != TRAVERSAL_NO_AXIS) {
        uint towardsLow = (axis == 0u ? d.x : axis == 1u ? d.y : d.z) < 0.0f ? 1u : 0u;
        float plane = axis == 0u ? ray.origin.x : axis == 1u ? ray.origin.y : ray.origin.z;
        uint step = towardsLow != 0u && plane < 2.0f ? 1u : 0u;
        cell = uvec3(axis == 0u ? cell.x - step : cell.x, axis == 1u ? cell.y - step : cell.y,
                     axis == 2u ? cell.z - step : cell.z);
    }
    traversalBegin(view, ray.origin, d, inverse, cell, state.ray);
    state.ray.axis = axis;
}

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
    // Only smooth sheets are ignored, and what passes by a surface within a voxel.
    uint64_t view = VOXEL_OCTREE(params);
    uint passable = SURFACE_WITHIN(view) ? 1u : AT(VoxelParams, params, 0).smoothNormals;
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
    s.radiance = AT(vec3, AT(OctreeView, VOXEL_OCTREE(params), 0).emissions, emitter.emission);
    s.pdf = emitterPdf(params, s.radiance, s.distance, -dot(faceNormal(face), s.direction));
    s.isDelta = 0u;
    s.group = 0u;
    return s;
}

/// Draws the next direction of a path that stands at `from` and starts its ray, or ends the path (PHASE_IDLE).
SHARED_INLINE void voxelPathScatter(uint64_t params, INOUT(VoxelPath, state)) {
    vec3 direction;
    uint transmitted;
    state.phase = PHASE_PATH;
    if (pathScatter(state.path, state.hit, direction, transmitted) == 0u || dot(state.from.side, direction) <= 0.0f) {
        state.phase = PHASE_IDLE;
        return;
    }
    if (voxelRayFrom(params, state, direction) == TRAVERSAL_MISS) {
        pathMiss(params, state.path, direction);
        state.phase = PHASE_IDLE;
    }
}

/// Whether the face of a cell of planes that a ray comes through from an empty voxel tells the side that it is on. A
/// voxel's surface does not touch that face. Of a merged cell's face this is only known of the part that is the empty
/// voxel's, so that the slab has to pass from this part into the cell before it has crossed the voxel.
SHARED_INLINE uint voxelFaceTellsSide(uint64_t params, VoxelPath state, VoxelHit hit, VoxelSurface surface) {
    uint64_t view = VOXEL_OCTREE(params);
    if (OCTREE_ENCODING(view) != OCTREE_PLANES) {
        return 1u;
    }
    uint larger = traversalHitShift(view, state.ray) + 2u * AT(OctreeView, view, 0).levels - 23u;
    if (larger == 0u) {
        return 1u;
    }
    SlabPlanes planes = unpackSlab(octreeSlab(view, hitAttributeIndex(view, hit)));
    float thickness = (planes.high - planes.low) / length(planes.normal) * float(1u << larger); // in voxels
    return abs(dot(surface.geometricNormal, faceNormal(hit.face))) > max(thickness, 0.7f) ? 1u : 0u;
}

/// Puts `from` where the ray is, on the surface of a voxel as a whole.
SHARED_INLINE void voxelStand(uint64_t params, INOUT(VoxelPath, state), VoxelHit hit, VoxelSurface surface,
                              vec3 faceOut) {
    uint before = hit.distance == state.leftAt ? state.leftSheet : NO_SHEET;
    state.from.voxel = hit.voxel;
    state.from.face = hit.face;
    state.from.normal = faceOut;
    state.from.side = faceOut;
    state.from.sheet = NO_SHEET;
    state.from.sheetAhead = hit.face == FACE_INSIDE ? NO_SHEET : before;
    if (AT(VoxelParams, params, 0).smoothNormals != 0u && surface.crease == 0u &&
        (before != NO_SHEET || voxelFaceTellsSide(params, state, hit, surface) != 0u)) {
        vec3 side = arrivalSide(surface, before, hit.face, traversalRayDirection(state.ray));
        if (dot(side, side) > 0.0f) {
            state.from.side = side;
            state.from.normal = dot(surface.geometricNormal, side) < 0.0f ? -surface.normal : surface.normal;
            state.from.sheet = makeSheet(surface, side);
        }
    }
}

/// Puts `from` where the ray is, on the surface within a voxel, met with `normal`.
SHARED_INLINE void voxelStandWithin(uint64_t params, INOUT(VoxelPath, state), VoxelSurface surface, vec3 normal) {
    state.from.voxel = traversalVoxel(VOXEL_OCTREE(params), state.ray);
    state.from.face = FACE_INSIDE;
    state.from.side = normal;
    state.from.normal = AT(VoxelParams, params, 0).smoothNormals != 0u ? surfaceShadingNormal(surface, normal) : normal;
    state.from.sheet =
        OCTREE_ENCODING(VOXEL_OCTREE(params)) == OCTREE_PLANES ? makeSheet(surface, normal) : state.leftSheet;
    state.from.sheetAhead = NO_SHEET;
}

/// What a path scatters at where it meets a voxel's surface with the shading normal `normal`.
SHARED_INLINE SurfaceHit voxelScatterer(uint64_t params, VoxelSurface surface, vec3 normal, vec3 outgoing) {
    SurfaceHit hit;
    hit.material = 0u;
    hit.outgoing = outgoing;
    hit.entering = 1u;
    hit.surface.normal = normal;
    hit.surface.albedo = surface.albedo;
    hit.surface.roughness = surface.roughness;
    hit.surface.metalness = surface.metalness;
    hit.surface.model = AT(MaterialTraits, AT(PathParams, params, 0).materials, hit.material).model;
    hit.surface.eta = 1.0f;
    return hit;
}

/// Stands the path at a hit: adds its emission, and starts the shadow ray of its connection to a light, or its next
/// ray. `normal` is that of a surface within the voxel, or 0 where the voxel's faces are hit. Light sampling aims at
/// the faces of voxels all the same: a direction enters a voxel by one face, whatever of its surface it then meets.
SHARED_INLINE void voxelPathArrive(uint64_t params, INOUT(VoxelPath, state), VoxelHit hit, VoxelSurface surface,
                                   vec3 normal) {
    uint64_t view = VOXEL_OCTREE(params);
    vec3 direction = traversalRayDirection(state.ray);
    vec3 faceOut = hit.face == FACE_INSIDE ? -direction : faceNormal(hit.face);
    state.from.position = traversalPosition(state.ray);
    if (SURFACE_WITHIN(view) && dot(normal, normal) > 0.0f) {
        voxelStandWithin(params, state, surface, normal);
    } else {
        voxelStand(params, state, hit, surface, faceOut);
    }
    state.hit = voxelScatterer(params, surface, state.from.normal, -direction);
    Arrival arrival;
    arrival.distance = hit.distance;
    arrival.position = state.from.position;
    arrival.emission = vec3(0.0f);
    arrival.lightPdf = 0.0f;
    if (surface.emission != 0u) {
        arrival.emission = AT(vec3, AT(OctreeView, view, 0).emissions, surface.emission);
        if (voxelFaceExposed(params, hit) != 0u) {
            arrival.lightPdf = emitterPdf(params, arrival.emission, hit.distance, -dot(faceOut, direction));
        }
    }
    if (pathArrive(params, state.path, state.hit, arrival) == 0u) {
        state.phase = PHASE_IDLE;
        return;
    }
    uint64_t lights = PATH_LIGHTS(params);
    uint lightCount = AT(LightParams, lights, 0).lightCount;
    if (AT(PathParams, params, 0).strategy != STRATEGY_BSDF && lightCount > 0u) {
        uvec4 choice = rngNextBits(state.path.rng);
        vec4 u = rngNext(state.path.rng);
        uint light = chooseLight(lights, unitFloat(choice.x));
        uvec2 pick = uvec2(choice.y, choice.z);
        LightSample s;
        state.hasTarget = light == AT(LightParams, lights, 0).surfaces ? 1u : 0u;
        if (state.hasTarget != 0u) {
            s = sampleEmitter(params, state.from.position, pick, vec2(u.x, u.y), state.target);
        } else {
            s = sampleLight(lights, light, state.from.position, pick, vec2(u.x, u.y));
        }
        state.shadow = pathConnect(params, state.path, state.hit, s);
        vec3 c = state.shadow.contribution;
        if (max(c.x, max(c.y, c.z)) > 0.0f && dot(state.from.side, state.shadow.direction) > 0.0f) {
            if (voxelRayFrom(params, state, state.shadow.direction) != TRAVERSAL_MISS) {
                state.phase = PHASE_SHADOW;
                return;
            }
            if (state.hasTarget == 0u) {
                pathGather(state.path, c, state.shadow.lightGroup);
            }
        }
    }
    voxelPathScatter(params, state);
}

/// Whether the ray meets the surface within the voxel that it is in; `normal` as surfaceMet has it. Where it does not,
/// the side that it passes by on is kept.
SHARED_INLINE uint voxelMeets(uint64_t params, INOUT(VoxelPath, state), uint64_t attributes, OUT(vec3, normal)) {
    uint64_t view = VOXEL_OCTREE(params);
    if (OCTREE_ENCODING(view) != OCTREE_PLANES) {
        return surfaceMet(view, state.ray, attributes, state.leftSheet, normal);
    }
    // A ray from one of a slab's planes leaves the slab. Between the planes, the sheet rule judges.
    uint onPlane =
        state.ray.axis == TRAVERSAL_NO_AXIS && state.leftSheet != NO_SHEET && state.from.face == FACE_INSIDE ? 1u : 0u;
    uint side = onPlane != 0u ? SIDE_FRONT : SIDE_UNKNOWN;
    if (surfaceMet(view, state.ray, attributes, side, normal) != 0u) {
        return 1u;
    }
    state.leftSheet = (octreeAttributes(view, attributes).sheet & (0xFFFFFFu | SHEET_DOUBLE)) | side;
    return 0u;
}

/// The sheet of the voxel that the ray is at where it ignores it, else NO_SHEET.
SHARED_INLINE uint voxelIgnored(uint64_t params, VoxelPath state, VoxelHit hit, VoxelSurface surface) {
    uint64_t view = VOXEL_OCTREE(params);
    if (OCTREE_ENCODING(view) == OCTREE_FIELD) {
        return NO_SHEET;
    }
    float voxelSize = AT(VoxelParams, params, 0).voxelSize;
    vec3 point = OCTREE_ENCODING(view) == OCTREE_PLANES ? traversalPosition(state.ray)
                                                        : voxelCorner(hit.voxel, voxelSize) + vec3(0.5f * voxelSize);
    return ignoredSheet(state.from, traversalRayDirection(state.ray), voxelSize, hit.distance, point, surface);
}

/// Goes on after traversalRun ended with `status` (a hit or a miss). Afterwards the path is PHASE_IDLE (its radiance is
/// complete) or has a ray to run.
SHARED_INLINE void voxelPathEvent(uint64_t params, INOUT(VoxelPath, state), uint status) {
    uint64_t view = VOXEL_OCTREE(params);
    VoxelHit hit;
    VoxelSurface surface;
    vec3 normal = vec3(0.0f);
    if (status == TRAVERSAL_HIT) {
        hit = traversalHit(view, state.ray);
        float reach = state.phase == PHASE_SHADOW && state.hasTarget == 0u ? state.shadow.distance : LIGHT_FAR;
        uint64_t attributes = OCTREE_NO_ATTRIBUTES;
        if (hit.distance >= reach) {
            status = TRAVERSAL_MISS; // behind the light
        } else {
            attributes = hitAttributeIndex(view, hit);
            if (SURFACE_WITHIN(view)) {
                if (voxelMeets(params, state, attributes, normal) == 0u) {
                    status = traversalSkip(view, state.ray);
                    state.leftAt = traversalDistance(state.ray);
                } else if (surfaceDistance(state.ray) >= reach) {
                    status = TRAVERSAL_MISS;
                }
            }
        }
        if (status == TRAVERSAL_HIT) {
            surface = unpackAttributes(octreeAttributes(view, attributes));
            surface.emission = octreeEmission(view, attributes, surface.emission);
            uint sheet = voxelIgnored(params, state, hit, surface);
            if (sheet != NO_SHEET) {
                status = traversalSkip(view, state.ray);
                state.leftAt = traversalDistance(state.ray);
                state.leftSheet = sheet;
            }
        }
        if (status == TRAVERSAL_RUNNING) {
            return;
        }
    }
    if (state.phase == PHASE_PATH) {
        if (status == TRAVERSAL_MISS) {
            pathMiss(params, state.path, traversalRayDirection(state.ray));
            state.phase = PHASE_IDLE;
        } else {
            voxelPathArrive(params, state, hit, surface, normal);
        }
        return;
    }
    uint free = status == TRAVERSAL_MISS ? 1u : 0u;
    if (state.hasTarget != 0u) {
        free = status == TRAVERSAL_HIT && hit.voxel.x == state.target.x && hit.voxel.y == state.target.y &&
                       hit.voxel.z == state.target.z
                   ? 1u
                   : 0u;
    }
    if (free != 0u) {
        pathGather(state.path, state.shadow.contribution, state.shadow.lightGroup);
    }
    voxelPathScatter(params, state);
}

SHARED_END
#endif
