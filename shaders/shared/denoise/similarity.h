// How alike the surroundings of two pixels are, beyond their noise: the weights of non-local means after Rousselle et
// al., "Adaptive Rendering with Non-Local Means Filtering", SIGGRAPH Asia 2012, section 4.
#ifndef AUREOLE_SHARED_DENOISE_SIMILARITY_H
#define AUREOLE_SHARED_DENOISE_SIMILARITY_H

#include "shared/denoise/denoise.h"

SHARED_BEGIN

/// The squared difference of two colours in units of their variances, less what noise alone makes of it; the mean over
/// the channels. It is 0 on average for equal colours.
SHARED_INLINE float denoiseDifference(vec3 here, vec3 there, vec3 varianceHere, vec3 varianceThere) {
    vec3 gap = here - there;
    vec3 noise = varianceHere + min(varianceHere, varianceThere);
    // What floats cannot tell apart is no difference, and noise of nothing must not divide by 0.
    vec3 scale = varianceHere + varianceThere + 1e-8f * (here * here + there * there) + vec3(1e-30f);
    vec3 difference = (gap * gap - noise) / scale;
    return (difference.x + difference.y + difference.z) / 3.0f;
}

/// Pixels of a column, one below the other, whose sums share most of their differences.
#define DENOISE_RUN 8

/// Sums of each pixel: of the patch, those of the first half and of the other; then likewise of the small patch.
struct DenoiseRun {
    vec4 at[DENOISE_RUN];
};

/// The sums of differences down the patch about each pixel of a run and that about the one at the offset of that number
/// from it: of the first half, of the other. Beyond the picture stand the pixels at its edge. `pixel` is the first of
/// the run.
SHARED_INLINE DenoiseRun denoiseColumnDifferences(DenoisePicture picture, ivec2 pixel, int number) {
    ivec2 offset = denoiseOffset(number);
    int hereColumn = clamp(pixel.x, 0, picture.width - 1);
    int thereColumn = clamp(pixel.x + offset.x, 0, picture.width - 1);
    int other = denoiseOtherHalf(picture);
    DenoiseRun run;
    DENOISE_UNROLL for (int i = 0; i < DENOISE_RUN; ++i) {
        run.at[i] = vec4(0.0f);
    }
    DENOISE_UNROLL for (int i = 0; i < DENOISE_RUN + 2 * DENOISE_PATCH; ++i) {
        int row = pixel.y + i - DENOISE_PATCH;
        int here = clamp(row, 0, picture.height - 1) * picture.width + hereColumn;
        int there = clamp(row + offset.y, 0, picture.height - 1) * picture.width + thereColumn;
        vec3 varianceHere = AT(vec3, picture.variances, here);
        vec3 varianceThere = AT(vec3, picture.variances, there);
        vec2 difference = vec2(denoiseDifference(AT(vec3, picture.halves, here), AT(vec3, picture.halves, there),
                                                 varianceHere, varianceThere),
                               denoiseDifference(AT(vec3, picture.halves, other + here),
                                                 AT(vec3, picture.halves, other + there), varianceHere, varianceThere));
        DENOISE_UNROLL for (int k = 0; k < DENOISE_RUN; ++k) {
            if (k <= i && i <= k + 2 * DENOISE_PATCH) {
                run.at[k].x += difference.x;
                run.at[k].y += difference.y;
            }
            if (abs(i - k - DENOISE_PATCH) <= DENOISE_SMALL_PATCH) {
                run.at[k].z += difference.x;
                run.at[k].w += difference.y;
            }
        }
    }
    return run;
}

/// The sum along a row of what denoiseColumnDifferences found, so far as it belongs to the pixel `distance` columns
/// away.
SHARED_INLINE vec4 denoiseRowPart(vec4 sums, int distance) {
    return abs(distance) <= DENOISE_SMALL_PATCH ? sums : vec4(sums.x, sums.y, 0.0f, 0.0f);
}

/// The weights for the sums of the patch's and the small patch's differences, in the same order: those of the narrow
/// filter, which has half the bandwidth, and those of the second one.
SHARED_INLINE vec4 denoiseWeights(vec4 sums) {
    float narrow = 4.0f / float((2 * DENOISE_PATCH + 1) * (2 * DENOISE_PATCH + 1));
    float wide = 1.0f / float((2 * DENOISE_SMALL_PATCH + 1) * (2 * DENOISE_SMALL_PATCH + 1));
    return vec4(exp(-narrow * max(sums.x, 0.0f)), exp(-narrow * max(sums.y, 0.0f)), exp(-wide * max(sums.z, 0.0f)),
                exp(-wide * max(sums.w, 0.0f)));
}

SHARED_END
#endif
