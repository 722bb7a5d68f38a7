#version 460
#include "shared/lang.h"

// Takes the paths of a wave on from where their rays ended: adds what they find there, sends a shadow ray to a light,
// and draws the next direction. Rays of the next wave and shadow rays are stored without gaps: ballot and exclusive
// count over the subgroup, then one atomic for the workgroup.

#include "wave_kernel.glsl"

layout(push_constant, scalar) uniform Push {
    WavePush push;
};

const uint kNextRays = 0u;
const uint kShadowRays = 1u;
shared uint groupCount[2];
shared uint groupBegin[2];
shared uint groupRays;

// The place of what this invocation has for a queue, if it has anything. All invocations come here.
uint place(uint queue, bool present) {
    subgroupBarrier();
    uvec4 all = subgroupBallot(present);
    uint begin = 0u;
    if (gl_SubgroupInvocationID == 0u) {
        begin = atomicAdd(groupCount[queue], subgroupBallotBitCount(all));
    }
    subgroupBarrier();
    begin = subgroupBroadcast(begin, 0u) + subgroupBallotExclusiveBitCount(all);
    barrier();
    if (gl_LocalInvocationIndex == 0u && groupCount[queue] > 0u) {
        CounterRef counters = CounterRef(push.counters);
        groupBegin[queue] = queue == kNextRays ? atomicAdd(counters.value.carried[push.parity ^ 1u], groupCount[queue])
                                               : atomicAdd(counters.value.shadows[push.parity], groupCount[queue]);
    }
    barrier();
    return groupBegin[queue] + begin;
}

// Goes to where the ray ended. Returns whether the path goes on from there.
bool arrive(RayRecord ray, WaveHit hit, inout VoxelPath state) {
    rayBegin(VOXEL_OCTREE(push.params), ray, rayReciprocals(ray), state.ray);
    if (isWaveMiss(hit) != 0u) {
        pathMiss(push.params, state.path, traversalRayDirection(state.ray));
        return false;
    }
    uint64_t view = VOXEL_OCTREE(push.params);
    VoxelHit met = resumeAtHit(view, hit, state.ray);
    state.leftAt = hit.words.w != NO_SHEET ? met.distance : -1.0;
    state.leftSheet = hit.words.w;
    VoxelSurface surface = voxelSurfaceAt(push.params, hitAttributeIndex(view, met));
    Arrival arrival = voxelPathStand(push.params, state, met, surface, vec3(0.0), 0u);
    bool goesOn = pathArrive(push.params, state.path, state.hit, arrival) != 0u;
    voxelPathForget(state);
    return goesOn;
}

// Leaves a ray that was put off to the next wave, as it is.
void moveRay(uint from, uint to) {
    storeRay(push.nextQueue, to, rayThatResumes(AT(RayRecord, push.queue, from)));
    storePath(WAVE_OTHERS(push.nextQueue, push.capacity), to,
              AT(WavePath, WAVE_OTHERS(push.queue, push.capacity), from));
    storeHit(WAVE_HITS(push.nextQueue, push.capacity), to, AT(WaveHit, WAVE_HITS(push.queue, push.capacity), from));
}

void countRays(uint rays) {
    subgroupBarrier();
    rays = subgroupAdd(rays);
    if (gl_SubgroupInvocationID == 0u) {
        atomicAdd(groupRays, rays);
    }
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        CounterRef counters = CounterRef(push.counters);
        atomicAdd(counters.value.rays, groupRays);
        uint asked = groupCount[kShadowRays] + (gl_WorkGroupID.x == 0u ? counters.value.total[push.parity] : 0u);
        atomicAdd(counters.value.asked, asked);
    }
}

void main() {
    if (gl_LocalInvocationIndex < 2u) {
        groupCount[gl_LocalInvocationIndex] = 0u;
        groupRays = 0u;
    }
    barrier();
    uint i = gl_GlobalInvocationID.x;
    RayRecord ray = noRay(0u);
    if (i < CounterRef(push.counters).value.total[push.parity]) {
        ray = AT(RayRecord, push.queue, i);
    }
    VoxelPath state;
    state.phase = PHASE_IDLE;
    state.rays = 0u;
    state.path.radiance = vec3(0.0);
    uint number = 0u;
    bool stands = false;
    bool resumes = false;
    if (isRay(ray) != 0u) {
        WaveHit hit = AT(WaveHit, WAVE_HITS(push.queue, push.capacity), i);
        resumes = isWaveStand(hit) != 0u;
        if (!resumes) {
            WavePath path = AT(WavePath, WAVE_OTHERS(push.queue, push.capacity), i);
            number = path.who.x;
            state.path = unpackPath(push.params, path);
            state.within = MEDIUM_NONE;
            state.crossed = 0u;
            stands = arrive(ray, hit, state);
        }
    }
    if (stands && AT(LightParams, PATH_LIGHTS(push.params), 0).lightCount > 0u) {
        voxelPathConnect(push.params, state);
    }
    bool asks = state.phase == PHASE_SHADOW;
    uint shadowSlot = place(kShadowRays, asks);
    if (asks) {
        storeRay(push.shadows, shadowSlot, packVoxelRay(state));
        storeConnection(WAVE_OTHERS(push.shadows, WAVE_SHADOW_PLACES(push.capacity)), shadowSlot,
                        packConnection(state, number));
    }
    state.phase = PHASE_IDLE;
    if (stands) {
        voxelPathScatter(push.params, state);
    }
    vec3 gathered = state.path.radiance;
    if (max(gathered.x, max(gathered.y, gathered.z)) > 0.0) {
        addGathered(push.gathered, number, gathered);
    }
    bool goesOn = state.phase == PHASE_PATH;
    uint slot = place(kNextRays, goesOn || resumes);
    if (resumes) {
        moveRay(i, slot);
    } else if (goesOn) {
        storeRay(push.nextQueue, slot, packVoxelRay(state));
        storePath(WAVE_OTHERS(push.nextQueue, push.capacity), slot, packPath(state.path, number));
    }
    countRays(state.rays);
}
