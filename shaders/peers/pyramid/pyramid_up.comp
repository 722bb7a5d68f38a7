// A level of a pyramid with all below it: the sum of the level itself and of a tent of 3x3 samples of the next one, as
// they lie between its pixels (Jimenez, "Next Generation Post Processing in Call of Duty: Advanced Warfare", 2014).
// Outside is dark. Host side: src/bench/peers/pyramid/pyramid_peer.cpp.
#version 460
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#include "shared/lang.h"

layout(local_size_x = 32, local_size_y = 8) in;

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Floats {
    float at[];
};

layout(push_constant, scalar) uniform Push {
    uint64_t below;
    uint64_t own;
    uint64_t target; // may be `own`
    uvec2 size;      // of the level; the one below has half as many pixels along each axis, rounded up
    vec3 weights;    // of the level, one for each plane
    vec3 belowWeights;
}
push;

// The tent's 1 2 1 with what a sample a quarter of a pixel aside takes of two neighbours.
const uint kTaps = 4u;
const float kTent[kTaps] = {0.0625f, 0.3125f, 0.4375f, 0.1875f};

void main() {
    uvec2 at = gl_GlobalInvocationID.xy;
    if (at.x >= push.size.x || at.y >= push.size.y) {
        return;
    }
    uint plane = gl_WorkGroupID.z;
    uvec2 belowSize = (push.size + 1u) / 2u;
    Floats below = Floats(push.below + 4ul * plane * belowSize.x * belowSize.y);
    // An even pixel has the middle of its sample before that of the pixel below, an odd one behind it.
    ivec2 step = ivec2(at & 1u) * 2 - 1;
    ivec2 first = ivec2(at / 2u) + 2 * step;
    float sum = 0.0f;
    [[unroll]] for (uint j = 0u; j < kTaps; ++j) {
        int y = first.y - int(j) * step.y;
        if (y < 0 || y >= int(belowSize.y)) {
            continue;
        }
        float along = 0.0f;
        [[unroll]] for (uint i = 0u; i < kTaps; ++i) {
            int x = first.x - int(i) * step.x;
            along += x >= 0 && x < int(belowSize.x) ? kTent[i] * below.at[uint(y) * belowSize.x + uint(x)] : 0.0f;
        }
        sum += kTent[j] * along;
    }
    uint index = (plane * push.size.y + at.y) * push.size.x + at.x;
    Floats(push.target).at[index] = push.weights[plane] * Floats(push.own).at[index] + push.belowWeights[plane] * sum;
}
