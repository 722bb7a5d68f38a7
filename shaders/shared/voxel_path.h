// Paths through the voxels: where rays start, what a hit voxel looks like, and what follows a hit or a miss.
#ifndef AUREOLE_SHARED_VOXEL_PATH_H
#define AUREOLE_SHARED_VOXEL_PATH_H

#include "shared/path.h"
#include "shared/sheet.h"
#include "shared/surface_hit.h"
#include "shared/voxel_glass.h"

SHARED_BEGIN

/// A face of an emissive voxel, for light sampling.
struct EmitterFace {
    uint xy;    ///< voxel x | y << 16
    uint zFace; ///< voxel z | face << 16
    uint entry; ///< index into the palette
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

#define VOXEL_OCTREE(params) ((params) + uint64_t(464))
#ifdef __cplusplus
static_assert(offsetof(VoxelParams, path) == 0 && offsetof(VoxelParams, octree) == 464);
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
    uint within;    ///< number plus 1 of the material whose voxels the ray goes through; MEDIUM_NONE: of none
    uint crossed;   ///< 1: the ray started on the other side of the surface at `from`
    uint rays;      ///< rays started
};

SHARED_INLINE float emissionLuminance(vec3 e) {
    return 0.2126f * e.x + 0.7152f * e.y + 0.0722f * e.z;
}

/// Starts the ray from the surface at `from`: in the neighbouring cell where it leaves the hit face, else in the hit
/// voxel itself, which the sheet rule then ignores, or it goes through. Returns TRAVERSAL_MISS where it leaves the grid
/// at once.
SHARED_INLINE uint voxelRayFrom(uint64_t params, INOUT(VoxelPath, state), vec3 direction, uint transmitted) {
    uint64_t view = VOXEL_OCTREE(params);
    state.crossed = transmitted;
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
    state.path = beginPath(params, pixel.y * width + pixel.x, index);
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
    state.within = MEDIUM_NONE;
    state.crossed = 0u;
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

/// The material whose voxels a ray from a hit goes through: of the medium that it is in, or of the pane that it goes
/// through.
SHARED_INLINE uint voxelsWithin(uint medium, SurfaceHit hit, uint transmitted) {
    if (HAS_MODEL(MODEL_THIN_GLASS) && transmitted != 0u && hit.surface.model == MODEL_THIN_GLASS) {
        return hit.material + 1u;
    }
    return medium;
}

/// Draws the next direction of a path that stands at `from` and starts its ray, or ends the path (PHASE_IDLE).
SHARED_INLINE void voxelPathScatter(uint64_t params, INOUT(VoxelPath, state)) {
    vec3 direction;
    uint transmitted;
    state.phase = PHASE_IDLE;
    if (pathScatter(params, state.path, state.hit, direction, transmitted) == 0u) {
        return;
    }
    if (HAS_TRANSMISSION && transmitted != 0u) {
        crossSurface(state.from);
    }
    if (dot(state.from.side, direction) <= 0.0f) {
        return;
    }
    state.within = voxelsWithin(state.path.medium, state.hit, transmitted);
    if (voxelRayFrom(params, state, direction, transmitted) == TRAVERSAL_MISS) {
        pathMiss(params, state.path, direction);
        return;
    }
    state.phase = PHASE_PATH;
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

/// Puts `from` where the ray leaves a solid by the face `hit.face` of its last voxel.
SHARED_INLINE void voxelStandLeaving(uint64_t params, INOUT(VoxelPath, state), VoxelHit hit, VoxelSurface surface) {
    state.from.voxel = hit.voxel;
    state.from.face = hit.face;
    state.from.side = -faceNormal(hit.face);
    state.from.normal = state.from.side;
    state.from.sheet = NO_SHEET;
    state.from.sheetAhead = NO_SHEET;
    if (AT(VoxelParams, params, 0).smoothNormals != 0u && surface.crease == 0u) {
        // As a ray that came in there the other way.
        vec3 outside = arrivalSide(surface, NO_SHEET, hit.face, -traversalRayDirection(state.ray));
        if (dot(outside, outside) > 0.0f) {
            state.from.side = -outside;
            state.from.normal = dot(surface.geometricNormal, outside) < 0.0f ? surface.normal : -surface.normal;
            state.from.sheet = makeSheet(surface, state.from.side);
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

/// What all of a material has in common.
SHARED_INLINE MaterialTraits voxelTraits(uint64_t params, uint material) {
    return AT(MaterialTraits, AT(PathParams, params, 0).materials, material);
}

/// What a path scatters at where it meets a voxel of a material; `entering` is 1 where it comes from outside of what
/// the surface bounds.
SHARED_INLINE SurfaceHit voxelScatterer(uint64_t params, VoxelPoint from, VoxelSurface surface, uint material,
                                        vec3 outgoing, uint entering) {
    SurfaceHit hit;
    hit.material = material;
    hit.outgoing = outgoing;
    hit.entering = entering;
    MaterialTraits traits;
    traits.model = MODEL_LAMBERT;
    traits.ior = 1.0f;
    traits.table = 0u;
    if (MATERIAL_MODELS != (1u << MODEL_LAMBERT)) {
        traits = voxelTraits(params, material);
    }
    hit.surface = makeScatterer(traits, entering, from.normal, from.side, outgoing);
    hit.surface.albedo = surface.albedo;
    hit.surface.roughness = surface.roughness;
    hit.surface.metalness = surface.metalness;
    return hit;
}

/// What a voxel is made of and emits; `surface.material` is the index of the entry in the palette.
SHARED_INLINE VoxelMaterial voxelMaterial(uint64_t params, VoxelSurface surface) {
    VoxelMaterial entry;
    entry.emission = vec3(0.0f);
    entry.material = 0u;
    if (surface.material != 0u) {
        entry = AT(VoxelMaterial, AT(OctreeView, VOXEL_OCTREE(params), 0).palette, surface.material);
    }
    return entry;
}

/// Whether the path arrives at what it stands at from outside. Of cubes, solids have no inner side: they are left by
/// the last of their voxels. Of surfaces within voxels the orientation tells, and where there is none, the medium.
SHARED_INLINE uint voxelEntered(uint64_t params, VoxelPath state, VoxelSurface surface, uint material, uint leaving) {
    uint64_t view = VOXEL_OCTREE(params);
    if (!SURFACE_WITHIN(view)) {
        return leaving != 0u ? 0u : 1u;
    }
    if (state.from.sheet == NO_SHEET) {
        return state.path.medium == material + 1u ? 0u : 1u;
    }
    if (OCTREE_ENCODING(view) == OCTREE_FIELD) {
        return (state.from.sheet & SHEET_REVERSED) != 0u ? 0u : 1u;
    }
    return dot(surface.geometricNormal, state.from.side) < 0.0f ? 0u : 1u;
}

/// Stands the path at a hit, or where it leaves a solid (`leaving`): adds its emission, and starts the shadow ray of
/// its connection to a light, or its next ray. `normal` is that of a surface within the voxel, or 0 where the voxel's
/// faces are hit. Light sampling aims at the faces of voxels all the same: a direction enters a voxel by one face,
/// whatever of its surface it then meets.
SHARED_INLINE void voxelPathArrive(uint64_t params, INOUT(VoxelPath, state), VoxelHit hit, VoxelSurface surface,
                                   vec3 normal, uint leaving) {
    uint64_t view = VOXEL_OCTREE(params);
    vec3 direction = traversalRayDirection(state.ray);
    vec3 faceOut = hit.face == FACE_INSIDE ? -direction : faceNormal(hit.face);
    Arrival arrival;
    arrival.distance = hit.distance;
    state.from.position = traversalPosition(state.ray);
    if (SURFACE_WITHIN(view) && dot(normal, normal) > 0.0f) {
        voxelStandWithin(params, state, surface, normal);
        arrival.distance = surfaceDistance(state.ray);
    } else if (HAS_TRANSMISSION && leaving != 0u) {
        voxelStandLeaving(params, state, hit, surface);
    } else {
        voxelStand(params, state, hit, surface, faceOut);
    }
    arrival.position = state.from.position;
    VoxelMaterial entry = voxelMaterial(params, surface);
    uint entering = 1u;
    arrival.emission = entry.emission;
    arrival.lightPdf = 0.0f;
    if (HAS_TRANSMISSION) {
        entry.material = leaving != 0u ? state.within - 1u : entry.material;
        entering = voxelEntered(params, state, surface, entry.material, leaving);
        arrival.emission = leaving != 0u ? vec3(0.0f) : entry.emission;
    }
    state.hit = voxelScatterer(params, state.from, surface, entry.material, -direction, entering);
    if (leaving == 0u && emissionLuminance(entry.emission) > 0.0f) {
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
    if (lightCount > 0u) {
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
        uint transmitted = HAS_TRANSMISSION ? state.shadow.transmitted : 0u;
        vec3 side = transmitted != 0u ? -state.from.side : state.from.side;
        if (max(c.x, max(c.y, c.z)) > 0.0f && dot(side, state.shadow.direction) > 0.0f) {
            uint medium = transmitted != 0u ? mediumAhead(state.path.medium, state.hit) : state.path.medium;
            state.within = voxelsWithin(medium, state.hit, transmitted);
            if (transmitted != 0u) {
                crossSurface(state.from);
            }
            if (voxelRayFrom(params, state, state.shadow.direction, transmitted) != TRAVERSAL_MISS) {
                state.phase = PHASE_SHADOW;
                return;
            }
            if (transmitted != 0u) {
                crossSurface(state.from);
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

/// Takes a ray through a voxel, or a full node, of the solid or the pane that it is within. TRAVERSAL_HIT where it
/// leaves the solid: `hit` is then its last voxel, and the ray is on the face that it leaves by. Else the status of the
/// traversal, which goes on.
SHARED_INLINE uint voxelPassWithin(uint64_t params, INOUT(VoxelPath, state), INOUT(VoxelHit, hit),
                                   VoxelSurface surface) {
    uint64_t view = VOXEL_OCTREE(params);
    uint status = traversalSkip(view, state.ray);
    state.leftAt = traversalDistance(state.ray);
    state.leftSheet = NO_SHEET;
    if (status == TRAVERSAL_RUNNING && octreeSolid(view, traversalVoxel(view, state.ray)) != 0u) {
        return status;
    }
    if (voxelTraits(params, state.within - 1u).model != MODEL_DIELECTRIC) {
        return status; // a pane may be hollow
    }
    hit.voxel = voxelBehind(view, state.ray);
    hit.face = faceBehind(state.ray);
    hit.distance = state.leftAt;
    uint notch = voxelIgnored(params, state, hit, surface) != NO_SHEET ? 1u : 0u;
    return status == TRAVERSAL_RUNNING && notch != 0u ? TRAVERSAL_RUNNING : TRAVERSAL_HIT;
}

/// Whether the ray is still so close behind the surface that it came through that what it meets is of the same pane;
/// else it is behind the pane.
SHARED_INLINE uint voxelOfPane(uint64_t params, INOUT(VoxelPath, state), uint material) {
    vec3 offset = (traversalPosition(state.ray) - state.from.position) / AT(VoxelParams, params, 0).voxelSize;
    if (voxelTraits(params, material).model == MODEL_THIN_GLASS && dot(offset, state.from.side) < PANE_DEPTH) {
        return 1u;
    }
    state.within = MEDIUM_NONE;
    return 0u;
}

/// Whether a surface within a voxel is passed: a voxel without a surface of its own that the ray starts in, to its
/// other side, or the rest of the pane that it goes through. The ray then goes on.
SHARED_INLINE uint voxelPassesSurface(uint64_t params, INOUT(VoxelPath, state), VoxelSurface surface, uint material) {
    if (OCTREE_ENCODING(VOXEL_OCTREE(params)) == OCTREE_PLANES && state.crossed != 0u && surface.crease != 0u &&
        state.ray.axis == TRAVERSAL_NO_AXIS) {
        return 1u;
    }
    return HAS_MODEL(MODEL_THIN_GLASS) && state.within == material + 1u ? voxelOfPane(params, state, material) : 0u;
}

/// Whether the ray goes through the voxel that it is at, whose surface it meets.
SHARED_INLINE uint voxelPasses(uint64_t params, INOUT(VoxelPath, state), VoxelHit hit, VoxelSurface surface,
                               uint64_t attributes) {
    uint64_t view = VOXEL_OCTREE(params);
    if (!SURFACE_WITHIN(view) && attributes == OCTREE_NO_ATTRIBUTES) {
        return state.within != MEDIUM_NONE ? 1u : 0u;
    }
    uint material = voxelMaterial(params, surface).material;
    if (SURFACE_WITHIN(view)) {
        return voxelPassesSurface(params, state, surface, material);
    }
    if (state.within != material + 1u) {
        return 0u;
    }
    // A run of voxels is one pane, whichever way the ray goes in it; behind a gap, what is close.
    if (HAS_MODEL(MODEL_THIN_GLASS) && hit.distance > state.leftAt &&
        voxelTraits(params, material).model == MODEL_THIN_GLASS) {
        return voxelOfPane(params, state, material);
    }
    return 1u;
}

/// Goes past the surface within a voxel that was met.
SHARED_INLINE uint voxelCrossSurface(uint64_t params, INOUT(VoxelPath, state)) {
    uint64_t view = VOXEL_OCTREE(params);
    if (OCTREE_ENCODING(view) == OCTREE_FIELD) {
        state.leftSheet = state.leftSheet ^ SHEET_REVERSED;
        state.ray.axis = TRAVERSAL_NO_AXIS; // starts again from there
        state.within = MEDIUM_NONE;         // a pane has no third surface
        return TRAVERSAL_RUNNING;
    }
    uint status = traversalSkip(view, state.ray);
    state.leftAt = traversalDistance(state.ray);
    state.leftSheet = NO_SHEET;
    return status;
}

/// Goes on after traversalRun ended with `status` (a hit or a miss). Afterwards the path is PHASE_IDLE (its radiance is
/// complete) or has a ray to run.
SHARED_INLINE void voxelPathEvent(uint64_t params, INOUT(VoxelPath, state), uint status) {
    uint64_t view = VOXEL_OCTREE(params);
    VoxelHit hit;
    VoxelSurface surface;
    vec3 normal = vec3(0.0f);
    uint leaving = 0u;
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
            surface.material = octreePaletteIndex(view, attributes, surface.material);
            uint sheet = NO_SHEET;
            uint passes = 0u;
            if (HAS_TRANSMISSION && state.within + state.crossed != 0u) {
                passes = voxelPasses(params, state, hit, surface, attributes);
            }
            if (HAS_TRANSMISSION && passes != 0u) {
                if (SURFACE_WITHIN(view)) {
                    status = voxelCrossSurface(params, state);
                } else {
                    status = voxelPassWithin(params, state, hit, surface);
                    leaving = status == TRAVERSAL_HIT ? 1u : 0u;
                    if (leaving != 0u && hit.distance >= reach) {
                        status = TRAVERSAL_MISS; // the light is in the solid
                    }
                }
            } else {
                sheet = voxelIgnored(params, state, hit, surface);
            }
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
            voxelPathArrive(params, state, hit, surface, normal, leaving);
        }
        return;
    }
    uint free = status == TRAVERSAL_MISS ? 1u : 0u;
    if (state.hasTarget != 0u) {
        free = status == TRAVERSAL_HIT && leaving == 0u && hit.voxel.x == state.target.x &&
                       hit.voxel.y == state.target.y && hit.voxel.z == state.target.z
                   ? 1u
                   : 0u;
    }
    if (free != 0u) {
        pathGather(state.path, state.shadow.contribution, state.shadow.lightGroup);
    }
    if (HAS_TRANSMISSION && state.crossed != 0u) {
        crossSurface(state.from);
    }
    voxelPathScatter(params, state);
}

SHARED_END
#endif
