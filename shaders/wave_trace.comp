#version 460
#include "shared/lang.h"

// Traces the rays of a wave, or its shadow rays, whose light it adds where they see it. One invocation a ray, or by
// persistent threads (Aila and Laine 2009): where enough lanes of a subgroup are at a hit or have no ray, they deal
// with those hits together and fetch rays together.

layout(constant_id = 2) const uint kRefillThreshold = 4u; // lanes of a subgroup that wait
layout(constant_id = 9) const bool kShadow = false;
layout(constant_id = 10) const bool kSmooth = true; // rays may ignore voxels (sheet.h)
layout(constant_id = 11) const bool kPersistent = true;
layout(constant_id = 12) const uint kRaySteps = 96u; // before a ray is put off
const uint kStepsPerRound = 8u;

#define WAVE_TRAVERSES
#include "wave_kernel.glsl"

layout(push_constant, scalar) uniform Push {
    WavePush push;
};

const uint kNoRay = 0xFFFFFFFFu;

uint index = kNoRay; // of the ray that this lane has
uint status = TRAVERSAL_MISS;
uint raySteps = kRaySteps; // in this wave
uint stepsLeft = 0u;
float leftAt = 0.0;
uint leftSheet = NO_SHEET;
uint settled = 0u; // rays, or places without one, that this lane is done with

uint rayCount() {
    return kShadow ? CounterRef(push.counters).value.shadows[push.parity]
                   : CounterRef(push.counters).value.total[push.parity];
}

uint64_t queue() {
    return kShadow ? push.shadows : push.queue;
}

uint places() {
    return kShadow ? WAVE_SHADOW_PLACES(push.capacity) : push.capacity;
}

RayRecord rayRecord(uint i) {
    return AT(RayRecord, queue(), i);
}

// Takes up a ray, where it is one.
void takeRay(uint i, inout Traversal ray) {
    RayRecord record = rayRecord(i);
    settled += 1u - isRay(record);
    if (isRay(record) != 0u) {
        rayBegin(VOXEL_OCTREE(push.params), record, rayReciprocals(record), ray);
        index = i;
        status = TRAVERSAL_RUNNING;
        stepsLeft = raySteps;
        if (kSmooth) {
            leftAt = 0.0;
            leftSheet = rayFirstSheet(record);
        }
        if ((record.heading.w & WAVE_RESUMES) != 0u) {
            resumeFrom(AT(WaveHit, WAVE_HITS(queue(), places()), i), ray);
        }
    }
}

// The sheet of the voxel that was hit where the ray ignores it, else NO_SHEET.
uint ignored(Traversal ray, VoxelHit hit) {
    float voxelSize = AT(VoxelParams, push.params, 0).voxelSize;
    if (hit.distance >= SHEET_DISTANCE * voxelSize) {
        return NO_SHEET;
    }
    RayRecord record = rayRecord(index);
    if ((raySheet(record) | raySheetAhead(record)) == NO_SHEET) {
        return NO_SHEET;
    }
    uint64_t attributes = hitAttributeIndex(VOXEL_OCTREE(push.params), hit);
    vec3 centre = voxelCorner(hit.voxel, voxelSize) + vec3(0.5 * voxelSize);
    return ignoredSheet(rayOrigin(record), traversalRayDirection(ray), voxelSize, hit.distance, centre,
                        voxelSurfaceAt(push.params, attributes));
}

void end(VoxelHit hit) {
    if (!kShadow) {
        WaveHit packed = packWaveMiss();
        if (status == TRAVERSAL_HIT) {
            packed = packWaveHit(hit, kSmooth && hit.distance == leftAt ? leftSheet : NO_SHEET);
        }
        storeHit(WAVE_HITS(push.queue, push.capacity), index, packed);
    } else {
        WaveConnection connection = AT(WaveConnection, WAVE_OTHERS(queue(), places()), index);
        bool seen = status == TRAVERSAL_MISS ? (connection.goal.y & WAVE_HAS_TARGET) == 0u
                                             : connectionReached(connection, hit) != 0u;
        if (seen) {
            addGathered(push.gathered, connection.light.w,
                        uintBitsToFloat(uvec3(connection.light.x, connection.light.y, connection.light.z)));
        }
    }
    index = kNoRay;
    settled += 1u;
}

// Whether the sheet rule has no more to say about a ray.
bool isFar(Traversal ray) {
    return !kSmooth || traversalDistance(ray) > WAVE_LEAST_DISTANCE * AT(VoxelParams, push.params, 0).voxelSize;
}

// Leaves a ray to the next wave.
void putOff(Traversal ray) {
    if (!kShadow) {
        storeHit(WAVE_HITS(push.queue, push.capacity), index, packWaveStand(ray));
        settled += 1u;
    } else {
        uint slot = atomicAdd(CounterRef(push.counters).value.shadows[push.parity ^ 1u], 1u);
        storeRay(push.nextShadows, slot, rayThatResumes(rayRecord(index)));
        storeConnection(WAVE_OTHERS(push.nextShadows, places()), slot,
                        AT(WaveConnection, WAVE_OTHERS(queue(), places()), index));
        storeHit(WAVE_HITS(push.nextShadows, places()), slot, packWaveStand(ray));
    }
    index = kNoRay;
    status = TRAVERSAL_MISS;
}

// Deals with the ray of a lane that does not run: it ends, or goes past a voxel that it ignores.
void settle(inout Traversal ray) {
    uint64_t view = VOXEL_OCTREE(push.params);
    VoxelHit hit;
    hit.distance = 0.0;
    if (status == TRAVERSAL_HIT) {
        hit = traversalHit(view, ray);
        if (kSmooth) {
            uint sheet = ignored(ray, hit);
            if (sheet != NO_SHEET) {
                status = traversalSkip(view, ray);
                leftAt = traversalDistance(ray);
                leftSheet = sheet;
            }
        }
    }
    if (status != TRAVERSAL_RUNNING) {
        end(hit);
    }
}

// Fetches rays for the lanes that have none. Returns whether these were the last ones.
bool refill(uint count, inout Traversal ray) {
    subgroupBarrier();
    uvec4 waiting = subgroupBallot(index == kNoRay);
    uint first = 0u;
    if (gl_SubgroupInvocationID == 0u) {
        uint wanted = subgroupBallotBitCount(waiting);
        first = kShadow ? atomicAdd(CounterRef(push.counters).value.fetchedShadows[push.parity], wanted)
                        : atomicAdd(CounterRef(push.counters).value.fetched[push.parity], wanted);
    }
    subgroupBarrier();
    first = subgroupBroadcast(first, 0u);
    uint mine = first + subgroupBallotExclusiveBitCount(waiting);
    if (index == kNoRay && mine < count) {
        takeRay(mine, ray);
    }
    return first + subgroupBallotBitCount(waiting) >= count;
}

void main() {
    prepareTraversal(VOXEL_OCTREE(push.params));
    Traversal ray;
    uint count = rayCount();
    if (kShadow && count > push.capacity) {
        raySteps = 0xFFFFFFFFu; // the next wave has no room for more
    }
    bool exhausted = false;
    if (!kPersistent) {
        exhausted = true;
        if (gl_GlobalInvocationID.x < count) {
            takeRay(gl_GlobalInvocationID.x, ray);
        }
    }
    uint threshold = min(kRefillThreshold, gl_SubgroupSize);
    while (true) {
        subgroupBarrier();
        uint running = subgroupBallotBitCount(subgroupBallot(status == TRAVERSAL_RUNNING));
        subgroupBarrier();
        uint pending = subgroupBallotBitCount(subgroupBallot(status != TRAVERSAL_RUNNING && index != kNoRay));
        uint waiting = exhausted ? pending : gl_SubgroupSize - running;
        if (running == 0u || waiting >= threshold) {
            if (running + pending == 0u && exhausted) {
                break;
            }
            if (status != TRAVERSAL_RUNNING && index != kNoRay) {
                settle(ray);
            }
            if (!exhausted) {
                exhausted = refill(count, ray);
            }
        }
        if (status == TRAVERSAL_RUNNING) {
            uint steps = kStepsPerRound;
            status = traversalRun(VOXEL_OCTREE(push.params), ray, steps);
            stepsLeft -= min(stepsLeft, kStepsPerRound);
            if (stepsLeft == 0u && status == TRAVERSAL_RUNNING && isFar(ray)) {
                putOff(ray);
            }
        }
    }
    subgroupBarrier();
    settled = subgroupAdd(settled);
    if (gl_SubgroupInvocationID == 0u) {
        atomicAdd(CounterRef(push.counters).value.settled, settled);
    }
}
