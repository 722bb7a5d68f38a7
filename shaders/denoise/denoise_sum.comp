// Sums of the evidence along rows, over the window of errors. Host side: src/denoise/builtin_device.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require

layout(local_size_x = 64) in;

#include "denoise/denoise_select.glsl"

void main() {
    uint pixel = invocationIndex();
    if (pixel >= pixelCount()) {
        return;
    }
    int x = int(pixel % uint(push.picture.width));
    int row = int(pixel) - x;
    vec2 sum = vec2(0.0f);
    for (int i = max(x - DENOISE_ERRORS, 0); i <= min(x + DENOISE_ERRORS, push.picture.width - 1); ++i) {
        sum += AT(vec2, push.evidence, row + i);
    }
    Pairs(push.sums).at[pixel] = sum;
}
