// What each pixel says of the share of the wide filter (BIAS 0), or of the bias of the best (BIAS 1). Host side:
// src/denoise/builtin_device.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require

layout(local_size_x = 64) in;

#include "denoise/denoise_select.glsl"

void main() {
    uint pixel = invocationIndex();
    if (pixel >= pixelCount()) {
        return;
    }
    vec3 variance = steadyVariance(pixel);
    vec3 half0 = steadyHalf(0u, pixel).xyz;
    vec3 half1 = steadyHalf(1u, pixel).xyz;
#if BIAS
    vec2 evidence = denoiseBias(fitted(0u, pixel), fitted(1u, pixel), half0, half1, variance);
#else
    vec2 evidence = denoiseEvidence(fitted(0u, pixel), fitted(2u, pixel), half1, variance) +
                    denoiseEvidence(fitted(1u, pixel), fitted(3u, pixel), half0, variance);
#endif
    Pairs(push.evidence).at[pixel] = evidence;
}
