// Moves what a plane of the Gray-Scott model shows, by an offset for each cell. Host side:
// src/texture/gray_scott_solver.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/bilinear.h"
#include "shared/specialization.h"

layout(local_size_x = 16, local_size_y = 16) in;
layout(constant_id = SPEC_GRAY_SCOTT_HALVES) const uint kHalves = 0u;
layout(constant_id = SPEC_GRAY_SCOTT_BORDER) const uint kBorder = 0u;

layout(push_constant, scalar) uniform Push {
    GrayScottWarpPush push;
};

#include "texture/gray_scott_memory.glsl"

void main() {
    uvec2 cell = gl_GlobalInvocationID.xy;
    if (cell.x >= push.width || cell.y >= push.height) {
        return;
    }
    uint index = cell.y * push.pitch + cell.x;
    vec2 place = vec2(cell) + vec2(0.5f) + FloatCell(push.offsets + 8ul * index).value;
    BilinearTaps x = bilinearTaps(place.x, push.width, kBorder);
    BilinearTaps y = bilinearTaps(place.y, push.height, kBorder);
    uint low = y.low * push.pitch;
    uint high = y.high * push.pitch;
    vec2 found =
        bilinearMix(loadCell(push.source, low + x.low), loadCell(push.source, low + x.high),
                    loadCell(push.source, high + x.low), loadCell(push.source, high + x.high), x.weight, y.weight);
    if (kHalves != 0u) {
        HalfCell(push.target + 4ul * index).value = packHalf2x16(found);
    } else {
        FloatCell(push.target + 8ul * index).value = found;
    }
}
