// What the passes of the denoiser read and write. src/denoise/denoise.h says what they follow.
#ifndef AUREOLE_SHARED_DENOISE_DENOISE_H
#define AUREOLE_SHARED_DENOISE_DENOISE_H

#include "shared/lang.h"

/// Pixels to each side of the middle: of the window that a pixel is fitted in, of the patches that are compared, and of
/// the window in which errors are averaged.
#define DENOISE_WINDOW 9
#define DENOISE_PATCH 3
#define DENOISE_ERRORS 7

/// Pixels of a window along an axis, and all of them.
#define DENOISE_SPAN (2 * DENOISE_WINDOW + 1)
#define DENOISE_OFFSETS (DENOISE_SPAN * DENOISE_SPAN)

/// Albedo, normal and depth.
#define DENOISE_FEATURES 7

/// Marks a loop that is to be unrolled, so that its arrays are registers.
#ifdef __cplusplus
#define DENOISE_UNROLL
#else
#extension GL_EXT_control_flow_attributes : require
#define DENOISE_UNROLL [[unroll]]
#endif

SHARED_BEGIN

struct DenoiseFeatures {
    float at[DENOISE_FEATURES];
};
SHARED_ARRAY(DenoiseFeatures, 4)

/// The picture: planes row by row.
struct DenoisePicture {
    uint64_t halves;    ///< vec3: the plane of the first half, then that of the other
    uint64_t variances; ///< vec3: of a half's noise
    uint64_t features;  ///< DenoiseFeatures
    int width;
    int height;
};

/// A block of pixels whose weights are held at a time.
struct DenoiseBlock {
    int left;
    int top;
    int width;
    int height;
};

/// The offset in the window of that number, row by row.
SHARED_INLINE ivec2 denoiseOffset(int number) {
    return ivec2(number % DENOISE_SPAN - DENOISE_WINDOW, number / DENOISE_SPAN - DENOISE_WINDOW);
}

SHARED_END
#endif
