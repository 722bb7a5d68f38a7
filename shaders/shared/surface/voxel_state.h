// What paths through voxels need, and what one of them carries.
#ifndef AUREOLE_SHARED_VOXEL_STATE_H
#define AUREOLE_SHARED_VOXEL_STATE_H

#include "shared/light/emitter_boxes.h"
#include "shared/octree/grid_instance.h"
#include "shared/path/path.h"
#include "shared/surface/sheet.h"
#include "shared/surface/surface_hit.h"
#include "shared/surface/voxel_glass.h"

SHARED_BEGIN

/// All that a path needs. Lengths and positions are those of the grid, which fills [1, 2]^3.
///
/// A scene of several octrees has these for each of them, one behind the other. What an octree has is its own, emitters
/// included; the rest is alike in all, materials included, and `path` is in the space of the scene.
struct VoxelParams {
    PathParams path;
    OctreeView octree;
    uint64_t emitters;  ///< EmitterTables of the emissive voxels, 0 where there are none
    uint smoothNormals; ///< 0: a voxel's faces are its normals
    float voxelSize;
    vec3 boxLow; ///< the part of the grid in use
    vec3 boxHigh;
    uint firstSample; ///< absolute index of the first sample of the pass, and of the sample after its last
    uint endSample;
    uint batchSize;         ///< samples of one work item
    uint tileCount;         ///< tiles of pixels that get samples
    uint64_t tiles;         ///< their indices; 0: all, in order
    uint64_t grids;         ///< of a scene of several octrees the VoxelParams of the first of them, and the next three
    uint64_t instances;     ///< GridInstance
    uint64_t instanceNodes; ///< InstanceNode
    uint64_t lamps;         ///< GridLamp
    uint64_t ownGlass;      ///< a bit for each material that is a solid of glass of this octree; 0: none is
    uint64_t moving;        ///< for each instance its number among those that move while the shutter is open, or
                            ///< NO_INSTANCE; 0: none moves
    uint64_t poses;         ///< MotionPose of these, those of one after those of the other
};
SHARED_ARRAY(VoxelParams, 8)

/// Whether the scene has several octrees. GLSL includers may define it as a specialization constant.
#ifndef MANY_GRIDS
#define MANY_GRIDS false
#endif

/// The bytes of VoxelParams.
#define VOXEL_PARAMS_SIZE (PATH_PARAMS_SIZE + uint64_t(2224))

#define VOXEL_OCTREE(params) ((params) + PATH_PARAMS_SIZE)
#ifdef __cplusplus
static_assert(offsetof(VoxelParams, path) == 0 && offsetof(VoxelParams, octree) == PATH_PARAMS_SIZE);
static_assert(sizeof(VoxelParams) == VOXEL_PARAMS_SIZE);
#endif

/// The ray is in a solid, it is not known of which glass yet: the camera stands in it.
#define MEDIUM_UNKNOWN 0xFFFFFFFFu

#define PHASE_IDLE 0u
#define PHASE_PATH 1u   ///< the ray looks for the path's next hit
#define PHASE_SHADOW 2u ///< the ray tests a connection to a light; the path waits at `from`

/// One path on its way, and the ray that it waits for.
struct VoxelPath {
    PathState path;
    Traversal ray;
    uint phase;
    VoxelPoint from; ///< the surface that the ray leaves
    SurfaceHit hit;  ///< what the path scatters at there
    LightConnection shadow;
    uint target; ///< the EmitterBox of whose voxels the shadow ray must hit one, where hasTarget is 1
    uint hasTarget;
    float passedAt;   ///< distance at which the ray left the last voxel that it passed; 0 where it started in one
    uint passedSheet; ///< sheet of that voxel (sheet.h); with surfaces within voxels, the side that the ray is on,
                      ///< which has the bits of a sheet
    uint rayMedium;   ///< medium that the ray goes through: number plus 1 of the material whose voxels it passes,
                      ///< MEDIUM_NONE or MEDIUM_UNKNOWN
    uint crossed;     ///< 1: the ray started on the other side of the surface at `from`
    uint raysStarted;
    // Of scenes of several octrees: `hit` and `shadow` are in the space of the scene, all else in that of the grid.
    uint instance;       ///< whose grid the ray, and `from`, are in
    uint leavesGrid;     ///< 1: the ray that was started leaves its grid at once
    vec3 sceneOrigin;    ///< where the ray that arrived came from, in the scene
    vec3 sceneDirection; ///< of that ray; of one that starts within a medium, its own
};

/// Whether instances move while the shutter is open, and the time of the path at hand (timeOfSample). GLSL includers
/// may define the first by a specialization constant.
#ifndef INSTANCES_MOVE
#define INSTANCES_MOVE false
#define PATH_TIME 0.0f
#endif

/// The parameters of the octree of that number; `params` are those of any.
SHARED_INLINE uint64_t paramsOfGrid(uint64_t params, uint grid) {
    return AT(VoxelParams, params, 0).grids + uint64_t(grid) * VOXEL_PARAMS_SIZE;
}

/// An instance where it is at the time of the path.
SHARED_INLINE GridInstance gridInstance(uint64_t params, uint instance) {
    uint64_t instances = AT(VoxelParams, params, 0).instances;
    uint number = NO_INSTANCE;
    if (INSTANCES_MOVE) {
        number = AT(uint, AT(VoxelParams, params, 0).moving, instance);
    }
    GridInstance found;
    if (number == NO_INSTANCE) {
        found = AT(GridInstance, instances, instance);
    } else { // of what moves no more is read than stays as it is
        found.grid = AT(GridInstance, instances, instance).grid;
        found.boxHigh = AT(GridInstance, instances, instance).boxHigh;
        found.octree = AT(GridInstance, instances, instance).octree;
        found.firstLamp = AT(GridInstance, instances, instance).firstLamp;
        uint steps = AT(PathParams, params, 0).motionSteps;
        uint64_t poses = AT(VoxelParams, params, 0).poses;
        found = instanceInPose(found, poseAt(poses, number * (steps + 1u), steps, PATH_TIME));
    }
    return found;
}

/// The parameters of the octree that an instance is of.
SHARED_INLINE uint64_t paramsOfInstance(uint64_t params, uint instance) {
    return paramsOfGrid(params, AT(GridInstance, AT(VoxelParams, params, 0).instances, instance).grid);
}

/// Whether what a path keeps in the space of its grid is in one of an instance: at a point within a medium it is in the
/// space of the scene, as that may be anywhere.
#define IS_IN_GRID(instance) (MANY_GRIDS && !(HAS_MEDIA && (instance) == NO_INSTANCE))

// From the grid that a path is in to the space of the scene, in which light is sampled and scattered, and back. Of a
// scene of one octree the two are the same.

SHARED_INLINE vec3 scenePointOf(uint64_t params, uint instance, vec3 point) {
    vec3 result = point;
    if (IS_IN_GRID(instance)) {
        result = pointInScene(gridInstance(params, instance), point);
    }
    return result;
}

SHARED_INLINE vec3 sceneNormalOf(uint64_t params, uint instance, vec3 normal) {
    vec3 result = normal;
    if (IS_IN_GRID(instance)) {
        result = normalInScene(gridInstance(params, instance), normal);
    }
    return result;
}

/// A direction of unit length, likewise.
SHARED_INLINE vec3 gridDirectionOf(uint64_t params, uint instance, vec3 direction) {
    vec3 result = direction;
    if (IS_IN_GRID(instance)) {
        result = normalize(vectorInGrid(gridInstance(params, instance), direction));
    }
    return result;
}

/// Sets what the scene's materials do without to what it always is, so that a path carries nothing of it along.
SHARED_INLINE void voxelPathForget(INOUT(VoxelPath, state)) {
    if (!HAS_TRANSMISSION) {
        state.path.medium = MEDIUM_NONE;
        state.rayMedium = MEDIUM_NONE;
        state.crossed = 0u;
        state.shadow.transmitted = 0u;
        state.hit.entering = 1u;
        state.hit.material = 0u;
    }
    if (!HAS_MODEL(MODEL_DIELECTRIC)) {
        state.path.compression = 0.0f;
    }
    forgetUnused(state.hit.surface);
    if (!HAS_MODEL(MODEL_THIN_GLASS)) {
        state.path.straightDistance = 0.0f;
        state.hit.pane = 0u;
    }
    if (!HAS_TRAITS) {
        state.hit.outgoing = vec3(0.0f);
        state.hit.surface = mattScatterer(state.hit.surface.normal, state.hit.surface.albedo);
    }
    if (HAS_LAYERS(state.path)) {
        return;
    }
    state.shadow.lightGroup = 0u;
}

SHARED_END
#endif
