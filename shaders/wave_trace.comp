#version 460
#include "shared/lang.h"

// Traces the rays of a wave and its shadow rays. One invocation a ray, or by persistent threads (Aila and Laine 2009):
// where enough lanes of a subgroup have none, they fetch rays together. A long ray, which would hold up its wave, goes
// on in the next one.

layout(constant_id = 2) const uint kRefillThreshold = 4u; // lanes of a subgroup that wait
layout(constant_id = 11) const bool kPersistent = true;
layout(constant_id = 12) const uint kRaySteps = 64u; // of a ray in a wave
const uint kStepsPerRound = 8u;

#define WAVE_TRAVERSES
#include "wave_kernel.glsl"

layout(push_constant, scalar) uniform Push {
    WavePush push;
};

const uint kNoRay = 0xFFFFFFFFu;

uint pathRays;       // numbers below are of rays of paths, then come shadow rays
uint index = kNoRay; // of the ray that this lane has
uint status = TRAVERSAL_MISS;
uint stepsLeft = 0u;
uint settled = 0u; // rays, or places without one, that this lane is done with

// The queue of a ray, the place in it, and how many there are.
uint64_t queueOf(uint ray, out uint place, out uint places) {
    bool isShadow = ray >= pathRays;
    place = isShadow ? ray - pathRays : ray;
    places = isShadow ? WAVE_SHADOW_PLACES(push.capacity) : push.capacity;
    return isShadow ? push.shadows : push.queue;
}

// Takes up a ray, where it is one.
void takeRay(uint ray, inout Traversal state) {
    uint place;
    uint places;
    uint64_t queue = queueOf(ray, place, places);
    RayRecord record = AT(RayRecord, queue, place);
    if (isRay(record) == 0u) {
        settled += 1u;
        return;
    }
    rayBegin(VOXEL_OCTREE(push.params), record, rayReciprocals(record), state);
    if ((record.heading.w & WAVE_RESUMES) != 0u) {
        resumeFrom(AT(WaveHit, WAVE_STANDS(queue, places), place), state);
    }
    index = ray;
    status = TRAVERSAL_RUNNING;
    stepsLeft = kRaySteps;
}

// Leaves the ray that the lane has.
void settle(Traversal state) {
    uint place;
    uint places;
    uint64_t hits = WAVE_HITS(queueOf(index, place, places), places);
    WaveHit hit = packWaveMiss();
    if (status == TRAVERSAL_HIT) {
        hit = packWaveHit(traversalHit(VOXEL_OCTREE(push.params), state));
    } else if (status == TRAVERSAL_RUNNING) {
        hit = packWaveStand(state, NO_SHEET);
    }
    storeHit(hits, place, hit);
    index = kNoRay;
    settled += 1u;
}

bool waits() {
    return status != TRAVERSAL_RUNNING || stepsLeft == 0u;
}

// Fetches rays for the lanes that have none. Returns whether these were the last ones.
bool refill(uint count, inout Traversal state) {
    subgroupBarrier();
    uvec4 waiting = subgroupBallot(index == kNoRay);
    uint first = 0u;
    if (gl_SubgroupInvocationID == 0u) {
        first = atomicAdd(CounterRef(push.counters).value.fetched[push.parity], subgroupBallotBitCount(waiting));
    }
    subgroupBarrier();
    first = subgroupBroadcast(first, 0u);
    uint mine = first + subgroupBallotExclusiveBitCount(waiting);
    if (index == kNoRay && mine < count) {
        takeRay(mine, state);
    }
    return first + subgroupBallotBitCount(waiting) >= count;
}

void main() {
    prepareTraversal(VOXEL_OCTREE(push.params));
    Traversal state;
    uint shadows = CounterRef(push.counters).value.shadows[push.parity];
    pathRays = shadows > push.capacity ? 0u : CounterRef(push.counters).value.total[push.parity];
    uint count = pathRays + shadows;
    if (gl_GlobalInvocationID.x == 0u) {
        atomicAdd(CounterRef(push.counters).value.asked, count);
        CounterRef(push.counters).value.shadows[push.parity ^ 1u] = 0u;
    }
    bool exhausted = !kPersistent;
    if (!kPersistent && gl_GlobalInvocationID.x < count) {
        takeRay(gl_GlobalInvocationID.x, state);
    }
    uint threshold = min(kRefillThreshold, gl_SubgroupSize);
    while (true) {
        subgroupBarrier();
        uint waiting = subgroupBallotBitCount(subgroupBallot(waits()));
        if (waiting == gl_SubgroupSize || (!exhausted && waiting >= threshold)) {
            if (waits() && index != kNoRay) {
                settle(state);
                status = TRAVERSAL_MISS;
            }
            if (exhausted) {
                break;
            }
            exhausted = refill(count, state);
        }
        if (!waits()) {
            uint steps = min(kStepsPerRound, stepsLeft);
            stepsLeft -= steps;
            status = traversalRun(VOXEL_OCTREE(push.params), state, steps);
        }
    }
    subgroupBarrier();
    settled = subgroupAdd(settled);
    if (gl_SubgroupInvocationID == 0u) {
        atomicAdd(CounterRef(push.counters).value.settled, settled);
    }
}
