// A level of a pyramid from the one above: 13 samples between four pixels each, in five boxes that overlap (Jimenez,
// "Next Generation Post Processing in Call of Duty: Advanced Warfare", 2014). Of 6x6 pixels that comes to two separable
// sums. Outside is dark. Host side: src/bench/peers/pyramid/pyramid_peer.cpp.
#version 460
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#include "shared/lang.h"

layout(local_size_x = 32, local_size_y = 8) in;

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Floats {
    float at[];
};

layout(push_constant, scalar) uniform Push {
    uint64_t source;
    uint64_t target;
    uvec2 size; // of the source; the target has half as many pixels along each axis, rounded up
}
push;

const uint kTaps = 6u;
const float kInner[kTaps] = {0.0f, 0.25f, 0.25f, 0.25f, 0.25f, 0.0f};
const float kOuter[kTaps] = {0.125f, 0.125f, 0.25f, 0.25f, 0.125f, 0.125f};

void main() {
    uvec2 at = gl_GlobalInvocationID.xy;
    uvec2 targetSize = (push.size + 1u) / 2u;
    if (at.x >= targetSize.x || at.y >= targetSize.y) {
        return;
    }
    uint plane = gl_WorkGroupID.z;
    Floats source = Floats(push.source + 4ul * plane * push.size.x * push.size.y);
    float sum = 0.0f;
    [[unroll]] for (uint j = 0u; j < kTaps; ++j) {
        int y = int(2u * at.y + j) - 2;
        if (y < 0 || y >= int(push.size.y)) {
            continue;
        }
        float inner = 0.0f;
        float outer = 0.0f;
        [[unroll]] for (uint i = 0u; i < kTaps; ++i) {
            int x = int(2u * at.x + i) - 2;
            float value = x >= 0 && x < int(push.size.x) ? source.at[uint(y) * push.size.x + uint(x)] : 0.0f;
            inner += kInner[i] * value;
            outer += kOuter[i] * value;
        }
        sum += 0.5f * (kInner[j] * inner + kOuter[j] * outer);
    }
    Floats(push.target).at[(plane * targetSize.y + at.y) * targetSize.x + at.x] = sum;
}
