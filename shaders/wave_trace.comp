#version 460
#include "shared/lang.h"

// Traces the rays of a wave and its shadow rays. One invocation a ray, or by persistent threads (Aila and Laine 2009):
// where enough lanes of a subgroup have none, they fetch rays together. Soon after the last ray was fetched the wave
// ends: what still runs, and would hold it up, goes on in the next one.

layout(constant_id = 2) const uint kRefillThreshold = 4u; // lanes of a subgroup that wait
layout(constant_id = 10) const bool kSmooth = true;       // rays may ignore voxels (sheet.h)
layout(constant_id = 11) const bool kPersistent = true;
layout(constant_id = 12) const uint kLastRounds = 6u; // after the last ray was fetched
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
bool hasSheet = false; // the surface that the ray leaves
float leftAt = 0.0;    // distance at which the ray left the last voxel that it ignored, and the sheet of that
uint leftSheet = NO_SHEET;
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
    leftAt = 0.0;
    leftSheet = rayFirstSheet(record);
    if ((record.heading.w & WAVE_RESUMES) != 0u) {
        WaveHit stand = AT(WaveHit, WAVE_STANDS(queue, places), place);
        resumeFrom(stand, state);
        leftAt = traversalDistance(state);
        leftSheet = standSheet(stand);
    }
    hasSheet = (raySheet(record) | raySheetAhead(record)) != NO_SHEET;
    index = ray;
    status = TRAVERSAL_RUNNING;
}

// Leaves the ray that the lane has.
void settle(Traversal state) {
    uint place;
    uint places;
    uint64_t hits = WAVE_HITS(queueOf(index, place, places), places);
    uint sheet = kSmooth && traversalDistance(state) == leftAt ? leftSheet : NO_SHEET;
    WaveHit hit = packWaveMiss();
    if (status == TRAVERSAL_HIT) {
        hit = packWaveHit(traversalHit(VOXEL_OCTREE(push.params), state), sheet);
    } else if (status == TRAVERSAL_RUNNING) {
        hit = packWaveStand(state, sheet);
    }
    storeHit(hits, place, hit);
    index = kNoRay;
    status = TRAVERSAL_MISS;
    settled += 1u;
}

// Whether a ray that hit a voxel is so close to where it started that it may ignore it.
bool mayIgnore(Traversal state) {
    return kSmooth && hasSheet && traversalDistance(state) < SHEET_DISTANCE * AT(VoxelParams, push.params, 0).voxelSize;
}

// Takes the ray past the voxel that it hit, where it ignores that (sheet.h).
void judge(inout Traversal state) {
    uint64_t view = VOXEL_OCTREE(push.params);
    uint place;
    uint places;
    uint64_t queue = queueOf(index, place, places);
    VoxelPoint from = rayOrigin(AT(RayRecord, queue, place));
    VoxelHit hit = traversalHit(view, state);
    float voxelSize = AT(VoxelParams, push.params, 0).voxelSize;
    vec3 centre = voxelCorner(hit.voxel, voxelSize) + vec3(0.5 * voxelSize);
    VoxelSurface surface = voxelSurfaceAt(push.params, hitAttributeIndex(view, hit));
    uint sheet = ignoredSheet(from, traversalRayDirection(state), voxelSize, hit.distance, centre, surface);
    if (sheet != NO_SHEET) {
        status = traversalSkip(view, state);
        leftAt = traversalDistance(state);
        leftSheet = sheet;
    }
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
    uint roundsLeft = kLastRounds;
    while (roundsLeft > 0u) {
        subgroupBarrier();
        uint waiting = subgroupBallotBitCount(subgroupBallot(status != TRAVERSAL_RUNNING));
        if (!exhausted && waiting >= threshold) {
            if (status != TRAVERSAL_RUNNING && index != kNoRay) {
                settle(state);
            }
            exhausted = refill(count, state);
        } else if (exhausted) {
            roundsLeft = waiting == gl_SubgroupSize ? 0u : roundsLeft - 1u;
        }
        if (status == TRAVERSAL_RUNNING) {
            uint steps = kStepsPerRound;
            status = traversalRun(VOXEL_OCTREE(push.params), state, steps);
            if (status == TRAVERSAL_HIT && mayIgnore(state)) {
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
