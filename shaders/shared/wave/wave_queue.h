// What waves of paths keep in memory between their kernels (wave_path.h): the queues of two waves, and their counters.
#ifndef AUREOLE_SHARED_WAVE_QUEUE_H
#define AUREOLE_SHARED_WAVE_QUEUE_H

#include "shared/octree/ray_record.h"

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

/// How a ray ended, in four words; of one that goes on from the wave before, until then, where it stands.
///
/// A path's ray that has ended (packWaveHit): voxel x | y << 16; voxel z | face << 16 (HIT_MISSED: it hit nothing), of
/// planes also | cellShift << WAVE_CELL_SHIFT; the leaf; the sheet that the ray left there, or, with a field, the side
/// of the field that it came on.
///
/// A shadow ray that has ended (packShadowHit): the first two words are the same; then whether it left a solid of glass
/// there; bits of the distance. One that its connection goes on from behind a pane has ended as a path's ray, and has
/// WAVE_AT_PANE in the second word.
///
/// A suspended ray (packWaveSuspended): where it stands, by suspendTraversal; the last word also has that sheet or side
/// << WAVE_SHEET_SHIFT, and WAVE_JUST_PASSED.
///
/// A path's ray that has ended where the faces of the cell do not tell the place (packWaveStand): where it stands,
/// likewise, but with WAVE_STANDS, and without the bit that marks suspended rays.
struct WaveHit {
    uvec4 bits;
};
SHARED_ARRAY(WaveHit, 16)

#define WAVE_CELL_SHIFT 20u
#define WAVE_SHEET_SHIFT 2u
#define WAVE_SHEET_MASK 0xFFFFFFFu
#define WAVE_JUST_PASSED 0x40000000u ///< a suspended ray has come out of a voxel that it passed, and not moved since
#define WAVE_STANDS 0x40000000u
#define WAVE_AT_PANE 0x80000000u

// The words of a WaveHit by name. Of a path's ray, or a shadow ray, that has ended at a face:
SHARED_INLINE uvec3 hitVoxel(WaveHit hit) {
    return uvec3(hit.bits.x & 0xFFFFu, hit.bits.x >> 16u, hit.bits.y & 0xFFFFu);
}

/// Or HIT_MISSED.
SHARED_INLINE uint hitFace(WaveHit hit) {
    return (hit.bits.y >> 16u) & 7u;
}

/// Of planes.
SHARED_INLINE uint hitCellShift(WaveHit hit) {
    return hit.bits.y >> WAVE_CELL_SHIFT;
}

/// Of a path's ray alone.
SHARED_INLINE uint hitLeaf(WaveHit hit) {
    return hit.bits.z;
}

// Of a shadow ray alone:
SHARED_INLINE uint shadowLeavesSolid(WaveHit hit) {
    return hit.bits.z;
}

SHARED_INLINE float shadowDistance(WaveHit hit) {
    return uintBitsToFloat(hit.bits.w);
}

// Of a ray that is suspended or stands where it ended:
SHARED_INLINE uint standingSheet(WaveHit hit) {
    return (hit.bits.w >> WAVE_SHEET_SHIFT) & WAVE_SHEET_MASK;
}

SHARED_INLINE uint hasJustPassed(WaveHit suspended) {
    return suspended.bits.w & WAVE_JUST_PASSED;
}

/// The connection to a light that a shadow ray tests.
struct WaveConnection {
    uvec4 bits; ///< of the contribution; of the distance to the light, or, of an emissive voxel, the EmitterBox of
                ///< whose voxels the shadow ray must hit one | WAVE_HAS_TARGET
};
SHARED_ARRAY(WaveConnection, 16)

#define WAVE_HAS_TARGET 0x80000000u

SHARED_INLINE vec3 connectionContribution(WaveConnection connection) {
    return uintBitsToFloat(uvec3(connection.bits.x, connection.bits.y, connection.bits.z));
}

SHARED_INLINE uint hasTarget(WaveConnection connection) {
    return connection.bits.w & WAVE_HAS_TARGET;
}

/// The EmitterBox of a connection that has a target, and the distance of one that has none.
SHARED_INLINE uint connectionTarget(WaveConnection connection) {
    return connection.bits.w & ~WAVE_HAS_TARGET;
}

SHARED_INLINE float connectionDistance(WaveConnection connection) {
    return uintBitsToFloat(connection.bits.w);
}

/// The members of PathState that only paths through media have. This and the next two types are there only where
/// something in the scene lets light through.
struct WaveGlassPath {
    uint medium;
    uint compression; ///< bits
};
SHARED_ARRAY(WaveGlassPath, 8)

/// What such scenes need of a ray beside its RayRecord. Three words are bits of the normal of the pane that it
/// leaves (VoxelPoint). The fourth is the medium that the ray is in (VoxelPath), WAVE_UNKNOWN_MEDIUM for
/// MEDIUM_UNKNOWN, | WAVE_CROSSED where the ray started on the surface's other side.
struct WaveGlassRay {
    uvec4 bits;
};
SHARED_ARRAY(WaveGlassRay, 16)

SHARED_INLINE vec3 glassRayNormal(WaveGlassRay ray) {
    return uintBitsToFloat(uvec3(ray.bits.x, ray.bits.y, ray.bits.z));
}

/// As it is packed: unpackMedium tells it.
SHARED_INLINE uint glassRayMedium(WaveGlassRay ray) {
    return ray.bits.w;
}

#define WAVE_CROSSED 0x80000000u
#define WAVE_UNKNOWN_MEDIUM 0x7FFFFFFFu

/// What they need of a connection to an emissive voxel: bits of the distance at which the shadow ray enters the voxel's
/// EmitterBox, and the medium that it is in there.
struct WaveGlassLight {
    uint distance;
    uint medium;
};
SHARED_ARRAY(WaveGlassLight, 8)

/// What scenes with panes need.
struct WavePanes {
    uint straightDistance; ///< bits of PathState::straightDistance
    uint passed;           ///< panes that the shadow ray has gone through
};
SHARED_ARRAY(WavePanes, 8)

/// What rays in a scene of several octrees need beside (wave_grids.h). Of a ray that has ended the nearest hit is the
/// one of WaveHit.
struct WaveGridRay {
    uvec4 nearest;  ///< bits of the WaveHit that is nearest so far, in the grid of its instance
    uvec4 progress; ///< packGridRay has its words
};
SHARED_ARRAY(WaveGridRay, 16)

/// `start` is the instance whose grid the ray starts in, or NO_INSTANCE, `cursor` where it is in the tree of instances,
/// `reach` the distance of the nearest hit, or of where the ray ends, in the scene, `instanceOfHit` that of the nearest
/// hit, or NO_INSTANCE.
SHARED_INLINE WaveGridRay packGridRay(uvec4 nearest, uint start, uint cursor, float reach, uint instanceOfHit) {
    WaveGridRay packed;
    packed.nearest = nearest;
    packed.progress = uvec4(start, cursor, floatBitsToUint(reach), instanceOfHit);
    return packed;
}

SHARED_INLINE uint gridRayStart(WaveGridRay ray) {
    return ray.progress.x;
}

SHARED_INLINE uint gridRayCursor(WaveGridRay ray) {
    return ray.progress.y;
}

SHARED_INLINE float gridRayReach(WaveGridRay ray) {
    return uintBitsToFloat(ray.progress.z);
}

SHARED_INLINE uint instanceHit(WaveGridRay ray) {
    return ray.progress.w;
}

/// What such rays need where something lets light through, each as in WaveGlassRay: the medium in the grid that the ray
/// is in, and that of the nearest hit where it leaves a solid there.
struct WaveGridMedia {
    uint now;
    uint nearest;
};
SHARED_ARRAY(WaveGridMedia, 8)

// The queue of a wave has a slot for each of its paths. What a slot holds is listed here once; the layout of the queue
// follows from the list, in GLSL and in C++. A queue is a structure of arrays: each line is an array with one element
// for every slot, and the arrays lie one behind the other in the order of the lines, so that neighbouring invocations
// read neighbouring memory. A line tells
//   the array's name, the type of its elements, their size in bytes, whether the scene's queues have it, and the array
//   that lies before it.
// GLSL knows neither sizeof nor offsetof: hence the size and the last column, which C++ checks below. Elements of
// multiples of 16 bytes come first, those of 4 last: whichever arrays are left out, the others are aligned.
//
// Either ray of a slot may be missing. shadowSlots is no slot's: it lists the slots that have a shadow ray.
// shadowGroups has the groups of the lights that these are sent to; it is last, as the kernel that traces does not know
// of layers.
#define WAVE_QUEUE(ARRAY)                                                                                              \
    ARRAY(rays, RayRecord, 32u, true, start)                                                                           \
    ARRAY(shadowRays, RayRecord, 32u, true, rays)                                                                      \
    ARRAY(paths, WavePath, 32u, true, shadowRays)                                                                      \
    ARRAY(connections, WaveConnection, 16u, true, paths)                                                               \
    ARRAY(hits, WaveHit, 16u, true, connections)                                                                       \
    ARRAY(shadowHits, WaveHit, 16u, true, hits)                                                                        \
    ARRAY(gridRays, WaveGridRay, 32u, WAVE_HAS_GRIDS, shadowHits)                                                      \
    ARRAY(shadowGridRays, WaveGridRay, 32u, WAVE_HAS_GRIDS, gridRays)                                                  \
    ARRAY(glassRays, WaveGlassRay, 16u, WAVE_HAS_GLASS, shadowGridRays)                                                \
    ARRAY(shadowGlassRays, WaveGlassRay, 16u, WAVE_HAS_GLASS, glassRays)                                               \
    ARRAY(glassPaths, WaveGlassPath, 8u, WAVE_HAS_GLASS, shadowGlassRays)                                              \
    ARRAY(shadowGlassLights, WaveGlassLight, 8u, WAVE_HAS_GLASS, glassPaths)                                           \
    ARRAY(panes, WavePanes, 8u, WAVE_HAS_PANES, shadowGlassLights)                                                     \
    ARRAY(gridMedia, WaveGridMedia, 8u, WAVE_HAS_GRID_MEDIA, panes)                                                    \
    ARRAY(shadowGridMedia, WaveGridMedia, 8u, WAVE_HAS_GRID_MEDIA, gridMedia)                                          \
    ARRAY(shadowSlots, uint, 4u, true, shadowGridMedia)                                                                \
    ARRAY(shadowGroups, uint, 4u, WAVE_HAS_LAYERS, shadowSlots)

// What queues have beside what all have: where there are several octrees, where something lets light through, where
// some of that may be panes, where the film has layers that paths fill, and where there are several octrees with what
// lets light through. Kernels say so; C++ knows all of it here, and the size of a slot by waveSlotBytes
// (render/wave_traffic.h).
#ifdef __cplusplus
#define WAVE_HAS_GRIDS true
#define WAVE_HAS_GLASS true
#define WAVE_HAS_PANES true
#define WAVE_HAS_LAYERS true
#define WAVE_HAS_GRID_MEDIA true
#endif

// waveOffset_NAME is the offset of an array in a queue of one slot; in a queue of n slots it is n times that.
#define WAVE_QUEUE_OFFSET(name, type, bytes, isThere, before)                                                          \
    const uint waveOffset_##name = waveEnd_##before;                                                                   \
    const uint waveEnd_##name = waveOffset_##name + ((isThere) ? bytes : 0u);
const uint waveEnd_start = 0u;
WAVE_QUEUE(WAVE_QUEUE_OFFSET)

/// The address of an array in the queue at `queue`, which has so many slots: less than 2^32 bytes.
#define WAVE_ARRAY(queue, slots, name) ((queue) + uint64_t((slots)*waveOffset_##name))

#ifdef __cplusplus
/// A queue of one slot with all arrays, as the compiler lays out the same list.
#define WAVE_QUEUE_MEMBER(name, type, bytes, isThere, before) type name;
struct WaveSlot {
    WAVE_QUEUE(WAVE_QUEUE_MEMBER)
};
/// The words of up to 128 bits in which elements of so many bytes are loaded.
constexpr uint waveWordBytes(uint bytes) {
    return bytes < 16u ? bytes : 16u;
}
const uint waveWord_start = 16u;
#define WAVE_QUEUE_CHECK(name, type, bytes, isThere, before)                                                           \
    static_assert(sizeof(type) == (bytes), "the size of " #name);                                                      \
    static_assert(offsetof(WaveSlot, name) == waveOffset_##name, "what lies before " #name);                           \
    const uint waveWord_##name = waveWordBytes(bytes);                                                                 \
    static_assert((bytes) % waveWord_##name == 0u && waveWord_##name <= waveWord_##before,                             \
                  #name " is not aligned behind " #before);
WAVE_QUEUE(WAVE_QUEUE_CHECK)
#endif

/// Where the queues stand. Of two, one is for waves of even number, one for those of odd number.
struct WaveCounters {
    uint nextPath[2];    ///< id of the path to begin next
    uint keptPaths[2];   ///< slots taken by paths that go on
    uint paths[2];       ///< slots taken by those and by new ones
    uint shadowRays[2];  ///< listed in shadowSlots
    uint fetchedRays[2]; ///< rays of both kinds that are handed out; may run past their number
    uint shadeGroups[3]; ///< workgroups of wave_shade.comp, along x, y and z
    uint expectedRays;   ///< of all waves so far: slots of both kinds of rays, those without a ray included
    uint tracedRays;     ///< slots among them that are done with; all of them, once all is well
    uint startedRays;    ///< rays of both kinds, each counted once: the figure that users get
    uint leftPaths;      ///< by wave_drain.comp, for its next dispatch
};
SHARED_ARRAY(WaveCounters, 4)

SHARED_INLINE uint wavePathCount(uint items, uint samplesOfItem) {
    return items * samplesOfItem;
}

SHARED_END
#endif
