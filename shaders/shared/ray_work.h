// Rays given from outside, and what they hit: the interface of cast_rays.comp.
#ifndef AUREOLE_SHARED_RAY_WORK_H
#define AUREOLE_SHARED_RAY_WORK_H

#include "shared/traversal.h"

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
    uint face; ///< RAY_MISSED where nothing was hit; the other members are then 0
    float distance;
};
SHARED_ARRAY(RayHit, 4)

#define RAY_MISSED 7u

/// Where an unfinished ray goes on.
struct RaySavedState {
    uvec3 position;
    uint axis;
    uint status;
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

SHARED_INLINE RayHit rayHit(uint64_t octree, Traversal ray, uint status) {
    RayHit result;
    result.voxel = uvec3(0u);
    result.face = RAY_MISSED;
    result.distance = 0.0f;
    if (status == TRAVERSAL_HIT) {
        VoxelHit hit = traversalHit(octree, ray);
        result.voxel = hit.voxel;
        result.face = hit.face;
        result.distance = hit.distance;
    }
    return result;
}

SHARED_END
#endif
