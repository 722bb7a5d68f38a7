#version 460
#include "shared/lang.h"
#include "shared/specialization.h"

// Traces the rays of a wave and its shadow rays. One invocation a ray, or by persistent threads (Aila and Laine 2009):
// where enough lanes of a subgroup have none, they fetch rays together. Soon after the last ray was fetched the wave
// ends: what still runs, and would hold it up, goes on in the next one.

layout(constant_id = SPEC_TRACE_REFILL_THRESHOLD) const uint kRefillThreshold = 4u;
layout(constant_id = SPEC_TRACE_PERSISTENT) const bool kPersistent = true;
layout(constant_id = SPEC_TRACE_LAST_ROUNDS) const uint kLastRounds = 6u;
layout(constant_id = SPEC_TRACE_MOST_ROUNDS) const uint kMostRounds = 0u;

#define WAVE_TRAVERSES
#include "wave/wave_kernel.glsl"

// A lane that comes to a voxel waits for the round to end. Where surfaces are within voxels rays come to many.
const uint kStepsPerRound = SURFACE_WITHIN(0) ? 4u : 8u;

const uint kNoRay = 0xFFFFFFFFu;
const uint kShadow = 0x80000000u;

uint key = 0u;       // of the ray's state
uint index = kNoRay; // the slot of the path whose ray this lane has; | kShadow where it has the shadow ray
uint status = TRAVERSAL_MISS;
float passedAt = 0.0; // distance at which the ray left the last voxel that it ignored, and the sheet of that
uint passedSheet = NO_SHEET;
uint traced = 0u; // rays, or slots without one, that this lane is done with

RayRecord rayRecord() {
    uint64_t rays = (index & kShadow) != 0u ? THIS_WAVE(shadowRays) : THIS_WAVE(rays);
    return AT(RayRecord, rays, index & ~kShadow);
}

// Where the lane's ray stands, which was suspended in the wave before.
WaveHit suspendedRay() {
    uint64_t suspended = (index & kShadow) != 0u ? THIS_WAVE(shadowSuspended) : THIS_WAVE(suspended);
    return AT(WaveHit, suspended, index & ~kShadow);
}

void storeEnd(WaveHit hit) {
    uint64_t hits = (index & kShadow) != 0u ? THIS_WAVE(shadowHits) : THIS_WAVE(hits);
    storeHit(hits, index & ~kShadow, hit);
}

// Takes up a ray, where it is one: those of paths come first, then the shadow rays.
void takeRay(uint ray, uint paths, inout Traversal state) {
    index = ray;
    if (ray >= paths) {
        index = AT(uint, THIS_WAVE(shadowSlots), ray - paths) | kShadow;
    }
    RayRecord record = rayRecord();
    if (isRay(record) == 0u) {
        traced += 1u;
        index = kNoRay;
        return;
    }
    raySet(record, rayReciprocals(record), state);
    passedAt = 0.0;
    passedSheet = rayFirstSheet(record);
    if (rayResumes(record) != 0u) {
        WaveHit suspended = suspendedRay();
        resumeTraversal(suspended.bits, state);
        passedAt = traversalDistance(state);
        passedSheet = suspendedSheet(suspended);
    }
    traversalLoadStart(VOXEL_OCTREE(push.params), state);
    key = traversalKey(state);
    status = TRAVERSAL_RUNNING;
}

// Leaves the ray that the lane has. Rays keep the side of a field that they are on, a sheet only in a row of voxels.
void settle(Traversal state) {
    bool isKept = kEncoding == OCTREE_FIELD || (kSmooth && traversalDistance(state) == passedAt);
    uint sheet = isKept ? passedSheet : NO_SHEET;
    WaveHit hit = packWaveMiss();
    if (status == TRAVERSAL_HIT) {
        hit = packWaveHit(VOXEL_OCTREE(push.params), state, sheet);
    } else if (status == TRAVERSAL_RUNNING) {
        hit = packWaveSuspended(state, sheet);
    }
    storeEnd(hit);
    index = kNoRay;
    status = TRAVERSAL_MISS;
    traced += 1u;
}

// Takes the ray past the voxel that it hit, where it leaves what is in that (sheet.h). Of hits of paths far from their
// start the kernel that shades asks.
void judge(inout Traversal state) {
    uint64_t view = VOXEL_OCTREE(push.params);
    VoxelHit hit = traversalHit(view, state);
    uint before = hit.distance == passedAt ? passedSheet : NO_SHEET;
    if ((index & kShadow) == 0u && !isJudgedAtOnce(hit.distance, before, AT(VoxelParams, push.params, 0).voxelSize)) {
        return;
    }
    VoxelSurface surface = voxelSurfaceAt(push.params, hitAttributeIndex(view, hit));
    uint sheet = waveIgnored(push.params, rayRecord(), state, hit, surface, before);
    if (sheet != NO_SHEET) {
        status = traversalSkip(view, state);
        passedAt = traversalDistance(state);
        passedSheet = sheet;
    }
}

// Takes the ray past the voxel that it is at, where it does not end at the surface within. That of a shadow ray may lie
// behind the light.
void judgeWithin(inout Traversal state) {
    float distance;
    status = wavePassWithin(push.params, rayRecord(), state, passedAt, passedSheet, distance);
    if (status == TRAVERSAL_HIT && (index & kShadow) != 0u) {
        WaveConnection connection = AT(WaveConnection, THIS_WAVE(connections), index & ~kShadow);
        if (distance >= connectionReach(connection)) {
            status = TRAVERSAL_MISS;
        }
    }
}

// Fetches rays for the lanes that have none. Returns whether these were the last ones.
bool refill(uint paths, uint count, inout Traversal state) {
    subgroupBarrier();
    uvec4 waiting = subgroupBallot(index == kNoRay);
    uint first = 0u;
    if (gl_SubgroupInvocationID == 0u) {
        first = atomicAdd(CounterRef(push.counters).value.fetchedRays[push.parity], subgroupBallotBitCount(waiting));
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
    uint paths = CounterRef(push.counters).value.paths[push.parity];
    uint count = paths + CounterRef(push.counters).value.shadowRays[push.parity];
    if (gl_GlobalInvocationID.x == 0u) {
        atomicAdd(CounterRef(push.counters).value.expectedRays, count);
    }
    bool exhausted = !kPersistent;
    if (!kPersistent && gl_GlobalInvocationID.x < count) {
        takeRay(gl_GlobalInvocationID.x, paths, state);
    }
    uint threshold = min(kRefillThreshold, gl_SubgroupSize);
    uint roundsLeft = kLastRounds;
    uint rounds = 0u;
    while (roundsLeft > 0u) {
        if (kMostRounds != 0u) {
            rounds += 1u;
            exhausted = exhausted || rounds > kMostRounds;
        }
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
            if (status == TRAVERSAL_HIT && SURFACE_WITHIN(VOXEL_OCTREE(push.params))) {
                judgeWithin(state);
            } else if (kSmooth && status == TRAVERSAL_HIT) {
                judge(state);
            }
        }
    }
    if (index != kNoRay) {
        settle(state);
    }
    subgroupBarrier();
    traced = subgroupAdd(traced);
    if (gl_SubgroupInvocationID == 0u) {
        atomicAdd(CounterRef(push.counters).value.tracedRays, traced);
    }
}
