#version 460
#include "shared/lang.h"

// Takes the last paths of a pass to their ends. There are so few that each step of a wave costs its latency and nothing
// else, and the longest ray of all holds up all. So each workgroup has waves of its own, of some slots of the queue:
// it traces their rays, shades, and so on, without a dispatch and without waiting for others. The dispatch ends after
// push.drainWaves waves, an even number, and the next one goes on from there.

#define WAVE_TRAVERSES
#define WAVE_DRAINS
#include "wave/wave_kernel.glsl"
#define ALL_HAVE_BEGUN false // the waves before may have had a limit
#include "wave/wave_trace.glsl"

#include "wave/wave_shade.glsl"

shared uint groupPaths;
shared uint groupShadowRays;
shared uint groupFetched;

uint fetchRays(uint rays) {
    return atomicAdd(groupFetched, rays);
}

uvec2 beginInNext(uint slots, uint shadowRays) {
    return uvec2(WAVE_FIRST_SLOT);
}

// Lists the slots of the workgroup that have a shadow ray.
void listShadowRays() {
    uint own = WAVE_FIRST_SLOT + gl_LocalInvocationIndex;
    bool has = gl_LocalInvocationIndex < groupPaths && hasShadowRay(QUEUED(WavePath, THIS_WAVE(paths), own)) != 0u;
    uint place = countPresent(kShadowSlots, has);
    if (has) {
        storeWord(THIS_WAVE(shadowSlots), WAVE_FIRST_SLOT + place, own);
    }
}

// What one invocation does before a wave, once all are through with the one before: sets its counts.
void beginWave(uint paths) {
    groupPaths = paths;
    groupShadowRays = groupCount[kShadowSlots];
    groupFetched = 0u;
    prepareShading();
}

// What was stored in queues is there for the whole workgroup.
void queueBarrier() {
    memoryBarrierBuffer();
    barrier();
}

void main() {
    prepareTraversal(VOXEL_OCTREE(push.params));
    queueNow = push.queue;
    queueNext = push.nextQueue;
    firstSlot = gl_WorkGroupID.x * push.drainSlots;
    if (gl_LocalInvocationIndex == 0u) {
        uint kept = CounterRef(push.counters).value.keptPaths[push.parity];
        uint own = AT(uint, push.drainPaths, gl_WorkGroupID.x);
        groupPaths = min(kept - min(kept, firstSlot), own);
        prepareShading();
    }
    barrier();
    listShadowRays();
    queueBarrier();
    if (gl_LocalInvocationIndex == 0u) {
        beginWave(groupPaths);
    }
    barrier();
    uint expected = 0u;
    uint started = 0u;
    for (uint wave = 0u; wave < push.drainWaves && groupPaths > 0u; ++wave) {
        uint rays = groupPaths + groupShadowRays;
        expected += gl_LocalInvocationIndex == 0u ? rays : 0u;
        traceRays(groupPaths, rays);
        queueBarrier();
        started += shade(firstSlot + gl_LocalInvocationIndex, gl_LocalInvocationIndex < groupPaths);
        queueBarrier();
        if (gl_LocalInvocationIndex == 0u) {
            beginWave(groupCount[kSlots]);
        }
        barrier();
        uint64_t last = queueNow;
        queueNow = queueNext;
        queueNext = last;
    }
    CounterRef counters = CounterRef(push.counters);
    if (gl_LocalInvocationIndex == 0u) {
        storeWord(push.drainPaths, gl_WorkGroupID.x, groupPaths);
        atomicAdd(counters.value.leftPaths, groupPaths);
    }
    subgroupBarrier();
    traced = subgroupAdd(traced);
    expected = subgroupAdd(expected);
    started = subgroupAdd(started);
    if (subgroupElect()) {
        atomicAdd(counters.value.expectedRays, expected);
        atomicAdd(counters.value.tracedRays, traced);
        atomicAdd(counters.value.startedRays, started);
    }
}
