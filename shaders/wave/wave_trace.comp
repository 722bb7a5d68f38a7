#version 460
#include "shared/lang.h"

// Traces the rays of a wave and its shadow rays.

#define WAVE_TRAVERSES
#include "wave/wave_kernel.glsl"
// Where loops have no limit, no ray is suspended before it has begun.
#define ALL_HAVE_BEGUN (kMostLoops == 0u)
#include "wave/wave_trace.glsl"

uint fetchRays(uint rays) {
    return atomicAdd(CounterRef(push.counters).value.fetchedRays[push.parity], rays);
}

void main() {
    prepareTraversal(VOXEL_OCTREE(push.params));
    uint paths = CounterRef(push.counters).value.paths[push.parity];
    uint count = paths + CounterRef(push.counters).value.shadowRays[push.parity];
    if (invocationIndex() == 0u) {
        atomicAdd(CounterRef(push.counters).value.expectedRays, count);
    }
    traceRays(paths, count);
    subgroupBarrier();
    traced = subgroupAdd(traced);
    if (subgroupElect()) {
        atomicAdd(CounterRef(push.counters).value.tracedRays, traced);
    }
}
