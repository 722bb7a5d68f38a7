#version 460
#include "shared/lang.h"

// Fills a wave up with rays of new paths, behind those of the paths that go on. Where a ray passes the scene by, its
// path is complete, and the slot holds no ray. Rays start where the coarse cells of the octree let them, as if they had
// been suspended there.

#include "wave/wave_kernel.glsl"

#include "shared/octree/coarse_depth.h"

// Sets the counters of the wave. One invocation does; the others read only those that the wave before has left.
void setCounters(uint kept, uint next, uint begun) {
    CounterRef counters = CounterRef(push.counters);
    uint wave = push.parity;
    counters.value.paths[wave] = kept + begun;
    counters.value.nextPath[wave ^ 1u] = next + begun;
    counters.value.keptPaths[wave ^ 1u] = 0u;
    counters.value.shadowRays[wave ^ 1u] = 0u;
    counters.value.fetchedRays[wave] = 0u;
    uint groups = (kept + begun + gl_WorkGroupSize.x - 1u) / gl_WorkGroupSize.x;
    counters.value.shadeGroups[0] = min(groups, push.groupsAcross);
    counters.value.shadeGroups[1] = (groups + push.groupsAcross - 1u) / push.groupsAcross;
    counters.value.shadeGroups[2] = 1u;
}

// Takes the ray of a new path to where the coarse depths let it start, and stores that place as if the ray had been
// suspended there. A path whose ray meets nothing is complete. Returns whether the ray goes on from there.
bool startCoarsely(uvec2 pixel, uint slot, inout VoxelPath state) {
    if (push.coarseDepths == uint64_t(0)) {
        return false;
    }
    uint64_t camera = PATH_CAMERA(push.params);
    uvec2 size = uvec2(AT(CameraParams, camera, 0).size.x, AT(CameraParams, camera, 0).size.y);
    uint depth = min(AT(uint, push.coarseDepths, coarseWordOfPixel(size, pixel)), AT(uint, push.coarseDepths, 0));
    uvec3 rim = state.ray.position;
    uint status = TRAVERSAL_MISS;
    if (depth != COARSE_NOTHING) {
        float lens = AT(CameraParams, camera, 0).apertureRadius;
        status = coarseStart(state.ray, AT(CameraParams, camera, 0).position, lens, uintBitsToFloat(depth));
    }
    if (status == TRAVERSAL_MISS) {
        pathMiss(push.params, state.path, traversalRayDirection(state.ray));
        state.phase = PHASE_IDLE;
        return false;
    }
    if (state.ray.position == rim) {
        return false;
    }
    storeHit(THIS_WAVE(hits), slot, packWaveSuspended(state.ray, NO_SHEET, 0u));
    return true;
}

// Begins the path of that id in a slot. Returns how many rays it has started.
uint beginWavePath(uint id, uint slot) {
    PathItem item = pathItem(push.params, id % push.items);
    uint offset = push.firstOfItem + id / push.items; // below, as the sample itself may pass the largest number
    VoxelPath state;
    state.phase = PHASE_IDLE;
    state.raysStarted = 0u;
    state.path.radiance = vec3(0.0);
    pathOfRecord = id;
    RayRecord ray = noRay(0u);
    if (offset < item.endSample - item.firstSample) {
        if (kManyGrids) {
            scenePathBegin(push.params, state, item.pixel, item.firstSample + offset, ray);
        } else {
            voxelPathBegin(push.params, state, item.pixel, item.firstSample + offset);
        }
    }
    if (!kManyGrids && state.phase != PHASE_IDLE) {
        ray = packVoxelRay(VOXEL_OCTREE(push.params), state);
        if (startCoarsely(item.pixel, slot, state)) {
            ray = rayThatResumes(ray);
        }
    }
    WavePath path;
    path.identity = uvec4(0u);
    path.throughput = uvec4(0u);
    if (state.phase != PHASE_IDLE) {
        path = packPath(state.path, id);
    } else {
        ray = noRay(0u);
    }
    setRadiance(push.radiance, id, state.path.radiance);
    storeRay(THIS_WAVE(rays), slot, ray);
    storePath(THIS_WAVE(paths), slot, path);
    if (kManyGrids) {
        storeGridRay(THIS_WAVE(gridRays), slot, beginGridRay(NO_INSTANCE, 0u, LIGHT_FAR));
    }
    if (HAS_TRANSMISSION) {
        storeGlassPath(THIS_WAVE(glassPaths), slot, packGlassPath(state.path));
        storeGlassRay(THIS_WAVE(glassRays), slot, packGlassRay(state));
    }
    if (HAS_MODEL(MODEL_THIN_GLASS)) {
        storePanes(THIS_WAVE(panes), slot, packPanes(state.path));
    }
    return state.raysStarted;
}

void main() {
    uint wave = push.parity;
    uint kept = CounterRef(push.counters).value.keptPaths[wave];
    uint next = CounterRef(push.counters).value.nextPath[wave];
    uint left = wavePathCount(push.items, push.samplesOfItem) - next;
    uint begun = min(push.capacity - kept, left);
    if (gl_GlobalInvocationID.x == 0u) {
        setCounters(kept, next, begun);
    }
    uint rays = 0u;
    for (uint i = gl_GlobalInvocationID.x; i < begun; i += gl_NumWorkGroups.x * gl_WorkGroupSize.x) {
        rays += beginWavePath(next + i, kept + i);
    }
    subgroupBarrier();
    rays = subgroupAdd(rays);
    if (subgroupElect() && rays > 0u) {
        atomicAdd(CounterRef(push.counters).value.startedRays, rays);
    }
}
