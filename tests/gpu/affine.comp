// values[i] = values[i] * factor + term, for i below count.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/lang.h"

layout(local_size_x_id = 1) in;
layout(constant_id = 0) const uint kFactor = 1;

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Values {
    uint at[];
};

layout(push_constant, scalar) uniform Push {
    uint64_t values;
    uint count;
    uint term;
}
push;

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < push.count) {
        Values values = Values(push.values);
        values.at[i] = values.at[i] * kFactor + push.term;
    }
}
