#version 460
#include "shared/lang.h"

// What rays are sorted by, and their numbers.

#include "stream/stream_records.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) writeonly buffer KeyTarget {
    uint64_t at[];
};
layout(buffer_reference, scalar, buffer_reference_align = 4) writeonly buffer NumberTarget {
    uint at[];
};

layout(push_constant, scalar) uniform Push {
    StreamMovePush push;
};

void main() {
    uint i = invocationIndex();
    if (i < push.count) {
        KeyTarget(push.target).at[i] = uint64_t(rayKey(AT(RayRecord, push.source, i), push.keyBits));
        NumberTarget(push.other).at[i] = i;
    }
}
