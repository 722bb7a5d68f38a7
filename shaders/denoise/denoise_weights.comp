// The weights of a block's pixels for each offset of the window, from the sums of denoise_differences.comp. Host side:
// src/denoise/builtin_device.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/denoise/similarity.h"

layout(local_size_x = 32, local_size_y = 4) in;

layout(push_constant, scalar) uniform Push {
    DenoiseBlockPush push;
};

layout(buffer_reference, scalar, buffer_reference_align = 16) writeonly buffer Weights {
    vec4 at[];
};

void main() {
    int columns = push.block.width + 2 * DENOISE_PATCH;
    ivec2 place = ivec2(gl_GlobalInvocationID.xy);
    if (place.x >= push.block.width || place.y >= push.block.height) {
        return;
    }
    int line = int(gl_GlobalInvocationID.z) * push.block.height + place.y;
    vec4 sum = vec4(0.0f);
    for (int i = 0; i <= 2 * DENOISE_PATCH; ++i) {
        sum += denoiseRowPart(AT(vec4, push.sums, line * columns + place.x + i), i - DENOISE_PATCH);
    }
    Weights(push.weights).at[line * push.block.width + place.x] = denoiseWeights(sum);
}
