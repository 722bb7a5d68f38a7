#version 460
#include "shared/lang.h"

// Takes the paths of a wave on from where their rays ended: adds the light that their shadow rays saw and what they
// find at the hit, sends a shadow ray to a light, and draws the next direction. A path waits until its shadow ray is at
// its end, so that what it gathers is added in the same order every time. Paths move to the next queue without gaps:
// ballot and exclusive count over the subgroup, then one atomic for the workgroup.

#include "wave/wave_kernel.glsl"

const uint kPlaces = 0u;
const uint kShadows = 1u;
shared uint groupCount[2];
shared uint groupBegin[2];
shared uint groupRays;

// What the path's ray became.
const uint kNoRay = 0u;
const uint kHit = 1u;    // the path stands at a surface
const uint kGoesOn = 2u; // the ray itself goes on

// Registers are dear here: what is needed again at the end is read again.
uint from = gl_GlobalInvocationID.x; // the path's place in the queue
uint became = kNoRay;                // its ray
bool shadowGoesOn = false;

WavePath thePath() {
    return AT(WavePath, WAVE_PATHS(push.queue, push.capacity), from);
}

RayRecord theRay() {
    return AT(RayRecord, WAVE_RAYS(push.queue, push.capacity), from);
}

RayRecord theShadowRay() {
    return AT(RayRecord, WAVE_SHADOW_RAYS(push.queue, push.capacity), from);
}

WaveConnection theConnection() {
    return AT(WaveConnection, WAVE_CONNECTIONS(push.queue, push.capacity), from);
}

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

// Adds the light that the path's shadow ray saw, where it is at its end.
void endConnection(uint number) {
    WaveHit hit = AT(WaveHit, WAVE_SHADOW_HITS(push.queue, push.capacity), from);
    shadowGoesOn = isWaveStand(hit) != 0u;
    if (!shadowGoesOn) {
        WaveConnection connection = theConnection();
        if (connectionSees(VOXEL_OCTREE(push.params), connection, theShadowRay(), hit) != 0u) {
            addGathered(push.gathered, number,
                        uintBitsToFloat(uvec3(connection.light.x, connection.light.y, connection.light.z)));
        }
    }
}

// Takes the ray of the path, which stands at a hit far from its start, out of the voxel where it goes on through that:
// to the next wave, or out of the grid. Returns whether it does.
bool passes(RayRecord ray, VoxelHit met, VoxelSurface surface, uint before, inout VoxelPath state) {
    if (!kSmooth || isJudgedAtOnce(met.distance, before, AT(VoxelParams, push.params, 0).voxelSize)) {
        return false;
    }
    uint sheet = waveIgnored(push.params, ray, state.ray, met, surface, before);
    if (sheet == NO_SHEET) {
        return false;
    }
    if (waveSkip(VOXEL_OCTREE(push.params), state.ray) == TRAVERSAL_MISS) {
        pathMiss(push.params, state.path, traversalRayDirection(state.ray));
    } else {
        became = kGoesOn;
        storeHit(WAVE_HITS(push.queue, push.capacity), from, packWaveStand(state.ray, sheet));
    }
    return true;
}

// Goes to where the ray of the path ended.
void arrive(RayRecord ray, WaveHit hit, WavePath path, inout VoxelPath state) {
    uint64_t view = VOXEL_OCTREE(push.params);
    raySet(ray, rayReciprocals(ray), state.ray);
    bool missed = isWaveMiss(hit) != 0u;
    VoxelHit met;
    if (!missed) {
        met = resumeAtHit(view, hit, state.ray);
    }
    if (shadowGoesOn) {
        became = kGoesOn;
        storeHit(WAVE_HITS(push.queue, push.capacity), from,
                 packWaveStand(state.ray, missed ? rayFirstSheet(ray) : hit.words.w));
        return;
    }
    state.path = unpackPath(push.params, path);
    if (missed) {
        pathMiss(push.params, state.path, traversalRayDirection(state.ray));
        return;
    }
    state.within = MEDIUM_NONE;
    state.crossed = 0u;
    state.leftSheet = hit.words.w;
    state.leftAt = state.leftSheet != NO_SHEET ? met.distance : -1.0;
    VoxelSurface surface = voxelSurfaceAt(push.params, hitAttributeIndex(view, met));
    if (passes(ray, met, surface, hit.words.w, state)) {
        return;
    }
    Arrival arrival = voxelPathStand(push.params, state, met, surface, vec3(0.0), 0u);
    became = pathArrive(push.params, state.path, state.hit, arrival) != 0u ? kHit : kNoRay;
    voxelPathForget(state);
}

// Takes up the path at a place of the queue.
void takeUp(inout VoxelPath state) {
    WavePath path = thePath();
    if ((path.who.w & WAVE_ASKS) != 0u) {
        endConnection(path.who.x);
    }
    RayRecord ray = theRay();
    if (isRay(ray) != 0u) {
        WaveHit hit = AT(WaveHit, WAVE_HITS(push.queue, push.capacity), from);
        if (isWaveStand(hit) != 0u) {
            became = kGoesOn;
        } else {
            arrive(ray, hit, path, state);
        }
    }
}

// Stores the shadow ray of the path, old or new, in the next queue.
void storeShadow(VoxelPath state, uvec2 to) {
    if (shadowGoesOn) {
        storeRay(WAVE_SHADOW_RAYS(push.nextQueue, push.capacity), to.x, rayThatResumes(theShadowRay()));
        storeConnection(WAVE_CONNECTIONS(push.nextQueue, push.capacity), to.x, theConnection());
        storeHit(WAVE_SHADOW_STANDS(push.nextQueue, push.capacity), to.x,
                 AT(WaveHit, WAVE_SHADOW_HITS(push.queue, push.capacity), from));
    } else {
        storeRay(WAVE_SHADOW_RAYS(push.nextQueue, push.capacity), to.x, packVoxelRay(state));
        storeConnection(WAVE_CONNECTIONS(push.nextQueue, push.capacity), to.x, packConnection(state));
    }
    storeWord(WAVE_SHADOW_LIST(push.nextQueue, push.capacity), to.y, to.x);
}

// Stores the path in the next queue, with its ray, old or new, or without one.
void storeNext(VoxelPath state, uint to, bool asks) {
    WavePath path = thePath();
    RayRecord ray = noRay(0u);
    if (became == kGoesOn) {
        ray = rayThatResumes(theRay());
        storeHit(WAVE_STANDS(push.nextQueue, push.capacity), to,
                 HitTarget(WAVE_HITS(push.queue, push.capacity)).at[from]); // which this kernel may have written
    } else if (became == kHit) {
        path = packPath(state.path, path.who.x);
        if (state.phase == PHASE_PATH) {
            ray = packVoxelRay(state);
        }
    }
    path.who.w = (path.who.w & ~WAVE_ASKS) | (asks ? WAVE_ASKS : 0u);
    storeRay(WAVE_RAYS(push.nextQueue, push.capacity), to, ray);
    storePath(WAVE_PATHS(push.nextQueue, push.capacity), to, path);
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
    if (gl_LocalInvocationIndex == 0u) {
        groupCount[kPlaces] = 0u;
        groupCount[kShadows] = 0u;
        groupRays = 0u;
    }
    barrier();
    VoxelPath state;
    state.phase = PHASE_IDLE;
    state.rays = 0u;
    state.path.radiance = vec3(0.0);
    if (from < CounterRef(push.counters).value.total[push.parity]) {
        takeUp(state);
    }
    if (became == kHit && AT(LightParams, PATH_LIGHTS(push.params), 0).lightCount > 0u) {
        voxelPathConnect(push.params, state);
    }
    vec3 gathered = state.path.radiance;
    if (max(gathered.x, max(gathered.y, gathered.z)) > 0.0) {
        addGathered(push.gathered, thePath().who.x, gathered);
        state.path.radiance = vec3(0.0);
    }
    bool asks = shadowGoesOn || state.phase == PHASE_SHADOW;
    bool goesOn = asks || became != kNoRay;
    uvec2 to = placesFor(goesOn, asks);
    if (asks) {
        storeShadow(state, to);
    }
    state.phase = PHASE_IDLE;
    if (became == kHit) {
        voxelPathScatter(push.params, state);
        gathered = state.path.radiance;
        if (max(gathered.x, max(gathered.y, gathered.z)) > 0.0) {
            addGathered(push.gathered, thePath().who.x, gathered);
        }
    }
    if (goesOn) {
        storeNext(state, to.x, asks);
    }
    countRays(state.rays);
}
