// Rectangles seen from a point: their solid angle, and points on them that are uniform in it.
//
// Urena, Fajardo and King, "An Area-Preserving Parametrization for Spherical Rectangles" (2013): a rectangle is cut
// across its longer side where the first number says, by solid angle, and across the other one by the second. The
// formulas are others, as the paper's take the solid angle as the excess of four angles over 2 pi, which keeps no
// digits of small ones. Here the part of the rectangle's strip between x and infinity, which subtends
//   rest(x) = A(y1) - A(y0),  tan A(y) = y z / (x^2 + z^2 + x sqrt(x^2 + y^2 + z^2)),
// is written with sums of what has one sign only.
#ifndef AUREOLE_SHARED_SPHERICAL_RECTANGLE_H
#define AUREOLE_SHARED_SPHERICAL_RECTANGLE_H

#include "shared/sampling/angles.h"

SHARED_BEGIN

/// A rectangle as seen from a point: its corners in the coordinates of its plane, relative to the foot of the point.
struct SeenRectangle {
    vec2 low;
    vec2 high;
    float height; ///< of the point over the plane, on the side that the rectangle faces; at most 0: not seen
};

/// Rectangles whose longer side is below a hundredth of their distance are sampled uniformly by area: it makes no
/// difference that matters, and differences of angles would lose more digits. The sampler and the density both ask
/// this.
#define SEEN_AS_SMALL 1e-4f

SHARED_INLINE uint isSeenAsSmall(SeenRectangle seen) {
    vec2 size = seen.high - seen.low;
    vec2 middle = 0.5f * (seen.low + seen.high);
    float longest = max(size.x, size.y);
    return longest * longest < SEEN_AS_SMALL * (dot(middle, middle) + seen.height * seen.height) ? 1u : 0u;
}

/// The rectangle turned so that x is along its longer side and y1 is farther away than y0.
struct RectangleStrip {
    float x0;
    float x1;
    float y0;
    float y1;
    float z;
    uint swapped;  ///< 1: x and y change places
    uint mirrored; ///< 1: y changes its sign
};

SHARED_INLINE RectangleStrip makeStrip(SeenRectangle seen) {
    RectangleStrip strip;
    strip.swapped = seen.high.y - seen.low.y > seen.high.x - seen.low.x ? 1u : 0u;
    strip.x0 = strip.swapped != 0u ? seen.low.y : seen.low.x;
    strip.x1 = strip.swapped != 0u ? seen.high.y : seen.high.x;
    float low = strip.swapped != 0u ? seen.low.x : seen.low.y;
    float high = strip.swapped != 0u ? seen.high.x : seen.high.y;
    strip.mirrored = low + high < 0.0f ? 1u : 0u;
    strip.y0 = strip.mirrored != 0u ? -high : low;
    strip.y1 = strip.mirrored != 0u ? -low : high;
    strip.z = seen.height;
    return strip;
}

/// The solid angle of the strip beyond x, which is at least 0.
SHARED_INLINE float solidAngleBeyond(RectangleStrip strip, float x) {
    float square = x * x + strip.z * strip.z;
    float r0 = sqrt(square + strip.y0 * strip.y0);
    float r1 = sqrt(square + strip.y1 * strip.y1);
    float between = strip.y1 * r0 - strip.y0 * r1;
    if (strip.y0 > 0.0f) {
        between = (strip.y1 - strip.y0) * (strip.y1 + strip.y0) * square / (strip.y1 * r0 + strip.y0 * r1);
    }
    float across = strip.z * (square * (strip.y1 - strip.y0) + x * between);
    float along = (square + x * r0) * (square + x * r1) + strip.y0 * strip.y1 * (strip.z * strip.z);
    return angleOf(along, across);
}

/// The solid angles of the strip beyond x0, 0 and x1, each beyond its distance from 0.
struct StripAngles {
    float beyond0;
    float beyondFoot; ///< where the foot lies between the two
    float beyond1;
    float left; ///< of the part on the side of x0, where the foot lies between the two, else all
    float right;
};

SHARED_INLINE StripAngles stripAngles(RectangleStrip strip) {
    StripAngles angles;
    angles.beyond0 = solidAngleBeyond(strip, abs(strip.x0));
    angles.beyond1 = solidAngleBeyond(strip, abs(strip.x1));
    angles.beyondFoot = 0.0f;
    angles.right = 0.0f;
    if (strip.x0 < 0.0f && strip.x1 > 0.0f) {
        angles.beyondFoot = solidAngleBeyond(strip, 0.0f);
        angles.left = max(angles.beyondFoot - angles.beyond0, 0.0f);
        angles.right = max(angles.beyondFoot - angles.beyond1, 0.0f);
    } else {
        angles.left = abs(angles.beyond0 - angles.beyond1);
    }
    return angles;
}

/// In steradians; the rectangle is seen.
SHARED_INLINE float solidAngleOf(SeenRectangle seen) {
    StripAngles angles = stripAngles(makeStrip(seen));
    return angles.left + angles.right;
}

/// The x, at least 0, beyond which the strip has the solid angle `beyond`: the inverse of solidAngleBeyond.
SHARED_INLINE float stripCut(RectangleStrip strip, float beyond) {
    float s0 = sqrt(strip.y0 * strip.y0 + strip.z * strip.z);
    float s1 = sqrt(strip.y1 * strip.y1 + strip.z * strip.z);
    // Half of `beyond`, and the strip's own angle d seen from the foot's line, that of all beyond x = 0.
    vec2 t = directionOfAngle(0.5f * beyond);
    float sinD = strip.z * (strip.y1 - strip.y0) / (s0 * s1);
    float cosD = (strip.z * strip.z + strip.y0 * strip.y1) / (s0 * s1);
    float sinRest = sinD * t.x - cosD * t.y;                                    // of d - t
    float sinLeft = sinD * (t.x * t.x - t.y * t.y) - cosD * (2.0f * t.x * t.y); // of d - 2t
    float cosines = (strip.z * t.x + strip.y1 * t.y) * (strip.z * t.x - strip.y0 * t.y) / (s0 * s1);
    float square = sinRest * t.y * cosines;
    return square > 0.0f ? 0.5f * strip.z * max(sinLeft, 0.0f) / sqrt(square) : 0.0f;
}

/// The point at share `u` of the solid angle of a line across the strip at x: uniform in the sine of its elevation, of
/// which 1 minus and 1 plus are interpolated, each without cancellation.
SHARED_INLINE float stripAcross(RectangleStrip strip, float x, float u) {
    float square = x * x + strip.z * strip.z;
    float r0 = sqrt(square + strip.y0 * strip.y0);
    float r1 = sqrt(square + strip.y1 * strip.y1);
    float near0 = square / (r0 * (r0 + abs(strip.y0)));
    float far0 = 1.0f + abs(strip.y0) / r0;
    float above = square / (r1 * (r1 + strip.y1)); // y1 is above 0
    float below = 1.0f + strip.y1 / r1;
    float toOne = mix(strip.y0 < 0.0f ? far0 : near0, above, u);
    float fromOne = mix(strip.y0 < 0.0f ? near0 : far0, below, u);
    float y = sqrt(square) * 0.5f * (fromOne - toOne) / sqrt(toOne * fromOne);
    return clamp(y, strip.y0, strip.y1);
}

/// A point on a rectangle that is seen, for two uniform numbers: uniform in solid angle, or in area where
/// isSeenAsSmall.
SHARED_INLINE vec2 sampleSeenRectangle(SeenRectangle seen, vec2 u) {
    if (isSeenAsSmall(seen) != 0u) {
        return vec2(mix(seen.low.x, seen.high.x, u.x), mix(seen.low.y, seen.high.y, u.y));
    }
    RectangleStrip strip = makeStrip(seen);
    StripAngles angles = stripAngles(strip);
    float along = u.x * (angles.left + angles.right);
    float x;
    if (angles.right > 0.0f) {
        uint right = along >= angles.left ? 1u : 0u;
        float share = right != 0u ? (along - angles.left) / angles.right : along / angles.left;
        float beyond = right != 0u ? mix(angles.beyondFoot, angles.beyond1, min(share, 1.0f))
                                   : mix(angles.beyond0, angles.beyondFoot, share);
        x = stripCut(strip, beyond) * (right != 0u ? 1.0f : -1.0f);
    } else {
        x = stripCut(strip, mix(angles.beyond0, angles.beyond1, u.x)) * (strip.x0 < 0.0f ? -1.0f : 1.0f);
    }
    x = clamp(x, strip.x0, strip.x1);
    float y = stripAcross(strip, x, u.y);
    y = strip.mirrored != 0u ? -y : y;
    return strip.swapped != 0u ? vec2(y, x) : vec2(x, y);
}

/// In steradians: the solid angle, or nearly that where the rectangle is seen as small. 0 where it is not seen.
SHARED_INLINE float seenMeasure(SeenRectangle seen) {
    if (seen.height <= 0.0f) {
        return 0.0f;
    }
    if (isSeenAsSmall(seen) != 0u) {
        vec2 size = seen.high - seen.low;
        vec2 middle = 0.5f * (seen.low + seen.high);
        float square = dot(middle, middle) + seen.height * seen.height;
        return size.x * size.y * seen.height / (square * sqrt(square));
    }
    return solidAngleOf(seen);
}

/// The density per solid angle of a point that sampleSeenRectangle gives: at `distance`, seen under `cosine`, above 0,
/// to the rectangle's normal. `measure` is the rectangle's seenMeasure, above 0.
SHARED_INLINE float seenRectanglePdf(SeenRectangle seen, float measure, float distance, float cosine) {
    if (isSeenAsSmall(seen) != 0u) {
        vec2 size = seen.high - seen.low;
        return (distance / size.x) * (distance / size.y) / cosine;
    }
    return 1.0f / measure;
}

SHARED_END
#endif
