// Rays given from outside, and what they hit: the interface of cast_rays.comp.
#ifndef AUREOLE_SHARED_RAY_WORK_H
#define AUREOLE_SHARED_RAY_WORK_H

#include "shared/octree/ray_record.h"
#include "shared/surface/surface_hit.h"

SHARED_BEGIN

/// A ray that starts in the grid, as traversalBegin takes it.
struct GridRay {
    vec3 origin;
    vec3 direction;
    vec3 inverse;
    uvec3 cell;
};
SHARED_ARRAY(GridRay, 4)

struct RayHit {
    uvec3 voxel;
    uint face;      ///< by which the ray entered the voxel; RAY_MISSED where nothing was hit: the other members are 0
    float distance; ///< to the voxel, or the surface within
};
SHARED_ARRAY(RayHit, 4)

#define RAY_MISSED 7u

/// A ray between two dispatches.
struct RaySavedState {
    uvec4 suspended; ///< suspendTraversal
    uint status;
    uint side; ///< of the surface that the ray is on
};
SHARED_ARRAY(RaySavedState, 4)

struct RayPush {
    uint64_t octree;    ///< OctreeView
    uint64_t rays;      ///< GridRay
    uint64_t states;    ///< RaySavedState
    uint64_t hits;      ///< RayHit
    uint64_t completed; ///< uint: rays that ended
    uint rayCount;
    uint steps; ///< at most, in one dispatch
    uint fresh; ///< 1 in the first dispatch
    uint padding;
};

/// What a test of a surface within a voxel counts in steps.
#define RAY_SURFACE_STEPS 32u

/// Goes on with a ray until it meets something, for at most about `steps` steps, which is reduced by those taken.
/// `result` is set unless it returns TRAVERSAL_RUNNING.
SHARED_INLINE uint castRay(uint64_t view, INOUT(Traversal, ray), INOUT(uint, side), INOUT(uint, steps),
                           OUT(RayHit, result)) {
    result.voxel = uvec3(0u);
    result.face = RAY_MISSED;
    result.distance = 0.0f;
    uint status = TRAVERSAL_RUNNING;
    while (status == TRAVERSAL_RUNNING && steps > 0u) {
        status = traversalRun(view, ray, steps);
        if (status != TRAVERSAL_HIT) {
            continue;
        }
        VoxelHit hit = traversalHit(view, ray);
        if (SURFACE_WITHIN(view)) {
            vec3 normal;
            steps -= min(steps, RAY_SURFACE_STEPS);
            if (surfaceMet(view, ray, hitAttributeIndex(view, hit), side, normal) == 0u) {
                status = traversalSkip(view, ray);
                continue;
            }
            hit.distance = surfaceDistance(ray);
        }
        result.voxel = hit.voxel;
        result.face = hit.face;
        result.distance = hit.distance;
    }
    return status;
}

SHARED_END
#endif
