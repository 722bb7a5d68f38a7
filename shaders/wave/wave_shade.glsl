// Takes the paths of a wave on from where their rays ended: adds the light that their shadow rays saw and what they
// find at the hit, sends a shadow ray to a light, and draws the next direction. A path waits until its shadow ray is at
// its end, so that what it gathers is added in the same order every time. Paths move to the next queue without gaps:
// ballot and exclusive count over the subgroup, then one atomic for the workgroup.

// The kernel says where in the next queue the slots, and the list of shadow rays, of a workgroup begin that has so
// many. One invocation asks.
uvec2 beginInNext(uint slots, uint shadowRays);

const uint kSlots = 0u;
const uint kShadowSlots = 1u;
shared uint groupCount[2];
shared uint groupBegin[2];

// What the path's ray became.
const uint kEnded = 0u;
const uint kHit = 1u;    // the path stands at a surface
const uint kGoesOn = 2u; // the ray itself goes on

// Registers are dear here: what is needed again at the end is read again.
uint slot;                 // of the path, in this wave's queue
uint became = kEnded;      // its ray
bool shadowGoesOn = false; // its shadow ray is suspended
bool isAtPane = false;     // its shadow ray is at a pane, and goes on from there as a new one

WavePath loadPath() {
    return QUEUED(WavePath, THIS_WAVE(paths), slot);
}

RayRecord loadRay() {
    return QUEUED(RayRecord, THIS_WAVE(rays), slot);
}

RayRecord loadShadowRay() {
    return QUEUED(RayRecord, THIS_WAVE(shadowRays), slot);
}

WaveConnection loadConnection() {
    return QUEUED(WaveConnection, THIS_WAVE(connections), slot);
}

// Counts the invocations of the workgroup that have something for an array of the next queue. Returns the number of
// those before this one.
uint countPresent(uint array, bool present) {
    subgroupBarrier();
    uvec4 all = subgroupBallot(present);
    uint begin = 0u;
    if (subgroupElect()) {
        begin = atomicAdd(groupCount[array], subgroupBallotBitCount(all));
    }
    subgroupBarrier();
    return subgroupBroadcastFirst(begin) + subgroupBallotExclusiveBitCount(all);
}

// The slot of the next queue for an invocation whose path goes on, and its place in the list of shadow rays if it has
// one. All invocations come here.
uvec2 nextSlots(bool goesOn, bool hasShadow) {
    uvec2 mine = uvec2(countPresent(kSlots, goesOn), countPresent(kShadowSlots, hasShadow));
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        uvec2 begin = beginInNext(groupCount[kSlots], groupCount[kShadowSlots]);
        groupBegin[kSlots] = begin.x;
        groupBegin[kShadowSlots] = begin.y;
    }
    barrier();
    return mine + uvec2(groupBegin[kSlots], groupBegin[kShadowSlots]);
}

// The panes that the path's shadow ray has gone through.
uint panesPassed() {
    uint passed = 0u;
    if (HAS_MODEL(MODEL_THIN_GLASS)) {
        passed = QUEUED(WavePanes, THIS_WAVE(panes), slot).passed;
    }
    return passed;
}

// The parameters of the octree that the path is in.
uint64_t paramsOf(VoxelPath state) {
    uint64_t params = push.params;
    if (IS_IN_GRID(state.instance)) {
        params = paramsOfInstance(push.params, state.instance);
    }
    return params;
}

#include "wave/wave_media.glsl"

// Adds the light that the path's shadow ray saw, where it is at its end.
void endConnection(WavePath path) {
    WaveHit hit = QUEUED(WaveHit, THIS_WAVE(shadowHits), slot);
    shadowGoesOn = isWaveSuspended(hit) != 0u;
    isAtPane = isShadowAtPane(hit) != 0u;
    if (!shadowGoesOn && !isAtPane) {
        WaveConnection connection = loadConnection();
        uint instance = 0u;
        if (kManyGrids) {
            instance = instanceHit(QUEUED(WaveGridRay, THIS_WAVE(shadowGridRays), slot));
        }
        vec3 light = connectionLight(push.params, connection, hit, instance);
        if (largestOf(light) > 0.0) {
            if (kManyGrids && HAS_MEDIA) {
                light *= leftByMedia(path, connection, hit);
            } else if (HAS_MODEL(MODEL_DIELECTRIC) && hasTarget(connection) != 0u) {
                light *= glassLightShare(push.params, QUEUED(WaveGlassLight, THIS_WAVE(shadowGlassLights), slot), hit);
            }
            if (kLayers != 0u) {
                light = layersGather(push.layers, PATH_RECORD(path), wavePathDepth(path) + panesPassed(), light,
                                     QUEUED(uint, THIS_WAVE(shadowGroups), slot));
            }
            addRadiance(push.radiance, wavePathId(path), light);
        }
    }
}

// Takes the ray of the path, which stands at a hit far from its start, out of the voxel where it goes on through that:
// to the next wave, or out of the grid. Returns whether it does.
bool passes(RayRecord ray, VoxelHit met, VoxelSurface surface, uint before, inout VoxelPath state) {
    if (HAS_TRANSMISSION || kManyGrids) {
        return false;
    }
    if (!SMOOTH_NORMALS || SURFACE_WITHIN(VOXEL_OCTREE(push.params)) ||
        isJudgedAtOnce(met.distance, before, AT(VoxelParams, push.params, 0).voxelSize)) {
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
        storeHit(THIS_WAVE(hits), slot, packWaveSuspended(state.ray, sheet, 1u));
    }
    return true;
}

// The arrays of the rays that the path's ray to go to the end of is among, or, at a pane, its shadow ray.
uint64_t gridRaysOfSlot() {
    return isAtPane ? THIS_WAVE(shadowGridRays) : THIS_WAVE(gridRays);
}

uint64_t gridMediaOfSlot() {
    return isAtPane ? THIS_WAVE(shadowGridMedia) : THIS_WAVE(gridMedia);
}

uint64_t glassRaysOfSlot() {
    return isAtPane ? THIS_WAVE(shadowGlassRays) : THIS_WAVE(glassRays);
}

// In a scene of several octrees: puts the ray into the grid of the instance that it hit, if it did.
RayRecord rayWhereItHit(RayRecord ray, inout VoxelPath state) {
    WaveGridRay grid = QUEUED(WaveGridRay, gridRaysOfSlot(), slot);
    SceneRay scene = sceneRay(push.params, ray, gridRayStart(grid));
    state.sceneOrigin = scene.origin;
    state.sceneDirection = scene.direction;
    state.instance = instanceHit(grid);
    if (state.instance == NO_INSTANCE) {
        return ray;
    }
    uint medium = MEDIUM_NONE;
    if (HAS_TRANSMISSION) {
        medium = glassRayMedium(QUEUED(WaveGlassRay, glassRaysOfSlot(), slot));
    }
    GridInstance instance = gridInstance(push.params, state.instance);
    return state.instance == gridRayStart(grid)
               ? ray
               : rayInOther(push.params, ray, medium, gridRayStart(grid), scene, instance).ray;
}

// The medium that the ray, which has ended, was in there.
uint mediumWhereItEnded() {
    uint medium = MEDIUM_NONE;
    if (kManyGrids) {
        medium = QUEUED(WaveGridMedia, gridMediaOfSlot(), slot).nearest;
    } else {
        medium = glassRayMedium(QUEUED(WaveGlassRay, glassRaysOfSlot(), slot));
    }
    return medium;
}

// The path of the slot, with all that is kept of it.
void unpackAll(WavePath packed, out PathState path) {
    path = unpackPath(push.params, packed);
    if (HAS_TRANSMISSION) {
        unpackGlassPath(QUEUED(WaveGlassPath, THIS_WAVE(glassPaths), slot), path);
    }
    if (HAS_MODEL(MODEL_THIN_GLASS)) {
        path.straightDistance = uintBitsToFloat(QUEUED(WavePanes, THIS_WAVE(panes), slot).straightDistance);
    }
}

// Takes the path's connection on through the pane that its shadow ray has come to.
void connectBehind(Arrival arrival, inout VoxelPath state) {
    unpackConnection(loadConnection(), QUEUED(WaveGlassLight, THIS_WAVE(shadowGlassLights), slot), state);
    state.shadow.lightGroup = 0u;
    if (kLayers != 0u) {
        state.shadow.lightGroup = QUEUED(uint, THIS_WAVE(shadowGroups), slot);
    }
    voxelConnectionArrive(paramsOf(state), state, arrival, panesPassed());
}

// Stands the ray where it ended, and finds the attributes of the voxel there; `leaving`: 1 where it leaves a solid.
VoxelHit resume(uint64_t view, WaveHit hit, inout VoxelPath state, out uint64_t attributes, out uint leaving) {
    VoxelHit met;
    leaving = 0u;
    if (isWaveStand(hit) != 0u) {
        met = resumeAtStand(view, hit, state.ray);
        uint shift;
        attributes = octreeCellAttributes(view, met.voxel, shift);
        leaving = OCTREE_ENCODING(view) != OCTREE_FIELD ? 1u : 0u;
        state.rayMedium = unpackMedium(mediumWhereItEnded());
    } else {
        met = resumeAtHit(view, hit, state.ray);
        attributes = hitAttributeIndex(view, met);
    }
    return met;
}

// Goes to where the ray of the path ended, or, at a pane, its shadow ray.
void arrive(RayRecord ray, WaveHit hit, WavePath path, inout VoxelPath state) {
    unpackAll(path, state.path);
    if (kManyGrids) {
        ray = rayWhereItHit(ray, state);
        if (state.instance == NO_INSTANCE) {
            leaveScene(state);
            return;
        }
    }
    uint64_t params = paramsOf(state);
    uint64_t view = VOXEL_OCTREE(params);
    raySet(ray, rayReciprocals(ray), state.ray);
    if (isWaveMiss(hit) != 0u) {
        pathMiss(push.params, state.path, traversalRayDirection(state.ray));
        return;
    }
    state.rayMedium = MEDIUM_NONE;
    state.crossed = 0u;
    uint64_t attributes;
    uint leaving;
    VoxelHit met = resume(view, hit, state, attributes, leaving);
    state.passedSheet = hitSheet(hit);
    state.passedAt = state.passedSheet != NO_SHEET ? met.distance : -1.0;
    VoxelSurface surface = voxelSurfaceAt(params, attributes);
    if (passes(ray, met, surface, hitSheet(hit), state)) {
        return;
    }
    vec3 normal = vec3(0.0);
    if (SURFACE_WITHIN(view) && leaving == 0u) {
        state.from = rayOrigin(ray);
        voxelMeets(params, state, attributes, normal); // as it did on its way
        surface.normal = voxelNormalHere(view, state.ray, attributes, surface.normal);
    }
    Arrival arrival = voxelPathStand(params, state, met, surface, normal, leaving);
    if (isAtPane) {
        connectBehind(arrival, state);
    } else {
        became = arriveThroughMedia(params, arrival, state);
    }
    voxelPathForget(state);
}

// Takes up the path of the slot.
void takeUp(inout VoxelPath state) {
    WavePath path = loadPath();
    pathOfRecord = wavePathId(path);
    if (INSTANCES_MOVE) {
        pathTime = wavePathTime(push.params, path);
    }
    if (hasShadowRay(path) != 0u) {
        endConnection(path);
    }
    RayRecord ray = loadRay();
    WaveHit hit;
    bool arrives = isAtPane;
    if (isRay(ray) != 0u) {
        hit = QUEUED(WaveHit, THIS_WAVE(hits), slot);
        bool waits = shadowGoesOn || isAtPane || isWaveSuspended(hit) != 0u;
        became = waits ? kGoesOn : kEnded;
        arrives = isAtPane || !waits;
    }
    if (isAtPane) {
        ray = loadShadowRay();
        hit = endAtPane(QUEUED(WaveHit, THIS_WAVE(shadowHits), slot));
    }
    if (arrives) {
        arrive(ray, hit, path, state);
    }
}

// Where the ray that the path has started stands in the tree of instances.
uint firstCursor(VoxelPath state) {
    return state.leavesGrid != 0u ? 0u : INSTANCE_OWN;
}

// Stores the shadow ray of the path, old or new, in the next queue.
void storeShadow(VoxelPath state, uvec2 to) {
    if (shadowGoesOn) {
        storeRay(NEXT_WAVE(shadowRays), to.x, rayThatResumes(loadShadowRay()));
        storeConnection(NEXT_WAVE(connections), to.x, loadConnection());
        storeHit(NEXT_WAVE(shadowHits), to.x, QUEUED(WaveHit, THIS_WAVE(shadowHits), slot));
        if (HAS_TRANSMISSION) {
            storeGlassRay(NEXT_WAVE(shadowGlassRays), to.x, QUEUED(WaveGlassRay, THIS_WAVE(shadowGlassRays), slot));
            storeGlassLight(NEXT_WAVE(shadowGlassLights), to.x,
                            QUEUED(WaveGlassLight, THIS_WAVE(shadowGlassLights), slot));
        }
    } else {
        storeRay(NEXT_WAVE(shadowRays), to.x, startedRay(state));
        storeConnection(NEXT_WAVE(connections), to.x, packConnection(state));
        if (HAS_TRANSMISSION) {
            storeGlassRay(NEXT_WAVE(shadowGlassRays), to.x, packGlassRay(state));
            storeGlassLight(NEXT_WAVE(shadowGlassLights), to.x, packGlassLight(state));
        }
    }
    if (kManyGrids) {
        float reach = state.hasTarget != 0u ? 2.0 * LIGHT_FAR : state.shadow.distance; // of a lamp what is hit tells
        WaveGridRay grid = beginGridRay(state.instance, firstCursor(state), reach);
        if (shadowGoesOn) {
            grid = QUEUED(WaveGridRay, THIS_WAVE(shadowGridRays), slot);
            if (HAS_TRANSMISSION) {
                storeGridMedia(NEXT_WAVE(shadowGridMedia), to.x,
                               QUEUED(WaveGridMedia, THIS_WAVE(shadowGridMedia), slot));
            }
        }
        storeGridRay(NEXT_WAVE(shadowGridRays), to.x, grid);
    }
    if (kLayers != 0u) {
        uint group = shadowGoesOn ? QUEUED(uint, THIS_WAVE(shadowGroups), slot) : state.shadow.lightGroup;
        storeWord(NEXT_WAVE(shadowGroups), to.x, group);
    }
    storeWord(NEXT_WAVE(shadowSlots), to.y, to.x);
}

// Stores the path in the next queue, with its ray, old or new, or without one.
void storeNext(VoxelPath state, uint to, bool hasShadow) {
    WavePath path = loadPath();
    RayRecord ray = noRay(0u);
    if (became == kGoesOn) {
        ray = rayThatResumes(loadRay());
        storeHit(NEXT_WAVE(hits), to, WaveHitTarget(THIS_WAVE(hits)).at[slot]); // which this kernel may have written
        if (HAS_TRANSMISSION) {
            storeGlassPath(NEXT_WAVE(glassPaths), to, QUEUED(WaveGlassPath, THIS_WAVE(glassPaths), slot));
            storeGlassRay(NEXT_WAVE(glassRays), to, QUEUED(WaveGlassRay, THIS_WAVE(glassRays), slot));
        }
    } else if (became == kHit) {
        path = packPath(state.path, wavePathId(path));
        if (HAS_TRANSMISSION) {
            storeGlassPath(NEXT_WAVE(glassPaths), to, packGlassPath(state.path));
            storeGlassRay(NEXT_WAVE(glassRays), to, packGlassRay(state));
        }
        if (state.phase == PHASE_PATH) {
            ray = startedRay(state);
        }
    }
    if (kManyGrids) {
        WaveGridRay grid = beginGridRay(state.instance, firstCursor(state), LIGHT_FAR);
        if (became == kGoesOn) {
            grid = QUEUED(WaveGridRay, THIS_WAVE(gridRays), slot);
            if (HAS_TRANSMISSION) {
                storeGridMedia(NEXT_WAVE(gridMedia), to, QUEUED(WaveGridMedia, THIS_WAVE(gridMedia), slot));
            }
        }
        storeGridRay(NEXT_WAVE(gridRays), to, grid);
    }
    if (HAS_MODEL(MODEL_THIN_GLASS)) {
        WavePanes panes = packPanes(state.path);
        if (became != kHit) {
            panes = QUEUED(WavePanes, THIS_WAVE(panes), slot);
            panes.passed += isAtPane ? 1u : 0u;
        }
        storePanes(NEXT_WAVE(panes), to, panes);
    }
    storeRay(NEXT_WAVE(rays), to, ray);
    storePath(NEXT_WAVE(paths), to, withShadowRay(path, hasShadow ? WAVE_HAS_SHADOW_RAY : 0u));
}

// Before the invocations of a workgroup shade: one does.
void prepareShading() {
    groupCount[kSlots] = 0u;
    groupCount[kShadowSlots] = 0u;
}

// Takes on the path in slot `of`, where `isTaken`. All invocations come here. Returns how many rays were started.
uint shade(uint of, bool isTaken) {
    slot = of;
    became = kEnded;
    shadowGoesOn = false;
    isAtPane = false;
    VoxelPath state;
    state.phase = PHASE_IDLE;
    state.raysStarted = 0u;
    state.path.radiance = vec3(0.0);
    state.instance = 0u;
    state.leavesGrid = 0u;
    if (isTaken) {
        takeUp(state);
    }
    bool connects = isAtPane;
    if (became == kHit && AT(LightParams, PATH_LIGHTS(push.params), 0).lightCount > 0u) {
        voxelPathConnect(paramsOf(state), state);
        connects = true;
    }
    if (connects) {
        voxelShadowBegin(paramsOf(state), state);
    }
    vec3 radiance = state.path.radiance;
    if (largestOf(radiance) > 0.0) {
        addRadiance(push.radiance, wavePathId(loadPath()), radiance);
        state.path.radiance = vec3(0.0);
    }
    bool hasShadow = shadowGoesOn || state.phase == PHASE_SHADOW;
    bool goesOn = hasShadow || became != kEnded;
    uvec2 to = nextSlots(goesOn, hasShadow);
    if (hasShadow) {
        storeShadow(state, to);
    }
    if (HAS_TRANSMISSION && state.phase == PHASE_SHADOW && state.crossed != 0u) {
        crossSurface(state.from); // back to where the path stands
    }
    state.phase = PHASE_IDLE;
    if (became == kHit) {
        voxelPathScatter(paramsOf(state), state);
        radiance = state.path.radiance;
        if (largestOf(radiance) > 0.0) {
            addRadiance(push.radiance, wavePathId(loadPath()), radiance);
        }
    }
    if (goesOn) {
        storeNext(state, to.x, hasShadow);
    }
    return state.raysStarted;
}
