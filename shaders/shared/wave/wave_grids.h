// The rays of waves in a scene of several octrees. A ray is kept in the grid of the instance that it starts in, as in a
// scene of one octree, so that what is known of its start holds there; one of the camera is in the space of the scene.
// In each instance that it comes to it is a ray of that grid, of unit length there.
#ifndef AUREOLE_SHARED_WAVE_GRIDS_H
#define AUREOLE_SHARED_WAVE_GRIDS_H

#include "shared/path/voxel_path.h"
#include "shared/wave/wave_ray.h"

SHARED_BEGIN

/// How far outside of a grid, in its voxels, a ray may start that knows the sheet it leaves.
#define NEAR_START 2.0f
/// What a ray moves along, in voxels of the grid that it starts in, before it comes to cubes of others: a face that
/// belongs to both of two instances is then behind it whatever rounding does.
#define START_STEP 0.004f

/// A ray in the space of the scene.
struct SceneRay {
    vec3 origin;
    vec3 direction; ///< unit length
    float step;     ///< by which its start is moved along it in grids of cubes but the one that it starts in:
                    ///< START_STEP voxels of that one, as long as these are there along the ray
};

/// A ray in an instance's grid, where it comes to that.
struct InstanceRay {
    RayRecord ray;   ///< noRay: it does not
    float travelled; ///< from its start to where the record starts, in the scene
    float stretch;   ///< what is 1 long along the ray in the scene is so long in the grid
    float step;      ///< that it was moved along by, in the scene; it is part of `travelled`
    uint medium;     ///< that it is in there, as in WaveGlassRay
};

/// The ray of the camera, or of a point within a medium, as a record, before it is in any instance.
SHARED_INLINE RayRecord packSceneRay(vec3 origin, vec3 direction) {
    RayRecord ray;
    ray.origin = uvec4(floatBitsToUint(origin.x), floatBitsToUint(origin.y), floatBitsToUint(origin.z), 0u);
    ray.direction = uvec4(floatBitsToUint(direction.x), floatBitsToUint(direction.y), floatBitsToUint(direction.z), 0u);
    return ray;
}

/// A record of a ray that starts in `instance`, or NO_INSTANCE, in the space of the scene.
SHARED_INLINE SceneRay sceneRay(uint64_t params, RayRecord ray, uint instance) {
    SceneRay scene;
    if (instance == NO_INSTANCE) {
        scene.origin = uintBitsToFloat(rayStart(ray));
        scene.direction = rayMagnitudes(ray);
        scene.step = 0.0f;
        return scene;
    }
    GridInstance from = gridInstance(params, instance);
    uint mirrored = rayMirrorAxes(ray);
    vec3 d = rayMagnitudes(ray);
    d = vec3((mirrored & 1u) != 0u ? -d.x : d.x, (mirrored & 2u) != 0u ? -d.y : d.y,
             (mirrored & 4u) != 0u ? -d.z : d.z);
    scene.origin = pointInScene(from, mirrorPoint(uintBitsToFloat(rayStart(ray)), mirrored));
    vec3 along = vectorInScene(from, d);
    scene.direction = normalize(along);
    scene.step = START_STEP * voxelSizeOf(from.octree.levels) * length(along);
    return scene;
}

/// The sheet that a ray leaves in the instance `start` as the grid of another one has it. A field's rays know a side of
/// it, which is another field's no more.
SHARED_INLINE uint sheetInOther(uint64_t params, RayRecord ray, uint start, GridInstance other) {
    uint sheet = raySheet(ray);
    if (sheet == NO_SHEET || OCTREE_ENCODING(VOXEL_OCTREE(paramsOfInstance(params, start))) == OCTREE_FIELD ||
        OCTREE_ENCODING(VOXEL_OCTREE(paramsOfGrid(params, other.grid))) == OCTREE_FIELD) {
        return NO_SHEET;
    }
    vec3 normal = normalInScene(gridInstance(params, start), unpackNormal(sheet & 0xFFFFFFu));
    return (sheet & ~0xFFFFFFu & WAVE_SHEET_MASK) | packNormal(normalInGrid(other, normal));
}

/// Whether a medium is a solid of glass that this octree has.
SHARED_INLINE uint isGlassOf(uint64_t params, uint medium) {
    uint64_t own = AT(VoxelParams, params, 0).ownGlass;
    if (own == uint64_t(0) || medium == MEDIUM_NONE || medium == MEDIUM_UNKNOWN) {
        return 0u;
    }
    return (AT(uint, own, (medium - 1u) >> 5u) >> ((medium - 1u) & 31u)) & 1u;
}

/// What a ray in `medium`, as in WaveGlassRay, goes through in the grid that it starts in: the glass of another octree
/// is none of this one's voxels.
SHARED_INLINE uint mediumAtStart(uint64_t params, uint medium) {
    uint known = unpackMedium(medium);
    if (known == MEDIUM_NONE || isGlassOf(params, known) != 0u ||
        voxelTraits(params, known - 1u).model == MODEL_THIN_GLASS) {
        return medium;
    }
    return packMedium(MEDIUM_NONE, medium >> 31u);
}

/// Whether a point is in a voxel of a grid.
SHARED_INLINE uint solidAt(uint64_t view, vec3 point) {
    if (min(point.x, min(point.y, point.z)) < 1.0f || max(point.x, max(point.y, point.z)) >= 2.0f) {
        return 0u;
    }
    uint shift = 23u - 2u * AT(OctreeView, view, 0).levels;
    uvec3 bits = floatBitsToUint(point);
    return octreeSolid(
        view, uvec3((bits.x & 0x7FFFFFu) >> shift, (bits.y & 0x7FFFFFu) >> shift, (bits.z & 0x7FFFFFu) >> shift));
}

#define GLASS_NONE 0u   ///< a ray starts in no glass of an octree
#define GLASS_WITHIN 1u ///< it starts within
#define GLASS_AHEAD 2u  ///< it starts at a face of it, in no glass, and comes in by that

/// Where a ray starts with regard to the glass of an octree of cubes, in which it is at `origin`, after a step of which
/// `back` is twice.
SHARED_INLINE uint glassAtStart(uint64_t params, uint medium, vec3 origin, vec3 back) {
    uint64_t view = VOXEL_OCTREE(params);
    if (AT(VoxelParams, params, 0).ownGlass == uint64_t(0) || SURFACE_WITHIN(view) || solidAt(view, origin) == 0u) {
        return GLASS_NONE;
    }
    if (unpackMedium(medium) == MEDIUM_NONE && dot(back, back) > 0.0f && solidAt(view, origin - back) == 0u) {
        return GLASS_AHEAD;
    }
    return GLASS_WITHIN;
}

/// The medium in the grid of another instance, where the ray starts so with regard to its glass (GLASS_). A path knows
/// the solid whose surface it crossed last alone. Of cubes, the voxels of others tell that it is in them; surfaces
/// within voxels tell when they are met from inside.
SHARED_INLINE uint mediumInOther(uint64_t params, uint medium, uint glass) {
    uint known = isGlassOf(params, unpackMedium(medium)) != 0u ? unpackMedium(medium) : MEDIUM_NONE;
    if (!SURFACE_WITHIN(VOXEL_OCTREE(params))) {
        known = glass != GLASS_WITHIN ? MEDIUM_NONE : known == MEDIUM_NONE ? MEDIUM_UNKNOWN : known;
    }
    return packMedium(known, 0u);
}

/// A ray, in `medium` (WaveGlassRay), in the grid of the instance that it starts in.
SHARED_INLINE InstanceRay rayInOwn(uint64_t params, RayRecord ray, uint medium, SceneRay scene, GridInstance grid) {
    InstanceRay found;
    found.ray = ray;
    found.travelled = 0.0f;
    found.stretch = length(vectorInGrid(grid, scene.direction));
    found.step = 0.0f;
    found.medium = MEDIUM_NONE;
    if (HAS_TRANSMISSION) {
        found.medium = mediumAtStart(paramsOfGrid(params, grid.grid), medium);
    }
    return found;
}

/// A ray that starts in the instance `start`, in `medium` (WaveGlassRay), in the grid of another instance. There it
/// starts from no voxel: those of a sheet that runs along the one that it leaves are passed as if they were of that
/// (sheet.h), so that instances may touch and overlap as what is in one grid may. With glass, voxels of that grid are
/// looked up.
SHARED_INLINE InstanceRay rayInOther(uint64_t params, RayRecord ray, uint medium, uint start, SceneRay scene,
                                     GridInstance grid) {
    uint64_t own = paramsOfGrid(params, grid.grid);
    uint64_t view = VOXEL_OCTREE(own);
    InstanceRay found;
    found.travelled = 0.0f;
    PRECISE vec3 along = vectorInGrid(grid, scene.direction);
    found.stretch = length(along);
    found.step = 0.0f;
    found.medium = MEDIUM_NONE;
    found.ray = noRay(0u);
    vec3 direction = traversalDirection(along / found.stretch);
    vec3 inverse = vec3(1.0f) / direction;
    vec3 origin = pointInGrid(grid, scene.origin);
    if (start != NO_INSTANCE && OCTREE_ENCODING(view) != OCTREE_PLANES && OCTREE_ENCODING(view) != OCTREE_FIELD) {
        found.step = scene.step;
        origin = origin + along * found.step;
    }
    uint glass = GLASS_NONE;
    if (HAS_TRANSMISSION) {
        vec3 back = along * (2.0f * found.step);
        glass = glassAtStart(own, medium, origin, back);
        found.medium = mediumInOther(own, medium, glass);
        if (glass == GLASS_AHEAD) {
            origin = origin - back;
            found.step = -found.step;
        }
    }
    float travelled;
    uint axis;
    if (clipToBox(vec3(1.0f), grid.boxHigh, origin, direction, inverse, travelled, axis) == 0u) {
        return found;
    }
    found.travelled = travelled / found.stretch + found.step;
    uvec3 cell = entryCell(origin, direction, axis, grid.octree.levels);
    uint sheet = NO_SHEET;
    // Within glass it is none of the glass's own: by it, the way out would be taken for a notch.
    if (start != NO_INSTANCE && glass == GLASS_NONE && travelled < NEAR_START * voxelSizeOf(grid.octree.levels)) {
        sheet = sheetInOther(params, ray, start, grid);
    }
    Traversal state;
    traversalPlace(view, origin, direction, inverse, cell, state); // nodes at hand may be those of another octree
    found.ray = packTraversal(state, axis, NO_SHEET, sheet | WAVE_LEAVES_FACE | WAVE_FROM_WITHIN);
    return found;
}

/// A ray that starts, of which nothing is known yet but where: `reach` is the distance, in the scene, at which it ends.
SHARED_INLINE WaveGridRay beginGridRay(uint instance, uint cursor, float reach) {
    return packGridRay(uvec4(0u), instance, cursor, reach, NO_INSTANCE);
}

/// Starts sample `index` of a pixel (of the full picture) in a scene of several octrees, as voxelPathBegin does in one
/// of one: `ray` is the camera's, cut off where it comes into the box around all instances.
SHARED_INLINE void scenePathBegin(uint64_t params, INOUT(VoxelPath, state), uvec2 pixel, uint index,
                                  OUT(RayRecord, ray)) {
    uint width = AT(VoxelParams, params, 0).path.camera.size.x;
    state.path = beginPath(params, pixel.y * width + pixel.x, index);
    CameraRay seen = pathCameraRay(params, pixel, state.path.rng);
    state.from.side = vec3(0.0f);
    state.from.pane = vec3(0.0f);
    state.rayMedium = state.path.medium;
    state.crossed = 0u;
    state.phase = PHASE_PATH;
    state.raysStarted += 1u;
    InstanceNode root = AT(InstanceNode, AT(VoxelParams, params, 0).instanceNodes, 0);
    vec3 direction = traversalDirection(seen.direction);
    vec3 origin = seen.origin;
    float travelled;
    uint axis;
    ray = noRay(0u);
    uint meets = clipToBox(root.low, root.high, origin, direction, vec3(1.0f) / direction, travelled, axis);
    if (HAS_MEDIA) {
        origin = seen.origin; // from there on a medium may scatter it
    } else if (meets == 0u) {
        pathMiss(params, state.path, seen.direction);
        state.phase = PHASE_IDLE;
        return;
    }
    if (HAS_MODEL(MODEL_DIELECTRIC) && (travelled > 0.0f || meets == 0u)) {
        state.path.compression = 1.0f; // the camera is outside of everything
    }
    ray = packSceneRay(origin, seen.direction);
}

SHARED_END
#endif
