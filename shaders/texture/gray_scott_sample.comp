// A plane of the Gray-Scott model at another size, by bilinear sampling. Host side: src/texture/gray_scott_solver.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/bilinear.h"
#include "shared/specialization.h"

layout(local_size_x = 16, local_size_y = 16) in;
layout(constant_id = SPEC_GRAY_SCOTT_HALVES) const uint kHalves = 0u;
layout(constant_id = SPEC_GRAY_SCOTT_BORDER) const uint kBorder = 0u;

layout(push_constant, scalar) uniform Push {
    GrayScottSamplePush push;
};

#include "texture/gray_scott_memory.glsl"

void main() {
    uvec2 place = gl_GlobalInvocationID.xy;
    if (place.x >= push.targetWidth || place.y >= push.targetHeight) {
        return;
    }
    BilinearTaps x = bilinearTaps(bilinearPlace(place.x, push.width, push.targetWidth), push.width, kBorder);
    BilinearTaps y = bilinearTaps(bilinearPlace(place.y, push.height, push.targetHeight), push.height, kBorder);
    uint low = y.low * push.pitch;
    uint high = y.high * push.pitch;
    FloatCell(push.target + 8ul * (place.y * push.targetWidth + place.x)).value =
        bilinearMix(loadCell(push.source, low + x.low), loadCell(push.source, low + x.high),
                    loadCell(push.source, high + x.low), loadCell(push.source, high + x.high), x.weight, y.weight);
}
