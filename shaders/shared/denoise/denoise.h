// What the passes of the denoiser read and write. src/denoise/denoise.h says what they follow.
#ifndef AUREOLE_SHARED_DENOISE_DENOISE_H
#define AUREOLE_SHARED_DENOISE_DENOISE_H

#include "shared/lang.h"

/// Pixels to each side of the middle: of the window that a pixel is fitted in, of the patches that are compared (the
/// narrow filter's, which are sure of what they find, and the others', which find more in detail), and of
/// the window in which errors are averaged.
#define DENOISE_WINDOW 7
#define DENOISE_PATCH 3
#define DENOISE_SMALL_PATCH 1
#define DENOISE_ERRORS 4

/// Filters, the widest first, the narrow one last.
#define DENOISE_FILTERS 3

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

/// The passes over a block: differences of columns, weights, fits.
struct DenoiseBlockPush {
    DenoisePicture picture;
    DenoiseBlock block;
    uint64_t sums;    ///< vec4: of the block and DENOISE_PATCH columns to each side, for each offset
    uint64_t weights; ///< vec4: of the block's pixels, for each offset
    uint64_t fits;    ///< vec3: planes of both halves by each filter in turn
};

/// The passes over the picture: evidence, its sums along rows, then down columns with what follows from them.
struct DenoiseSelectPush {
    DenoisePicture picture;
    uint64_t fits;     ///< as above; the first two become the best of all
    uint64_t evidence; ///< vec2
    uint64_t sums;     ///< vec2: of the evidence along rows
    uint64_t colours;  ///< vec3: the noisy picture, which becomes the result
    int next;          ///< the filter that is held against the best of those before it
    int padding;
};

/// The offset in the window of that number, row by row.
SHARED_INLINE ivec2 denoiseOffset(int number) {
    return ivec2(number % DENOISE_SPAN - DENOISE_WINDOW, number / DENOISE_SPAN - DENOISE_WINDOW);
}

/// Where the halves' second plane begins, in pixels.
SHARED_INLINE int denoiseOtherHalf(DenoisePicture picture) {
    return picture.width * picture.height;
}

SHARED_END
#endif
