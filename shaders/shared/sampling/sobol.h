// Sobol points with nested uniform ("Owen") scrambling by hash: Burley, "Practical Hash-based Owen Scrambling", JCGT
// 2020. Any number of dimensions is padded from pairs: each pair is the (0, 2)-sequence of Sobol's first two dimensions
// in an order and with scrambles of its own, so that pairs, pixels and seeds are uncorrelated, while in a pair the
// first 2^m samples of a pixel (and every aligned block as long) stay a net. Four dimensions of Sobol's own are no
// better for pictures, and cost more: the third and fourth have no steps as short as sobolSecond
// (tests/bench/record/sampling.md).
//
// Everything here is done on words with their bits reversed, where an Owen scramble is a hash in which each bit depends
// on lower bits only; of Sobol's first dimension such a word is the index itself.
#ifndef AUREOLE_SHARED_SOBOL_H
#define AUREOLE_SHARED_SOBOL_H

#include "shared/lang.h"

SHARED_BEGIN

/// A hash in which a bit depends on itself and lower bits (Laine and Karras 2011); the steps and constants are those of
/// Vegdahl, "Building a Better LK Hash" (2021), which leave less correlation between seeds than Burley's own.
SHARED_INLINE uint hashUpwards(uint x, uint seed) {
    x ^= x * 0x3D20ADEAu;
    x += seed;
    x *= (seed >> 16u) | 1u;
    x ^= x * 0x05526C56u;
    x ^= x * 0x53A22864u;
    return x;
}

/// The second dimension, reversed: Pascal's triangle modulo 2 times the index, by the steps of its Kronecker product.
SHARED_INLINE uint sobolSecond(uint index) {
    index ^= (index >> 1u) & 0x55555555u;
    index ^= (index >> 2u) & 0x33333333u;
    index ^= (index >> 4u) & 0x0F0F0F0Fu;
    index ^= (index >> 8u) & 0x00FF00FFu;
    return index ^ (index >> 16u);
}

/// Two words, uniform and well spread over the samples of one pixel. `reversed` is the index of the sample, reversed;
/// `scrambles` and `order` are random words, of which every pair and pixel has others.
SHARED_INLINE uvec2 sobolPair(uint reversed, uvec2 scrambles, uint order) {
    uint index = reverseBits(hashUpwards(reversed, order));
    return uvec2(reverseBits(hashUpwards(index, scrambles.x)),
                 reverseBits(hashUpwards(sobolSecond(index), scrambles.y)));
}

SHARED_END
#endif
