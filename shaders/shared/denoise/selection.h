// How much of each of two filtered pictures makes the least error: the share of one, told from how well it predicts the
// half of the samples that it was not made of. After Bitterli et al. 2016, section 5.3, which decides for one of them.
// Of more than two, the best of those so far is held against the next.
#ifndef AUREOLE_SHARED_DENOISE_SELECTION_H
#define AUREOLE_SHARED_DENOISE_SELECTION_H

#include "shared/lang.h"

SHARED_BEGIN

/// What a pixel of a half says of the share that fits the other half's value best, as a numerator and a denominator
/// whose sums over pixels are divided: the least squares of share * first + (1 - share) * second - other, in units of
/// the noise. What a single pixel says is bounded, since a rare bright sample says much of its neighbours.
SHARED_INLINE vec2 denoiseEvidence(vec3 first, vec3 second, vec3 other, vec3 variance) {
    vec3 gap = first - second;
    // The gap's part lets the size be no more than 3e12: a light of 1e5 that leaks into noiseless black would make it
    // infinite.
    vec3 gain = gap / (variance + 1e-6f * other * other + 1e-12f * gap * gap + vec3(1e-30f));
    float size = dot(gain, gap);
    return vec2(dot(gain, other - second), size) / (1.0f + size / 12.0f);
}

/// The share of the first, which is smoother, in [0, 1]. It is 1 where little speaks against it.
SHARED_INLINE float denoiseShare(vec2 evidence) {
    float doubt = 4.0f;
    return clamp((evidence.x + doubt) / (evidence.y + doubt), 0.0f, 1.0f);
}

/// A number for the brightness of a colour, squared.
SHARED_INLINE float denoisePower(vec3 colour) {
    return dot(colour, colour) / 3.0f;
}

/// What a pixel says of how large the filter's bias is beside the picture: as a numerator and a denominator whose sums
/// over pixels are divided, the squared bias and the squared brightness, both in units of the noise. The errors of a
/// filtered half beside both halves have independent noise, so that their product is the squared bias on average.
SHARED_INLINE vec2 denoiseBias(vec3 filtered, vec3 otherFiltered, vec3 noisy, vec3 otherNoisy, vec3 variance) {
    float power = denoisePower(0.5f * (filtered + otherFiltered));
    float noise = (variance.x + variance.y + variance.z) / 3.0f + 1e-6f * power + 1e-30f;
    float squared =
        dot(filtered - noisy, filtered - otherNoisy) + dot(otherFiltered - otherNoisy, otherFiltered - noisy);
    return vec2(clamp(squared / (6.0f * noise), -12.0f, 12.0f), power / noise);
}

/// The share of the filtered picture, beside the noisy one, that makes the least error: the pixel's noise, half as much
/// as a half's, over that and the squared bias. Sums over 81 pixels without a bias scatter by 5, so that what they tell
/// counts beyond five times that. It is 0 where there is no noise.
SHARED_INLINE float denoiseShareOfFiltered(vec2 bias, vec3 filtered, vec3 variance) {
    float noise = (variance.x + variance.y + variance.z) / 6.0f;
    float doubt = 24.0f;
    float squared = max(bias.x - doubt, 0.0f) / (bias.y + 1e-30f) * denoisePower(filtered);
    return noise / (noise + squared + 1e-30f);
}

SHARED_END
#endif
