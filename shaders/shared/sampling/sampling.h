// Sampling warps, in triples: sampleX maps uniform numbers to a distribution, xPdf is its density, invertX maps back.
#ifndef AUREOLE_SHARED_SAMPLING_H
#define AUREOLE_SHARED_SAMPLING_H

#include "shared/normal_frame.h"
#include "shared/sampling/rng.h"

SHARED_BEGIN

#define SHARED_PI 3.14159265f

/// Uniform on the unit disc, after Shirley and Chiu, "A Low Distortion Map Between Disk and Square" (1997).
SHARED_INLINE vec2 sampleDisc(vec2 u) {
    float a = 2.0f * u.x - 1.0f;
    float b = 2.0f * u.y - 1.0f;
    if (a == 0.0f && b == 0.0f) {
        return vec2(0.0f);
    }
    float r = abs(a) > abs(b) ? a : b;
    float phi = abs(a) > abs(b) ? 0.25f * SHARED_PI * (b / a) : 0.5f * SHARED_PI - 0.25f * SHARED_PI * (a / b);
    return vec2(r * cos(phi), r * sin(phi));
}

SHARED_INLINE vec2 invertDisc(vec2 p) {
    float r = sqrt(dot(p, p));
    float phi = atan2(p.y, p.x);
    if (phi < -0.25f * SHARED_PI) {
        phi += 2.0f * SHARED_PI;
    }
    float a;
    float b;
    if (phi < 0.25f * SHARED_PI) {
        a = r;
        b = phi * a / (0.25f * SHARED_PI);
    } else if (phi < 0.75f * SHARED_PI) {
        b = r;
        a = -(phi - 0.5f * SHARED_PI) * b / (0.25f * SHARED_PI);
    } else if (phi < 1.25f * SHARED_PI) {
        a = -r;
        b = (phi - SHARED_PI) * a / (0.25f * SHARED_PI);
    } else {
        b = -r;
        a = -(phi - 1.5f * SHARED_PI) * b / (0.25f * SHARED_PI);
    }
    return vec2(0.5f * (a + 1.0f), 0.5f * (b + 1.0f));
}

/// Uniform on a regular polygon of `corners` corners on the unit circle, the first of them on the x axis: a number
/// around it, a number outwards.
SHARED_INLINE vec2 sampleRegularPolygon(vec2 u, uint corners) {
    float around = u.x * float(corners);
    float corner = min(floor(around), float(corners - 1u));
    float along = around - corner;
    float step = 2.0f * SHARED_PI / float(corners);
    float a = corner * step;
    float b = (corner + 1.0f) * step;
    float r = sqrt(u.y);
    return vec2(r * mix(cos(a), cos(b), along), r * mix(sin(a), sin(b), along));
}

/// Density per area.
SHARED_INLINE float regularPolygonPdf(uint corners) {
    float n = float(corners);
    return 2.0f / (n * sin(2.0f * SHARED_PI / n));
}

SHARED_INLINE vec2 invertRegularPolygon(vec2 p, uint corners) {
    float step = 2.0f * SHARED_PI / float(corners);
    float phi = atan2(p.y, p.x);
    phi = phi < 0.0f ? phi + 2.0f * SHARED_PI : phi;
    float corner = min(floor(phi / step), float(corners - 1u));
    // Along the side from a to b that p lies on once it is moved outwards: p = r ((1 - t) a + t b).
    float a = corner * step;
    float b = a + step;
    float det = sin(step);
    float wa = (p.x * sin(b) - p.y * cos(b)) / det;
    float wb = (p.y * cos(a) - p.x * sin(a)) / det;
    float r = wa + wb;
    return vec2((corner + (r > 0.0f ? wb / r : 0.0f)) / float(corners), r * r);
}

/// Half of what lies between two neighbouring values of 1 - r^2 at the rim of the disc, by numbers of 24 bits. A
/// direction within the surface itself, from a number that is 0, would be dropped as one below it, and its light lost.
#define COSINE_LEAST_SQUARE 1.1920929e-7f

/// Directions about +Z with density cos(theta) / pi (Malley's method), all of them above the plane.
SHARED_INLINE vec3 sampleCosineHemisphere(vec2 u) {
    vec2 d = sampleDisc(u);
    return vec3(d.x, d.y, sqrt(max(COSINE_LEAST_SQUARE, 1.0f - dot(d, d))));
}

SHARED_INLINE float cosineHemispherePdf(float cosTheta) {
    return max(cosTheta, 0.0f) / SHARED_PI;
}

SHARED_INLINE vec2 invertCosineHemisphere(vec3 w) {
    return invertDisc(vec2(w.x, w.y));
}

/// Directions about +Z, uniform in the cone of 1 - cos(half angle) = `height`. (The height, not the cosine, so that a
/// sun of half a degree keeps its precision.)
SHARED_INLINE vec3 sampleUniformCone(vec2 u, float height) {
    float h = u.x * height;
    float sinTheta = sqrt(max(0.0f, h * (2.0f - h)));
    float phi = 2.0f * SHARED_PI * u.y;
    return vec3(sinTheta * cos(phi), sinTheta * sin(phi), 1.0f - h);
}

SHARED_INLINE float uniformConePdf(float height) {
    return 1.0f / (2.0f * SHARED_PI * height);
}

SHARED_INLINE vec2 invertUniformCone(vec3 w, float height) {
    float phi = atan2(w.y, w.x);
    float sin2 = w.x * w.x + w.y * w.y;
    float h = w.z > 0.0f ? sin2 / (1.0f + w.z) : 1.0f - w.z;
    return vec2(h / height, (phi < 0.0f ? phi + 2.0f * SHARED_PI : phi) / (2.0f * SHARED_PI));
}

/// Takes a vector of the frame whose Z axis is the unit vector n, and whose others are its normalFrame, to n's own
/// frame.
SHARED_INLINE vec3 fromLocal(vec3 n, vec3 v) {
    vec3 tangent;
    vec3 bitangent;
    normalFrame(n, tangent, bitangent);
    return normalize(tangent * v.x + bitangent * v.y + n * v.z);
}

/// The inverse of fromLocal, for unit vectors.
SHARED_INLINE vec3 toLocal(vec3 n, vec3 v) {
    vec3 tangent;
    vec3 bitangent;
    normalFrame(n, tangent, bitangent);
    return normalize(vec3(dot(tangent, v), dot(bitangent, v), dot(n, v)));
}

/// A number in [0, 1] whose density goes evenly from one in proportion to `low` at 0 to one to `high` at 1, for a
/// uniform number. Both are at least 0.
SHARED_INLINE float sampleLinear(float low, float high, float u) {
    float sum = low + high;
    if (sum <= 0.0f) {
        return u;
    }
    float a = low / sum; // so that squares neither overflow nor vanish
    float b = high / sum;
    return min(u / (a + sqrt(mix(a * a, b * b, u))), 1.0f);
}

/// One slot of an alias table (Walker; Vose 1991): slot i gives i below the threshold, else `alias`.
struct AliasSlot {
    float threshold;
    uint alias;
    float probability; ///< of index i, in all
};
SHARED_ARRAY(AliasSlot, 4)

/// One of `count` slots, each with the same probability within 2^-32 of it. The two random words, the first one
/// leading, are one number of 64 bits in [0, 1): times `count`, its whole part is the slot, and `rest` is uniform in
/// [0, 1).
SHARED_INLINE uint sampleSlot(uint count, uvec2 bits, OUT(float, rest)) {
    uint64_t scaled = uint64_t(bits.x) * uint64_t(count) + ((uint64_t(bits.y) * uint64_t(count)) >> 32);
    rest = unitFloat(uint(scaled & uint64_t(0xFFFFFFFFu)));
    return uint(scaled >> 32);
}

/// Draws an index of `count` by two words of random bits: a number of 24 bits would reach no more than every 2^24th
/// part of a table, and compare what is left of it with the threshold the more coarsely the longer the table is.
/// `left` is what the draw leaves of the words: a uniform number below 1, independent of the index.
SHARED_INLINE uint sampleAliasBits(uint64_t table, uint count, uvec2 bits, OUT(float, left)) {
    uint slot = sampleSlot(count, bits, left);
    AliasSlot picked = AT(AliasSlot, table, slot);
    bool isOwn = left < picked.threshold;
    left = min(isOwn ? left / picked.threshold : (left - picked.threshold) / (1.0f - picked.threshold), 0.99999994f);
    return isOwn ? slot : picked.alias;
}

SHARED_END
#endif
