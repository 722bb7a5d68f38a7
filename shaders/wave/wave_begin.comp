#version 460
#include "shared/lang.h"

// Fills a wave up with rays of new paths, behind those of the paths that go on. A ray that passes the scene by is none:
// its path is complete. Rays start where the coarse cells of the octree let them, as if they had been put off there.

#include "wave/wave_kernel.glsl"

#include "shared/octree/coarse_depth.h"

// The numbers of the wave, by one invocation; the others read those that the last one left.
void setCounters(uint carried, uint next, uint begun) {
    CounterRef counters = CounterRef(push.counters);
    uint wave = push.parity;
    counters.value.total[wave] = carried + begun;
    counters.value.next[wave ^ 1u] = next + begun;
    counters.value.carried[wave ^ 1u] = 0u;
    counters.value.shadows[wave ^ 1u] = 0u;
    counters.value.fetched[wave] = 0u;
    counters.value.groups[0] = (carried + begun + gl_WorkGroupSize.x - 1u) / gl_WorkGroupSize.x;
    counters.value.groups[1] = 1u;
    counters.value.groups[2] = 1u;
}

// Takes the ray of a new path to where the coarse depths let it start, and stores that as its stand; a path whose ray
// meets nothing is complete. Returns whether the ray goes on from there.
bool startCoarsely(uvec2 pixel, uint slot, inout VoxelPath state) {
    if (push.depths == uint64_t(0)) {
        return false;
    }
    uint64_t camera = PATH_CAMERA(push.params);
    uvec2 size = uvec2(AT(CameraParams, camera, 0).size.x, AT(CameraParams, camera, 0).size.y);
    uint depth = min(AT(uint, push.depths, coarseWordOfPixel(size, pixel)), AT(uint, push.depths, 0));
    uvec3 rim = state.ray.position;
    uint status = TRAVERSAL_MISS;
    if (depth != COARSE_NOTHING) {
        status = coarseStart(state.ray, AT(CameraParams, camera, 0).position, uintBitsToFloat(depth));
    }
    if (status == TRAVERSAL_MISS) {
        pathMiss(push.params, state.path, traversalRayDirection(state.ray));
        state.phase = PHASE_IDLE;
        return false;
    }
    if (state.ray.position == rim) {
        return false;
    }
    storeHit(WAVE_STANDS(push.queue, push.capacity), slot, packWaveStand(state.ray, NO_SHEET));
    return true;
}

uint beginRay(uint number, uint slot) {
    PathItem item = pathItem(push.params, number % push.items);
    uint offset = push.firstOfItem + number / push.items; // below, as the sample itself may pass the largest number
    VoxelPath state;
    state.phase = PHASE_IDLE;
    state.rays = 0u;
    state.path.radiance = vec3(0.0);
    if (offset < item.endSample - item.firstSample) {
        voxelPathBegin(push.params, state, item.pixel, item.firstSample + offset);
    }
    RayRecord ray = noRay(0u);
    if (state.phase != PHASE_IDLE) {
        ray = packVoxelRay(state);
        if (startCoarsely(item.pixel, slot, state)) {
            ray = rayThatResumes(ray);
        }
    }
    WavePath path;
    path.who = uvec4(0u);
    path.carries = uvec4(0u);
    if (state.phase != PHASE_IDLE) {
        path = packPath(state.path, number);
    } else {
        ray = noRay(0u);
    }
    setGathered(push.gathered, number, state.path.radiance);
    storeRay(WAVE_RAYS(push.queue, push.capacity), slot, ray);
    storePath(WAVE_PATHS(push.queue, push.capacity), slot, path);
    return state.rays;
}

void main() {
    uint wave = push.parity;
    uint carried = CounterRef(push.counters).value.carried[wave];
    uint next = CounterRef(push.counters).value.next[wave];
    uint left = wavePathCount(push.items, push.samplesOfItem) - next;
    uint begun = min(push.capacity - carried, left);
    if (gl_GlobalInvocationID.x == 0u) {
        setCounters(carried, next, begun);
    }
    uint rays = 0u;
    for (uint i = gl_GlobalInvocationID.x; i < begun; i += gl_NumWorkGroups.x * gl_WorkGroupSize.x) {
        rays += beginRay(next + i, carried + i);
    }
    subgroupBarrier();
    rays = subgroupAdd(rays);
    if (gl_SubgroupInvocationID == 0u && rays > 0u) {
        atomicAdd(CounterRef(push.counters).value.rays, rays);
    }
}
