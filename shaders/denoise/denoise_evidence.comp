// What each pixel says of the share of the best filter so far beside the next (BIAS 0), or of the bias of the best of
// all (BIAS 1). Host side:
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
    vec3 variance = noiseVariance(pixel);
    vec3 half0 = noisyHalf(0u, pixel);
    vec3 half1 = noisyHalf(1u, pixel);
#if BIAS
    vec2 evidence = denoiseBias(fitted(0u, pixel), fitted(1u, pixel), half0, half1, variance);
#else
    uint next = 2u * uint(push.next);
    vec2 evidence = denoiseEvidence(fitted(0u, pixel), fitted(next, pixel), half1, variance) +
                    denoiseEvidence(fitted(1u, pixel), fitted(next + 1u, pixel), half0, variance);
#endif
    Pairs(push.evidence).at[pixel] = evidence;
}
