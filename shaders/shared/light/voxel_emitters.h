// Emissive voxels as lights: directions drawn into their boxes, and the density of those that a path finds by chance.
#ifndef AUREOLE_SHARED_VOXEL_EMITTERS_H
#define AUREOLE_SHARED_VOXEL_EMITTERS_H

#include "shared/surface/voxel_state.h"

SHARED_BEGIN

/// The number of the lamp that a box of an instance's octree is.
SHARED_INLINE uint lampOfBox(uint64_t params, uint instance, uint box) {
    uint lamp = box;
    if (MANY_GRIDS) {
        lamp = AT(GridInstance, AT(VoxelParams, params, 0).instances, instance).firstLamp + box;
    }
    return lamp;
}

/// Density per solid angle of finding by light sampling the emissive voxel of an instance that a ray from `point` hit,
/// as LightSample::misPdf has it; 0 where that cannot be, or where the path has no use for it: `isAsked` is 0. `emits`
/// is 0 where the ray came to a flat lamp by its rim. Point and direction are in the space of the scene; the box is
/// looked at in its grid, in which solid angles are others.
SHARED_INLINE float emitterPdf(uint64_t params, uint instance, vec3 point, vec3 direction, uvec3 voxel, uint isAsked,
                               OUT(uint, emits)) {
    emits = 1u;
    uint64_t lights = PATH_LIGHTS(params);
    uint placed = AT(LightParams, lights, 0).placed;
    if (placed >= AT(LightParams, lights, 0).lightCount) {
        return 0.0f;
    }
    uint64_t tables = AT(VoxelParams, params, 0).emitters;
    uint found = emitterRow(tables, voxel).box;
    if (found == NO_BOX) {
        return 0.0f;
    }
    EmitterBox box = AT(EmitterBox, AT(EmitterTables, tables, 0).boxes, found);
    vec3 from = point;
    float stretch = 1.0f;
    if (MANY_GRIDS) {
        from = pointInGrid(gridInstance(params, instance), point);
        stretch = solidAngleInGrid(gridInstance(params, instance), direction);
    }
    SeenBox seen = seeEmitterBox(box, from);
    vec3 d = intoBox(box, gridDirectionOf(params, instance, direction));
    float distance;
    uint side = sideEntered(seen, d, distance);
    emits = side == NO_SIDE || box.across == NO_SIDE || side == box.across ? 1u : 0u;
    if (isAsked == 0u || side == NO_SIDE || onAxis(seen.measure, side) <= 0.0f) {
        return 0.0f;
    }
    float probability =
        unfacedProbability(AT(LightParams, lights, 0).nodes, AT(LightParams, lights, 0).root,
                           AT(uint, AT(LightParams, lights, 0).trails, lampOfBox(params, instance, found)), point);
    return AT(Light, AT(LightParams, lights, 0).lights, placed).probability * probability *
           sidePdf(seen, side, d, distance) * stretch;
}

/// Samples a direction from `point` into an emitter box that was drawn, for uniform numbers. Its pdf is 0 where the
/// point is within the box. The distance is that of the box, no more than what is in it; the radiance is 1, of which
/// emitterRadiance says what it becomes.
SHARED_INLINE LightSample sampleEmitter(uint64_t params, LightPick pick, vec3 point, vec3 u) {
    uint lamp = pick.light & LIGHT_LEAF_INDEX;
    uint64_t owner = params; // of the lamp's octree
    uint instance = 0u;
    vec3 from = point;
    if (MANY_GRIDS) {
        GridLamp which = AT(GridLamp, AT(VoxelParams, params, 0).lamps, lamp);
        instance = which.instance;
        lamp = which.box;
        owner = paramsOfInstance(params, instance);
        from = pointInGrid(gridInstance(params, instance), point);
    }
    uint64_t tables = AT(VoxelParams, owner, 0).emitters;
    EmitterBox box = AT(EmitterBox, AT(EmitterTables, tables, 0).boxes, lamp);
    LightSample s;
    s.direction = vec3(0.0f, 1.0f, 0.0f);
    s.distance = LIGHT_FAR;
    s.radiance = vec3(0.0f);
    s.pdf = 0.0f;
    s.misPdf = 0.0f;
    s.isDelta = 0u;
    s.group = 0u;
    SeenBox seen = seeEmitterBox(box, from);
    uint side = chooseSide(seen, u.z);
    if (side == NO_SIDE) {
        return s;
    }
    vec3 towards = sampleSide(seen, side, vec2(u.x, u.y));
    s.distance = length(towards);
    towards = towards / s.distance;
    s.direction = normalize(outOfBox(box, towards));
    s.radiance = vec3(1.0f);
    s.pdf = sidePdf(seen, side, towards, s.distance);
    if (MANY_GRIDS) {
        vec3 inScene = vectorInScene(gridInstance(params, instance), s.direction);
        float longer = length(inScene);
        s.direction = inScene / longer;
        s.distance *= longer;
        s.pdf *= solidAngleInGrid(gridInstance(params, instance), s.direction);
    }
    s.group = AT(MaterialTraits, AT(PathParams, owner, 0).materials, box.material).lightGroup;
    return ofPick(pick, s);
}

/// What light from a lamp that a ray was sent to is multiplied by where that hit a voxel of an instance: its emission,
/// or 0 where it is not in the lamp's box.
SHARED_INLINE vec3 emitterRadiance(uint64_t params, uint target, uint instance, uvec3 voxel) {
    uint64_t owner = params;
    uint box = target;
    if (MANY_GRIDS) {
        GridLamp lamp = AT(GridLamp, AT(VoxelParams, params, 0).lamps, target);
        if (lamp.instance != instance) {
            return vec3(0.0f);
        }
        owner = paramsOfInstance(params, instance);
        box = lamp.box;
    }
    EmitterRow row = emitterRow(AT(VoxelParams, owner, 0).emitters, voxel);
    if (row.box != box) {
        return vec3(0.0f);
    }
    return AT(VoxelMaterial, AT(OctreeView, VOXEL_OCTREE(owner), 0).palette, row.entry).emission;
}

SHARED_END
#endif
