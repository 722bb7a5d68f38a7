#version 460
#include "shared/lang.h"

// Traces rays in a buffer by persistent threads (Aila and Laine, "Understanding the Efficiency of Ray Traversal on
// GPUs", 2009). Every round, a subgroup looks for lanes whose rays have ended; where they are enough, it writes their
// hits and fetches as many rays: ballot, exclusive scan, one atomic. The rounds of a dispatch are limited; where they
// end, each lane keeps the number of its ray for the next one.

#include "stream/traverse_stream.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer LaneArray {
    uint at[];
};

// By way of a parameter, as in stream_records.glsl.
void storeLane(uint lane, uint value) {
    LaneArray(push.lanes).at[lane] = value;
}

const uint kNoRay = 0xFFFFFFFFu;

uint index = kNoRay; // of the ray that this lane has
uint key = 0u;       // its traversalKey
uint status = TRAVERSAL_MISS;
uint hitCount = 0u;

// The end of a ray that is not running, where the lane has one.
void settle(Traversal ray) {
    if (index != kNoRay) {
        endRay(index, key, ray, status);
        hitCount += status == TRAVERSAL_HIT ? 1u : 0u;
        index = kNoRay;
    }
}

// Fetches rays for the `count` idle lanes of the subgroup. Returns whether these were the last ones.
bool refill(bool idle, uvec4 waiting, uint count, inout Traversal ray, inout RayWay way) {
    uint first = 0u;
    if (gl_SubgroupInvocationID == 0u) {
        first = atomicAdd(CounterRef(push.counters).value.next, count);
    }
    subgroupBarrier();
    first = subgroupBroadcast(first, 0u);
    subgroupBarrier();
    uint mine = first + subgroupBallotExclusiveBitCount(waiting);
    if (idle && mine < push.count) {
        RayRecord record = AT(RayRecord, push.rays, mine);
        if (isRay(record) != 0u) {
            rayBegin(push.octree, record, rayReciprocals(record), ray);
            index = mine;
            key = traversalKey(ray);
            way.side = SIDE_UNKNOWN;
            status = TRAVERSAL_RUNNING;
        }
    }
    return first + count >= push.count;
}

// Goes on with the ray that the lane kept when the dispatch before this one ended, if it had one.
void takeUp(uint lane, inout Traversal ray, inout RayWay way) {
    index = LaneArray(push.lanes).at[lane];
    if (index != kNoRay) {
        RayRecord record = AT(RayRecord, push.rays, index);
        raySet(record, rayReciprocals(record), ray);
        HitRecord left = HitArray(push.hits).at[index];
        way.side = sideOf(resumeSuspended(left, ray));
        traversalLoadStart(push.octree, ray);
        key = traversalKey(ray);
        status = TRAVERSAL_RUNNING;
    }
}

void main() {
    prepareTraversal(push.octree);
    Traversal ray;
    RayWay way = rayWayFrom(SIDE_UNKNOWN);
    uint lane = gl_GlobalInvocationID.x;
    if (push.fresh == 0u) {
        takeUp(lane, ray, way);
    }
    uint threshold = min(kRefillThreshold, gl_SubgroupSize);
    bool exhausted = false;
    uint steps = 0u;
    uint slots = 0u;
    for (uint round = 0u; round < push.rounds; ++round) {
        bool idle = status != TRAVERSAL_RUNNING;
        subgroupBarrier();
        uvec4 waiting = subgroupBallot(idle);
        subgroupBarrier();
        uint count = subgroupBallotBitCount(waiting);
        if (exhausted && count == gl_SubgroupSize) {
            break;
        }
        if (!exhausted && count >= threshold) {
            if (idle) {
                settle(ray);
            }
            exhausted = refill(idle, waiting, count, ray, way);
        }
        uint taken = 0u;
        if (status == TRAVERSAL_RUNNING) {
            status = runRound(key, ray, way, taken);
        }
        if (kCounting) {
            steps += taken;
            subgroupBarrier();
            slots += subgroupMax(taken);
        }
    }
    storeLane(lane, status == TRAVERSAL_RUNNING ? index : kNoRay);
    if (status == TRAVERSAL_RUNNING) {
        suspendRay(index, ray, way);
    } else {
        settle(ray);
    }
    if (kCounting) {
        addCounters(steps, slots, way.looks, hitCount);
    }
}
