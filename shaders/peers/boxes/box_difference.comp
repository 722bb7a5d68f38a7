// A box blur of lines by differences of their prefix sums (Crow, "Summed-area Tables for Texture Mapping", 1984, along
// one axis at a time). What lies beside a line is dark. Host side: src/bench/peers/boxes/boxes_peer.cpp.
#version 460
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
#include "shared/lang.h"

#include "shared/specialization.h"

layout(local_size_x = 32, local_size_y = 8) in;
layout(constant_id = SPEC_BOXES_TRANSPOSES) const bool kTransposes = false;
layout(constant_id = SPEC_BOXES_ADDS) const bool kAdds = false;

const uint kTile = 32u; // pixels a side

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Floats {
    float at[];
};

layout(push_constant, scalar) uniform Push {
    uint64_t sums;
    uint64_t target;
    uint64_t image; // what is blurred, in the target's order; read where `isFirst`
    uint width;     // of a line
    uint lines;     // of a plane
    uint radius;    // the box has 2 radius + 1 pixels
    uint isFirst;   // of the terms: the target is not yet written
    vec3 weights;   // of the blur, one for each plane
    vec3 own;       // of the image
}
push;

shared float tile[kTile][kTile + 1u];

/// The mean over the box about a pixel of a line.
float boxed(uint line, uint x) {
    Floats sums = Floats(push.sums + 4ul * line * push.width);
    float upTo = sums.at[min(x + push.radius, push.width - 1u)];
    float before = x > push.radius ? sums.at[x - push.radius - 1u] : 0.0f;
    return (upTo - before) / float(2u * push.radius + 1u);
}

void store(uint plane, uint place, float value) {
    uint index = plane * push.width * push.lines + place;
    if (kAdds) {
        value *= push.weights[plane];
        value += push.isFirst != 0u ? push.own[plane] * Floats(push.image).at[index] : Floats(push.target).at[index];
    }
    Floats(push.target).at[index] = value;
}

void main() {
    uint plane = gl_WorkGroupID.z;
    uvec2 first = kTile * gl_WorkGroupID.xy;
    [[unroll]] for (uint row = gl_LocalInvocationID.y; row < kTile; row += gl_WorkGroupSize.y) {
        uvec2 at = first + uvec2(gl_LocalInvocationID.x, row);
        if (at.x < push.width && at.y < push.lines) {
            float value = boxed(plane * push.lines + at.y, at.x);
            if (kTransposes) {
                tile[row][gl_LocalInvocationID.x] = value;
            } else {
                store(plane, at.y * push.width + at.x, value);
            }
        }
    }
    if (kTransposes) {
        barrier();
        [[unroll]] for (uint column = gl_LocalInvocationID.y; column < kTile; column += gl_WorkGroupSize.y) {
            uvec2 at = first + uvec2(column, gl_LocalInvocationID.x);
            if (at.x < push.width && at.y < push.lines) {
                store(plane, at.x * push.lines + at.y, tile[gl_LocalInvocationID.x][column]);
            }
        }
    }
}
