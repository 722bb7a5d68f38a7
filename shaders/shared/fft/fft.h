// Push constants of the FFT shaders.
#ifndef AUREOLE_SHARED_FFT_H
#define AUREOLE_SHARED_FFT_H

#include "shared/lang.h"

SHARED_BEGIN

/// Lines along one axis of a batch of images, complex or real ones packed in pairs. Strides in elements: complex
/// values, or real ones on the side of real lines. Where a side is stored in fp16 its elements are half2, the value in
/// place p of any line of image i times scales[i S + p] on the source's side, S places to a line, and times scales[i
/// count + l] in line l on the target's.
struct FftPassPush {
    uint64_t source;
    uint64_t target; ///< may be the source
    uint64_t twiddles;
    uint64_t sourceScales; ///< float; unused by fp32
    uint64_t targetScales; ///< float; unused by fp32
    uint64_t sourceBatchStride;
    uint64_t targetBatchStride;
    uint count; ///< lines of an image
    float scale;
    uint sourceStride;
    uint sourceLineStride;
    uint targetStride;
    uint targetLineStride;
};

SHARED_END
#endif
