#version 460
#include "shared/lang.h"

// Takes the paths of a wave on from where their rays ended: adds what they find there, sends a shadow ray to a light,
// and draws the next direction.

#include "wave_kernel.glsl"
#include "wave_queue.glsl"

shared uint groupRays;

// What the wave's ray of this invocation became.
const uint kNothing = 0u;
const uint kHit = 1u;    // the path stands at a surface
const uint kGoesOn = 2u; // the ray itself goes on

// Goes to where the ray of a path ended. `hit` is then where it stands if it goes on.
uint arrive(RayRecord ray, uint number, inout VoxelPath state, inout WaveHit hit) {
    uint64_t view = VOXEL_OCTREE(push.params);
    rayBegin(view, ray, rayReciprocals(ray), state.ray);
    bool waits = AT(uint, push.waiting, number) != 0u;
    if (isWaveMiss(hit) != 0u) {
        if (waits) {
            hit = packWaveStand(state.ray, rayFirstSheet(ray));
            return kGoesOn;
        }
        pathMiss(push.params, state.path, traversalRayDirection(state.ray));
        return kNothing;
    }
    VoxelHit met = resumeAtHit(view, hit, state.ray);
    state.leftSheet = hit.words.w;
    state.leftAt = state.leftSheet != NO_SHEET ? met.distance : -1.0;
    if (waits) {
        hit = packWaveStand(state.ray, state.leftSheet);
        return kGoesOn;
    }
    VoxelSurface surface = voxelSurfaceAt(push.params, hitAttributeIndex(view, met));
    Arrival arrival = voxelPathStand(push.params, state, met, surface, vec3(0.0), 0u);
    bool stands = pathArrive(push.params, state.path, state.hit, arrival) != 0u;
    voxelPathForget(state);
    return stands ? kHit : kNothing;
}

// Takes up the path of a ray, where there is one.
uint takeUp(uint i, inout VoxelPath state, out uint number, out WaveHit hit) {
    RayRecord ray = AT(RayRecord, push.queue, i);
    number = 0u;
    if (isRay(ray) == 0u) {
        return kNothing;
    }
    if (drainsShadows()) {
        hit = AT(WaveHit, WAVE_STANDS(push.queue, push.capacity), i);
        return kGoesOn;
    }
    hit = AT(WaveHit, WAVE_HITS(push.queue, push.capacity), i);
    if (isWaveStand(hit) != 0u) {
        return kGoesOn;
    }
    WavePath path = AT(WavePath, WAVE_OTHERS(push.queue, push.capacity), i);
    number = path.who.x;
    state.path = unpackPath(push.params, path);
    state.within = MEDIUM_NONE;
    state.crossed = 0u;
    return arrive(ray, number, state, hit);
}

void countRays(uint rays) {
    subgroupBarrier();
    rays = subgroupAdd(rays);
    if (gl_SubgroupInvocationID == 0u) {
        atomicAdd(groupRays, rays);
    }
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        atomicAdd(CounterRef(push.counters).value.rays, groupRays);
    }
}

void main() {
    groupRays = 0u;
    prepareQueues();
    uint i = gl_GlobalInvocationID.x;
    VoxelPath state;
    state.phase = PHASE_IDLE;
    state.rays = 0u;
    state.path.radiance = vec3(0.0);
    uint number = 0u;
    uint became = kNothing;
    WaveHit hit;
    if (i < CounterRef(push.counters).value.total[push.parity]) {
        became = takeUp(i, state, number, hit);
    }
    if (became == kHit && AT(LightParams, PATH_LIGHTS(push.params), 0).lightCount > 0u) {
        voxelPathConnect(push.params, state);
    }
    bool asks = state.phase == PHASE_SHADOW;
    uint slot = place(kNextShadows, asks);
    if (asks) {
        storeRay(push.nextShadows, slot, packVoxelRay(state));
        storeConnection(WAVE_OTHERS(push.nextShadows, WAVE_SHADOW_PLACES(push.capacity)), slot,
                        packConnection(state, number));
    }
    state.phase = PHASE_IDLE;
    if (became == kHit) {
        voxelPathScatter(push.params, state);
    }
    vec3 gathered = state.path.radiance;
    if (max(gathered.x, max(gathered.y, gathered.z)) > 0.0) {
        addGathered(push.gathered, number, gathered);
    }
    slot = place(kNextRays, became == kGoesOn || state.phase == PHASE_PATH);
    if (became == kGoesOn) {
        moveRay(push.queue, i, push.nextQueue, slot, push.capacity, hit);
    } else if (state.phase == PHASE_PATH) {
        storeRay(push.nextQueue, slot, packVoxelRay(state));
        storePath(WAVE_OTHERS(push.nextQueue, push.capacity), slot, packPath(state.path, number));
    }
    countRays(state.rays);
}
