// How the surroundings of a block's pixels differ from those at each offset of the window: sums down columns. Host
// side: src/denoise/builtin_device.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/denoise/similarity.h"

layout(local_size_x = 32, local_size_y = 4) in;

layout(push_constant, scalar) uniform Push {
    DenoiseBlockPush push;
};

layout(buffer_reference, scalar, buffer_reference_align = 16) writeonly buffer Sums {
    vec4 at[];
};

void main() {
    int columns = push.block.width + 2 * DENOISE_PATCH;
    ivec2 place = ivec2(gl_GlobalInvocationID.x, gl_GlobalInvocationID.y * DENOISE_RUN);
    if (place.x >= columns || place.y >= push.block.height) {
        return;
    }
    int number = int(gl_GlobalInvocationID.z);
    ivec2 pixel = ivec2(push.block.left - DENOISE_PATCH, push.block.top) + place;
    DenoiseRun run = denoiseColumnDifferences(push.picture, pixel, number);
    Sums sums = Sums(push.sums + 16ul * uint(number * push.block.height * columns));
    [[unroll]] for (int i = 0; i < DENOISE_RUN; ++i) {
        if (place.y + i < push.block.height) {
            sums.at[(place.y + i) * columns + place.x] = run.at[i];
        }
    }
}
