// Sobol points with nested uniform ("Owen") scrambling by hash: Burley, "Practical Hash-based Owen Scrambling", JCGT
// 2020. Any number of dimensions is padded from groups of four: each group is a 4-D Sobol sequence of its own order and
// its own scrambling, so that groups, pixels and seeds are uncorrelated, while in a group the first 2^m samples of a
// pixel (and every aligned block as long) stay a digital net. The first two numbers of a group are a (0, 2)-sequence.
//
// Everything here is done on words with their bits reversed, where an Owen scramble is a hash in which each bit depends
// on lower bits only; so directions are stored reversed as well.
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

#define SOBOL_BIT(k, third, fourth)                                                                                    \
    bit = 0u - ((index >> k) & 1u);                                                                                    \
    z ^= bit & third;                                                                                                  \
    w ^= bit & fourth;

/// Point `index` of the Sobol sequence in four dimensions, 32 bits each, reversed. Direction numbers of Joe and Kuo,
/// "Constructing Sobol Sequences with Better Two-Dimensional Projections" (2008). Without an array, which a GPU would
/// keep in memory.
SHARED_INLINE uvec4 sobolReversed(uint index) {
    uint bit;
    uint z = 0u;
    uint w = 0u;
    SOBOL_BIT(0u, 0x00000001u, 0x00000001u)
    SOBOL_BIT(1u, 0x00000003u, 0x00000003u)
    SOBOL_BIT(2u, 0x00000006u, 0x00000004u)
    SOBOL_BIT(3u, 0x00000009u, 0x0000000Au)
    SOBOL_BIT(4u, 0x00000017u, 0x0000001Fu)
    SOBOL_BIT(5u, 0x0000003Au, 0x0000002Eu)
    SOBOL_BIT(6u, 0x00000071u, 0x00000045u)
    SOBOL_BIT(7u, 0x000000A3u, 0x000000C9u)
    SOBOL_BIT(8u, 0x00000116u, 0x0000011Bu)
    SOBOL_BIT(9u, 0x00000339u, 0x000002A4u)
    SOBOL_BIT(10u, 0x00000677u, 0x0000079Au)
    SOBOL_BIT(11u, 0x000009AAu, 0x00000B67u)
    SOBOL_BIT(12u, 0x00001601u, 0x0000101Eu)
    SOBOL_BIT(13u, 0x00003903u, 0x0000302Du)
    SOBOL_BIT(14u, 0x00007706u, 0x00004041u)
    SOBOL_BIT(15u, 0x0000AA09u, 0x0000A0C3u)
    SOBOL_BIT(16u, 0x00010117u, 0x0001F104u)
    SOBOL_BIT(17u, 0x0003033Au, 0x0002E28Au)
    SOBOL_BIT(18u, 0x00060671u, 0x000457DFu)
    SOBOL_BIT(19u, 0x000909A3u, 0x000C9BAEu)
    SOBOL_BIT(20u, 0x00171616u, 0x0011A105u)
    SOBOL_BIT(21u, 0x003A3939u, 0x002A7289u)
    SOBOL_BIT(22u, 0x00717777u, 0x0079E7DBu)
    SOBOL_BIT(23u, 0x00A3AAAAu, 0x00B6DBA4u)
    SOBOL_BIT(24u, 0x01170001u, 0x0100011Au)
    SOBOL_BIT(25u, 0x033A0003u, 0x030002A7u)
    SOBOL_BIT(26u, 0x06710006u, 0x0400079Eu)
    SOBOL_BIT(27u, 0x09A30009u, 0x0A000B6Du)
    SOBOL_BIT(28u, 0x16160017u, 0x1F001001u)
    SOBOL_BIT(29u, 0x3939003Au, 0x2E003003u)
    SOBOL_BIT(30u, 0x77770071u, 0x45004004u)
    SOBOL_BIT(31u, 0xAAAA00A3u, 0xC900A00Au)
    return uvec4(index, sobolSecond(index), z, w);
}

#undef SOBOL_BIT

/// Four words, uniform and well spread over the samples `index` of one pixel. `seeds` are random words, those of
/// another group or pixel being others; `order` is another one, for the order of the samples.
SHARED_INLINE uvec4 sobolScrambled(uint index, uvec4 seeds, uint order) {
    uvec4 p = sobolReversed(reverseBits(hashUpwards(reverseBits(index), order)));
    return uvec4(reverseBits(hashUpwards(p.x, seeds.x)), reverseBits(hashUpwards(p.y, seeds.y)),
                 reverseBits(hashUpwards(p.z, seeds.z)), reverseBits(hashUpwards(p.w, seeds.w)));
}

SHARED_END
#endif
