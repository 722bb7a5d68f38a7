// What the kernels of the wavefront path tracer share: their variants, and the functions by which they store. A kernel
// that traces rays defines WAVE_TRAVERSES, one whose workgroups have waves of their own WAVE_DRAINS; the one that adds
// up the paths' radiance defines WAVE_SUMS.
//
// What is stored goes through a parameter. glslang takes all that is reached by an address for one object; where what
// is stored comes, in the same function, from a member of what was loaded, its search for what is precise never ends.
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require

#include "shared/specialization.h"

layout(local_size_x_id = SPEC_TRACE_WORKGROUP_SIZE) in;
#include "gpu/dispatch.glsl"
layout(constant_id = SPEC_TRACE_OCTREE_ENCODING) const uint kEncoding = 0u;
layout(constant_id = SPEC_TRACE_MATERIAL_MODELS) const uint kMaterialModels = 0xFFFFFFFFu;
#define OCTREE_ENCODING(view) (kEncoding != OCTREE_MIXED ? kEncoding : AT(OctreeView, view, 0).encoding)
#define MATERIAL_MODELS kMaterialModels
// The build defines MEDIA for kernels of which there is a module for scenes whose media scatter.
#ifdef MEDIA
#define HAS_MEDIA MEDIA
#endif
layout(constant_id = SPEC_TRACE_SAMPLER) const uint kSampler = 0u;
#define RNG_SAMPLER(rng) kSampler
layout(constant_id = SPEC_TRACE_SAMPLING) const uint kSampling = 0u;
#define PATH_SAMPLING(params) kSampling
layout(constant_id = SPEC_TRACE_SMOOTH_NORMALS) const uint kSmooth = 1u;
#define SMOOTH_NORMALS (kSmooth != 2u ? kSmooth != 0u : AT(VoxelParams, push.params, 0).smoothNormals != 0u)
layout(constant_id = SPEC_TRACE_FILM_LAYERS) const uint kLayers = 0u;
// What moves while the shutter is open, and the time of the path that the invocation has.
layout(constant_id = SPEC_TRACE_MOTION) const uint kMotion = 0u;
float pathTime = 0.0;
#define CAMERA_MOVES(params) ((kMotion & MOTION_CAMERA) != 0u)
#define INSTANCES_MOVE ((kMotion & MOTION_INSTANCES) != 0u)
#define PATH_TIME pathTime
#ifndef WAVE_SUMS
// The build defines MANY_GRIDS: modules for one octree and for several are half as long as one for both.
const bool kManyGrids = MANY_GRIDS;
#else
const bool kManyGrids = false;
#endif

// Arrays that kernels store to: of the queues, and of what is added up for paths. A kernel whose workgroups have waves
// of their own reads what other invocations of its workgroup have stored, behind a barrier. Of what is not coherent it
// might see what was there before; other kernels read what an earlier dispatch has stored.
#ifdef WAVE_DRAINS
#define QUEUE_STORED coherent
#define QUEUE_SHARED coherent
#define QUEUED(type, address, index) (type##Target(address).at[index])
#else
#define QUEUE_STORED writeonly
#define QUEUE_SHARED
#define QUEUED(type, address, index) AT(type, address, index)
#endif
#define TARGET(access, type, alignment)                                                                                \
    layout(buffer_reference, scalar, buffer_reference_align = alignment) access buffer type##Target {                  \
        type at[];                                                                                                     \
    };

// The record of a path is found by its id among the pass's paths: that of the path that the invocation has.
uint pathOfRecord;
#define LAYERS_FILLED kLayers
#define HAS_LAYERS(path) (kLayers != 0u)
#define PATH_LAYERS(path) push.layers
#define PATH_RECORD(path) uint64_t(pathOfRecord)
TARGET(QUEUE_SHARED, float, 4)
#define LAYER_AT(record, index)                                                                                        \
    floatTarget(push.radiance + uint64_t(push.items * push.samplesOfItem) * uint64_t(WAVE_LAYER_OFFSET(index)))        \
        .at[uint(record)]

#include "shared/wave/wave_push.h"

layout(push_constant, scalar) uniform Push {
#ifdef WAVE_SUMS
    WaveSumPush push;
#else
    WavePush push;
#endif
};

#ifdef WAVE_TRAVERSES
#include "shared/octree/octree_entry.h"
// Of the one that the lane's ray is in, where a scene has several.
OctreeEntry laneOctree;
#define TRAVERSAL_ONLY_NODES (kManyGrids ? laneOctree.nodes : push.nodes)
#define TRAVERSAL_ONLY_LEAVES (kManyGrids ? laneOctree.leaves : push.leaves)
#define TRAVERSAL_STARTS(view) (kManyGrids ? laneOctree.starts : push.starts)
#define TRAVERSAL_START_BITS(view) (kManyGrids ? laneOctree.startBits : OCTREE_START_BITS)
// What moves has its pose in registers, beside which this one would be too many.
#define TRAVERSAL_LEVELS(view) (kManyGrids && !INSTANCES_MOVE ? laneOctree.levels : AT(OctreeView, view, 0).levels)
#include "path/traversal_memory.glsl"
#else
uint traversalStack[7];
#define TRAVERSAL_STACK(state, level) traversalStack[level]
#define TRAVERSAL_REACH(entry) reachableCells(entry)
#endif

// What the queues have (wave_queue.h).
#define WAVE_HAS_GRIDS kManyGrids
#define WAVE_HAS_GLASS ((kMaterialModels & MODELS_OF_GLASS) != 0u)
#define WAVE_HAS_PANES HAS_MODEL(MODEL_THIN_GLASS)
#define WAVE_HAS_LAYERS (kLayers != 0u)
// glslang 11 makes invalid code of "&&" with one constant of the module and one of the pipeline.
#define WAVE_HAS_GRID_MEDIA (kManyGrids ? WAVE_HAS_GLASS : false)
#include "shared/wave/wave_path.h"

// The addresses of the arrays of WAVE_QUEUE: those of this wave, and those of the next one. WAVE_FIRST_SLOT is the
// first slot of either that the kernel works on.
#ifndef WAVE_DRAINS
#define WAVE_NOW push.queue
#define WAVE_NEXT push.nextQueue
#define WAVE_FIRST_SLOT 0u
#else
uint64_t queueNow;
uint64_t queueNext;
uint firstSlot;
#define WAVE_NOW queueNow
#define WAVE_NEXT queueNext
#define WAVE_FIRST_SLOT firstSlot
#endif
#define THIS_WAVE(array) WAVE_ARRAY(WAVE_NOW, push.capacity, array)
#define NEXT_WAVE(array) WAVE_ARRAY(WAVE_NEXT, push.capacity, array)

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer CounterRef {
    WaveCounters value;
};
TARGET(QUEUE_STORED, uint, 4)
TARGET(QUEUE_STORED, RayRecord, 16)
TARGET(QUEUE_STORED, WavePath, 16)
TARGET(QUEUE_SHARED, WaveHit, 16)
TARGET(QUEUE_STORED, WaveConnection, 16)
TARGET(QUEUE_STORED, WaveGlassPath, 8)
TARGET(QUEUE_STORED, WaveGlassRay, 16)
TARGET(QUEUE_STORED, WaveGlassLight, 8)
TARGET(QUEUE_STORED, WavePanes, 8)
TARGET(QUEUE_STORED, WaveGridRay, 16)
TARGET(QUEUE_STORED, WaveGridMedia, 8)
TARGET(QUEUE_SHARED, vec3, 4)

void storeRay(uint64_t target, uint i, RayRecord ray) {
    RayRecordTarget(target).at[i] = ray;
}
void storePath(uint64_t target, uint i, WavePath path) {
    WavePathTarget(target).at[i] = path;
}
void storeHit(uint64_t target, uint i, WaveHit hit) {
    WaveHitTarget(target).at[i] = hit;
}
void storeConnection(uint64_t target, uint i, WaveConnection connection) {
    WaveConnectionTarget(target).at[i] = connection;
}
void storeGlassPath(uint64_t target, uint i, WaveGlassPath path) {
    WaveGlassPathTarget(target).at[i] = path;
}
void storeGlassRay(uint64_t target, uint i, WaveGlassRay ray) {
    WaveGlassRayTarget(target).at[i] = ray;
}
void storeGlassLight(uint64_t target, uint i, WaveGlassLight light) {
    WaveGlassLightTarget(target).at[i] = light;
}
void storePanes(uint64_t target, uint i, WavePanes panes) {
    WavePanesTarget(target).at[i] = panes;
}
void storeGridRay(uint64_t target, uint i, WaveGridRay ray) {
    WaveGridRayTarget(target).at[i] = ray;
}
void storeGridMedia(uint64_t target, uint i, WaveGridMedia media) {
    WaveGridMediaTarget(target).at[i] = media;
}
void storeWord(uint64_t target, uint i, uint word) {
    uintTarget(target).at[i] = word;
}
void setRadiance(uint64_t target, uint path, vec3 radiance) {
    vec3Target(target).at[path] = radiance;
}
void addRadiance(uint64_t target, uint path, vec3 radiance) {
    vec3Target(target).at[path] += radiance;
}
