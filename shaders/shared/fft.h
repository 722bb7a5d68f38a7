// Push constants of the FFT shaders.
#ifndef AUREOLE_SHARED_FFT_H
#define AUREOLE_SHARED_FFT_H

#include "shared/lang.h"

SHARED_BEGIN

/// Batched complex transforms. Strides in complex values.
struct FftComplexPush {
    uint64_t source;
    uint64_t target; ///< may be the source
    uint64_t twiddles;
    uint count; ///< lines
    float scale;
    uint sourceStride;
    uint sourceLineStride;
    uint targetStride;
    uint targetLineStride;
};

SHARED_END
#endif
