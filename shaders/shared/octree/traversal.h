// Traversal of the sparse octree by a ray: the one function that every backend, shader and test calls.
//
// After Laine and Karras, "Efficient Sparse Voxel Octrees" (2010): coordinates live in [1, 2), where the bits of the
// mantissa are the path through the tree, two per axis and 64-wide level. The ray is mirrored so that it runs towards
// larger coordinates on every axis; a step leaves the current empty cell through the nearest of its three far planes
// and clamps the other coordinates to that cell, so it never needs an epsilon and always makes progress.
//
// Only additions, multiplications, comparisons and bit operations, none of them fused, with the reciprocals passed in:
// the CPU and the GPU agree in every bit.
//
// GLSL includers say where the stack lives before including this: TRAVERSAL_STACK(state, level) is an lvalue; and where
// the table of reach.h does.
#ifndef AUREOLE_SHARED_TRAVERSAL_H
#define AUREOLE_SHARED_TRAVERSAL_H

#include "shared/octree/reach.h"

SHARED_BEGIN

#define TRAVERSAL_RUNNING 0u
#define TRAVERSAL_HIT 1u
#define TRAVERSAL_MISS 2u

/// `cellShift` in the root; it is less by 2 a level below.
#define TRAVERSAL_ROOT_SHIFT 21u

/// `axis` of a traversal that has not crossed a plane yet: the ray starts inside the voxel it hits.
#define TRAVERSAL_NO_AXIS 3u

/// A ray on its way through the grid.
struct Traversal {
    vec3 origin;     ///< mirrored, in [1, 2]
    vec3 direction;  ///< mirrored: no component below 0
    vec3 inverse;    ///< its reciprocals, finite
    uvec3 position;  ///< bits of the mirrored position: the cell that the ray is in, and where it entered it
    uint mirrorAxes; ///< bit a: axis a is mirrored
    uint axis;       ///< of the plane crossed last, or TRAVERSAL_NO_AXIS
    uint cellShift;  ///< a cell of the current node is 2^cellShift ulps wide; that tells its level
    uint index;      ///< of the current node or leaf mask
    uvec2 mask;
    uint firstChild;
#ifdef __cplusplus
    uint stack[8];
#endif
};

/// Where the index of the node with cells of 2^shift ulps is kept.
#define TRAVERSAL_LEVEL(shift) (((shift) >> 1u) + uint(OCTREE_MAX_LEVELS) - 11u)
#ifdef __cplusplus
#define TRAVERSAL_STACK(state, level) (state).stack[(level)&7u]
#endif

/// The table of starts. GLSL includers may say it otherwise.
#ifndef TRAVERSAL_STARTS
#define TRAVERSAL_STARTS(view) AT(OctreeView, view, 0).starts
#define TRAVERSAL_START_BITS(view) AT(OctreeView, view, 0).startBits
#endif

/// What a ray hit, in grid terms.
struct VoxelHit {
    uvec3 voxel;
    uint face; ///< 2 * axis + 1 for the positive side; 6 where the ray started inside
    uint leaf; ///< index of the leaf mask (of a DAG, of the reference to it; of planes, of the node), and the voxel's
               ///< bit in it; OCTREE_NO_LEAF inside a solid
    uint bit;
    float distance; ///< from the origin, in grid units
};

#define FACE_INSIDE 6u

/// Keeps a direction's components away from 0 so that reciprocals are finite. The change is far below what a ray of
/// grid length can show.
SHARED_INLINE float traversalSafe(float d) {
    float tiny = 9.094947e-13f; // 2^-40
    return abs(d) < tiny ? (d < 0.0f ? -tiny : tiny) : d;
}

SHARED_INLINE vec3 traversalDirection(vec3 d) {
    return vec3(traversalSafe(d.x), traversalSafe(d.y), traversalSafe(d.z));
}

SHARED_INLINE float mirrorCoordinate(float x, uint mirrored) {
    PRECISE float flipped = 3.0f - x; // exact in [1, 2]
    return mirrored != 0u ? flipped : x;
}

SHARED_INLINE vec3 mirrorPoint(vec3 point, uint mirrorAxes) {
    return vec3(mirrorCoordinate(point.x, mirrorAxes & 1u), mirrorCoordinate(point.y, mirrorAxes & 2u),
                mirrorCoordinate(point.z, mirrorAxes & 4u));
}

/// The voxel that stands in a voxel's place where those axes are mirrored.
SHARED_INLINE uvec3 mirrorVoxel(uint64_t view, uvec3 voxel, uint mirrorAxes) {
    uint last = (1u << (2u * OCTREE_LEVELS(view))) - 1u;
    return uvec3((mirrorAxes & 1u) != 0u ? last - voxel.x : voxel.x, (mirrorAxes & 2u) != 0u ? last - voxel.y : voxel.y,
                 (mirrorAxes & 4u) != 0u ? last - voxel.z : voxel.z);
}

/// Reads the node, or leaf mask, `index` of the state's level. Returns its flags.
SHARED_INLINE uint traversalLoad(uint64_t view, INOUT(Traversal, state), uint index, uint isLeaf) {
    OctreeNode node = octreeEntry(view, index, isLeaf);
    state.index = index;
    state.mask = uvec2(node.maskLow, node.maskHigh);
    state.firstChild = node.firstChild;
    return node.flags;
}

/// The number of the part of the grid that the position is in, in the table of starts.
SHARED_INLINE uint traversalStart(uint64_t view, Traversal state) {
    uint bits = TRAVERSAL_START_BITS(view);
    uint last = (1u << bits) - 1u;
    uint x = (state.position.x >> (23u - bits)) & last;
    uint y = (state.position.y >> (23u - 2u * bits)) & (last << bits);
    uint z = (state.position.z >> (23u - 3u * bits)) & (last << (2u * bits));
    uint mirrored = (state.mirrorAxes & 1u) * last | (state.mirrorAxes & 2u) * (last << (bits - 1u)) |
                    (state.mirrorAxes & 4u) * (last << (2u * bits - 2u));
    return (x | y | z) ^ mirrored;
}

/// The state at a node that holds the position, the root or one known to lie below it, without moving.
SHARED_INLINE void traversalLoadStart(uint64_t view, INOUT(Traversal, state)) {
    state.cellShift = TRAVERSAL_ROOT_SHIFT;
    uint index = 0u;
    uint64_t starts = TRAVERSAL_STARTS(view);
    if (starts != uint64_t(0)) {
        OctreeStart start = AT(OctreeStart, starts, traversalStart(view, state));
        TRAVERSAL_STACK(state, TRAVERSAL_LEVEL(TRAVERSAL_ROOT_SHIFT)) = 0u;
        TRAVERSAL_STACK(state, TRAVERSAL_LEVEL(TRAVERSAL_ROOT_SHIFT - 2u)) = start.words.y;
        TRAVERSAL_STACK(state, TRAVERSAL_LEVEL(TRAVERSAL_ROOT_SHIFT - 4u)) = start.words.z;
        state.cellShift -= 2u * start.words.w;
        index = start.words.x;
    }
    traversalLoad(view, state, index, 0u);
}

/// The position of the corner of a voxel that a ray with those mirrored axes comes to first.
SHARED_INLINE uvec3 mirroredCorner(uint64_t view, uint mirrorAxes, uvec3 voxel) {
    uint shift = 23u - 2u * OCTREE_LEVELS(view);
    uvec3 cell = mirrorVoxel(view, voxel, mirrorAxes);
    return uvec3(0x3F800000u | (cell.x << shift), 0x3F800000u | (cell.y << shift), 0x3F800000u | (cell.z << shift));
}

/// Places a ray at `origin` in [1, 2]^3, in the voxel `cell` (the origin is clamped to it: a bounce names the voxel
/// that it starts in, since a point on a face belongs to two). `direction` went through traversalDirection; `inverse`
/// is its reciprocal. The state is without a node: traversalLoadStart comes before the ray is traced.
SHARED_INLINE void traversalPlace(uint64_t view, vec3 origin, vec3 direction, vec3 inverse, uvec3 cell,
                                  OUT(Traversal, state)) {
    uint shift = 23u - 2u * OCTREE_LEVELS(view);
    state.mirrorAxes = (direction.x < 0.0f ? 1u : 0u) | (direction.y < 0.0f ? 2u : 0u) | (direction.z < 0.0f ? 4u : 0u);
    state.origin = mirrorPoint(origin, state.mirrorAxes);
    state.direction = abs(direction);
    state.inverse = abs(inverse);
    uvec3 low = mirroredCorner(view, state.mirrorAxes, cell);
    uint size = (1u << shift) - 1u;
    state.position = clamp(floatBitsToUint(state.origin), low, low + uvec3(size));
    state.axis = TRAVERSAL_NO_AXIS;
}

/// Starts a ray, placed likewise.
SHARED_INLINE void traversalBegin(uint64_t view, vec3 origin, vec3 direction, vec3 inverse, uvec3 cell,
                                  OUT(Traversal, state)) {
    traversalPlace(view, origin, direction, inverse, cell, state);
    traversalLoadStart(view, state);
}

/// What turns the bit of a mirrored cell into its entry in the table of reach.h, by XOR.
SHARED_INLINE uint traversalKey(Traversal state) {
    return reachEntry(state.mirrorAxes, mirroredBits(state.mirrorAxes));
}

SHARED_INLINE uint traversalKeyAxes(uint key) {
    return key >> 6u;
}

/// The entry of the cell of the current node that the position is in; its low six bits are the cell's in the mask.
SHARED_INLINE uint traversalEntry(Traversal state, uint key) {
    uint shift = state.cellShift;
    // cellBit, by two selections of bits: each axis is shifted to its place and fills what is above the one before.
    uint row = ((state.position.x >> shift) & 3u) | ((state.position.y >> (shift - 2u)) & ~3u);
    uint cell = (row & 15u) | ((state.position.z >> (shift - 4u)) & ~15u);
    return (cell & 63u) ^ key;
}

/// The bit of the current position in the current node's mask.
SHARED_INLINE uint traversalBit(Traversal state) {
    return traversalEntry(state, mirroredBits(state.mirrorAxes));
}

/// The cellShift of leaf masks.
SHARED_INLINE uint traversalLeafShift(uint64_t view) {
    return 23u - 2u * OCTREE_LEVELS(view);
}

/// The lowest position of the cell of 2^shift ulps that the position is in.
SHARED_INLINE uvec3 traversalCellLow(Traversal state, uint shift) {
    uint mask = ~((1u << shift) - 1u);
    return uvec3(state.position.x & mask, state.position.y & mask, state.position.z & mask);
}

/// Where the ray leaves the cell of 2^shift ulps that the position is in, through its nearest far plane, across `axis`:
/// on that axis the position is the plane's, on the others within the cell.
SHARED_INLINE uvec3 traversalExit(Traversal state, uint shift, OUT(uint, axis)) {
    uint within = (1u << shift) - 1u;
    uvec3 last = uvec3(state.position.x | within, state.position.y | within, state.position.z | within);
    uvec3 high = last + uvec3(1u);
    PRECISE vec3 reach = (uintBitsToFloat(high) - state.origin) * state.inverse;
    float t = min(reach.x, min(reach.y, reach.z));
    PRECISE vec3 travelled = state.direction * t;
    PRECISE vec3 point = state.origin + travelled;
    // In floating point, of which a GPU does twice as much at a time.
    uvec3 next = floatBitsToUint(min(max(point, uintBitsToFloat(state.position)), uintBitsToFloat(last)));
    bool acrossX = reach.x == t;
    bool acrossY = !acrossX && reach.y == t;
    axis = acrossX ? 0u : acrossY ? 1u : 2u;
    return uvec3(acrossX ? high.x : next.x, acrossY ? high.y : next.y, acrossX || acrossY ? next.z : high.z);
}

/// Goes to where the ray leaves the cell of 2^shift ulps that the position is in. Returns the bits of the position that
/// change on any axis: from 2^23 on, the ray leaves the grid.
SHARED_INLINE uint traversalCross(INOUT(Traversal, state), uint shift) {
    uvec3 before = state.position;
    uint axis;
    uvec3 next = traversalExit(state, shift, axis);
    state.axis = axis;
    state.position = next;
    return (before.x ^ next.x) | (before.y ^ next.y) | (before.z ^ next.z);
}

/// Leaves the cell of 2^shift ulps that the position is in and climbs to the deepest node on the stack that holds the
/// new position. Returns TRAVERSAL_MISS where the ray leaves the grid.
SHARED_INLINE uint traversalAdvance(uint64_t view, INOUT(Traversal, state), uint shift) {
    uint changed = traversalCross(state, shift);
    if (changed >> (state.cellShift + 2u) == 0u) {
        return TRAVERSAL_RUNNING; // still in the node
    }
    if (changed >= 0x00800000u) {
        return TRAVERSAL_MISS;
    }
    state.cellShift = (highestBit(changed) - 1u) | 1u;
    traversalLoad(view, state, TRAVERSAL_STACK(state, TRAVERSAL_LEVEL(state.cellShift)), 0u);
    return TRAVERSAL_RUNNING;
}

/// Goes down to the child of the current node that the position is in. Returns TRAVERSAL_HIT where that is solid as a
/// whole.
SHARED_INLINE uint traversalDescend(uint64_t view, INOUT(Traversal, state), uint entry, uint leafShift) {
    TRAVERSAL_STACK(state, TRAVERSAL_LEVEL(state.cellShift)) = state.index;
    state.cellShift -= 2u;
    uint child = octreeChild(state.firstChild, maskRank(state.mask, entry));
    uint flags = traversalLoad(view, state, child, state.cellShift == leafShift ? 1u : 0u);
    return flags != 0u ? TRAVERSAL_HIT : TRAVERSAL_RUNNING;
}

/// The side, as a power of two of cells, of what the ray can leave in one step from an empty cell: the cell, its block
/// of 2x2x2, or the node, where nothing that it can come to in there is solid.
SHARED_INLINE uint traversalStride(Traversal state, uint entry) {
    uvec2 ahead = TRAVERSAL_REACH(entry);
    ahead = uvec2(ahead.x & state.mask.x, ahead.y & state.mask.y);
    return (ahead.x | ahead.y) == 0u ? 2u : maskBlock(ahead, entry) == 0u ? 1u : 0u;
}

/// Goes at most `steps` steps on, each down by at most one level and then past what is empty. TRAVERSAL_HIT: the
/// position is in a solid voxel (a start in one included); TRAVERSAL_RUNNING: call again. `steps` is reduced by the
/// steps taken. `key` is the state's.
SHARED_INLINE uint traversalRunKeyed(uint64_t view, INOUT(Traversal, state), uint key, INOUT(uint, steps)) {
    uint leafShift = traversalLeafShift(view);
    uint status = TRAVERSAL_RUNNING;
    // Without a return from the loop: GLSL compilers keep a register for its value from call to call.
    while (steps > 0u) {
        steps -= 1u;
        uint entry = traversalEntry(state, key);
        if (maskHasBit(state.mask, entry) != 0u) {
            if (state.cellShift == leafShift || traversalDescend(view, state, entry, leafShift) == TRAVERSAL_HIT) {
                status = TRAVERSAL_HIT;
                break;
            }
            entry = traversalEntry(state, key);
        }
        if (maskHasBit(state.mask, entry) == 0u) {
            uint stride = traversalStride(state, entry);
            status = traversalAdvance(view, state, state.cellShift + stride);
            if (status == TRAVERSAL_MISS) {
                break;
            }
        }
    }
    return status;
}

SHARED_INLINE uint traversalRun(uint64_t view, INOUT(Traversal, state), INOUT(uint, steps)) {
    return traversalRunKeyed(view, state, traversalKey(state), steps);
}

/// The size of the solid voxel, or full or merged node, that traversalRun stopped at: its side is 2^shift ulps.
SHARED_INLINE uint traversalHitShift(uint64_t view, Traversal state) {
    uint isNode = state.cellShift > traversalLeafShift(view) ? 1u : 0u;
    if (OCTREE_ENCODING(view) == OCTREE_PLANES && isNode == 0u) {
        isNode = (octreeNode(view, state.index).flags & OCTREE_NODE_TERMINAL) != 0u ? 1u : 0u;
    }
    return state.cellShift + 2u * isNode;
}

/// Goes past the solid voxel or full node that traversalRun stopped at, as if it were empty.
SHARED_INLINE uint traversalSkip(uint64_t view, INOUT(Traversal, state)) {
    return traversalAdvance(view, state, traversalHitShift(view, state));
}

/// The distance from the origin to where the ray entered the current cell; 0 where it has not moved.
SHARED_INLINE float traversalDistance(Traversal state) {
    PRECISE vec3 entry = (uintBitsToFloat(state.position) - state.origin) * state.inverse;
    return state.axis == 0u ? entry.x : state.axis == 1u ? entry.y : state.axis == 2u ? entry.z : 0.0f;
}

/// The current position, not mirrored. Exact on the axis crossed last.
SHARED_INLINE vec3 traversalPosition(Traversal state) {
    return mirrorPoint(uintBitsToFloat(state.position), state.mirrorAxes);
}

/// The direction of the ray, not mirrored.
SHARED_INLINE vec3 traversalRayDirection(Traversal state) {
    vec3 d = state.direction;
    return vec3((state.mirrorAxes & 1u) != 0u ? -d.x : d.x, (state.mirrorAxes & 2u) != 0u ? -d.y : d.y,
                (state.mirrorAxes & 4u) != 0u ? -d.z : d.z);
}

/// The voxel that the position is in.
SHARED_INLINE uvec3 traversalVoxel(uint64_t view, Traversal state) {
    uint shift = 23u - 2u * OCTREE_LEVELS(view);
    uvec3 cell = uvec3((state.position.x & 0x7FFFFFu) >> shift, (state.position.y & 0x7FFFFFu) >> shift,
                       (state.position.z & 0x7FFFFFu) >> shift);
    return mirrorVoxel(view, cell, state.mirrorAxes);
}

/// What traversalRun hit.
SHARED_INLINE VoxelHit traversalHit(uint64_t view, Traversal state) {
    VoxelHit hit;
    hit.voxel = traversalVoxel(view, state);
    hit.face =
        state.axis == TRAVERSAL_NO_AXIS ? FACE_INSIDE : 2u * state.axis + ((state.mirrorAxes >> state.axis) & 1u);
    uint hasAttributes =
        OCTREE_ENCODING(view) == OCTREE_PLANES || state.cellShift == traversalLeafShift(view) ? 1u : 0u;
    hit.leaf = hasAttributes != 0u ? state.index : OCTREE_NO_LEAF;
    hit.bit = traversalBit(state);
    hit.distance = traversalDistance(state);
    return hit;
}

/// Where the attributes of what was hit stand; OCTREE_NO_ATTRIBUTES inside a solid.
SHARED_INLINE uint64_t hitAttributeIndex(uint64_t view, VoxelHit hit) {
    if (OCTREE_ENCODING(view) == OCTREE_DAG) {
        return dagAttributeIndex(view, hit.voxel);
    }
    return octreeAttributeIndex(view, hit.leaf, hit.bit);
}

/// The outward normal of a face.
SHARED_INLINE vec3 faceNormal(uint face) {
    float s = (face & 1u) != 0u ? 1.0f : -1.0f;
    return vec3((face >> 1u) == 0u ? s : 0.0f, (face >> 1u) == 1u ? s : 0.0f, (face >> 1u) == 2u ? s : 0.0f);
}

/// The voxel that a point of [1, 2]^3 lies in, on a grid of 4^levels voxels a side.
SHARED_INLINE uvec3 gridCell(vec3 point, uint levels) {
    uint shift = 23u - 2u * levels;
    uvec3 bits = clamp(floatBitsToUint(point), uvec3(0x3F800000u), uvec3(0x3FFFFFFFu));
    return uvec3((bits.x & 0x7FFFFFu) >> shift, (bits.y & 0x7FFFFFu) >> shift, (bits.z & 0x7FFFFFu) >> shift);
}

/// The voxel that a ray comes into at `point` through the plane across `axis`, or TRAVERSAL_NO_AXIS, as clipToBox has
/// them: on the far side of a box the plane belongs to the voxel before it.
SHARED_INLINE uvec3 entryCell(vec3 point, vec3 direction, uint axis, uint levels) {
    uvec3 cell = gridCell(point, levels);
    float along = axis == 0u ? direction.x : axis == 1u ? direction.y : direction.z;
    float plane = axis == 0u ? point.x : axis == 1u ? point.y : point.z;
    uint step = along < 0.0f && plane < 2.0f ? 1u : 0u;
    return uvec3(axis == 0u ? cell.x - step : cell.x, axis == 1u ? cell.y - step : cell.y,
                 axis == 2u ? cell.z - step : cell.z);
}

/// Moves the origin of a ray from outside to the box `low` to `high` (within [1, 2]^3); a ray that starts inside stays.
/// `travelled` is the distance moved, `axis` the axis of the plane it entered through or TRAVERSAL_NO_AXIS. Returns 0
/// where the ray misses the box.
SHARED_INLINE uint clipToBox(vec3 low, vec3 high, INOUT(vec3, origin), vec3 direction, vec3 inverse,
                             OUT(float, travelled), OUT(uint, axis)) {
    PRECISE vec3 a = (low - origin) * inverse;
    PRECISE vec3 b = (high - origin) * inverse;
    vec3 near = min(a, b);
    vec3 far = max(a, b);
    float enter = max(near.x, max(near.y, near.z));
    float leave = min(far.x, min(far.y, far.z));
    travelled = 0.0f;
    axis = TRAVERSAL_NO_AXIS;
    if (enter > leave || leave < 0.0f) {
        return 0u;
    }
    if (enter > 0.0f) {
        travelled = enter;
        axis = near.x == enter ? 0u : near.y == enter ? 1u : 2u;
        PRECISE vec3 point = origin + direction * enter;
        point = clamp(point, low, high);
        if (axis == 0u) {
            point.x = direction.x > 0.0f ? low.x : high.x;
        } else if (axis == 1u) {
            point.y = direction.y > 0.0f ? low.y : high.y;
        } else {
            point.z = direction.z > 0.0f ? low.z : high.z;
        }
        origin = point;
    }
    return 1u;
}

SHARED_END
#endif
