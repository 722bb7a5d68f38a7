// The scale with which a line of values is stored in fp16.
#ifndef AUREOLE_SHARED_FFT_HALF_H
#define AUREOLE_SHARED_FFT_HALF_H

#include "shared/lang.h"

SHARED_BEGIN

/// The power of two by which stored values are to be multiplied, from the largest magnitude of the line's parts: stored
/// as value / scale, that one is 16384 or more and below 32768, half of what fp16 holds, so that parts down to 2^-28 of
/// it keep fp16's full precision. A power of two adds no rounding of its own. Lines below 2^-100 count as that large.
SHARED_INLINE float fftHalfScale(float largest) {
    const float smallest = 7.8886090522101181e-31f; // 2^-100
    uint exponent = floatBitsToUint(max(largest, smallest)) & 0x7F800000u;
    return uintBitsToFloat(exponent) / 16384.0f;
}

SHARED_END
#endif
