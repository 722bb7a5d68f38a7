// How wave_trace.glsl takes a ray through a scene of several octrees: first through the instance that it starts in,
// then through the tree of instances. In each that it comes to it walks the octree as in a scene of one, and what it
// hits there is kept where it is the nearest so far.

const uint kBoxesPerTurn = 16u;

// What a look at a node of the tree takes for loops: where there is glass, two voxels are looked up.
uint loopsOfBox() {
    uint loops = 1u;
    if (HAS_TRANSMISSION) {
        loops += 2u * OCTREE_MAX_LEVELS;
    }
    return loops;
}

// The status of a ray that looks for the next instance, and of one that met the box of one, beside those of a
// traversal. Lanes that arrive wait for each other: to put a ray into an instance is long, and few lanes of a subgroup
// arrive at the same node of the tree.
const uint kSeeks = 4u;
const uint kArrives = 5u;

SceneRay laneRay;     // in the space of the scene
uint laneStart;       // the instance that it starts in, or NO_INSTANCE
uint cursor;          // where it stands in the tree; while it is in an instance, at that
uint laneInstance;    // the one that it is in
float laneTravelled;  // from its start to where it came into that grid
float laneStretch;    // of InstanceRay
float laneStep;       // likewise
float nearestAt;      // the distance of the nearest hit, or of where the ray ends
uint nearestInstance; // of that hit, or NO_INSTANCE
WaveHit nearestHit;
uint nearestMedium;                // of that hit, where it leaves a solid of glass
uvec2 lanePayload;                 // of the ray's record in the grid
uint64_t laneParams = push.params; // of the octree that it is in

uint64_t gridRays() {
    return (index & kShadow) != 0u ? THIS_WAVE(shadowGridRays) : THIS_WAVE(gridRays);
}

uint64_t gridMedia() {
    return (index & kShadow) != 0u ? THIS_WAVE(shadowGridMedia) : THIS_WAVE(gridMedia);
}

// The record of the ray in the grid that it is in.
RayRecord recordInGrid(Traversal state) {
    RayRecord ray;
    ray.origin = uvec4(floatBitsToUint(state.origin), lanePayload.x);
    ray.direction = uvec4(floatBitsToUint(state.direction), lanePayload.y);
    return ray;
}

uint64_t instanceNodes() {
    return AT(VoxelParams, push.params, 0).instanceNodes;
}

// The instance of the leaf that the ray is at.
uint instanceAtCursor() {
    return AT(InstanceNode, instanceNodes(), cursor).child & ~INSTANCE_LEAF;
}

// Has what follows read the octree of an instance.
void readOctreeOf(GridInstance instance) {
    laneParams = paramsOfGrid(push.params, instance.grid);
    laneOctree = instance.octree;
}

// Puts the ray into the grid of an instance where it comes to that before what it has hit; `inside` is the ray there.
void enterInstance(InstanceRay inside, uint instance, inout Traversal state) {
    if (isRay(inside.ray) == 0u || inside.travelled >= nearestAt) {
        return;
    }
    laneInstance = instance;
    laneTravelled = inside.travelled;
    laneStretch = inside.stretch;
    laneStep = inside.step;
    lanePayload = uvec2(inside.ray.origin.w, inside.ray.direction.w);
    raySet(inside.ray, rayReciprocals(inside.ray), state);
    passage = passageFrom(inside.ray);
    if (HAS_TRANSMISSION) {
        passage.medium = inside.medium;
    }
    status = TRAVERSAL_RUNNING;
}

// The same for the instance that the ray starts in.
void enterOwn(RayRecord record, inout Traversal state) {
    GridInstance grid = gridInstance(push.params, laneStart);
    readOctreeOf(grid);
    enterInstance(rayInOwn(push.params, record, glassRayMedium(glassRay()), laneRay, grid), laneStart, state);
}

// The same for another one.
void enterOther(RayRecord record, uint instance, inout Traversal state) {
    GridInstance grid = gridInstance(push.params, instance);
    readOctreeOf(grid);
    enterInstance(rayInOther(push.params, record, glassRayMedium(glassRay()), laneStart, laneRay, grid), instance,
                  state);
}

void startWalk(inout Traversal state) {
    traversalLoadStart(VOXEL_OCTREE(laneParams), state);
    key = traversalKey(state);
}

// Goes on past the node that the ray is at; behind the last one it is at its end.
void goPast() {
    cursor = AT(InstanceNode, instanceNodes(), cursor).past[octantOf(laneRay.direction)];
    status = kSeeks;
    if (cursor == INSTANCES_DONE) {
        status = nearestInstance != NO_INSTANCE ? TRAVERSAL_HIT : TRAVERSAL_MISS;
    }
}

// Takes the ray at most that many nodes on, or to the next instance whose box it meets.
void seek(inout uint boxes) {
    vec3 inverse = vec3(1.0) / traversalDirection(laneRay.direction);
    while (boxes > 0u && status == kSeeks) {
        boxes -= 1u;
        vec3 low = AT(InstanceNode, instanceNodes(), cursor).low;
        vec3 high = AT(InstanceNode, instanceNodes(), cursor).high;
        uint child = AT(InstanceNode, instanceNodes(), cursor).child;
        bool meets = meetsBox(low, high, laneRay.origin, inverse, nearestAt) != 0u;
        if (meets && (child & INSTANCE_LEAF) == 0u) {
            cursor = nearerChild(child, octantOf(laneRay.direction));
        } else if (meets && (child & ~INSTANCE_LEAF) != laneStart) {
            status = kArrives;
        } else {
            goPast();
        }
    }
}

// Takes the ray into the instance whose box it met, or past that.
void arrive(inout Traversal state) {
    enterOther(rayRecord(), instanceAtCursor(), state);
    if (status == TRAVERSAL_RUNNING) {
        startWalk(state);
    } else {
        goPast();
    }
}

// Leaves the instance that the ray is in, and what is beside it in the tree.
void leaveInstance() {
    if (cursor == INSTANCE_OWN) {
        cursor = 0u;
        status = kSeeks;
    } else {
        goPast();
    }
}

// The distance in the scene of one in the grid, from where the ray came in there.
float distanceInScene(float inGrid) {
    return laneTravelled + inGrid / laneStretch;
}

// How much farther than it is, in the scene, the ray is said to have gone in a grid of cubes: at a face that several
// instances have it comes to what is opaque first, then out of glass, and into other glass last, as within one octree.
float orderAtFaces(uint64_t view, Traversal state) {
    float step = START_STEP * AT(VoxelParams, laneParams, 0).voxelSize / laneStretch;
    if (SURFACE_WITHIN(view) || status == WAVE_LEAVES_SOLID) {
        return SURFACE_WITHIN(view) ? 0.0 : step;
    }
    uint64_t attributes = hitAttributeIndex(view, traversalHit(view, state));
    if (!HAS_MODEL(MODEL_DIELECTRIC) || (index & kShadow) != 0u || attributes == OCTREE_NO_ATTRIBUTES) {
        return 0.0;
    }
    uint material = voxelMaterial(laneParams, voxelSurfaceAt(laneParams, attributes)).material;
    return voxelTraits(laneParams, material).model == MODEL_DIELECTRIC ? step + abs(laneStep) : 0.0;
}

// Keeps what the ray has hit, or where it leaves a solid of glass, `came` being where it came to the voxel, if nothing
// nearer is known. A shadow ray that ends at its light has found out all that it is asked for, but at a pane.
void keepHit(uvec3 came, inout Traversal state) {
    uint64_t view = VOXEL_OCTREE(laneParams);
    bool leaves = status == WAVE_LEAVES_SOLID;
    float inGrid = SURFACE_WITHIN(view) && !leaves ? surfaceDistance(state) : traversalDistance(state);
    float distance = distanceInScene(inGrid);
    if (HAS_TRANSMISSION) {
        distance += orderAtFaces(view, state);
    }
    if (distance >= nearestAt) {
        return;
    }
    bool isShadow = (index & kShadow) != 0u;
    bool isAnswer = isShadow && passage.atPane == 0u && nearestInstance == NO_INSTANCE && nearestAt <= LIGHT_FAR;
    nearestAt = distance;
    nearestInstance = laneInstance;
    if (!isArrivedAt()) {
        nearestHit = packShadowHit(view, state, distance, leaves ? 1u : 0u);
    } else {
        if (!leaves) {
            state.position = came; // for the kernel that shades, to meet the surface again
        }
        nearestHit = packPathEnd(view, state, sheetKept(view, state, passage), status);
        if (isShadow) {
            nearestHit = packShadowAtPane(nearestHit);
        }
        nearestMedium = passage.medium;
    }
    if (isAnswer) {
        cursor = INSTANCES_DONE;
    }
}

// Takes the ray at most that many steps on in the instance that it is in.
void advanceInInstance(inout Traversal state, inout uint steps) {
    uint64_t view = VOXEL_OCTREE(laneParams);
    status = traversalRunKeyed(view, state, key, steps);
    if (status == TRAVERSAL_RUNNING) {
        return;
    }
    if (status == TRAVERSAL_HIT && distanceInScene(traversalDistance(state)) < nearestAt) {
        uvec3 came = state.position;
        status = waveStops(laneParams, recordInGrid(state), glassRay(), state, passage);
        if (status == TRAVERSAL_RUNNING) {
            return;
        }
        if (status != TRAVERSAL_MISS) {
            keepHit(came, state);
        }
    }
    if (cursor == INSTANCES_DONE) {
        status = TRAVERSAL_HIT;
    } else {
        leaveInstance();
    }
}

// Takes up a ray, as takeRay does. Returns false where it has ended before.
void takeSceneRay(RayRecord record, inout Traversal state) {
    WaveGridRay kept = QUEUED(WaveGridRay, gridRays(), index & ~kShadow);
    if (INSTANCES_MOVE) {
        pathTime = wavePathTime(push.params, QUEUED(WavePath, THIS_WAVE(paths), index & ~kShadow));
    }
    laneStart = gridRayStart(kept);
    cursor = gridRayCursor(kept);
    nearestAt = gridRayReach(kept);
    nearestInstance = instanceHit(kept);
    nearestHit.bits = kept.nearest;
    nearestMedium = MEDIUM_NONE;
    WaveGridMedia media;
    if (HAS_TRANSMISSION && rayResumes(record) != 0u) {
        media = QUEUED(WaveGridMedia, gridMedia(), index & ~kShadow);
        nearestMedium = media.nearest;
    }
    laneRay = sceneRay(push.params, record, laneStart);
    WaveHit suspended;
    bool resumes = rayResumes(record) != 0u;
    if (resumes) {
        suspended = QUEUED(WaveHit, hitsOfLane(), index & ~kShadow);
        if (isWaveSuspended(suspended) == 0u) { // it has ended, and waits for its path's shadow ray
            storeEnd(suspended);
            return;
        }
    }
    status = kSeeks;
    bool begun = resumes && hasBegun(suspended) != 0u;
    if (begun || cursor == INSTANCE_OWN) {
        if (cursor == INSTANCE_OWN) {
            enterOwn(record, state);
        } else {
            enterOther(record, instanceAtCursor(), state);
        }
        if (status != TRAVERSAL_RUNNING) {
            leaveInstance();
            return;
        }
        if (begun) {
            resumePassage(suspended, state, passage);
            if (HAS_TRANSMISSION) {
                passage.medium = media.now;
            }
        }
        startWalk(state);
    }
}

// Stores how far the ray that the lane has got, as settle does.
void settleSceneRay(Traversal state) {
    uint slot = index & ~kShadow;
    WaveHit hit = packWaveMiss();
    if (status == TRAVERSAL_RUNNING) {
        uint64_t view = VOXEL_OCTREE(laneParams);
        uint sheet = sheetKept(view, state, passage);
        hit = packWaveSuspended(state, sheet, traversalDistance(state) == passage.passedAt ? 1u : 0u);
    } else if (status == kSeeks) {
        hit = packWaveUnbegun();
    } else if (nearestInstance != NO_INSTANCE) {
        hit = nearestHit;
    }
    storeGridRay(gridRays(), slot, packGridRay(nearestHit.bits, laneStart, cursor, nearestAt, nearestInstance));
    if (HAS_TRANSMISSION) {
        WaveGridMedia media;
        media.now = passage.medium;
        media.nearest = nearestMedium;
        storeGridMedia(gridMedia(), slot, media);
    }
    storeEnd(hit);
}
