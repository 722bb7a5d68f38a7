// One step of the Gray-Scott model, each invocation loading the nine cells about its own: what gray_scott.comp is held
// against. Host side: src/texture/gray_scott_solver.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/gray_scott.h"
#include "shared/specialization.h"

layout(local_size_x_id = SPEC_GRAY_SCOTT_LANES_X, local_size_y_id = SPEC_GRAY_SCOTT_LANES_Y) in;
layout(constant_id = SPEC_GRAY_SCOTT_HALVES) const uint kHalves = 0u;
layout(constant_id = SPEC_GRAY_SCOTT_VARYING) const uint kVarying = 0u;
layout(constant_id = SPEC_GRAY_SCOTT_BORDER) const uint kBorder = 0u;
layout(constant_id = SPEC_GRAY_SCOTT_TIMED) const uint kTimed = 0u;

layout(push_constant, scalar) uniform Push {
    GrayScottPush push;
};

#include "texture/gray_scott_memory.glsl"
#include "texture/gray_scott_time.glsl"

void main() {
    uvec2 place = gl_GlobalInvocationID.xy;
    if (place.x >= push.width || place.y >= push.height) {
        return;
    }
    uint left = grayScottPlace(int(place.x) - 1, push.width, kBorder);
    uint right = grayScottPlace(int(place.x) + 1, push.width, kBorder);
    vec2 sums[3];
    vec2 own = vec2(0.0f);
    [[unroll]] for (int i = 0; i < 3; ++i) {
        uint row = grayScottPlace(int(place.y) + i - 1, push.height, kBorder) * push.pitch;
        vec2 middle = loadCell(push.source, row + place.x);
        sums[i] = grayScottSum(loadCell(push.source, row + left), middle, loadCell(push.source, row + right));
        if (i == 1) {
            own = middle;
        }
    }
    uint index = place.y * push.pitch + place.x;
    vec2 keep = keepAt(push.firstStep);
    keep = kVarying != 0u ? keep - FloatCell(push.rates + 8ul * index).value : keep;
    vec2 next = grayScottStep(own, grayScottSum(sums[0], sums[1], sums[2]), keep, push.spread, push.step);
    if (kHalves != 0u) {
        HalfCell(push.target + 4ul * index).value = packHalf2x16(next);
    } else {
        FloatCell(push.target + 8ul * index).value = next;
    }
}
