// Sums the evidence down columns, and mixes as it says: the best filter so far and the next (BIAS 0), or the best
// and the noisy picture (BIAS 1). Host side: src/denoise/builtin_device.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require

layout(local_size_x = 64) in;

#include "denoise/denoise_select.glsl"

void main() {
    uint pixel = invocationIndex();
    if (pixel >= pixelCount()) {
        return;
    }
    int width = push.picture.width;
    int x = int(pixel) % width;
    int y = int(pixel) / width;
    vec2 sum = vec2(0.0f);
    for (int i = max(y - DENOISE_ERRORS, 0); i <= min(y + DENOISE_ERRORS, push.picture.height - 1); ++i) {
        sum += AT(vec2, push.sums, i * width + x);
    }
#if BIAS
    vec3 clean = 0.5f * (fitted(0u, pixel) + fitted(1u, pixel));
    float share = denoiseShareOfFiltered(sum, clean, noiseVariance(pixel));
    Colours(push.colours).at[pixel] = mix(AT(vec3, push.colours, pixel), clean, share);
#else
    for (uint plane = 0u; plane < 2u; ++plane) {
        Colours(push.fits).at[plane * pixelCount() + pixel] =
            mix(fitted(2u * uint(push.next) + plane, pixel), fitted(plane, pixel), denoiseShare(sum));
    }
#endif
}
