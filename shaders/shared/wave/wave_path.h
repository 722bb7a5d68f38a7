// Paths in buffers, traced in waves: what the shaders of the wavefront path tracer (wave_*.comp) read and write. After
// Laine, Karras and Aila, "Megakernels Considered Harmful: Wavefront Path Tracing on GPUs" (2013): the rays of all
// paths are traced, with the shadow rays of the wave before, and then all their hits are shaded, so that each kernel is
// small and its lanes do the same.
#ifndef AUREOLE_SHARED_WAVE_PATH_H
#define AUREOLE_SHARED_WAVE_PATH_H

#include "shared/path/path_work.h"
#include "shared/stream/ray_stream.h"
#include "shared/wave/wave_push.h"

SHARED_BEGIN

/// A path on its way. What it gathers has a place of its own.
struct WavePath {
    uvec4 who;     ///< number among the pass's paths; pixel; sample; surface hits so far | dimension << 16 | WAVE_ASKS
    uvec4 carries; ///< bits of the throughput; of bsdfPdf
};
SHARED_ARRAY(WavePath, 16)

#define WAVE_ASKS 0x80000000u ///< the path has a shadow ray too

/// What a ray hit: voxel x | y << 16; voxel z | face << 16 (HIT_MISSED: nothing); leaf; sheet that it left there. Or
/// where a ray stands that goes on in a later wave: bits of its position; HIT_UNFINISHED | that sheet << 2 | axis.
struct WaveHit {
    uvec4 words;
};
SHARED_ARRAY(WaveHit, 16)

#define WAVE_STAND_SHEET_SHIFT 2u

/// What a shadow ray is for.
struct WaveConnection {
    uvec4 light; ///< bits of the contribution; of the distance to the light
    uvec4 goal;  ///< voxel x | y << 16; voxel z | WAVE_HAS_TARGET; 0; 0
};
SHARED_ARRAY(WaveConnection, 16)

#define WAVE_HAS_TARGET 0x80000000u ///< the shadow ray must reach that voxel, and not the distance

// A wave's rays are RayRecords that carry the sheets of the surface which they leave, in bits that are free there.
#define WAVE_AHEAD_SHIFT 5u          ///< of the sheet ahead, in start.w
#define WAVE_SHEET_MASK 0xFFFFFFFu   ///< of the sheet, in heading.w
#define WAVE_LEAVES_FACE 0x80000000u ///< in heading.w: the ray starts in front of the face that was hit
#define WAVE_RESUMES 0x40000000u     ///< in heading.w: the ray goes on from where it stood at the end of a wave

// A queue of paths has so many places. For each there is the path, its ray and its shadow ray, either of which may be
// missing, what they hit, from where they go on if they do, and the connection that the shadow ray is for. Shadow rays
// are found by a list of their paths' places.
#define WAVE_RAYS(queue, places) (queue)
#define WAVE_SHADOW_RAYS(queue, places) ((queue) + uint64_t(places) * uint64_t(32u))
#define WAVE_PATHS(queue, places) ((queue) + uint64_t(places) * uint64_t(64u))
#define WAVE_CONNECTIONS(queue, places) ((queue) + uint64_t(places) * uint64_t(96u))
#define WAVE_HITS(queue, places) ((queue) + uint64_t(places) * uint64_t(128u))
#define WAVE_SHADOW_HITS(queue, places) ((queue) + uint64_t(places) * uint64_t(144u))
#define WAVE_STANDS(queue, places) ((queue) + uint64_t(places) * uint64_t(160u))
#define WAVE_SHADOW_STANDS(queue, places) ((queue) + uint64_t(places) * uint64_t(176u))
#define WAVE_SHADOW_LIST(queue, places) ((queue) + uint64_t(places) * uint64_t(192u))
#define WAVE_PLACE_BYTES 196u

/// Where the queues stand. Of two, one is for waves of even number, one for those of odd number.
struct WaveCounters {
    uint next[2];    ///< path to begin next
    uint carried[2]; ///< places taken by paths that go on
    uint total[2];   ///< the same, and new ones
    uint shadows[2]; ///< shadow rays
    uint fetched[2]; ///< rays of both kinds that are handed out; may run past their number
    uint groups[3];  ///< workgroups of wave_shade.comp, along x, y and z
    uint asked;      ///< rays of all waves so far, with places that have none
    uint settled;    ///< those that are traced, to their end or the wave's
    uint rays;       ///< started
};
SHARED_ARRAY(WaveCounters, 4)

/// One dispatch of wave_sum.comp.
struct WaveSumPush {
    uint64_t params;
    uint64_t gathered;
    uint64_t results; ///< SampleSums for each item
    uint items;
    uint firstOfItem;
    uint samplesOfItem;
    uint padding;
};

SHARED_INLINE uint wavePathCount(uint items, uint samplesOfItem) {
    return items * samplesOfItem;
}

SHARED_INLINE WavePath packPath(PathState path, uint number) {
    WavePath packed;
    packed.who = uvec4(number, path.rng.pixel, path.rng.index, path.depth | (path.rng.dimension << 16u));
    packed.carries = uvec4(floatBitsToUint(path.throughput.x), floatBitsToUint(path.throughput.y),
                           floatBitsToUint(path.throughput.z), floatBitsToUint(path.bsdfPdf));
    return packed;
}

/// The path, with nothing gathered yet since it was packed.
SHARED_INLINE PathState unpackPath(uint64_t params, WavePath packed) {
    PathState path = beginPath(params, packed.who.y, packed.who.z);
    path.depth = packed.who.w & 0xFFFFu;
    path.rng.dimension = (packed.who.w & ~WAVE_ASKS) >> 16u;
    path.throughput =
        vec3(uintBitsToFloat(packed.carries.x), uintBitsToFloat(packed.carries.y), uintBitsToFloat(packed.carries.z));
    path.bsdfPdf = uintBitsToFloat(packed.carries.w);
    return path;
}

/// The ray that a path through the voxels has started, from the surface at `from`.
SHARED_INLINE RayRecord packVoxelRay(VoxelPath state) {
    RayRecord ray;
    uint leavesFace = state.leftSheet == state.from.sheet ? 0u : WAVE_LEAVES_FACE;
    ray.start =
        uvec4(state.ray.position.x, state.ray.position.y, state.ray.position.z,
              state.ray.mirrorAxes | (state.ray.axis << RAY_AXIS_SHIFT) | (state.from.sheetAhead << WAVE_AHEAD_SHIFT));
    ray.heading = uvec4(floatBitsToUint(state.ray.direction.x), floatBitsToUint(state.ray.direction.y),
                        floatBitsToUint(state.ray.direction.z), state.from.sheet | leavesFace);
    return ray;
}

SHARED_INLINE uint raySheet(RayRecord ray) {
    return ray.heading.w & WAVE_SHEET_MASK;
}

SHARED_INLINE uint raySheetAhead(RayRecord ray) {
    return ray.start.w >> WAVE_AHEAD_SHIFT;
}

/// The ray as it goes on after it was put off.
SHARED_INLINE RayRecord rayThatResumes(RayRecord ray) {
    ray.heading.w = ray.heading.w | WAVE_RESUMES;
    return ray;
}

/// The sheet that a ray is on where it starts.
SHARED_INLINE uint rayFirstSheet(RayRecord ray) {
    return (ray.heading.w & WAVE_LEAVES_FACE) != 0u ? raySheetAhead(ray) : raySheet(ray);
}

/// The surface that a ray leaves, as far as the sheet rule asks.
SHARED_INLINE VoxelPoint rayOrigin(RayRecord ray) {
    VoxelPoint from;
    from.position = mirrorPoint(uintBitsToFloat(rayStart(ray)), ray.start.w & 7u);
    from.sheet = raySheet(ray);
    from.sheetAhead = raySheetAhead(ray);
    return from;
}

SHARED_INLINE WaveHit packWaveHit(VoxelHit hit, uint sheet) {
    WaveHit packed;
    packed.words = uvec4(hit.voxel.x | (hit.voxel.y << 16u), hit.voxel.z | (hit.face << 16u), hit.leaf, sheet);
    return packed;
}

SHARED_INLINE WaveHit packWaveMiss() {
    WaveHit packed;
    packed.words = uvec4(0u, HIT_MISSED << 16u, 0u, 0u);
    return packed;
}

/// In place of a hit, where a ray stands that goes on later, and the sheet that it left there.
SHARED_INLINE WaveHit packWaveStand(Traversal state, uint sheet) {
    WaveHit packed;
    packed.words = packUnfinished(state).words;
    packed.words.w = packed.words.w | (sheet << WAVE_STAND_SHEET_SHIFT);
    return packed;
}

SHARED_INLINE uint isWaveStand(WaveHit hit) {
    return hit.words.w >> 31u;
}

/// Puts a ray that raySet made where it stood.
SHARED_INLINE void resumeFrom(WaveHit stand, INOUT(Traversal, state)) {
    HitRecord unfinished;
    unfinished.words = stand.words;
    rayResume(unfinished, state);
}

/// The sheet that a ray left where it stood.
SHARED_INLINE uint standSheet(WaveHit stand) {
    return (stand.words.w >> WAVE_STAND_SHEET_SHIFT) & WAVE_SHEET_MASK;
}

SHARED_INLINE uint isWaveMiss(WaveHit hit) {
    return hit.words.y >> 16u == HIT_MISSED ? 1u : 0u;
}

/// The distance at which a ray crosses the plane across `axis` through the corner `low` of a cell.
SHARED_INLINE float distanceToCell(Traversal state, uvec3 low, uint axis) {
    PRECISE vec3 entry = (uintBitsToFloat(low) - state.origin) * state.inverse;
    return axis == 0u ? entry.x : axis == 1u ? entry.y : entry.z;
}

/// The position of a ray at that distance, where it comes into the cell across that plane, as traversalExit has it.
SHARED_INLINE uvec3 positionInCell(Traversal state, uvec3 low, uint size, uint axis, float distance) {
    PRECISE vec3 travelled = state.direction * distance;
    PRECISE vec3 point = state.origin + travelled;
    uvec3 inside = clamp(floatBitsToUint(point), low, low + uvec3(size - 1u));
    return uvec3(axis == 0u ? low.x : inside.x, axis == 1u ? low.y : inside.y, axis == 2u ? low.z : inside.z);
}

/// Puts a ray that raySet made where it hit, as traversalRun leaves it there, and tells what it hit.
SHARED_INLINE VoxelHit resumeAtHit(uint64_t view, WaveHit packed, INOUT(Traversal, state)) {
    VoxelHit hit;
    hit.voxel = uvec3(packed.words.x & 0xFFFFu, packed.words.x >> 16u, packed.words.y & 0xFFFFu);
    hit.face = packed.words.y >> 16u;
    hit.leaf = packed.words.z;
    hit.bit = cellBit(hit.voxel.x, hit.voxel.y, hit.voxel.z);
    hit.distance = 0.0f;
    if (hit.face != FACE_INSIDE) {
        uvec3 low = mirroredCorner(view, state.mirrorAxes, hit.voxel);
        state.axis = hit.face >> 1u;
        hit.distance = distanceToCell(state, low, state.axis);
        state.position =
            positionInCell(state, low, 1u << (23u - 2u * AT(OctreeView, view, 0).levels), state.axis, hit.distance);
    }
    return hit;
}

/// Whether the kernel that traces rays asks the sheet rule (sheet.h) of what the ray of a path hit: close to the ray's
/// start, and in a row of voxels that it goes through, `before` being the sheet of the last one, else NO_SHEET. There
/// it mostly goes on. Most other hits end it: the kernel that shades asks of them, as it reads their attributes anyway.
SHARED_INLINE bool isJudgedAtOnce(float distance, uint before, float voxelSize) {
    return distance < SHEET_DISTANCE * voxelSize || before != NO_SHEET;
}

/// The sheet of the voxel that a ray hit, from one of the sheet `before`, where the ray goes on through it, else
/// NO_SHEET.
SHARED_INLINE uint waveIgnored(uint64_t params, RayRecord ray, Traversal state, VoxelHit hit, VoxelSurface surface,
                               uint before) {
    float voxelSize = AT(VoxelParams, params, 0).voxelSize;
    vec3 centre = voxelCorner(hit.voxel, voxelSize) + vec3(0.5f * voxelSize);
    uint leaves;
    uint sheet = ignoredSheet(rayOrigin(ray), traversalRayDirection(state), voxelSize, hit.distance, centre, surface,
                              before, hit.face, 1u, leaves);
    return sheetPassed(VOXEL_OCTREE(params), state, surface, sheet, leaves);
}

/// Takes a ray that stands at a hit, as resumeAtHit has it, out of that voxel: traversalSkip without a stack. Returns
/// TRAVERSAL_MISS where it leaves the grid.
SHARED_INLINE uint waveSkip(uint64_t view, INOUT(Traversal, state)) {
    uint changed = traversalCross(state, 23u - 2u * AT(OctreeView, view, 0).levels);
    return changed >= 0x00800000u ? TRAVERSAL_MISS : TRAVERSAL_RUNNING;
}

SHARED_INLINE WaveConnection packConnection(VoxelPath state) {
    WaveConnection packed;
    vec3 c = state.shadow.contribution;
    packed.light =
        uvec4(floatBitsToUint(c.x), floatBitsToUint(c.y), floatBitsToUint(c.z), floatBitsToUint(state.shadow.distance));
    packed.goal = uvec4(0u);
    if (state.hasTarget != 0u) {
        packed.goal = uvec4(state.target.x | (state.target.y << 16u), state.target.z | WAVE_HAS_TARGET, 0u, 0u);
    }
    return packed;
}

/// Whether a shadow ray that ended at `hit` sees its light.
SHARED_INLINE uint connectionSees(uint64_t view, WaveConnection connection, RayRecord ray, WaveHit hit) {
    if ((connection.goal.y & WAVE_HAS_TARGET) != 0u) {
        return hit.words.x == connection.goal.x && (hit.words.y & 0xFFFFu) == (connection.goal.y & 0xFFFFu) &&
                       isWaveMiss(hit) == 0u
                   ? 1u
                   : 0u;
    }
    float reach = uintBitsToFloat(connection.light.w);
    if (isWaveMiss(hit) != 0u || reach >= LIGHT_FAR) {
        return isWaveMiss(hit);
    }
    Traversal state;
    raySet(ray, rayReciprocals(ray), state);
    return resumeAtHit(view, hit, state).distance >= reach ? 1u : 0u;
}

SHARED_END
#endif
