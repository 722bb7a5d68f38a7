// Paths through the voxels: where rays start, and what follows a hit or a miss.
#ifndef AUREOLE_SHARED_VOXEL_PATH_H
#define AUREOLE_SHARED_VOXEL_PATH_H

#include "shared/light/voxel_emitters.h"
#include "shared/luminance.h"
#include "shared/path/path_travel.h"
#include "shared/surface/voxel_passing.h"
#include "shared/surface/voxel_surface.h"

SHARED_BEGIN

/// Starts the ray from the surface at `from`: in the neighbouring cell where it leaves the hit face, else in the hit
/// voxel itself, which the sheet rule then ignores, or it goes through. Returns TRAVERSAL_MISS where it leaves the grid
/// at once; in a scene of several octrees the ray is still started then.
SHARED_INLINE uint voxelRayFrom(uint64_t params, INOUT(VoxelPath, state), vec3 direction, uint transmitted) {
    uint64_t view = VOXEL_OCTREE(params);
    state.crossed = transmitted;
    vec3 d = traversalDirection(direction);
    uvec3 cell = state.from.voxel;
    state.raysStarted += 1u;
    state.passedAt = 0.0f;
    state.passedSheet = state.from.sheet;
    uint status = TRAVERSAL_RUNNING;
    if (state.from.face != FACE_INSIDE && dot(direction, faceNormal(state.from.face)) > 0.0f) {
        uint last = (1u << (2u * AT(OctreeView, view, 0).levels)) - 1u;
        uint axis = state.from.face >> 1u;
        uint coordinate = axis == 0u ? cell.x : axis == 1u ? cell.y : cell.z;
        uint positive = state.from.face & 1u;
        if (coordinate == (positive != 0u ? last : 0u)) {
            if (!MANY_GRIDS) {
                return TRAVERSAL_MISS;
            }
            status = TRAVERSAL_MISS;
        } else {
            coordinate = positive != 0u ? coordinate + 1u : coordinate - 1u;
        }
        state.passedSheet = state.from.sheetAhead;
        cell =
            uvec3(axis == 0u ? coordinate : cell.x, axis == 1u ? coordinate : cell.y, axis == 2u ? coordinate : cell.z);
    }
    traversalBegin(view, state.from.position, d, vec3(1.0f) / d, cell, state.ray);
    if (HAS_MODEL(MODEL_TWO_DIELECTRICS) && !SURFACE_WITHIN(view) && state.hit.surface.model == MODEL_DIELECTRIC &&
        cell != state.from.voxel) {
        state.ray.axis = state.from.face >> 1u; // what touches the glass is met by its face
    }
    return status;
}

/// Starts sample `index` of a pixel (of the full picture). A path whose ray passes the grid by is complete at once:
/// PHASE_IDLE.
SHARED_INLINE void voxelPathBegin(uint64_t params, INOUT(VoxelPath, state), uvec2 pixel, uint index) {
    uint width = AT(VoxelParams, params, 0).path.camera.size.x;
    state.path = beginPath(params, pixel.y * width + pixel.x, index);
    CameraRay ray = pathCameraRay(params, pixel, state.path.rng);
    state.phase = PHASE_PATH;
    state.raysStarted += 1u;
    vec3 d = traversalDirection(ray.direction);
    vec3 inverse = vec3(1.0f) / d;
    float travelled;
    uint axis;
    state.from.sheet = NO_SHEET;
    state.from.sheetAhead = NO_SHEET;
    state.from.face = FACE_INSIDE;
    state.from.side = vec3(0.0f);
    state.from.pane = vec3(0.0f);
    state.passedAt = 0.0f;
    state.passedSheet = NO_SHEET;
    state.rayMedium = MEDIUM_NONE;
    state.crossed = 0u;
    if (clipToBox(AT(VoxelParams, params, 0).boxLow, AT(VoxelParams, params, 0).boxHigh, ray.origin, d, inverse,
                  travelled, axis) == 0u) {
        pathMiss(params, state.path, ray.direction);
        state.phase = PHASE_IDLE;
        return;
    }
    uint64_t view = VOXEL_OCTREE(params);
    uvec3 cell = entryCell(ray.origin, d, axis, AT(OctreeView, view, 0).levels);
    state.from.voxel = cell;
    if (HAS_MODEL(MODEL_DIELECTRIC)) {
        if (travelled > 0.0f) {
            state.path.compression = 1.0f; // the camera is outside of everything
        } else if (SURFACE_WITHIN(view) || octreeSolid(view, cell) != 0u) {
            bool unknown = !SURFACE_WITHIN(view) && state.path.medium == MEDIUM_NONE;
            state.rayMedium = unknown ? MEDIUM_UNKNOWN : state.path.medium;
        }
    }
    traversalBegin(view, ray.origin, d, inverse, cell, state.ray);
    state.ray.axis = axis;
}

/// The material whose voxels a ray from a hit goes through: of the medium that it is in, or of the pane that it goes
/// through.
SHARED_INLINE uint voxelsWithin(uint medium, SurfaceHit hit, uint transmitted) {
    if (HAS_MODEL(MODEL_THIN_GLASS) && transmitted != 0u && hit.surface.model == MODEL_THIN_GLASS) {
        return hit.material + 1u;
    }
    return medium;
}

/// Where media scatter: takes a path to what its ray has come to in the scene, or stands it at the point within a
/// medium where that scatters it before (pathTravel). Returns 1 where it does.
SHARED_INLINE uint voxelPathTravel(uint64_t params, INOUT(VoxelPath, state), INOUT(Arrival, arrival)) {
    if (pathTravel(params, state.path, state.sceneOrigin, state.sceneDirection, state.hit, arrival) == 0u) {
        return 0u;
    }
    state.instance = NO_INSTANCE;
    state.from.position = arrival.position;
    state.from.side = vec3(0.0f);
    state.from.pane = vec3(0.0f);
    state.from.face = FACE_INSIDE;
    state.from.sheet = NO_SHEET;
    state.from.sheetAhead = NO_SHEET;
    return 1u;
}

/// Starts a ray at a point within a medium, as the camera's start: it is in no grid yet.
SHARED_INLINE void voxelRayInMedium(INOUT(VoxelPath, state), vec3 direction, uint phase) {
    state.sceneDirection = direction;
    state.rayMedium = state.path.medium;
    state.crossed = 0u;
    state.leavesGrid = 1u;
    state.raysStarted += 1u;
    state.phase = phase;
}

/// Draws the next direction of a path that stands at `from` and starts its ray, or ends the path (PHASE_IDLE).
SHARED_INLINE void voxelPathScatter(uint64_t params, INOUT(VoxelPath, state)) {
    vec3 direction;
    uint transmitted;
    state.phase = PHASE_IDLE;
    if (pathScatter(params, state.path, state.hit, direction, transmitted) == 0u) {
        return;
    }
    if (MANY_GRIDS && isInMedium(state.hit)) {
        voxelRayInMedium(state, direction, PHASE_PATH);
        return;
    }
    if (HAS_TRANSMISSION && transmitted != 0u) {
        crossSurface(state.from);
    }
    vec3 inGrid = gridDirectionOf(params, state.instance, direction);
    if (dot(state.from.side, inGrid) <= 0.0f) {
        return;
    }
    state.rayMedium = voxelsWithin(state.path.medium, state.hit, transmitted);
    bool misses = voxelRayFrom(params, state, inGrid, transmitted) == TRAVERSAL_MISS;
    if (MANY_GRIDS) {
        state.leavesGrid = misses ? 1u : 0u;
        misses = false; // it may come to other instances
    }
    if (misses) {
        pathMiss(params, state.path, direction);
        return;
    }
    state.phase = PHASE_PATH;
}

/// Finds the density by which light sampling would have found the voxel that a path has come to in `direction`, and
/// whether that emits to there.
SHARED_INLINE void voxelMeetLamp(uint64_t params, VoxelPath state, vec3 direction, INOUT(Arrival, arrival)) {
    vec3 origin = mirrorPoint(state.ray.origin, state.ray.mirrorAxes);
    if (MANY_GRIDS) {
        origin = state.sceneOrigin;
    }
    if (HAS_MODEL(MODEL_THIN_GLASS)) {
        origin = origin - direction * state.path.straightDistance;
    }
    uint emits;
    uint isWeighed = state.path.bsdfPdf >= 0.0f ? 1u : 0u; // what the camera and mirrors see counts in full
    arrival.lightPdf = emitterPdf(params, state.instance, origin, direction, state.from.voxel, isWeighed, emits);
    arrival.emission = emits != 0u ? arrival.emission : vec3(0.0f);
}

/// Stands the path at a hit, or where it leaves a solid (`leaving`), and finds what it scatters at there. `normal` is
/// that of a surface within the voxel, or 0 where the voxel's faces are hit.
SHARED_INLINE Arrival voxelPathStand(uint64_t params, INOUT(VoxelPath, state), VoxelHit hit, VoxelSurface surface,
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
    if (HAS_MODEL(MODEL_THIN_GLASS)) {
        state.from.pane = voxelPaneNormal(params, surface, state.from.side);
    }
    arrival.position = scenePointOf(params, state.instance, state.from.position);
    vec3 side = state.from.side;
    if (MANY_GRIDS) {
        arrival.distance = length(arrival.position - state.sceneOrigin);
        direction = state.sceneDirection;
        side = sceneNormalOf(params, state.instance, side);
        state.hit.surface.normal = sceneNormalOf(params, state.instance, state.hit.surface.normal);
    }
    VoxelMaterial entry = voxelMaterial(params, surface);
    uint entering = 1u;
    arrival.emission = entry.emission;
    arrival.lightPdf = 0.0f;
    if (HAS_TRANSMISSION) {
        if (leaving != 0u && entry.material != state.rayMedium - 1u) {
            entry.material = state.rayMedium - 1u;
            arrival.emission = vec3(0.0f); // that of something else in the solid's last voxel
        }
        entering = voxelEntered(params, state, surface, entry.material, leaving);
    }
    state.hit = voxelScatterer(params, surface, state.hit.surface.normal, sideAgainst(side, direction), entry.material,
                               -direction, entering);
    state.hit.pane = isClearPane(state.hit.surface.model, state.hit.surface.eta, entry.emission);
    if (leaving == 0u && luminanceOf(entry.emission) > 0.0f) {
        voxelMeetLamp(params, state, direction, arrival);
    }
    return arrival;
}

/// Draws a light, and a point on it, for the path to connect to.
SHARED_INLINE LightSample voxelPathLight(uint64_t params, INOUT(VoxelPath, state)) {
    uint64_t lights = PATH_LIGHTS(params);
    // The point, which matters most, has a pair of its own; all choices share the other one.
    uvec4 bits = rngNextBits(state.path.rng);
    vec2 u = vec2(unitFloat(bits.x), unitFloat(bits.y));
    float left;
    LightReceiver receiver;
    receiver.point = scenePointOf(params, state.instance, state.from.position);
    receiver.normal = state.hit.surface.normal;
    receiver.sides = sidesReceived(state.hit);
    LightPick pick = chooseLight(lights, receiver, uvec2(bits.w, bits.z), left);
    LightSample s;
    state.hasTarget = (pick.light & LIGHT_LEAF_BOX) != 0u ? 1u : 0u;
    if (state.hasTarget != 0u) {
        state.target = pick.light & LIGHT_LEAF_INDEX;
        s = sampleEmitter(params, pick, receiver.point, vec3(u, left));
    } else {
        s = sampleLight(lights, pick, receiver.point, bits.z, left, u);
    }
    return s;
}

/// Draws the light that a path which stands at `from` connects to.
SHARED_INLINE void voxelPathConnect(uint64_t params, INOUT(VoxelPath, state)) {
    LightSample s = voxelPathLight(params, state);
    state.shadow = pathConnect(params, state.path, state.hit, s);
    voxelPathForget(state);
}

/// Takes a connection that has passed so many panes, and come to the one where the path now stands, on through that, or
/// to its light, if that stands before it and is no lamp (of one, what is hit tells).
SHARED_INLINE void voxelConnectionArrive(uint64_t params, INOUT(VoxelPath, state), Arrival arrival, uint passed) {
    state.shadow.direction = -state.hit.outgoing;
    state.path.depth += passed;
    if (MANY_GRIDS && HAS_MEDIA) {
        float way = state.hasTarget == 0u ? min(arrival.distance, state.shadow.distance) : arrival.distance;
        state.shadow.contribution =
            state.shadow.contribution * segmentTransmittance(params, state.path.rng,
                                                             mediumOfArrival(state.path.medium, state.hit),
                                                             state.sceneOrigin, state.sceneDirection, way);
    }
    if (state.hasTarget == 0u && arrival.distance >= state.shadow.distance) {
        pathGather(state.path, state.shadow.contribution, state.shadow.lightGroup);
        state.shadow.contribution = vec3(0.0f);
        return;
    }
    state.path.depth += 1u;
    state.shadow = connectThroughPane(params, state.shadow, state.hit, arrival.distance, state.path.depth, passed + 1u);
}

/// Starts the shadow ray of a path's connection, from where the path stands, where it takes one: PHASE_SHADOW.
SHARED_INLINE void voxelShadowBegin(uint64_t params, INOUT(VoxelPath, state)) {
    vec3 c = state.shadow.contribution;
    if (MANY_GRIDS && isInMedium(state.hit)) {
        if (largestOf(c) > 0.0f) {
            voxelRayInMedium(state, state.shadow.direction, PHASE_SHADOW);
        }
        return;
    }
    uint transmitted = HAS_TRANSMISSION ? state.shadow.transmitted : 0u;
    vec3 side = transmitted != 0u ? -state.from.side : state.from.side;
    vec3 inGrid = gridDirectionOf(params, state.instance, state.shadow.direction);
    if (largestOf(c) > 0.0f && dot(side, inGrid) > 0.0f) {
        uint medium = transmitted != 0u ? mediumAhead(state.path.medium, state.hit) : state.path.medium;
        state.rayMedium = voxelsWithin(medium, state.hit, transmitted);
        if (transmitted != 0u) {
            crossSurface(state.from);
        }
        bool misses = voxelRayFrom(params, state, inGrid, transmitted) == TRAVERSAL_MISS;
        if (MANY_GRIDS) {
            state.leavesGrid = misses ? 1u : 0u;
            misses = false;
        }
        if (!misses) {
            state.phase = PHASE_SHADOW;
        } else {
            if (transmitted != 0u) {
                crossSurface(state.from);
            }
            if (state.hasTarget == 0u) {
                pathGather(state.path, c, state.shadow.lightGroup);
            }
        }
    }
}

SHARED_END
#endif
