// The numbers of samples, as a pure function of (seed, pixel, sample, dimension): independent ones, by a counter run
// through the four-word PCG hash of Jarzynski and Olano, "Hash Functions for GPU Rendering", JCGT 2020 (pcg4d), or
// scrambled Sobol points (sobol.h).
#ifndef AUREOLE_SHARED_RNG_H
#define AUREOLE_SHARED_RNG_H

#include "shared/sampling/sobol.h"

SHARED_BEGIN

#define SAMPLER_INDEPENDENT 0u
#define SAMPLER_SOBOL 1u

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

/// The stream of one sample of one pixel. GLSL includers may define RNG_SAMPLER as a specialization constant; the
/// stream then does not carry its sampler.
struct Rng {
    uint seed;
    uint pixel;
    uint index; ///< absolute sample index
    uint dimension;
#ifndef RNG_SAMPLER
    uint kind; ///< SAMPLER_
#endif
};

#ifdef RNG_SAMPLER
#define RNG_SET_SAMPLER(rng, value)
#else
#define RNG_SET_SAMPLER(rng, value) (rng).kind = (value)
#define RNG_SAMPLER(rng) ((rng).kind)
#endif

/// Uniform in [0, 1), a multiple of 2^-24.
SHARED_INLINE float unitFloat(uint bits) {
    return float(bits >> 8u) * 5.9604645e-8f;
}

/// The word of 24 random bits, and 8 of 0, that unitFloat makes a number of.
SHARED_INLINE uint bitsOf(float unit) {
    return uint(unit * 16777216.0f) << 8u;
}

/// Sobol points of even and of odd index are two sequences, of scrambles and orders of their own: from how the means of
/// both differ, the error of their mean can be told. 0 or 1.
SHARED_INLINE uint sobolHalf(uint index) {
    return index & 1u;
}

/// The next four words of the stream, each of 32 random bits. Of Sobol points, the first two are spread well together,
/// and so are the last two.
SHARED_INLINE uvec4 rngNextBits(INOUT(Rng, rng)) {
    uint dimension = rng.dimension;
    rng.dimension += 1u;
    if (RNG_SAMPLER(rng) == SAMPLER_SOBOL) {
        // A word that no sample index has in practice, in its place: seeds do not depend on the sample.
        uvec4 seeds = pcg4d(uvec4(rng.pixel, 0xB5297A4Cu + sobolHalf(rng.index), dimension, rng.seed));
        uint reversed = reverseBits(rng.index >> 1u);
        uvec2 first = sobolPair(reversed, uvec2(seeds.x, seeds.y), seeds.x ^ seeds.w);
        uvec2 last = sobolPair(reversed, uvec2(seeds.z, seeds.w), seeds.y ^ seeds.z);
        return uvec4(first.x, first.y, last.x, last.y);
    }
    return pcg4d(uvec4(rng.pixel, rng.index, dimension, rng.seed));
}

/// The next four random numbers, as rngNextBits draws them, mapped to [0, 1).
SHARED_INLINE vec4 rngNext(INOUT(Rng, rng)) {
    uvec4 bits = rngNextBits(rng);
    return vec4(unitFloat(bits.x), unitFloat(bits.y), unitFloat(bits.z), unitFloat(bits.w));
}

SHARED_END
#endif
