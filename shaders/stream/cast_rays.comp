#version 460
#include "shared/lang.h"
#include "shared/specialization.h"

// Traces given rays through the octree, one invocation a ray, a limited number of steps a dispatch.

layout(local_size_x = 64) in;
layout(constant_id = SPEC_TRACE_OCTREE_ENCODING) const uint kEncoding = 0u;
#define OCTREE_ENCODING(view) kEncoding

#include "path/traversal_memory.glsl"

#include "shared/stream/ray_work.h"

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer StateArray {
    RaySavedState at[];
};
layout(buffer_reference, scalar, buffer_reference_align = 4) writeonly buffer HitArray {
    RayHit at[];
};
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer CompletedRef {
    uint value;
};

layout(push_constant, scalar) uniform Push {
    RayPush push;
};

void main() {
    prepareTraversal(push.octree);
    uint i = gl_GlobalInvocationID.x;
    if (i >= push.rayCount) {
        return;
    }
    RaySavedState saved = StateArray(push.states).at[i];
    if (push.fresh != 0u) {
        saved.status = TRAVERSAL_RUNNING;
        saved.side = SIDE_UNKNOWN;
    } else if (saved.status != TRAVERSAL_RUNNING) {
        return;
    }
    Traversal ray;
    GridRay given = AT(GridRay, push.rays, i);
    traversalBegin(push.octree, given.origin, given.direction, given.inverse, given.cell, ray);
    if (push.fresh == 0u) {
        resumeTraversal(saved.suspended, ray);
        traversalLoadStart(push.octree, ray);
    }
    uint steps = push.steps;
    RayHit hit;
    uint status = castRay(push.octree, ray, saved.side, steps, hit);
    saved.suspended = suspendTraversal(ray);
    saved.status = status;
    StateArray(push.states).at[i] = saved;
    if (status != TRAVERSAL_RUNNING) {
        HitArray(push.hits).at[i] = hit;
        atomicAdd(CompletedRef(push.completed).value, 1u);
    }
}
