// The rays of waves (wave_path.h): how they are kept, and what they do on their way.
#ifndef AUREOLE_SHARED_WAVE_RAY_H
#define AUREOLE_SHARED_WAVE_RAY_H

#include "shared/surface/voxel_passing.h"
#include "shared/wave/wave_queue.h"

SHARED_BEGIN

// The payload of a wave's rays (ray_record.h) is the surface that they leave: the sheet ahead of it beside the origin,
// and beside the direction its sheet, or the side of the field, and flags.
#define WAVE_LEAVES_FACE 0x80000000u ///< the ray starts in front of the face that was hit
#define WAVE_RESUMES 0x40000000u     ///< the ray was suspended in the wave before, and goes on from there
#define WAVE_FROM_WITHIN 0x20000000u ///< the ray starts within a voxel, at no face of it

/// How a ray passes through the voxels on its way: what it carries besides its traversal.
struct RayPassage {
    float passedAt; ///< of VoxelPath; -1 where the ray has moved since it passed a voxel
    uint passedSheet;
    uint medium; ///< as in WaveGlassRay
    uint atPane; ///< 1: it has ended at a pane that connections go on through
};

/// The medium that a ray is in, or the pane that it goes through (VoxelPath::rayMedium).
SHARED_INLINE uint unpackMedium(uint packed) {
    uint medium = packed & ~WAVE_CROSSED;
    return medium == WAVE_UNKNOWN_MEDIUM ? MEDIUM_UNKNOWN : medium;
}

SHARED_INLINE uint packMedium(uint medium, uint crossed) {
    return (medium == MEDIUM_UNKNOWN ? WAVE_UNKNOWN_MEDIUM : medium) | (crossed != 0u ? WAVE_CROSSED : 0u);
}

/// The ray that a path has started, as far as its RayRecord does not have it.
SHARED_INLINE WaveGlassRay packGlassRay(VoxelPath state) {
    WaveGlassRay packed;
    vec3 pane = vec3(0.0f);
    if (HAS_MODEL(MODEL_THIN_GLASS)) {
        pane = state.from.pane;
    }
    packed.bits = uvec4(floatBitsToUint(pane.x), floatBitsToUint(pane.y), floatBitsToUint(pane.z),
                        packMedium(state.rayMedium, state.crossed));
    return packed;
}

/// The ray that a path through the voxels has started, from the surface at `from`.
SHARED_INLINE RayRecord packVoxelRay(uint64_t view, VoxelPath state) {
    uint flags = state.passedSheet == state.from.sheet ? 0u : WAVE_LEAVES_FACE;
    if (HAS_TRANSMISSION && traversalVoxel(view, state.ray) != state.from.voxel) {
        flags = WAVE_LEAVES_FACE;
    }
    if (state.from.face == FACE_INSIDE) {
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

/// What the ray of a path has hit, from the sheet, or on the side, `sheet`.
SHARED_INLINE WaveHit packWaveHit(uint64_t view, Traversal state, uint sheet) {
    VoxelHit hit = traversalHit(view, state);
    uint cell = OCTREE_ENCODING(view) == OCTREE_PLANES ? state.cellShift << WAVE_CELL_SHIFT : 0u;
    WaveHit packed;
    packed.bits = uvec4(hit.voxel.x | (hit.voxel.y << 16u), hit.voxel.z | (hit.face << 16u) | cell, hit.leaf, sheet);
    return packed;
}

/// What a shadow ray has hit at that distance, where `leaving` is 1 if it leaves a solid of glass there.
SHARED_INLINE WaveHit packShadowHit(uint64_t view, Traversal state, float distance, uint leaving) {
    WaveHit packed = packWaveHit(view, state, 0u);
    packed.bits.z = leaving;
    packed.bits.w = floatBitsToUint(abs(distance)); // the sign marks suspended rays, and rounding may set it
    return packed;
}

/// In place of a shadow ray's hit, where that is a pane that its connection goes on through: `end` is where it ended as
/// the ray of a path (packPathEnd).
SHARED_INLINE WaveHit packShadowAtPane(WaveHit end) {
    end.bits.y = end.bits.y | WAVE_AT_PANE;
    return end;
}

/// Whether the shadow ray that ended so did at such a pane.
SHARED_INLINE uint isShadowAtPane(WaveHit hit) {
    return HAS_MODEL(MODEL_THIN_GLASS) && (hit.bits.y & WAVE_AT_PANE) != 0u && (hit.bits.w >> 31u) == 0u ? 1u : 0u;
}

/// Where it ended, as the ray of a path.
SHARED_INLINE WaveHit endAtPane(WaveHit hit) {
    hit.bits.y = hit.bits.y & ~WAVE_AT_PANE;
    return hit;
}

SHARED_INLINE WaveHit packWaveMiss() {
    WaveHit packed;
    packed.bits = uvec4(0u, HIT_MISSED << 16u, 0u, 0u);
    return packed;
}

/// In place of a hit, where a suspended ray stands.
SHARED_INLINE WaveHit packWaveSuspended(Traversal state, uint sheet, uint justPassed) {
    WaveHit packed;
    packed.bits = suspendTraversal(state);
    packed.bits.w = packed.bits.w | (sheet << WAVE_SHEET_SHIFT) | (justPassed != 0u ? WAVE_JUST_PASSED : 0u);
    return packed;
}

/// In place of a hit, of a suspended ray that has not begun to walk the octree, or is between those of instances.
SHARED_INLINE WaveHit packWaveUnbegun() {
    WaveHit packed;
    packed.bits = uvec4(0u, 0u, 0u, RAY_SUSPENDED);
    return packed;
}

/// Whether a suspended ray stands in an octree.
SHARED_INLINE uint hasBegun(WaveHit suspended) {
    return suspended.bits.x != 0u ? 1u : 0u;
}

/// A hit by where the ray stands: past the solid of glass that it leaves, or at the surface of a field, where a ray may
/// start again within a voxel.
SHARED_INLINE WaveHit packWaveStand(Traversal state, uint sheet) {
    WaveHit packed;
    packed.bits = uvec4(state.position.x, state.position.y, state.position.z,
                        state.axis | (sheet << WAVE_SHEET_SHIFT) | WAVE_STANDS);
    return packed;
}

/// The status of a ray that leaves a solid of glass, beside TRAVERSAL_HIT and the others.
#define WAVE_LEAVES_SOLID 3u

/// Where the ray of a path has ended with that status, no miss.
SHARED_INLINE WaveHit packPathEnd(uint64_t view, Traversal state, uint sheet, uint status) {
    uint stands = status == WAVE_LEAVES_SOLID ? 1u : 0u;
    // A ray through a pane may have started again within the voxel.
    if (HAS_MODEL(MODEL_THIN_GLASS) && OCTREE_ENCODING(view) == OCTREE_FIELD && state.axis == TRAVERSAL_NO_AXIS) {
        stands = 1u;
    }
    WaveHit hit = packWaveHit(view, state, sheet);
    if (HAS_TRANSMISSION && stands != 0u) {
        hit = packWaveStand(state, sheet);
    }
    return hit;
}

SHARED_INLINE uint isWaveSuspended(WaveHit hit) {
    return hit.bits.w >> 31u;
}

/// Whether a hit, which is no suspended ray and no shadow ray's, is one of packWaveStand.
SHARED_INLINE uint isWaveStand(WaveHit hit) {
    return HAS_TRANSMISSION && (hit.bits.w & WAVE_STANDS) != 0u ? 1u : 0u;
}

/// The sheet that a ray left where it hit, or the side that it was on.
SHARED_INLINE uint hitSheet(WaveHit hit) {
    return isWaveStand(hit) != 0u ? standingSheet(hit) : hit.bits.w;
}

/// Whether a ray that is no suspended one hit nothing.
SHARED_INLINE uint isWaveMiss(WaveHit hit) {
    return isWaveStand(hit) == 0u && hitFace(hit) == HIT_MISSED ? 1u : 0u;
}

/// A ray at its start, as raySet has it.
SHARED_INLINE RayPassage passageFrom(RayRecord ray) {
    RayPassage passage;
    passage.passedAt = 0.0f;
    passage.passedSheet = rayFirstSheet(ray);
    passage.medium = MEDIUM_NONE;
    passage.atPane = 0u;
    return passage;
}

/// Puts a ray that raySet made where it stood when it was suspended.
SHARED_INLINE void resumePassage(WaveHit suspended, INOUT(Traversal, state), INOUT(RayPassage, passage)) {
    resumeTraversal(suspended.bits, state);
    passage.passedAt = hasJustPassed(suspended) != 0u ? traversalDistance(state) : -1.0f;
    passage.passedSheet = standingSheet(suspended);
}

/// The sheet that is kept of a ray that has stopped: that of the voxel that it has just come out of, or the side of the
/// field that it is on.
SHARED_INLINE uint sheetKept(uint64_t view, Traversal state, RayPassage passage) {
    return OCTREE_ENCODING(view) == OCTREE_FIELD || traversalDistance(state) == passage.passedAt ? passage.passedSheet
                                                                                                 : NO_SHEET;
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
    hit.voxel = hitVoxel(packed);
    hit.face = hitFace(packed);
    hit.leaf = hitLeaf(packed);
    hit.bit = cellBit(hit.voxel.x, hit.voxel.y, hit.voxel.z);
    hit.distance = 0.0f;
    state.index = hit.leaf;
    state.cellShift = OCTREE_ENCODING(view) == OCTREE_PLANES ? hitCellShift(packed) : traversalLeafShift(view);
    if (hit.face != FACE_INSIDE) {
        uvec3 low = mirroredCorner(view, state.mirrorAxes, hit.voxel);
        state.axis = hit.face >> 1u;
        hit.distance = distanceToCell(state, low, state.axis);
        state.position =
            positionInCell(state, low, 1u << (23u - 2u * AT(OctreeView, view, 0).levels), state.axis, hit.distance);
    }
    return hit;
}

/// Puts a ray that raySet made where packWaveStand has it, and tells what it hit there: of a field the voxel that it is
/// in, else the last one of the solid of glass that it leaves.
SHARED_INLINE VoxelHit resumeAtStand(uint64_t view, WaveHit packed, INOUT(Traversal, state)) {
    resumeTraversal(packed.bits, state);
    state.cellShift = traversalLeafShift(view);
    state.index = OCTREE_NO_LEAF;
    VoxelHit hit = traversalHit(view, state);
    if (OCTREE_ENCODING(view) != OCTREE_FIELD) {
        hit.voxel = voxelBehind(view, state);
        hit.face = faceBehind(state);
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

/// Whether a ray ends at the voxel that it stands at: TRAVERSAL_HIT, where it is at the surface, or WAVE_LEAVES_SOLID,
/// where it is past the solid. Else it is past the voxel, or on the other side of the surface in it, with the status of
/// its traversal.
SHARED_INLINE uint waveStops(uint64_t params, RayRecord ray, WaveGlassRay glass, INOUT(Traversal, state),
                             INOUT(RayPassage, passage)) {
    VoxelHit hit = traversalHit(VOXEL_OCTREE(params), state);
    VoxelPath path;
    path.ray = state;
    path.from = rayOrigin(ray);
    path.passedAt = passage.passedAt;
    path.passedSheet = passage.passedSheet;
    path.rayMedium = MEDIUM_NONE;
    path.crossed = 0u;
    if (HAS_TRANSMISSION) {
        path.from.pane = glassRayNormal(glass);
        // A ray that has not moved yet is where it started; of others this is not asked.
        path.from.voxel = rayLeavesFace(ray) != 0u ? hit.voxel + uvec3(1u) : hit.voxel;
        path.rayMedium = unpackMedium(passage.medium);
        path.crossed = passage.medium >> 31u;
    }
    uint64_t attributes;
    vec3 normal = vec3(0.0f);
    uint status = voxelReached(params, path, hit, LIGHT_FAR, attributes, normal);
    uint leaving = 0u;
    if (status == TRAVERSAL_HIT) {
        VoxelSurface surface = voxelSurfaceAt(params, attributes);
        status = voxelStops(params, path, hit, surface, attributes, normal, LIGHT_FAR, leaving);
        passage.atPane = status == TRAVERSAL_HIT ? voxelIsClearPane(params, surface, path.rayMedium, leaving) : 0u;
    }
    state = path.ray;
    if (HAS_TRANSMISSION) {
        passage.medium = packMedium(path.rayMedium, path.crossed);
    }
    if (status != TRAVERSAL_HIT) {
        passage.passedAt = path.passedAt;
        passage.passedSheet = path.passedSheet;
    }
    return leaving != 0u ? WAVE_LEAVES_SOLID : status;
}

/// Takes a ray that stands at a hit, as resumeAtHit has it, out of that voxel: traversalSkip without a stack. Returns
/// TRAVERSAL_MISS where it leaves the grid.
SHARED_INLINE uint waveSkip(uint64_t view, INOUT(Traversal, state)) {
    uint changed = traversalCross(state, 23u - 2u * AT(OctreeView, view, 0).levels);
    return changed >= 0x00800000u ? TRAVERSAL_MISS : TRAVERSAL_RUNNING;
}

SHARED_END
#endif
