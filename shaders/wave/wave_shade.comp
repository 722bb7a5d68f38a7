#version 460
#include "shared/lang.h"

// Takes the paths of a wave on from where their rays ended, to the next queue.

#include "wave/wave_kernel.glsl"
#include "wave/wave_shade.glsl"

shared uint groupRays;

uvec2 beginInNext(uint slots, uint shadowRays) {
    uint next = push.parity ^ 1u;
    CounterRef counters = CounterRef(push.counters);
    return uvec2(atomicAdd(counters.value.keptPaths[next], slots),
                 atomicAdd(counters.value.shadowRays[next], shadowRays));
}

void countRays(uint rays) {
    subgroupBarrier();
    rays = subgroupAdd(rays);
    if (subgroupElect()) {
        atomicAdd(groupRays, rays);
    }
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        atomicAdd(CounterRef(push.counters).value.startedRays, groupRays);
    }
}

void main() {
    if (gl_LocalInvocationIndex == 0u) {
        prepareShading();
        groupRays = 0u;
    }
    barrier();
    uint own = invocationIndex();
    countRays(shade(own, own < CounterRef(push.counters).value.paths[push.parity]));
}
