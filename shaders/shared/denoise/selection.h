// How much of each of two filtered pictures makes the least error: the share of one, told from how well it predicts the
// half of the samples that it was not made of. After Bitterli et al. 2016, section 5.3, which decides for one of them.
#ifndef AUREOLE_SHARED_DENOISE_SELECTION_H
#define AUREOLE_SHARED_DENOISE_SELECTION_H

#include "shared/lang.h"

SHARED_BEGIN

/// What a pixel of a half says of the share that fits the other half's value best, as a numerator and a denominator
/// whose sums over pixels are divided: the least squares of share * first + (1 - share) * second - other, in units of
/// the noise. What a single pixel says is bounded, since a rare bright sample says much of its neighbours.
SHARED_INLINE vec2 denoiseEvidence(vec3 first, vec3 second, vec3 other, vec3 variance) {
    vec3 gap = first - second;
    vec3 gain = gap / (variance + 1e-6f * other * other + vec3(1e-30f));
    float size = dot(gain, gap);
    return vec2(dot(gain, other - second), size) / (1.0f + size / 12.0f);
}

/// The share of the first, which is smoother, in [0, 1]. It is 1 where little speaks against it.
SHARED_INLINE float denoiseShare(vec2 evidence) {
    float doubt = 4.0f;
    return clamp((evidence.x + doubt) / (evidence.y + doubt), 0.0f, 1.0f);
}

/// The same where the second is the noisy half itself, whose noise is twice that of the whole: for the share s,
/// 1 / s - 1 is the squared bias of the first in units of the noise.
SHARED_INLINE float denoiseShareOfWhole(vec2 evidence) {
    float share = denoiseShare(evidence);
    return share / (2.0f - share);
}

SHARED_END
#endif
