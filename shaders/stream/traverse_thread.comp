#version 460
#include "shared/lang.h"

// Traces rays in a buffer, one invocation a ray. The rounds of a dispatch are limited; what is unfinished goes on in
// the next one.

#include "stream/traverse_stream.glsl"

void main() {
    prepareTraversal(push.octree);
    uint i = invocationIndex();
    uint status = TRAVERSAL_MISS;
    uint steps = 0u;
    uint isMine = 0u;
    Traversal ray;
    uint key = 0u;
    RayWay way = rayWayFrom(SIDE_UNKNOWN);
    uint depth = kCoarseStart && i < push.count ? coarseDepth(i) : 0u;
    if (depth == COARSE_NOTHING) {
        HitArray(push.hits).at[i] = packMiss(); // no ray in this place meets anything
    } else if (i < push.count) {
        RayRecord record = AT(RayRecord, push.rays, i);
        isMine = isRay(record);
        HitRecord left;
        if (isMine != 0u && push.fresh == 0u) {
            left = HitArray(push.hits).at[i];
            isMine = isSuspended(left);
        }
        if (isMine != 0u) {
            raySet(record, rayReciprocals(record), ray);
            status = TRAVERSAL_RUNNING;
            if (push.fresh == 0u) {
                way.side = sideOf(resumeSuspended(left, ray));
            } else if (kCoarseStart) {
                status = coarseStart(ray, push.eye, 0.0, uintBitsToFloat(depth));
            }
            traversalLoadStart(push.octree, ray);
            key = traversalKey(ray);
        }
    }
    for (uint round = 0u; round < push.rounds && status == TRAVERSAL_RUNNING; ++round) {
        status = runRound(key, ray, way, steps);
    }
    if (isMine != 0u) {
        if (status == TRAVERSAL_RUNNING) {
            suspendRay(i, ray, way);
        } else {
            endRay(i, key, ray, status);
        }
    }
    if (kCounting) {
        subgroupBarrier();
        uint slots = subgroupMax(steps);
        addCounters(steps, slots, way.looks, isMine != 0u && status == TRAVERSAL_HIT ? 1u : 0u);
    }
}
