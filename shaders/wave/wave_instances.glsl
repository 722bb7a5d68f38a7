// How wave_trace.glsl takes a ray through a scene of several octrees: first through the instance that it starts in,
// then through the tree of instances. In each that it comes to it walks the octree as in a scene of one, and what it
// hits there is kept where it is the nearest so far.

const uint kBoxesPerTurn = 8u;

// The status of a ray that looks for the next instance, beside those of a traversal.
const uint kSeeks = 4u;

SceneRay laneRay;     // in the space of the scene
uint laneStart;       // the instance that it starts in, or NO_INSTANCE
uint cursor;          // where it stands in the tree; while it is in an instance, at that
uint laneInstance;    // the one that it is in
float laneTravelled;  // from its start to where it came into that grid
float laneStretch;    // of InstanceRay
float nearestAt;      // the distance of the nearest hit, or of where the ray ends
uint nearestInstance; // of that hit, or NO_INSTANCE
WaveHit nearestHit;
uvec2 lanePayload;                 // of the ray's record in the grid
uint64_t laneParams = push.params; // of the octree that it is in

uint64_t gridRays() {
    return (index & kShadow) != 0u ? THIS_WAVE(shadowGridRays) : THIS_WAVE(gridRays);
}

// The record of the ray in the grid that it is in.
RayRecord recordInGrid(Traversal state) {
    RayRecord ray;
    ray.origin = uvec4(floatBitsToUint(state.origin), lanePayload.x);
    ray.direction = uvec4(floatBitsToUint(state.direction), lanePayload.y);
    return ray;
}

InstanceNode nodeAt(uint place) {
    return AT(InstanceNode, AT(VoxelParams, push.params, 0).instanceNodes, place & INSTANCE_PARENT);
}

// Puts the ray into the grid of an instance, where it comes to that before what it has hit.
void enterInstance(RayRecord record, uint instance, inout Traversal state) {
    InstanceRay inside = rayInInstance(push.params, record, laneStart, laneRay, instance);
    if (isRay(inside.ray) == 0u || inside.travelled >= nearestAt) {
        return;
    }
    laneInstance = instance;
    laneTravelled = inside.travelled;
    laneStretch = inside.stretch;
    lanePayload = uvec2(inside.ray.origin.w, inside.ray.direction.w);
    laneParams = paramsOfInstance(push.params, instance);
    uint64_t view = VOXEL_OCTREE(laneParams);
    laneNodes = AT(OctreeView, view, 0).nodes[0];
    laneLeaves = AT(OctreeView, view, 0).leaves[0];
    laneStarts = AT(OctreeView, view, 0).starts;
    raySet(inside.ray, rayReciprocals(inside.ray), state);
    way = wayFrom(inside.ray);
    status = TRAVERSAL_RUNNING;
}

void startWalk(inout Traversal state) {
    traversalLoadStart(VOXEL_OCTREE(laneParams), state);
    key = traversalKey(state);
}

// Goes on to the next node; behind the last one the ray is at its end.
void goPast(InstanceNode node) {
    cursor = pastInstanceNode(node, cursor, laneRay.direction);
    status = kSeeks;
    if (cursor == INSTANCES_DONE) {
        status = nearestInstance != NO_INSTANCE ? TRAVERSAL_HIT : TRAVERSAL_MISS;
    }
}

// Takes the ray at most that many nodes on, or into the next instance that it comes to.
void seek(inout Traversal state, inout uint boxes) {
    vec3 inverse = vec3(1.0) / traversalDirection(laneRay.direction);
    while (boxes > 0u && status == kSeeks) {
        boxes -= 1u;
        InstanceNode node = nodeAt(cursor);
        bool meets = false;
        if ((cursor & INSTANCE_CAME_FROM) != INSTANCE_FROM_CHILD) {
            meets = meetsBox(node.low, node.high, laneRay.origin, inverse, nearestAt) != 0u;
        }
        if (meets && (node.child & INSTANCE_LEAF) == 0u) {
            cursor = nearerChild(node, laneRay.direction);
        } else {
            uint instance = node.child & ~INSTANCE_LEAF;
            if (meets && instance != laneStart) {
                enterInstance(rayRecord(), instance, state);
            }
            if (status == TRAVERSAL_RUNNING) {
                startWalk(state);
            } else {
                goPast(node);
            }
        }
    }
}

// Leaves the instance that the ray is in, and what is beside it in the tree.
void leaveInstance() {
    if (cursor == INSTANCE_OWN) {
        cursor = 0u;
        status = kSeeks;
    } else {
        goPast(nodeAt(cursor));
    }
}

// The distance in the scene of one in the grid, from where the ray came in there.
float distanceInScene(float inGrid) {
    return laneTravelled + inGrid / laneStretch;
}

// Keeps what the ray has hit, `came` being where it came to the voxel, if nothing nearer is known. A shadow ray that
// ends at its light has found out all that it is asked for.
void keepHit(uvec3 came, inout Traversal state) {
    uint64_t view = VOXEL_OCTREE(laneParams);
    float inGrid = SURFACE_WITHIN(view) ? surfaceDistance(state) : traversalDistance(state);
    float distance = distanceInScene(inGrid);
    if (distance >= nearestAt) {
        return;
    }
    bool isShadow = (index & kShadow) != 0u;
    bool isAnswer = isShadow && nearestInstance == NO_INSTANCE && nearestAt <= LIGHT_FAR;
    nearestAt = distance;
    nearestInstance = laneInstance;
    if (isShadow) {
        nearestHit = packShadowHit(view, state, distance, 0u);
    } else {
        state.position = came; // for the kernel that shades, to meet the surface again
        nearestHit = packPathEnd(view, state, sheetKept(view, state, way), TRAVERSAL_HIT);
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
        WaveGlassRay glass;
        status = waveStops(laneParams, recordInGrid(state), glass, state, way);
        if (status == TRAVERSAL_RUNNING) {
            return;
        }
        if (status == TRAVERSAL_HIT) {
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
    WaveGridRay kept = AT(WaveGridRay, gridRays(), index & ~kShadow);
    laneStart = kept.way.x;
    cursor = kept.way.y;
    nearestAt = uintBitsToFloat(kept.way.z);
    nearestInstance = kept.way.w;
    nearestHit.bits = kept.nearest;
    laneRay = sceneRay(push.params, record, laneStart);
    WaveHit suspended;
    bool resumes = rayResumes(record) != 0u;
    if (resumes) {
        suspended = AT(WaveHit, hitsOfLane(), index & ~kShadow);
        if (isWaveSuspended(suspended) == 0u) { // it has ended, and waits for its path's shadow ray
            storeEnd(suspended);
            return;
        }
    }
    status = kSeeks;
    bool isInside = resumes ? suspended.bits.x != 0u : cursor == INSTANCE_OWN;
    if (isInside) {
        uint instance = laneStart;
        if (cursor != INSTANCE_OWN) {
            instance = nodeAt(cursor).child & ~INSTANCE_LEAF;
        }
        enterInstance(record, instance, state);
        if (status != TRAVERSAL_RUNNING) {
            leaveInstance();
            return;
        }
        if (resumes) {
            resumeOnWay(suspended, state, way);
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
        uint sheet = sheetKept(view, state, way);
        hit = packWaveSuspended(state, sheet, traversalDistance(state) == way.passedAt ? 1u : 0u);
    } else if (status == kSeeks) {
        hit.bits = uvec4(0u, 0u, 0u, RAY_SUSPENDED);
    } else if (nearestInstance != NO_INSTANCE) {
        hit = nearestHit;
    }
    WaveGridRay kept;
    kept.nearest = nearestHit.bits;
    kept.way = uvec4(laneStart, cursor, floatBitsToUint(nearestAt), nearestInstance);
    storeGridRay(gridRays(), slot, kept);
    storeEnd(hit);
}
