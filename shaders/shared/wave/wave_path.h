// Paths in buffers, traced in waves: what the shaders of the wavefront path tracer (wave_*.comp) read and write. After
// Laine, Karras and Aila, "Megakernels Considered Harmful: Wavefront Path Tracing on GPUs" (2013): the rays of all
// paths are traced, with the shadow rays of the wave before, and then all their hits are shaded, so that each kernel is
// small and its lanes do the same.
#ifndef AUREOLE_SHARED_WAVE_PATH_H
#define AUREOLE_SHARED_WAVE_PATH_H

#include "shared/octree/ray_record.h"
#include "shared/path/path_work.h"
#include "shared/surface/voxel_passing.h"
#include "shared/wave/wave_push.h"

SHARED_BEGIN

/// A path between two waves. The radiance that it gathers is kept elsewhere (WavePush::radiance), and so is its record
/// of the film's layers.
struct WavePath {
    uvec4 identity;   ///< id among the pass's paths; pixel; sample; surface hits so far | dimension << 16 |
                      ///< WAVE_HAS_SHADOW_RAY
    uvec4 throughput; ///< bits of the throughput; bits of bsdfPdf
};
SHARED_ARRAY(WavePath, 16)

#define WAVE_HAS_SHADOW_RAY 0x80000000u

/// What a ray hit: voxel x | y << 16; voxel z | face << 16 (HIT_MISSED: nothing), of planes with cellShift <<
/// WAVE_CELL_SHIFT; leaf; the sheet that it left there, or with a field the side of it that it came on. Of a suspended
/// ray, where it stands: suspendTraversal, with that sheet or side << WAVE_SUSPENDED_SHEET_SHIFT.
struct WaveHit {
    uvec4 bits;
};
SHARED_ARRAY(WaveHit, 16)

#define WAVE_CELL_SHIFT 20u
#define WAVE_SUSPENDED_SHEET_SHIFT 2u

/// The connection to a light that a shadow ray tests.
struct WaveConnection {
    uvec4 contribution; ///< bits of the contribution; bits of the distance to the light, or, of an emissive voxel, the
                        ///< EmitterBox of whose voxels the shadow ray must hit one | WAVE_HAS_TARGET
};
SHARED_ARRAY(WaveConnection, 16)

#define WAVE_HAS_TARGET 0x80000000u

// The payload of a wave's rays (ray_record.h) is the surface that they leave: the sheet ahead of it beside the origin,
// and beside the direction its sheet, or the side of the field, and flags.
#define WAVE_SHEET_MASK 0xFFFFFFFu
#define WAVE_LEAVES_FACE 0x80000000u ///< the ray starts in front of the face that was hit
#define WAVE_RESUMES 0x40000000u     ///< the ray was suspended in the wave before, and goes on from there
#define WAVE_FROM_WITHIN 0x20000000u ///< the ray starts on a surface within a voxel

// The queue of a wave has a slot for each of its paths. What a slot holds is listed here once; the layout of the queue
// follows from the list, in GLSL and in C++. A queue is a structure of arrays: each line is an array with one element
// for every slot, and the arrays lie one behind the other in the order of the lines, so that neighbouring invocations
// read neighbouring memory. A line tells
//   the array's name, the type of its elements, their size in bytes, and the array that lies before it.
// GLSL knows neither sizeof nor offsetof: hence the last two columns, which C++ checks below.
//
// Either ray of a slot may be missing. shadowSlots is no slot's: it lists the slots that have a shadow ray.
// shadowGroups has the groups of the lights that these are sent to, where the film has layers.
#define WAVE_QUEUE(ARRAY)                                                                                              \
    ARRAY(rays, RayRecord, 32u, start)                                                                                 \
    ARRAY(shadowRays, RayRecord, 32u, rays)                                                                            \
    ARRAY(paths, WavePath, 32u, shadowRays)                                                                            \
    ARRAY(connections, WaveConnection, 16u, paths)                                                                     \
    ARRAY(hits, WaveHit, 16u, connections)                                                                             \
    ARRAY(shadowHits, WaveHit, 16u, hits)                                                                              \
    ARRAY(suspended, WaveHit, 16u, shadowHits)                                                                         \
    ARRAY(shadowSuspended, WaveHit, 16u, suspended)                                                                    \
    ARRAY(shadowSlots, uint, 4u, shadowSuspended)                                                                      \
    ARRAY(shadowGroups, uint, 4u, shadowSlots)

// waveOffset_NAME is the offset of an array in a queue of one slot; in a queue of n slots it is n times that.
#define WAVE_QUEUE_OFFSET(name, type, bytes, before)                                                                   \
    const uint waveOffset_##name = waveEnd_##before;                                                                   \
    const uint waveEnd_##name = waveOffset_##name + bytes;
const uint waveEnd_start = 0u;
WAVE_QUEUE(WAVE_QUEUE_OFFSET)

#define WAVE_QUEUE_BYTES(name, type, bytes, before) +bytes
/// The bytes of a queue for each of its slots.
#define WAVE_SLOT_BYTES (0u WAVE_QUEUE(WAVE_QUEUE_BYTES))

/// The address of an array in the queue at `queue`, which has so many slots.
#define WAVE_ARRAY(queue, slots, name) ((queue) + uint64_t(slots) * uint64_t(waveOffset_##name))

#ifdef __cplusplus
/// A queue of one slot, as the compiler lays out the same list.
#define WAVE_QUEUE_MEMBER(name, type, bytes, before) type name;
struct WaveSlot {
    WAVE_QUEUE(WAVE_QUEUE_MEMBER)
};
#define WAVE_QUEUE_CHECK(name, type, bytes, before)                                                                    \
    static_assert(sizeof(type) == (bytes), "the size of " #name);                                                      \
    static_assert(offsetof(WaveSlot, name) == waveOffset_##name, "what lies before " #name);                           \
    static_assert(waveOffset_##name % ((bytes) < 16u ? (bytes) : 16u) == 0u,                                           \
                  #name " are loaded as words of up to 128 bits");
WAVE_QUEUE(WAVE_QUEUE_CHECK)
static_assert(sizeof(WaveSlot) == WAVE_SLOT_BYTES);
#endif

/// Where the queues stand. Of two, one is for waves of even number, one for those of odd number.
struct WaveCounters {
    uint nextPath[2];    ///< id of the path to begin next
    uint keptPaths[2];   ///< slots taken by paths that go on
    uint paths[2];       ///< slots taken by those and by new ones
    uint shadowRays[2];  ///< listed in shadowSlots
    uint fetchedRays[2]; ///< rays of both kinds that are handed out; may run past their number
    uint shadeGroups[3]; ///< workgroups of wave_shade.comp, along x, y and z
    uint expectedRays;   ///< rays of all waves so far, and slots without one
    uint tracedRays;     ///< those of them that are traced, to their end or the wave's
    uint startedRays;
};
SHARED_ARRAY(WaveCounters, 4)

SHARED_INLINE uint wavePathCount(uint items, uint samplesOfItem) {
    return items * samplesOfItem;
}

SHARED_INLINE WavePath packPath(PathState path, uint id) {
    WavePath packed;
    packed.identity = uvec4(id, path.rng.pixel, path.rng.index, path.depth | (path.rng.dimension << 16u));
    packed.throughput = uvec4(floatBitsToUint(path.throughput.x), floatBitsToUint(path.throughput.y),
                              floatBitsToUint(path.throughput.z), floatBitsToUint(path.bsdfPdf));
    return packed;
}

/// Surface hits of a path so far.
SHARED_INLINE uint wavePathDepth(WavePath path) {
    return path.identity.w & 0xFFFFu;
}

/// The path, with nothing gathered yet since it was packed.
SHARED_INLINE PathState unpackPath(uint64_t params, WavePath packed) {
    PathState path = beginPath(params, packed.identity.y, packed.identity.z);
    path.depth = wavePathDepth(packed);
    path.rng.dimension = (packed.identity.w & ~WAVE_HAS_SHADOW_RAY) >> 16u;
    path.throughput = vec3(uintBitsToFloat(packed.throughput.x), uintBitsToFloat(packed.throughput.y),
                           uintBitsToFloat(packed.throughput.z));
    path.bsdfPdf = uintBitsToFloat(packed.throughput.w);
    return path;
}

/// The id of a path among those of the pass.
SHARED_INLINE uint wavePathId(WavePath path) {
    return path.identity.x;
}

SHARED_INLINE uint hasShadowRay(WavePath path) {
    return path.identity.w & WAVE_HAS_SHADOW_RAY;
}

/// The path in a slot with a shadow ray, where `hasRay` is WAVE_HAS_SHADOW_RAY, or without one, where it is 0.
SHARED_INLINE WavePath withShadowRay(WavePath path, uint hasRay) {
    path.identity.w = (path.identity.w & ~WAVE_HAS_SHADOW_RAY) | hasRay;
    return path;
}

/// The ray that a path through the voxels has started, from the surface at `from`.
SHARED_INLINE RayRecord packVoxelRay(uint64_t view, VoxelPath state) {
    uint flags = state.passedSheet == state.from.sheet ? 0u : WAVE_LEAVES_FACE;
    if (SURFACE_WITHIN(view) && state.passedSheet != NO_SHEET && state.from.face == FACE_INSIDE) {
        flags = flags | WAVE_FROM_WITHIN;
    }
    return packTraversal(state.ray, state.ray.axis, state.from.sheetAhead, state.from.sheet | flags);
}

/// The sheet of the surface that a ray leaves.
SHARED_INLINE uint raySheet(RayRecord ray) {
    return ray.direction.w & WAVE_SHEET_MASK;
}

/// The sheet ahead of that surface.
SHARED_INLINE uint raySheetAhead(RayRecord ray) {
    return ray.origin.w >> RAY_PAYLOAD_SHIFT;
}

SHARED_INLINE uint rayLeavesFace(RayRecord ray) {
    return ray.direction.w & WAVE_LEAVES_FACE;
}

SHARED_INLINE uint rayResumes(RayRecord ray) {
    return ray.direction.w & WAVE_RESUMES;
}

/// The ray as it goes on after it was suspended.
SHARED_INLINE RayRecord rayThatResumes(RayRecord ray) {
    ray.direction.w = ray.direction.w | WAVE_RESUMES;
    return ray;
}

/// The sheet that a ray is on where it starts.
SHARED_INLINE uint rayFirstSheet(RayRecord ray) {
    return rayLeavesFace(ray) != 0u ? raySheetAhead(ray) : raySheet(ray);
}

/// The surface that a ray leaves, as far as is asked of rays on their way.
SHARED_INLINE VoxelPoint rayOrigin(RayRecord ray) {
    VoxelPoint from;
    from.position = mirrorPoint(uintBitsToFloat(rayStart(ray)), rayMirrorAxes(ray));
    from.face = (ray.direction.w & WAVE_FROM_WITHIN) != 0u ? FACE_INSIDE : 0u;
    from.sheet = raySheet(ray);
    from.sheetAhead = raySheetAhead(ray);
    return from;
}

/// What a ray has hit, from the sheet, or on the side, `sheet`.
SHARED_INLINE WaveHit packWaveHit(uint64_t view, Traversal state, uint sheet) {
    VoxelHit hit = traversalHit(view, state);
    uint cell = OCTREE_ENCODING(view) == OCTREE_PLANES ? state.cellShift << WAVE_CELL_SHIFT : 0u;
    WaveHit packed;
    packed.bits = uvec4(hit.voxel.x | (hit.voxel.y << 16u), hit.voxel.z | (hit.face << 16u) | cell, hit.leaf, sheet);
    return packed;
}

SHARED_INLINE WaveHit packWaveMiss() {
    WaveHit packed;
    packed.bits = uvec4(0u, HIT_MISSED << 16u, 0u, 0u);
    return packed;
}

/// In place of a hit, where a suspended ray stands, and the sheet that it left there.
SHARED_INLINE WaveHit packWaveSuspended(Traversal state, uint sheet) {
    WaveHit packed;
    packed.bits = suspendTraversal(state);
    packed.bits.w = packed.bits.w | (sheet << WAVE_SUSPENDED_SHEET_SHIFT);
    return packed;
}

SHARED_INLINE uint isWaveSuspended(WaveHit hit) {
    return hit.bits.w >> 31u;
}

/// The face that a ray hit, or HIT_MISSED.
SHARED_INLINE uint hitFace(WaveHit hit) {
    return (hit.bits.y >> 16u) & 7u;
}

/// The sheet that a ray left where it hit, or the side that it was on.
SHARED_INLINE uint hitSheet(WaveHit hit) {
    return hit.bits.w;
}

/// The sheet that a suspended ray left where it stands, or the side that it is on.
SHARED_INLINE uint suspendedSheet(WaveHit suspended) {
    return (suspended.bits.w >> WAVE_SUSPENDED_SHEET_SHIFT) & WAVE_SHEET_MASK;
}

SHARED_INLINE uint isWaveMiss(WaveHit hit) {
    return hitFace(hit) == HIT_MISSED ? 1u : 0u;
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
    hit.voxel = uvec3(packed.bits.x & 0xFFFFu, packed.bits.x >> 16u, packed.bits.y & 0xFFFFu);
    hit.face = hitFace(packed);
    hit.leaf = packed.bits.z;
    hit.bit = cellBit(hit.voxel.x, hit.voxel.y, hit.voxel.z);
    hit.distance = 0.0f;
    state.index = hit.leaf;
    state.cellShift =
        OCTREE_ENCODING(view) == OCTREE_PLANES ? packed.bits.y >> WAVE_CELL_SHIFT : traversalLeafShift(view);
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

/// Tries whether a ray meets the surface within the voxel that it stands at, and ends there: TRAVERSAL_HIT, where the
/// ray stays as it came, so that it can be tried again, and `distance` is that of the surface. Else the ray is past the
/// voxel, with the status of its traversal. `passedAt` and `passedSheet` are those of VoxelPath.
SHARED_INLINE uint wavePassWithin(uint64_t params, RayRecord ray, INOUT(Traversal, state), INOUT(float, passedAt),
                                  INOUT(uint, passedSheet), OUT(float, distance)) {
    VoxelPath path;
    path.ray = state;
    path.from = rayOrigin(ray);
    path.passedAt = passedAt;
    path.passedSheet = passedSheet;
    path.rayMedium = MEDIUM_NONE;
    path.crossed = 0u;
    VoxelHit hit = traversalHit(VOXEL_OCTREE(params), state);
    uvec3 came = state.position;
    uint64_t attributes;
    vec3 normal = vec3(0.0f);
    uint status = voxelReached(params, path, hit, LIGHT_FAR, attributes, normal);
    if (status == TRAVERSAL_HIT) {
        VoxelSurface surface = voxelSurfaceAt(params, attributes);
        uint leaving = 0u;
        status = voxelStops(params, path, hit, surface, attributes, normal, LIGHT_FAR, leaving);
    }
    distance = surfaceDistance(path.ray);
    state = path.ray;
    passedAt = path.passedAt;
    if (status == TRAVERSAL_HIT) {
        state.position = came;
    } else {
        passedSheet = path.passedSheet;
    }
    return status;
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
    uint light = state.hasTarget != 0u ? state.target | WAVE_HAS_TARGET : floatBitsToUint(state.shadow.distance);
    packed.contribution = uvec4(floatBitsToUint(c.x), floatBitsToUint(c.y), floatBitsToUint(c.z), light);
    return packed;
}

/// The radiance that a path gains where its shadow ray sees the light.
SHARED_INLINE vec3 connectionContribution(WaveConnection connection) {
    return uintBitsToFloat(uvec3(connection.contribution.x, connection.contribution.y, connection.contribution.z));
}

/// How far a shadow ray must get to see its light, where that has no target.
SHARED_INLINE float connectionReach(WaveConnection connection) {
    uint light = connection.contribution.w;
    return (light & WAVE_HAS_TARGET) != 0u ? LIGHT_FAR : uintBitsToFloat(light);
}

/// Whether a shadow ray that ended at `hit` sees its light.
SHARED_INLINE uint connectionSees(uint64_t params, WaveConnection connection, RayRecord ray, WaveHit hit) {
    uint light = connection.contribution.w;
    if ((light & WAVE_HAS_TARGET) != 0u) {
        uvec3 voxel = uvec3(hit.bits.x & 0xFFFFu, hit.bits.x >> 16u, hit.bits.y & 0xFFFFu);
        return isWaveMiss(hit) != 0u ? 0u : emitterSeen(params, light & ~WAVE_HAS_TARGET, voxel);
    }
    float reach = uintBitsToFloat(light);
    if (isWaveMiss(hit) != 0u || reach >= LIGHT_FAR) {
        return isWaveMiss(hit);
    }
    Traversal state;
    raySet(ray, rayReciprocals(ray), state);
    return resumeAtHit(VOXEL_OCTREE(params), hit, state).distance >= reach ? 1u : 0u;
}

SHARED_END
#endif
