// The surface kind `field`: signed distances at the eight corners of every voxel, the surface where their trilinear
// interpolation is 0.
//
// Along a ray the interpolation is a cubic. Its Bernstein coefficients over the ray's segment follow from the values at
// the eight corners of the box that the segment is the diagonal of (blossoming; Ramshaw 1989), and where all four have
// the sign of the ray's side, the ray stays on it. Else the segment is halved (de Casteljau), the near half first,
// until what is left is a hit. So the first crossing is found without a division, and rounding cannot lose one:
//   - a voxel's corners are positive outside and negative inside, never 0, and interpolation between values of one
//     sign, in floats too, keeps the sign;
//   - the ray keeps its side until it hits, so where the surface comes between it and a voxel without surface, or the
//     border of the grid, the sign at the end of its last segment differs from its side, and that is a hit.
#ifndef AUREOLE_SHARED_FIELD_H
#define AUREOLE_SHARED_FIELD_H

#include "shared/octree/octree.h"
#include "shared/surface/surface_segment.h"

SHARED_BEGIN

/// The distances at a voxel's corners, 12 bits each; corner x + 2 y + 4 z starts at bit 12 times its number. Code c
/// stands for (c - 2047.5) / 2047.5 * FIELD_REACH voxels: above 0 outside, and never 0. ~c has the other sign.
struct CornerDistances {
    uint low;
    uint middle;
    uint high;
};
SHARED_ARRAY(CornerDistances, 4)

/// The largest distance, in voxels; no corner of a voxel is farther from the surface in it than sqrt(3).
#define FIELD_REACH 1.75f
#define FIELD_MAX_CODE 4095u
#define FIELD_CODE_BITS 12u

/// A crossing is found to 2^-FIELD_DEPTH of the segment.
#define FIELD_DEPTH 12u
/// Where a ray runs along the surface, after so many halvings what is not yet known to be free is a hit.
#define FIELD_MAX_HALVINGS 96u

/// The code of a corner.
SHARED_INLINE uint fieldCode(CornerDistances corners, uint corner) {
    uint at = FIELD_CODE_BITS * corner;
    uint word = at < 32u ? corners.low : at < 64u ? corners.middle : corners.high;
    uint next = at < 32u ? corners.middle : corners.high;
    uint shift = at & 31u;
    uint bits = shift > 20u ? (word >> shift) | (next << (32u - shift)) : word >> shift;
    return bits & FIELD_MAX_CODE;
}

SHARED_INLINE CornerDistances noDistances() {
    CornerDistances none;
    none.low = 0u;
    none.middle = 0u;
    none.high = 0u;
    return none;
}

/// Sets the code of a corner that has none yet.
SHARED_INLINE void setFieldCode(INOUT(CornerDistances, corners), uint corner, uint code) {
    uint at = FIELD_CODE_BITS * corner;
    uint shift = at & 31u;
    uint bits = code << shift;
    uint rest = shift > 20u ? code >> (32u - shift) : 0u; // in the next word
    corners.low |= at < 32u ? bits : 0u;
    corners.middle |= at < 32u ? rest : (at < 64u ? bits : 0u);
    corners.high |= at < 32u ? 0u : (at < 64u ? rest : bits);
}

/// A corner's value: an odd number, twice the distance in steps of the code.
SHARED_INLINE float fieldValue(CornerDistances corners, uint corner) {
    return float(int(2u * fieldCode(corners, corner)) - int(FIELD_MAX_CODE));
}

/// The values at corners with z = 0 and z = 1, in the order of their numbers.
struct FieldCell {
    vec4 below;
    vec4 above;
};

SHARED_INLINE FieldCell fieldCell(CornerDistances corners) {
    FieldCell cell;
    cell.below =
        vec4(fieldValue(corners, 0u), fieldValue(corners, 1u), fieldValue(corners, 2u), fieldValue(corners, 3u));
    cell.above =
        vec4(fieldValue(corners, 4u), fieldValue(corners, 5u), fieldValue(corners, 6u), fieldValue(corners, 7u));
    return cell;
}

/// From a at 0 to b at 1. Keeps the sign of values that agree in it.
SHARED_INLINE vec4 fieldMix(vec4 a, vec4 b, float x) {
    PRECISE float rest = 1.0f - x;
    PRECISE vec4 first = a * rest;
    PRECISE vec4 second = b * x;
    PRECISE vec4 sum = first + second;
    return sum;
}

/// The values at the corners of the box between two points, by the same numbers: those of `a` where a bit is 0.
SHARED_INLINE FieldCell fieldBox(FieldCell cell, vec3 a, vec3 b) {
    vec4 lowZ = fieldMix(cell.below, cell.above, a.z);
    vec4 highZ = fieldMix(cell.below, cell.above, b.z);
    vec4 low = vec4(lowZ.x, lowZ.y, highZ.x, highZ.y);  // y = 0
    vec4 high = vec4(lowZ.z, lowZ.w, highZ.z, highZ.w); // y = 1
    vec4 lowY = fieldMix(low, high, a.y);               // x of a's z, then of b's
    vec4 highY = fieldMix(low, high, b.y);
    vec4 left = vec4(lowY.x, highY.x, lowY.z, highY.z);  // x = 0: by y, then z
    vec4 right = vec4(lowY.y, highY.y, lowY.w, highY.w); // x = 1
    vec4 lowX = fieldMix(left, right, a.x);
    vec4 highX = fieldMix(left, right, b.x);
    FieldCell box;
    box.below = vec4(lowX.x, highX.x, lowX.y, highX.y);
    box.above = vec4(lowX.z, highX.z, lowX.w, highX.w);
    return box;
}

/// The Bernstein coefficients of the field along the segment.
SHARED_INLINE vec4 fieldAlong(FieldCell cell, vec3 enter, vec3 leave) {
    FieldCell box = fieldBox(cell, enter, leave);
    float third = 0.33333334f;
    PRECISE float one = (box.below.y + box.below.z + box.above.x) * third;
    PRECISE float two = (box.below.w + box.above.y + box.above.z) * third;
    return vec4(box.below.x, one, two, box.above.w);
}

/// The coefficients over the first half, and over the second.
SHARED_INLINE void fieldHalve(vec4 c, OUT(vec4, first), OUT(vec4, second)) {
    PRECISE float a = (c.x + c.y) * 0.5f;
    PRECISE float b = (c.y + c.z) * 0.5f;
    PRECISE float d = (c.z + c.w) * 0.5f;
    PRECISE float ab = (a + b) * 0.5f;
    PRECISE float bd = (b + d) * 0.5f;
    PRECISE float middle = (ab + bd) * 0.5f;
    first = vec4(c.x, a, ab, middle);
    second = vec4(middle, bd, d, c.w);
}

SHARED_INLINE uint fieldPositive(vec4 c) {
    return min(min(c.x, c.y), min(c.z, c.w)) > 0.0f ? 1u : 0u;
}

/// The first parameter at which a cubic that starts above 0 is not known to be so, to 2^-FIELD_DEPTH; 1 where it stays
/// above 0. Without a stack: once a part is known to be free, the search starts again from the whole and goes past it.
SHARED_INLINE float fieldCrossing(vec4 whole) {
    uint end = 1u << FIELD_DEPTH;
    uint cleared = 0u; // all before this is free
    uint at = 0u;
    uint size = end;
    vec4 part = whole;
    for (uint i = 0u; i < FIELD_MAX_HALVINGS && cleared < end; i++) {
        if (fieldPositive(part) != 0u) {
            cleared = at + size;
            at = 0u;
            size = end;
            part = whole;
        } else if (size == 1u) {
            break;
        } else {
            vec4 first;
            vec4 second;
            fieldHalve(part, first, second);
            size >>= 1u;
            if (at + size > cleared && fieldPositive(first) != 0u) {
                cleared = at + size;
            }
            uint further = at + size <= cleared ? 1u : 0u;
            at = further != 0u ? at + size : at;
            part = further != 0u ? second : first;
        }
    }
    return float(cleared) * uintBitsToFloat((127u - FIELD_DEPTH) << 23u);
}

/// The field's gradient at a point, in steps of the code over the voxel.
SHARED_INLINE vec3 fieldGradient(FieldCell cell, vec3 point) {
    vec4 acrossZ = cell.above - cell.below;
    vec4 atZ = cell.below + acrossZ * point.z;
    vec2 acrossY = vec2(atZ.z - atZ.x, atZ.w - atZ.y);
    vec2 atY = vec2(atZ.x + acrossY.x * point.y, atZ.y + acrossY.y * point.y);
    float left = acrossZ.x + (acrossZ.z - acrossZ.x) * point.y;
    float right = acrossZ.y + (acrossZ.w - acrossZ.y) * point.y;
    return vec3(atY.y - atY.x, acrossY.x + (acrossY.y - acrossY.x) * point.x, left + (right - left) * point.x);
}

/// Whether the ray crosses the surface on its way through the voxel: at the share `t` of it, where `normal` is the
/// surface's on the ray's side. A side that is not known yet is that of the point where the ray enters.
SHARED_INLINE uint fieldMet(CornerDistances corners, SurfaceSegment segment, INOUT(uint, side), OUT(float, t),
                            OUT(vec3, normal)) {
    FieldCell cell = fieldCell(corners);
    vec4 along = fieldAlong(cell, segment.enter, segment.leave);
    if (side == SIDE_UNKNOWN) {
        side = along.x > 0.0f ? SIDE_FRONT : SIDE_BACK;
    }
    float s = side == SIDE_BACK ? -1.0f : 1.0f;
    along = along * s;
    // Rounding may put the point that a ray starts from behind the surface.
    along.x = segment.startsHere != 0u ? max(along.x, 1e-6f) : along.x;
    t = along.x > 0.0f ? fieldCrossing(along) : 0.0f;
    normal = -segment.direction;
    if (t >= 1.0f) {
        return 0u;
    }
    vec3 gradient = fieldGradient(cell, segment.enter + (segment.leave - segment.enter) * t) * s;
    float square = dot(gradient, gradient);
    normal = square > 0.0f ? gradient / sqrt(square) : normal;
    return 1u;
}

SHARED_END
#endif
