// Fits the pixels of a block, for each half of the samples, by each filter. Host side: src/denoise/builtin_device.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/denoise/regression.h"

layout(local_size_x = 32, local_size_y = 4) in;

layout(push_constant, scalar) uniform Push {
    DenoiseBlockPush push;
};

layout(buffer_reference, scalar, buffer_reference_align = 4) writeonly buffer Fits {
    vec3 at[];
};

void main() {
    ivec2 place = ivec2(gl_GlobalInvocationID.xy);
    if (place.x >= push.block.width || place.y >= push.block.height) {
        return;
    }
    int plane = int(gl_GlobalInvocationID.z);
    ivec2 pixel = ivec2(push.block.left, push.block.top) + place;
    uint pixels = uint(push.picture.width) * uint(push.picture.height);
    uint index = uint(plane) * pixels + uint(pixel.y * push.picture.width + pixel.x);
    Fits(push.fits).at[index] = denoiseFitPixel(push.picture, push.block, push.weights, pixel, plane % 2, plane / 2);
}
