#version 460
#include "shared/lang.h"

// Takes the paths of a wave on from where their rays ended: adds the light that their shadow rays saw and what they
// find at the hit, sends a shadow ray to a light, and draws the next direction. A path waits until its shadow ray is at
// its end, so that what it gathers is added in the same order every time. Paths move to the next queue without gaps:
// ballot and exclusive count over the subgroup, then one atomic for the workgroup.

#include "wave_kernel.glsl"

layout(push_constant, scalar) uniform Push {
    WavePush push;
};

const uint kPlaces = 0u;
const uint kShadows = 1u;
shared uint groupCount[2];
shared uint groupBegin[2];
shared uint groupRays;

// What the path's ray became.
const uint kNoRay = 0u;
const uint kHit = 1u;    // the path stands at a surface
const uint kGoesOn = 2u; // the ray itself goes on

struct Wave {
    uint place;
    WavePath path;
    uint ray; // what it became
    WaveHit stand;
    bool asks; // the shadow ray goes on
    WaveHit shadowStand;
    vec3 light; // that the shadow ray saw
};

// The number in the subgroup, and of all of them in the workgroup so far, of those that have something for a queue.
uint countPresent(uint queue, bool present) {
    subgroupBarrier();
    uvec4 all = subgroupBallot(present);
    uint begin = 0u;
    if (gl_SubgroupInvocationID == 0u) {
        begin = atomicAdd(groupCount[queue], subgroupBallotBitCount(all));
    }
    subgroupBarrier();
    return subgroupBroadcast(begin, 0u) + subgroupBallotExclusiveBitCount(all);
}

// The places in the next queue, and in its list of shadow rays, of an invocation that has a path, or a shadow ray, for
// it. All invocations come here.
uvec2 placesFor(bool goesOn, bool asks) {
    uvec2 mine = uvec2(countPresent(kPlaces, goesOn), countPresent(kShadows, asks));
    barrier();
    uint next = push.parity ^ 1u;
    if (gl_LocalInvocationIndex == 0u) {
        groupBegin[kPlaces] = atomicAdd(CounterRef(push.counters).value.carried[next], groupCount[kPlaces]);
        groupBegin[kShadows] = atomicAdd(CounterRef(push.counters).value.shadows[next], groupCount[kShadows]);
    }
    barrier();
    return mine + uvec2(groupBegin[kPlaces], groupBegin[kShadows]);
}

// What the path's shadow ray found, where it has one.
void endConnection(inout Wave wave) {
    uint64_t queue = push.queue;
    wave.shadowStand = AT(WaveHit, WAVE_SHADOW_HITS(queue, push.capacity), wave.place);
    wave.asks = isWaveStand(wave.shadowStand) != 0u;
    if (!wave.asks) {
        WaveConnection connection = AT(WaveConnection, WAVE_CONNECTIONS(queue, push.capacity), wave.place);
        RayRecord ray = AT(RayRecord, WAVE_SHADOW_RAYS(queue, push.capacity), wave.place);
        if (connectionSees(VOXEL_OCTREE(push.params), connection, ray, wave.shadowStand) != 0u) {
            wave.light = uintBitsToFloat(uvec3(connection.light.x, connection.light.y, connection.light.z));
        }
    }
}

// Goes to where the ray of the path ended.
void arrive(RayRecord ray, WaveHit hit, inout Wave wave, inout VoxelPath state) {
    uint64_t view = VOXEL_OCTREE(push.params);
    rayBegin(view, ray, rayReciprocals(ray), state.ray);
    bool missed = isWaveMiss(hit) != 0u;
    VoxelHit met;
    if (!missed) {
        met = resumeAtHit(view, hit, state.ray);
    }
    if (wave.asks) {
        wave.ray = kGoesOn;
        wave.stand = packWaveStand(state.ray, missed ? rayFirstSheet(ray) : hit.words.w);
        return;
    }
    state.path = unpackPath(push.params, wave.path);
    if (missed) {
        pathMiss(push.params, state.path, traversalRayDirection(state.ray));
        return;
    }
    state.within = MEDIUM_NONE;
    state.crossed = 0u;
    state.leftSheet = hit.words.w;
    state.leftAt = state.leftSheet != NO_SHEET ? met.distance : -1.0;
    VoxelSurface surface = voxelSurfaceAt(push.params, hitAttributeIndex(view, met));
    Arrival arrival = voxelPathStand(push.params, state, met, surface, vec3(0.0), 0u);
    wave.ray = pathArrive(push.params, state.path, state.hit, arrival) != 0u ? kHit : kNoRay;
    voxelPathForget(state);
}

// Takes up the path at a place of the queue.
void takeUp(inout Wave wave, inout VoxelPath state) {
    wave.path = AT(WavePath, WAVE_PATHS(push.queue, push.capacity), wave.place);
    RayRecord ray = AT(RayRecord, WAVE_RAYS(push.queue, push.capacity), wave.place);
    if ((wave.path.who.w & WAVE_ASKS) != 0u) {
        endConnection(wave);
    }
    if (isRay(ray) != 0u) {
        WaveHit hit = AT(WaveHit, WAVE_HITS(push.queue, push.capacity), wave.place);
        if (isWaveStand(hit) != 0u) {
            wave.ray = kGoesOn;
            wave.stand = hit;
        } else {
            arrive(ray, hit, wave, state);
        }
    }
}

// Leaves a shadow ray that goes on to the next wave.
void moveShadow(Wave wave, uint place) {
    RayRecord ray = AT(RayRecord, WAVE_SHADOW_RAYS(push.queue, push.capacity), wave.place);
    storeRay(WAVE_SHADOW_RAYS(push.nextQueue, push.capacity), place, rayThatResumes(ray));
    storeConnection(WAVE_CONNECTIONS(push.nextQueue, push.capacity), place,
                    AT(WaveConnection, WAVE_CONNECTIONS(push.queue, push.capacity), wave.place));
    storeHit(WAVE_SHADOW_STANDS(push.nextQueue, push.capacity), place, wave.shadowStand);
}

// Stores the path in the next queue, with its ray, new or old, or without one.
void storeNext(Wave wave, VoxelPath state, uint place, bool asks) {
    RayRecord ray = noRay(0u);
    if (wave.ray == kGoesOn) {
        ray = rayThatResumes(AT(RayRecord, WAVE_RAYS(push.queue, push.capacity), wave.place));
        storeHit(WAVE_STANDS(push.nextQueue, push.capacity), place, wave.stand);
    } else if (wave.ray == kHit) {
        wave.path = packPath(state.path, wave.path.who.x);
        if (state.phase == PHASE_PATH) {
            ray = packVoxelRay(state);
        }
    }
    wave.path.who.w = (wave.path.who.w & ~WAVE_ASKS) | (asks ? WAVE_ASKS : 0u);
    storeRay(WAVE_RAYS(push.nextQueue, push.capacity), place, ray);
    storePath(WAVE_PATHS(push.nextQueue, push.capacity), place, wave.path);
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

void gather(Wave wave, vec3 radiance) {
    if (max(max(wave.light.x, radiance.x), max(max(wave.light.y, radiance.y), max(wave.light.z, radiance.z))) > 0.0) {
        setGathered(push.gathered, wave.path.who.x, AT(vec3, push.gathered, wave.path.who.x) + wave.light + radiance);
    }
}

void main() {
    if (gl_LocalInvocationIndex == 0u) {
        groupCount[kPlaces] = 0u;
        groupCount[kShadows] = 0u;
        groupRays = 0u;
    }
    barrier();
    Wave wave;
    wave.place = gl_GlobalInvocationID.x;
    wave.ray = kNoRay;
    wave.asks = false;
    wave.light = vec3(0.0);
    VoxelPath state;
    state.phase = PHASE_IDLE;
    state.rays = 0u;
    state.path.radiance = vec3(0.0);
    if (wave.place < CounterRef(push.counters).value.total[push.parity]) {
        takeUp(wave, state);
    }
    if (wave.ray == kHit && AT(LightParams, PATH_LIGHTS(push.params), 0).lightCount > 0u) {
        voxelPathConnect(push.params, state);
    }
    bool asks = wave.asks || state.phase == PHASE_SHADOW;
    bool goesOn = asks || wave.ray != kNoRay;
    uvec2 places = placesFor(goesOn, asks);
    if (wave.asks) {
        moveShadow(wave, places.x);
    } else if (asks) {
        storeRay(WAVE_SHADOW_RAYS(push.nextQueue, push.capacity), places.x, packVoxelRay(state));
        storeConnection(WAVE_CONNECTIONS(push.nextQueue, push.capacity), places.x, packConnection(state));
    }
    if (asks) {
        storeWord(WAVE_SHADOW_LIST(push.nextQueue, push.capacity), places.y, places.x);
    }
    state.phase = PHASE_IDLE;
    if (wave.ray == kHit) {
        voxelPathScatter(push.params, state);
    }
    gather(wave, state.path.radiance);
    if (goesOn) {
        storeNext(wave, state, places.x, asks);
    }
    countRays(state.rays);
}
