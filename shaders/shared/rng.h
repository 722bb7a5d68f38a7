// Random numbers as a pure function of (seed, pixel, sample, dimension): a counter run through the four-word PCG hash
// of Jarzynski and Olano, "Hash Functions for GPU Rendering", JCGT 2020 (pcg4d).
#ifndef AUREOLE_SHARED_RNG_H
#define AUREOLE_SHARED_RNG_H

#include "shared/lang.h"

SHARED_BEGIN

SHARED_INLINE uvec4 pcg4d(uvec4 v) {
    v = v * 1664525u + uvec4(1013904223u);
    v.x += v.y * v.w;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v.w += v.y * v.z;
    v = v ^ uvec4(v.x >> 16u, v.y >> 16u, v.z >> 16u, v.w >> 16u);
    v.x += v.y * v.w;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v.w += v.y * v.z;
    return v;
}

/// The stream of one sample of one pixel.
struct Rng {
    uint seed;
    uint pixel;
    uint index; ///< absolute sample index
    uint dimension;
};

/// Uniform in [0, 1), a multiple of 2^-24.
SHARED_INLINE float unitFloat(uint bits) {
    return float(bits >> 8u) * 5.9604645e-8f;
}

/// The next four words of the stream, each of 32 random bits.
SHARED_INLINE uvec4 rngNextBits(INOUT(Rng, rng)) {
    uvec4 bits = pcg4d(uvec4(rng.pixel, rng.index, rng.dimension, rng.seed));
    rng.dimension += 1u;
    return bits;
}

/// As above, as numbers in [0, 1).
SHARED_INLINE vec4 rngNext(INOUT(Rng, rng)) {
    uvec4 bits = rngNextBits(rng);
    return vec4(unitFloat(bits.x), unitFloat(bits.y), unitFloat(bits.z), unitFloat(bits.w));
}

SHARED_END
#endif
