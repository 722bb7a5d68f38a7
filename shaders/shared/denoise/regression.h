// The weighted linear fit of colours to features about a pixel: Bitterli et al., "Nonlinearly Weighted First-order
// Regression for Denoising Monte Carlo Renderings", EGSR 2016, section 3. As in Moon et al., "Adaptive Rendering Based
// on Weighted Local Regression", ACM TOG 2014, the place in the picture is fitted too; as in Rousselle et al., "Robust
// Denoising using Feature and Color Information", Pacific Graphics 2013, features have their say in the weights.
#ifndef AUREOLE_SHARED_DENOISE_REGRESSION_H
#define AUREOLE_SHARED_DENOISE_REGRESSION_H

#include "shared/denoise/denoise.h"

/// What a colour may depend on: the features, and the column and the row of the pixel; with the constant, the unknowns,
/// and the values of a symmetric matrix of as many rows.
#define DENOISE_FACTORS (DENOISE_FEATURES + 2)
#define DENOISE_UNKNOWNS (DENOISE_FACTORS + 1)
#define DENOISE_MOMENTS (DENOISE_UNKNOWNS * (DENOISE_UNKNOWNS + 1) / 2)

/// What a slope pays for its square, for each pixel: a feature counts where it varies by about a hundredth.
#define DENOISE_RIDGE 1e-4f

/// What a pixel counts beside the features.
#define DENOISE_PIXEL 0.03f

SHARED_BEGIN

struct DenoiseFactors {
    float at[DENOISE_FACTORS];
};

/// The sums of a fit: those of products of two unknowns' factors, the lower triangle row by row, and those of factors
/// and colours. The constant comes last.
struct DenoiseFit {
    float moments[DENOISE_MOMENTS];
    vec3 products[DENOISE_UNKNOWNS];
};

SHARED_INLINE DenoiseFit denoiseNoFit() {
    DenoiseFit fit;
    DENOISE_UNROLL for (int i = 0; i < DENOISE_MOMENTS; ++i) {
        fit.moments[i] = 0.0f;
    }
    DENOISE_UNROLL for (int i = 0; i < DENOISE_UNKNOWNS; ++i) {
        fit.products[i] = vec3(0.0f);
    }
    return fit;
}

/// Adds a pixel with its weight. `factors` are less those of the pixel that the fit is about.
SHARED_INLINE void denoiseFitAdd(INOUT(DenoiseFit, fit), float weight, DenoiseFactors factors, vec3 colour) {
    int next = 0;
    DENOISE_UNROLL for (int i = 0; i < DENOISE_FACTORS; ++i) {
        float weighted = weight * factors.at[i];
        DENOISE_UNROLL for (int j = 0; j <= i; ++j) {
            fit.moments[next] += weighted * factors.at[j];
            next += 1;
        }
        fit.products[i] += weighted * colour;
    }
    DENOISE_UNROLL for (int j = 0; j < DENOISE_FACTORS; ++j) {
        fit.moments[next + j] += weight * factors.at[j];
    }
    fit.moments[next + DENOISE_FACTORS] += weight;
    fit.products[DENOISE_FACTORS] += weight * colour;
}

/// The fitted colour where all factors are those of the pixel that the fit is about: the constant, by Cholesky
/// factorisation and forward substitution, which end with it; at least a part of the mean. The slopes pay for
/// their squares, so that a feature that hardly varies, or as others do, is left alone, where it would fit the noise.
SHARED_INLINE vec3 denoiseFitted(DenoiseFit fit) {
    vec3 mean = fit.products[DENOISE_FACTORS] / max(fit.moments[DENOISE_MOMENTS - 1], 1e-30f);
    float ridge = DENOISE_RIDGE * fit.moments[DENOISE_MOMENTS - 1];
    DENOISE_UNROLL for (int i = 0; i < DENOISE_UNKNOWNS; ++i) {
        int row = i * (i + 1) / 2;
        DENOISE_UNROLL for (int j = 0; j < i; ++j) {
            float sum = fit.moments[row + j];
            DENOISE_UNROLL for (int k = 0; k < j; ++k) {
                sum -= fit.moments[row + k] * fit.moments[j * (j + 1) / 2 + k];
            }
            fit.moments[row + j] = sum * fit.moments[j * (j + 1) / 2 + j];
        }
        float pivot = fit.moments[row + i] + (i < DENOISE_FACTORS ? ridge : 0.0f);
        float smallest = 0.5f * (i < DENOISE_FACTORS ? ridge : 0.0f) + 1e-30f;
        vec3 product = fit.products[i];
        DENOISE_UNROLL for (int k = 0; k < i; ++k) {
            pivot -= fit.moments[row + k] * fit.moments[row + k];
            product -= fit.moments[row + k] * fit.products[k];
        }
        // The diagonal holds the inverses of its values.
        fit.moments[row + i] = 1.0f / sqrt(max(pivot, smallest));
        fit.products[i] = product * fit.moments[row + i];
    }
    vec3 fitted = fit.products[DENOISE_FACTORS] * fit.moments[DENOISE_MOMENTS - 1];
    // A fit may go beyond the features that it knows, and then below 0: dark pixels, which would show most.
    return max(fitted, 0.2f * mean);
}

/// The weight of a pixel in the fit of a filter, for the weights of both patches that the half which is not fitted has
/// (similarity.h). Wide filters want albedo, normal and place to be alike too: the noise hides detail that these
/// tell, as of holes in a lit wall. The narrow one relies on the patch alone, since features know nothing of shadows
/// and reflections.
SHARED_INLINE float denoiseFitWeight(int which, float ofPatch, float ofSmallPatch, DenoiseFactors factors,
                                     ivec2 offset) {
    if (which == DENOISE_FILTERS - 1) {
        return ofPatch;
    }
    float unlike = 0.0f;
    DENOISE_UNROLL for (int i = 0; i < 6; ++i) {
        unlike += factors.at[i] * factors.at[i];
    }
    float distance = float(offset.x * offset.x + offset.y * offset.y);
    float weight = exp(-12.5f * unlike - (which == 0 ? 0.01f : 0.02f) * distance);
    return weight * (which == 0 ? sqrt(ofSmallPatch) : ofSmallPatch);
}

/// Fits half `side` of the samples (0 or 1) about a pixel of the block by filter `which`, with the other half's
/// weights. `weights` has vec4, of the block's pixels row by row for each offset of the window.
SHARED_INLINE vec3 denoiseFitPixel(DenoisePicture picture, DenoiseBlock block, uint64_t weights, ivec2 pixel, int side,
                                   int which) {
    DenoiseFit fit = denoiseNoFit();
    int place = (pixel.y - block.top) * block.width + pixel.x - block.left;
    DenoiseFeatures own = AT(DenoiseFeatures, picture.features, pixel.y * picture.width + pixel.x);
    for (int number = 0; number < DENOISE_OFFSETS; ++number) {
        ivec2 offset = denoiseOffset(number);
        ivec2 there = pixel + offset;
        if (there.x < 0 || there.y < 0 || there.x >= picture.width || there.y >= picture.height) {
            continue;
        }
        vec4 found = AT(vec4, weights, number * block.width * block.height + place);
        int index = there.y * picture.width + there.x;
        DenoiseFeatures features = AT(DenoiseFeatures, picture.features, index);
        DenoiseFactors factors;
        DENOISE_UNROLL for (int i = 0; i < DENOISE_FEATURES; ++i) {
            factors.at[i] = features.at[i] - own.at[i];
        }
        factors.at[DENOISE_FEATURES] = DENOISE_PIXEL * float(offset.x);
        factors.at[DENOISE_FEATURES + 1] = DENOISE_PIXEL * float(offset.y);
        float weight =
            denoiseFitWeight(which, side == 0 ? found.y : found.x, side == 0 ? found.w : found.z, factors, offset);
        denoiseFitAdd(fit, weight, factors, AT(vec3, picture.halves, side * denoiseOtherHalf(picture) + index));
    }
    return denoiseFitted(fit);
}

SHARED_END
#endif
