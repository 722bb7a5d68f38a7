// Traces the rays of a wave and its shadow rays, by persistent threads (Aila and Laine 2009): where enough lanes of a
// subgroup have none, they fetch rays together. Soon after the last ray was fetched the wave ends: what still runs, and
// would hold it up, goes on in the next one.

layout(constant_id = SPEC_TRACE_STEPS_PER_ROUND) const uint kStepsPerRound = 8u;
layout(constant_id = SPEC_TRACE_TURNS_PER_ROUND) const uint kTurnsPerRound = 1u;
layout(constant_id = SPEC_TRACE_LAST_ROUNDS) const uint kLastRounds = 6u;
layout(constant_id = SPEC_TRACE_MOST_LOOPS) const uint kMostLoops = 0u;

// Lanes of a subgroup out of work at which it fetches rays for them.
const uint kRefillThreshold = 4u;

// The kernel says where a wave's count of fetched rays stands: returns it, and adds to it.
uint fetchRays(uint rays);

const uint kNoRay = 0xFFFFFFFFu;
const uint kShadow = 0x80000000u;
// What a look at a voxel takes for loops, in the mean of many at most: halvings where a field is met, voxels ahead.
// A software device goes through loops once even where no lane needs them, and with several octrees there are more.
const uint kLoopsOfJudge = kManyGrids ? 120u : 60u;

// Whether each voxel that a ray comes to is looked into: for the surface in it, or as rays may go through it.
bool judgesAll() {
    bool all = SURFACE_WITHIN(VOXEL_OCTREE(push.params));
    if (HAS_TRANSMISSION) {
        all = true;
    }
    return all;
}

uint key = 0u;       // of the ray's state
uint index = kNoRay; // the slot of the path whose ray this lane has; | kShadow where it has the shadow ray
uint status = TRAVERSAL_MISS;
RayPassage passage; // of a shadow ray that has hit, passedAt is the distance at which it did
uint traced = 0u;   // rays, or slots without one, that this lane is done with

RayRecord rayRecord() {
    uint64_t rays = (index & kShadow) != 0u ? THIS_WAVE(shadowRays) : THIS_WAVE(rays);
    return QUEUED(RayRecord, rays, index & ~kShadow);
}

// Where the lane's ray ends. Before that it has where the ray stands, if it was suspended in the wave before.
uint64_t hitsOfLane() {
    return (index & kShadow) != 0u ? THIS_WAVE(shadowHits) : THIS_WAVE(hits);
}

uint64_t glassRays() {
    return (index & kShadow) != 0u ? THIS_WAVE(shadowGlassRays) : THIS_WAVE(glassRays);
}

WaveGlassRay glassRay() {
    WaveGlassRay glass;
    if (HAS_TRANSMISSION) {
        glass = QUEUED(WaveGlassRay, glassRays(), index & ~kShadow);
    }
    return glass;
}

// Whether the kernel that shades goes to where the ray ends: that of a path, or a shadow ray that goes on from there.
bool isArrivedAt() {
    return (index & kShadow) == 0u || passage.atPane != 0u;
}

// Leaves the ray that the lane has.
void storeEnd(WaveHit hit) {
    storeHit(hitsOfLane(), index & ~kShadow, hit);
    index = kNoRay;
    status = TRAVERSAL_MISS;
    traced += 1u;
}

#include "wave/wave_instances.glsl"

// Whether the ray that the lane has is still on its way.
bool isOnWay() {
    bool on = status == TRAVERSAL_RUNNING;
    if (kManyGrids) {
        on = on || status == kSeeks;
    }
    return on;
}

// Where a ray is, as `index` has it: those of paths come first, then the shadow rays.
uint slotOfRay(uint ray, uint paths) {
    uint found = WAVE_FIRST_SLOT + ray;
    if (ray >= paths) {
        found = QUEUED(uint, THIS_WAVE(shadowSlots), found - paths) | kShadow;
    }
    return found;
}

// Takes up a ray, where it is one.
void takeRay(uint ray, uint paths, inout Traversal state) {
    index = slotOfRay(ray, paths);
    RayRecord record = rayRecord();
    if (isRay(record) == 0u) {
        traced += 1u;
        index = kNoRay;
        return;
    }
    if (kManyGrids) {
        takeSceneRay(record, state);
        return;
    }
    raySet(record, rayReciprocals(record), state);
    passage = passageFrom(record);
    if (HAS_TRANSMISSION) {
        passage.medium = glassRayMedium(glassRay());
    }
    if (rayResumes(record) != 0u) {
        WaveHit suspended = QUEUED(WaveHit, hitsOfLane(), index & ~kShadow);
        if (isWaveSuspended(suspended) == 0u) { // it has ended, and waits for its path's shadow ray
            storeEnd(suspended);
            return;
        }
        if (ALL_HAVE_BEGUN || hasBegun(suspended) != 0u) {
            resumePassage(suspended, state, passage);
        }
    }
    traversalLoadStart(VOXEL_OCTREE(push.params), state);
    key = traversalKey(state);
    status = TRAVERSAL_RUNNING;
}

// Stores how far the ray that the lane has got.
void settle(Traversal state) {
    if (kManyGrids) {
        settleSceneRay(state);
        return;
    }
    uint64_t view = VOXEL_OCTREE(push.params);
    uint sheet = sheetKept(view, state, passage);
    WaveHit hit = packWaveMiss();
    if (status == TRAVERSAL_RUNNING) {
        hit = packWaveSuspended(state, sheet, traversalDistance(state) == passage.passedAt ? 1u : 0u);
    } else if (status != TRAVERSAL_MISS) {
        if ((index & kShadow) != 0u && passage.atPane == 0u) {
            float distance = judgesAll() ? passage.passedAt : traversalDistance(state);
            hit = packShadowHit(view, state, distance, status == WAVE_LEAVES_SOLID ? 1u : 0u);
        } else {
            hit = packPathEnd(view, state, sheet, status);
            if ((index & kShadow) != 0u) {
                hit = packShadowAtPane(hit);
            }
        }
    }
    if (HAS_TRANSMISSION && status != TRAVERSAL_MISS) {
        storeWord(glassRays(), 4u * (index & ~kShadow) + 3u, passage.medium);
    }
    storeEnd(hit);
}

// Takes the ray past the voxel that it hit, where it leaves what is in that (sheet.h). Of hits of paths far from their
// start the kernel that shades asks.
void judge(inout Traversal state) {
    uint64_t view = VOXEL_OCTREE(push.params);
    VoxelHit hit = traversalHit(view, state);
    uint before = hit.distance == passage.passedAt ? passage.passedSheet : NO_SHEET;
    if ((index & kShadow) == 0u && !isJudgedAtOnce(hit.distance, before, AT(VoxelParams, push.params, 0).voxelSize)) {
        return;
    }
    VoxelSurface surface = voxelSurfaceAt(push.params, hitAttributeIndex(view, hit));
    uint sheet = waveIgnored(push.params, rayRecord(), state, hit, surface, before);
    if (sheet != NO_SHEET) {
        status = traversalSkip(view, state);
        passage.passedAt = traversalDistance(state);
        passage.passedSheet = sheet;
    }
}

// Takes the ray past the voxel that it is at, where it does not end there. A ray that is arrived at where it ends at a
// surface within stays as it came, for the kernel that shades to meet that again.
void judgeAll(inout Traversal state) {
    uvec3 came = state.position;
    status = waveStops(push.params, rayRecord(), glassRay(), state, passage);
    if (status == TRAVERSAL_HIT && isArrivedAt()) {
        state.position = came;
    } else if (status == TRAVERSAL_HIT || status == WAVE_LEAVES_SOLID) {
        passage.passedAt = SURFACE_WITHIN(VOXEL_OCTREE(push.params)) && status == TRAVERSAL_HIT
                               ? surfaceDistance(state)
                               : traversalDistance(state);
    }
}

// Takes the ray at most that many steps on, or to the next voxel that it comes to, and past that if it does not end
// there.
void advance(inout Traversal state, inout uint steps) {
    if (kManyGrids) {
        advanceInInstance(state, steps);
        return;
    }
    status = traversalRunKeyed(VOXEL_OCTREE(push.params), state, key, steps);
    if (status == TRAVERSAL_HIT && judgesAll()) {
        judgeAll(state);
    } else if (SMOOTH_NORMALS && status == TRAVERSAL_HIT) {
        judge(state);
    }
}

// The number of a ray that was not fetched yet, for each lane that wants one; `last` becomes whether these are the
// last.
uint fetch(bool wants, uint count, out bool last) {
    subgroupBarrier();
    uvec4 waiting = subgroupBallot(wants);
    uint first = 0u;
    if (subgroupElect()) {
        first = fetchRays(subgroupBallotBitCount(waiting));
    }
    subgroupBarrier();
    first = subgroupBroadcastFirst(first);
    last = first + subgroupBallotBitCount(waiting) >= count;
    return first + subgroupBallotExclusiveBitCount(waiting);
}

// Fetches rays for the lanes that have none. Returns whether these were the last ones.
bool refill(uint paths, uint count, inout Traversal state) {
    bool last;
    uint mine = fetch(index == kNoRay, count, last);
    if (index == kNoRay && mine < count) {
        takeRay(mine, paths, state);
    }
    return last;
}

// Leaves all rays that were not fetched to the next wave, as they are. A loop without others in it: a software device
// goes through all that are there, and has only so many.
void leaveTheRest(uint paths, uint count) {
    bool last = false;
    while (!last) {
        uint mine = fetch(true, count, last);
        if (mine < count) {
            index = slotOfRay(mine, paths);
            RayRecord record = rayRecord();
            WaveHit hit = packWaveUnbegun();
            if (rayResumes(record) != 0u) {
                hit = QUEUED(WaveHit, hitsOfLane(), index & ~kShadow);
            }
            storeEnd(hit); // which nobody reads where there is no ray
        }
    }
}

// Traces the rays of so many paths, and `count` with their shadow rays, until they end or are suspended.
void traceRays(uint paths, uint count) {
    Traversal state;
    index = kNoRay;
    status = TRAVERSAL_MISS;
    bool exhausted = false;
    uint roundsLeft = kLastRounds;
    uint loops = 0u; // of this subgroup, or more
    while (roundsLeft > 0u) {
        exhausted = exhausted || (kMostLoops != 0u && loops > kMostLoops);
        subgroupBarrier();
        // Nothing says that all lanes come here together: so many did.
        uint together = subgroupBallotBitCount(subgroupBallot(true));
        uint waiting = subgroupBallotBitCount(subgroupBallot(!isOnWay()));
        if (!exhausted && waiting >= min(kRefillThreshold, together)) {
            if (index != kNoRay && !isOnWay()) {
                settle(state);
            }
            exhausted = refill(paths, count, state);
        } else if (exhausted) {
            roundsLeft = waiting == together ? 0u : roundsLeft - 1u;
        }
        for (uint turn = 0u; turn < kTurnsPerRound; ++turn) {
            uint steps = kStepsPerRound;
            uint boxes = 0u;
            if (kManyGrids && status == kSeeks) {
                boxes = kBoxesPerTurn;
                seek(boxes);
                boxes = kBoxesPerTurn - boxes;
            }
            if (kManyGrids && status == kArrives) {
                arrive(state);
            }
            if (status == TRAVERSAL_RUNNING) {
                advance(state, steps);
            }
            if (kMostLoops != 0u) {
                uint most = subgroupMax(kStepsPerRound - steps) + subgroupMax(boxes) * loopsOfBox();
                if (most == 0u) {
                    break;
                }
                loops += most + kLoopsOfJudge;
            }
        }
    }
    if (index != kNoRay) {
        settle(state);
    }
    if (kMostLoops != 0u && gl_WorkGroupID.x + 1u == gl_NumWorkGroups.x) {
        leaveTheRest(paths, count);
    }
}
