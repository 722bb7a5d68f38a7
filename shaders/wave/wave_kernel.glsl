// What the kernels of the wavefront path tracer share: variants, and what they store, by way of parameters (see
// stream_records.glsl). One that traces rays defines WAVE_TRAVERSES, one that adds up what was gathered WAVE_SUMS.
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require

layout(local_size_x_id = 0) in;
layout(constant_id = 3) const uint kEncoding = 0u;
layout(constant_id = 4) const uint kMaterialModels = 0xFFFFFFFFu;
#define OCTREE_ENCODING(view) kEncoding
#define MATERIAL_MODELS kMaterialModels
layout(constant_id = 5) const uint kSampler = 0u;
#define RNG_SAMPLER(rng) kSampler
layout(constant_id = 6) const uint kSampling = 0u;
#define PATH_SAMPLING(params) kSampling
layout(constant_id = 10) const bool kSmooth = true; // rays may go through voxels (sheet.h)

#include "shared/wave/wave_push.h"

#ifndef WAVE_SUMS
layout(push_constant, scalar) uniform Push {
    WavePush push;
};
#endif

#ifdef WAVE_TRAVERSES
#define TRAVERSAL_ONLY_NODES push.nodes
#define TRAVERSAL_ONLY_LEAVES push.leaves
#define TRAVERSAL_STARTS(view) push.starts
#include "path/traversal_memory.glsl"
#else
uint traversalStack[7];
#define TRAVERSAL_STACK(state, level) traversalStack[level]
#define TRAVERSAL_REACH(entry) reachableCells(entry)
#endif

#include "shared/wave/wave_path.h"

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer CounterRef {
    WaveCounters value;
};
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer GatheredArray {
    vec3 at[];
};
layout(buffer_reference, scalar, buffer_reference_align = 4) writeonly buffer WordTarget {
    uint at[];
};
layout(buffer_reference, scalar, buffer_reference_align = 16) writeonly buffer RayTarget {
    RayRecord at[];
};
layout(buffer_reference, scalar, buffer_reference_align = 16) writeonly buffer PathTarget {
    WavePath at[];
};
layout(buffer_reference, scalar, buffer_reference_align = 16) buffer HitTarget {
    WaveHit at[];
};
layout(buffer_reference, scalar, buffer_reference_align = 16) writeonly buffer ConnectionTarget {
    WaveConnection at[];
};

void storeRay(uint64_t target, uint i, RayRecord ray) {
    RayTarget(target).at[i] = ray;
}
void storePath(uint64_t target, uint i, WavePath path) {
    PathTarget(target).at[i] = path;
}
void storeHit(uint64_t target, uint i, WaveHit hit) {
    HitTarget(target).at[i] = hit;
}
void storeConnection(uint64_t target, uint i, WaveConnection connection) {
    ConnectionTarget(target).at[i] = connection;
}
void storeWord(uint64_t target, uint i, uint word) {
    WordTarget(target).at[i] = word;
}
void setGathered(uint64_t target, uint path, vec3 radiance) {
    GatheredArray(target).at[path] = radiance;
}
void addGathered(uint64_t target, uint path, vec3 radiance) {
    GatheredArray(target).at[path] += radiance;
}
