#version 460
#include "shared/lang.h"

// Traces the rays of a wave and its shadow rays. One invocation a ray, or by persistent threads (Aila and Laine 2009):
// where enough lanes of a subgroup have none, they fetch rays together. Soon after the last ray was fetched the wave
// ends: what still runs, and would hold it up, goes on in the next one.

layout(constant_id = 2) const uint kRefillThreshold = 4u; // lanes of a subgroup that wait
layout(constant_id = 11) const bool kPersistent = true;
layout(constant_id = 12) const uint kLastRounds = 6u; // after the last ray was fetched
const uint kStepsPerRound = 8u;

#define WAVE_TRAVERSES
#include "wave/wave_kernel.glsl"

const uint kNoRay = 0xFFFFFFFFu;
const uint kShadow = 0x80000000u;

uint key = 0u;       // of the ray's state
uint index = kNoRay; // the place of the path whose ray this lane has, with kShadow where it is the shadow ray
uint status = TRAVERSAL_MISS;
float leftAt = 0.0; // distance at which the ray left the last voxel that it ignored, and the sheet of that
uint leftSheet = NO_SHEET;
uint settled = 0u; // rays, or places without one, that this lane is done with

RayRecord rayRecord() {
    uint64_t rays =
        (index & kShadow) != 0u ? WAVE_SHADOW_RAYS(push.queue, push.capacity) : WAVE_RAYS(push.queue, push.capacity);
    return AT(RayRecord, rays, index & ~kShadow);
}

WaveHit rayStand() {
    uint64_t stands = (index & kShadow) != 0u ? WAVE_SHADOW_STANDS(push.queue, push.capacity)
                                              : WAVE_STANDS(push.queue, push.capacity);
    return AT(WaveHit, stands, index & ~kShadow);
}

void storeEnd(WaveHit hit) {
    uint64_t hits =
        (index & kShadow) != 0u ? WAVE_SHADOW_HITS(push.queue, push.capacity) : WAVE_HITS(push.queue, push.capacity);
    storeHit(hits, index & ~kShadow, hit);
}

// Takes up a ray, where it is one: those of paths come first, then the shadow rays.
void takeRay(uint ray, uint paths, inout Traversal state) {
    index = ray;
    if (ray >= paths) {
        index = AT(uint, WAVE_SHADOW_LIST(push.queue, push.capacity), ray - paths) | kShadow;
    }
    RayRecord record = rayRecord();
    if (isRay(record) == 0u) {
        settled += 1u;
        index = kNoRay;
        return;
    }
    raySet(record, rayReciprocals(record), state);
    leftAt = 0.0;
    leftSheet = rayFirstSheet(record);
    if ((record.heading.w & WAVE_RESUMES) != 0u) {
        WaveHit stand = rayStand();
        resumeFrom(stand, state);
        leftAt = traversalDistance(state);
        leftSheet = standSheet(stand);
    }
    traversalLoadStart(VOXEL_OCTREE(push.params), state);
    key = traversalKey(state);
    status = TRAVERSAL_RUNNING;
}

// Leaves the ray that the lane has.
void settle(Traversal state) {
    uint sheet = kSmooth && traversalDistance(state) == leftAt ? leftSheet : NO_SHEET;
    WaveHit hit = packWaveMiss();
    if (status == TRAVERSAL_HIT) {
        hit = packWaveHit(traversalHit(VOXEL_OCTREE(push.params), state), sheet);
    } else if (status == TRAVERSAL_RUNNING) {
        hit = packWaveStand(state, sheet);
    }
    storeEnd(hit);
    index = kNoRay;
    status = TRAVERSAL_MISS;
    settled += 1u;
}

// Takes the ray past the voxel that it hit, where it leaves what is in that (sheet.h). Of hits of paths far from their
// start the kernel that shades asks.
void judge(inout Traversal state) {
    uint64_t view = VOXEL_OCTREE(push.params);
    VoxelHit hit = traversalHit(view, state);
    uint before = hit.distance == leftAt ? leftSheet : NO_SHEET;
    if ((index & kShadow) == 0u && !isJudgedAtOnce(hit.distance, before, AT(VoxelParams, push.params, 0).voxelSize)) {
        return;
    }
    VoxelSurface surface = voxelSurfaceAt(push.params, hitAttributeIndex(view, hit));
    uint sheet = waveIgnored(push.params, rayRecord(), state, hit, surface, before);
    if (sheet != NO_SHEET) {
        status = traversalSkip(view, state);
        leftAt = traversalDistance(state);
        leftSheet = sheet;
    }
}

// Fetches rays for the lanes that have none. Returns whether these were the last ones.
bool refill(uint paths, uint count, inout Traversal state) {
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
        takeRay(mine, paths, state);
    }
    return first + subgroupBallotBitCount(waiting) >= count;
}

void main() {
    prepareTraversal(VOXEL_OCTREE(push.params));
    Traversal state;
    uint paths = CounterRef(push.counters).value.total[push.parity];
    uint count = paths + CounterRef(push.counters).value.shadows[push.parity];
    if (gl_GlobalInvocationID.x == 0u) {
        atomicAdd(CounterRef(push.counters).value.asked, count);
    }
    bool exhausted = !kPersistent;
    if (!kPersistent && gl_GlobalInvocationID.x < count) {
        takeRay(gl_GlobalInvocationID.x, paths, state);
    }
    uint threshold = min(kRefillThreshold, gl_SubgroupSize);
    uint roundsLeft = kLastRounds;
    while (roundsLeft > 0u) {
        subgroupBarrier();
        uint waiting = subgroupBallotBitCount(subgroupBallot(status != TRAVERSAL_RUNNING));
        if (!exhausted && waiting >= threshold) {
            if (status != TRAVERSAL_RUNNING && index != kNoRay) {
                settle(state);
            }
            exhausted = refill(paths, count, state);
        } else if (exhausted) {
            roundsLeft = waiting == gl_SubgroupSize ? 0u : roundsLeft - 1u;
        }
        if (status == TRAVERSAL_RUNNING) {
            uint steps = kStepsPerRound;
            status = traversalRunKeyed(VOXEL_OCTREE(push.params), state, key, steps);
            if (kSmooth && status == TRAVERSAL_HIT) {
                judge(state);
            }
        }
    }
    if (index != kNoRay) {
        settle(state);
    }
    subgroupBarrier();
    settled = subgroupAdd(settled);
    if (gl_SubgroupInvocationID == 0u) {
        atomicAdd(CounterRef(push.counters).value.settled, settled);
    }
}
