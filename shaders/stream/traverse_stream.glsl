// What the strategies of tracing rays in buffers share: variants, counters, and how a ray starts, runs and ends.
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require

#include "shared/specialization.h"

layout(local_size_x_id = SPEC_TRACE_WORKGROUP_SIZE) in;
#include "gpu/dispatch.glsl"
layout(constant_id = SPEC_TRACE_STEPS_PER_ROUND) const uint kStepsPerRound = 6u;
layout(constant_id = SPEC_TRACE_REFILL_THRESHOLD) const uint kRefillThreshold = 4u;
layout(constant_id = SPEC_TRACE_OCTREE_ENCODING) const uint kEncoding = 0u;
layout(constant_id = SPEC_TRACE_HAS_REACH) const uint kHasReach = 0u;
layout(constant_id = SPEC_TRACE_SURFACES) const uint kSurfaces = 0u;
layout(constant_id = SPEC_TRACE_COUNTING) const bool kCounting = false;
layout(constant_id = SPEC_TRACE_COARSE_START) const bool kCoarseStart = false;
#define OCTREE_ENCODING(view) kEncoding

uint nodesRead = 0u;
uint leavesRead = 0u;
#define TRAVERSAL_COUNT(reads) (reads += kCounting ? 1u : 0u)
#define TRAVERSAL_NODE_READ TRAVERSAL_COUNT(nodesRead)
#define TRAVERSAL_LEAF_READ TRAVERSAL_COUNT(leavesRead)

// From the push constants, where they take no registers.
#define TRAVERSAL_ONLY_NODES push.nodes
#define TRAVERSAL_ONLY_LEAVES push.leaves
#define TRAVERSAL_STARTS(view) push.starts
#define TRAVERSAL_START_BITS(view) OCTREE_START_BITS
// The question, which has one answer, keeps NVIDIA's compiler from unrolling the copy: 4 % of primary rays a second.
#define TRAVERSAL_REACH_SOURCE(entry)                                                                                  \
    (push.reachable != uint64_t(0) ? AT(uvec2, push.reachable, entry) : reachableCells(entry))

#include "shared/stream/stream_push.h"

layout(push_constant, scalar) uniform Push {
    StreamTracePush push;
};

#include "path/traversal_memory.glsl"

#define RNG_SAMPLER(rng) SAMPLER_INDEPENDENT
#include "shared/octree/coarse_depth.h"
#include "shared/stream/ray_stream.h"

layout(buffer_reference, scalar, buffer_reference_align = 16) buffer HitArray {
    HitRecord at[];
};
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer CounterRef {
    StreamCounters value;
};

// The depth that a ray in its place may start at.
uint coarseDepth(uint index) {
    uint own = AT(uint, push.depths, coarseWord(index / PATH_TILE_PIXELS, push.tilesAcross));
    return min(own, AT(uint, push.depths, 0));
}

// `key` is the ray's; it stands for the mirrored axes, which need no registers of their own then.
void endRay(uint index, uint key, Traversal ray, uint status) {
    ray.mirrorAxes = traversalKeyAxes(key);
    HitArray(push.hits).at[index] = packEnd(push.octree, ray, status, kSurfaces);
}

// Rays that end at voxels have no side, and none is kept for them: a register more, and an eighth fewer are under way.
uint sideOf(uint side) {
    return kSurfaces != 0u ? side : SIDE_UNKNOWN;
}

void suspendRay(uint index, Traversal ray, RayWay way) {
    HitArray(push.hits).at[index] = packSuspended(ray, sideOf(way.side));
    atomicAdd(CounterRef(push.counters).value.unfinished, 1u);
}

// Runs a round of a ray, under its traversalKey; `taken` grows by its steps.
uint runRound(uint key, inout Traversal ray, inout RayWay way, inout uint taken) {
    uint steps = kStepsPerRound;
    RayRules rules;
    rules.surfaces = kSurfaces;
    rules.hasReach = kHasReach;
    rules.reach = push.reach;
    uint status = rayRun(push.octree, ray, key, steps, way, rules);
    taken += kStepsPerRound - steps;
    return status;
}

#define ADD_TO_COUNTER(name, amount)                                                                                   \
    {                                                                                                                  \
        subgroupBarrier();                                                                                             \
        uint total = subgroupAdd(amount);                                                                              \
        if (gl_SubgroupInvocationID == 0u) {                                                                           \
            uint before = atomicAdd(CounterRef(push.counters).value.name.x, total);                                    \
            if (before + total < before) {                                                                             \
                atomicAdd(CounterRef(push.counters).value.name.y, 1u);                                                 \
            }                                                                                                          \
        }                                                                                                              \
    }

// Adds up what this invocation counted; `slots` is the subgroup's. All invocations come here.
void addCounters(uint steps, uint slots, uint surfaces, uint hits) {
    ADD_TO_COUNTER(steps, steps)
    ADD_TO_COUNTER(slots, slots)
    ADD_TO_COUNTER(nodes, nodesRead)
    ADD_TO_COUNTER(leaves, leavesRead)
    ADD_TO_COUNTER(surfaces, surfaces)
    ADD_TO_COUNTER(hits, hits)
}
