// What the kernel that shades does where media scatter (HAS_MEDIA), or would do otherwise.

// What media leave of the light that the path's shadow ray saw where it ended.
vec3 leftByMedia(WavePath path, WaveConnection connection, WaveHit hit) {
    uint medium = MEDIUM_NONE;
    if (HAS_TRANSMISSION) {
        medium = QUEUED(WaveGlassLight, THIS_WAVE(shadowGlassLights), slot).medium;
    }
    uint start = gridRayStart(QUEUED(WaveGridRay, THIS_WAVE(shadowGridRays), slot));
    SceneRay ray = sceneRay(push.params, loadShadowRay(), start);
    float distance = hasTarget(connection) != 0u ? shadowDistance(hit) : connectionDistance(connection);
    return segmentTransmittance(push.params, wavePathNumbers(push.params, path), medium, ray.origin, ray.direction,
                                distance);
}

// What the path becomes where its ray has arrived, or where a medium has scattered it before.
uint arriveThroughMedia(uint64_t params, Arrival arrival, inout VoxelPath state) {
    if (kManyGrids && HAS_MEDIA) {
        voxelPathTravel(params, state, arrival);
    }
    return pathArrive(params, state.path, state.hit, arrival, kManyGrids ? state.instance + 1u : 1u) != 0u ? kHit
                                                                                                           : kEnded;
}

// Ends a path of a scene of several octrees whose ray hit nothing, where no medium scatters it on the way.
void leaveScene(inout VoxelPath state) {
    if (HAS_MEDIA) {
        Arrival arrival;
        state.hit = noHit(arrival);
        if (voxelPathTravel(push.params, state, arrival) != 0u) {
            became = pathArrive(push.params, state.path, state.hit, arrival, 0u) != 0u ? kHit : kEnded;
            voxelPathForget(state);
            return;
        }
    }
    pathMiss(push.params, state.path, state.sceneDirection);
}

// The record of a ray that the path has started.
RayRecord startedRay(VoxelPath state) {
    RayRecord ray;
    if (kManyGrids && isInMedium(state.hit)) {
        ray = packSceneRay(state.from.position, state.sceneDirection);
    } else {
        ray = packVoxelRay(VOXEL_OCTREE(paramsOf(state)), state);
    }
    return ray;
}
