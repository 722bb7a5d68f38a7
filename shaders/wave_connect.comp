#version 460
#include "shared/lang.h"

// Adds the light of a wave's shadow rays to their paths, where they see it. A path whose shadow ray goes on waits for
// it before it sends the next one, so that no two add at once, and all in the same order every time.

#include "wave_kernel.glsl"
#include "wave_queue.glsl"

const uint kHidden = 0u;
const uint kSeen = 1u;
const uint kGoesOn = 2u;

uint places() {
    return WAVE_SHADOW_PLACES(push.capacity);
}

// What comes of a shadow ray that hit something.
uint judge(RayRecord ray, WaveConnection connection, WaveHit hit) {
    uint64_t view = VOXEL_OCTREE(push.params);
    Traversal state;
    rayBegin(view, ray, rayReciprocals(ray), state);
    VoxelHit met = resumeAtHit(view, hit, state);
    bool seen = met.distance >= connectionReach(connection) || isConnectionTarget(connection, met.voxel) != 0u;
    return seen ? kSeen : kHidden;
}

void conclude(RayRecord ray, WaveConnection connection, uint became) {
    uint path = connection.light.w;
    if (became == kGoesOn) {
        setWaiting(push.waiting, path, 1u);
    } else if ((ray.heading.w & WAVE_RESUMES) != 0u) {
        setWaiting(push.waiting, path, 0u);
    }
    if (became == kSeen) {
        addGathered(push.gathered, path,
                    uintBitsToFloat(uvec3(connection.light.x, connection.light.y, connection.light.z)));
    }
}

void main() {
    prepareQueues();
    uint i = gl_GlobalInvocationID.x;
    uint became = kHidden;
    WaveHit hit;
    if (i < CounterRef(push.counters).value.shadows[push.parity]) {
        RayRecord ray = AT(RayRecord, push.shadows, i);
        hit = AT(WaveHit, WAVE_HITS(push.shadows, places()), i);
        WaveConnection connection = AT(WaveConnection, WAVE_OTHERS(push.shadows, places()), i);
        if (isWaveStand(hit) != 0u) {
            became = kGoesOn;
        } else if (isWaveMiss(hit) != 0u) {
            became = connectionHasTarget(connection) != 0u ? kHidden : kSeen;
        } else {
            became = judge(ray, connection, hit);
        }
        conclude(ray, connection, became);
    }
    uint slot = place(kNextShadows, became == kGoesOn);
    if (became == kGoesOn) {
        moveRay(push.shadows, i, push.nextShadows, slot, places(), hit);
    }
}
