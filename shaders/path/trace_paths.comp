#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#include "shared/lang.h"
#include "shared/specialization.h"

// Path tracing by persistent threads (Aila and Laine 2009). A work item is one pixel and a batch of its samples, which
// one invocation adds up in order, so that no two ever write to the same place. Where enough lanes of a subgroup are
// out of work they fetch items together: ballot, exclusive scan, one atomic. The rounds of a dispatch are limited; what
// is unfinished is saved and goes on in the next dispatch.

layout(local_size_x_id = SPEC_TRACE_WORKGROUP_SIZE) in;
layout(constant_id = SPEC_TRACE_STEPS_PER_ROUND) const uint kStepsPerRound = 32u;
layout(constant_id = SPEC_TRACE_REFILL_THRESHOLD) const uint kRefillThreshold = 4u;
layout(constant_id = SPEC_TRACE_OCTREE_ENCODING) const uint kEncoding = 0u;
layout(constant_id = SPEC_TRACE_MATERIAL_MODELS) const uint kMaterialModels = 0xFFFFFFFFu;
#define OCTREE_ENCODING(view) kEncoding
#define MATERIAL_MODELS kMaterialModels
layout(constant_id = SPEC_TRACE_SAMPLER) const uint kSampler = 0u;
#define RNG_SAMPLER(rng) kSampler
layout(constant_id = SPEC_TRACE_SAMPLING) const uint kSampling = 0u;
#define PATH_SAMPLING(params) kSampling

layout(constant_id = SPEC_TRACE_FILM_LAYERS) const uint kLayers = 0u;

// The layers of the film, the floats of them that the item has, and what the path has found of them.
uint64_t filmLayers;
uint64_t itemLayers;
uint64_t pathRecord;
#define LAYERS_FILLED kLayers
#define HAS_LAYERS(path) (kLayers != 0u)
#define PATH_LAYERS(path) filmLayers
#define PATH_RECORD(path) pathRecord

// From the root always: what the table takes in registers costs 3 to 9 % here.
#define TRAVERSAL_STARTS(view) uint64_t(0)

#include "path/traversal_memory.glsl"

#include "shared/path/path_work.h"
#include "shared/path/voxel_path.h"

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer CounterRef {
    PathCounters value;
};
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer LaneArray {
    PathLane at[];
};
layout(buffer_reference, scalar, buffer_reference_align = 4) writeonly buffer ResultArray {
    SampleSums at[];
};

layout(push_constant, scalar) uniform Push {
    PathPush push;
};

void storeSum(uint index, float sum) {
    LayerArray(itemLayers).at[index] = sum;
}

void addSample(inout SampleSums sums, vec3 radiance) {
    sums.radiance += radiance;
    sums.squared += radiance * radiance;
    if (kLayers != 0u) {
        uint count = AT(FilmLayers, filmLayers, 0).count;
        for (uint i = 0u; i < count; ++i) {
            storeSum(i, layerAfter(LayerArray(itemLayers).at[i], pathRecord, i));
        }
    }
}

// Goes to the item's next sample, or ends the item.
void nextSample(inout PathLane lane) {
    if (lane.sampling != 0u) {
        addSample(lane.sums, lane.voxel.path.radiance);
        lane.nextSample += 1u;
        lane.sampling = 0u;
    }
    if (lane.nextSample < lane.endSample) {
        lane.sampling = 1u;
        voxelPathBegin(push.params, lane.voxel, lane.pixel, lane.nextSample);
        return;
    }
    ResultArray(push.results).at[lane.item] = lane.sums;
    atomicAdd(CounterRef(push.counters).value.completed, 1u);
    lane.item = PATH_NO_ITEM;
}

// Where the item that the lane has keeps its layers.
void findLayers(PathLane lane) {
    if (kLayers != 0u && lane.item != PATH_NO_ITEM) {
        itemLayers = push.layerSums + uint64_t(lane.item) * uint64_t(4u * AT(FilmLayers, filmLayers, 0).count);
    }
}

void startItem(inout PathLane lane, uint item) {
    PathItem work = pathItem(push.params, item);
    lane.item = item;
    lane.pixel = work.pixel;
    lane.nextSample = work.firstSample;
    lane.endSample = work.endSample;
    lane.sampling = 0u;
    lane.sums.radiance = vec3(0.0);
    lane.sums.squared = vec3(0.0);
    lane.voxel.phase = PHASE_IDLE;
    if (kLayers != 0u) {
        findLayers(lane);
        for (uint i = 0u; i < AT(FilmLayers, filmLayers, 0).count; ++i) {
            storeSum(i, layerBefore(i));
        }
    }
}

// Takes up the lane as the dispatch before left it, or an idle one.
void loadLane(out PathLane lane) {
    if (push.fresh != 0u) {
        lane.item = PATH_NO_ITEM;
        lane.voxel.phase = PHASE_IDLE;
    } else {
        lane = LaneArray(push.lanes).at[gl_GlobalInvocationID.x];
        voxelPathForget(lane.voxel);
        if (lane.item != PATH_NO_ITEM && lane.voxel.phase != PHASE_IDLE) {
            traversalLoadStart(VOXEL_OCTREE(push.params), lane.voxel.ray);
        }
    }
    lane.voxel.raysStarted = 0u;
    findLayers(lane);
}

// Where enough lanes are out of work, gives them items, until there are no more. A barrier stands before every subgroup
// operation: lanes of one subgroup need not run in lockstep, and one that lags behind a branch would be left out.
void refill(inout PathLane lane, inout bool exhausted) {
    subgroupBarrier();
    bool idle = lane.item == PATH_NO_ITEM;
    uvec4 waiting = subgroupBallot(idle);
    uint count = subgroupBallotBitCount(waiting);
    if (!exhausted && count >= min(kRefillThreshold, gl_SubgroupSize)) {
        uint leader = subgroupBallotFindLSB(waiting);
        uint first = 0u;
        if (gl_SubgroupInvocationID == leader) {
            first = atomicAdd(CounterRef(push.counters).value.next, count);
        }
        subgroupBarrier();
        first = subgroupShuffle(first, leader);
        uint item = first + subgroupBallotExclusiveBitCount(waiting);
        if (idle && item < push.itemCount) {
            startItem(lane, item);
        }
        exhausted = first + count >= push.itemCount;
    }
}

// Some steps of the ray that the lane's path waits for, or the item's next sample.
void advance(inout PathLane lane) {
    if (lane.voxel.phase == PHASE_IDLE) {
        nextSample(lane);
    } else {
        uint steps = kStepsPerRound;
        uint status = traversalRun(VOXEL_OCTREE(push.params), lane.voxel.ray, steps);
        if (status != TRAVERSAL_RUNNING) {
            voxelPathEvent(push.params, lane.voxel, status);
        }
    }
}

void main() {
    prepareTraversal(VOXEL_OCTREE(push.params));
    filmLayers = push.layers;
    if (kLayers != 0u) {
        pathRecord =
            push.records + uint64_t(gl_GlobalInvocationID.x) * uint64_t(4u * AT(FilmLayers, filmLayers, 0).count);
    }
    PathLane lane;
    loadLane(lane);
    bool exhausted = push.exhausted != 0u;
    for (uint round = 0u; round < push.rounds; ++round) {
        refill(lane, exhausted);
        subgroupBarrier();
        bool allIdle = subgroupAll(lane.item == PATH_NO_ITEM);
        if (allIdle && exhausted) {
            break;
        }
        if (lane.item != PATH_NO_ITEM) {
            advance(lane);
        }
    }
    subgroupBarrier();
    uint rays = subgroupAdd(lane.voxel.raysStarted);
    if (subgroupElect()) {
        atomicAdd(CounterRef(push.counters).value.rays, rays);
    }
    LaneArray(push.lanes).at[gl_GlobalInvocationID.x] = lane;
}
