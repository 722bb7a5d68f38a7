#version 460
#include "shared/lang.h"

// The reciprocals that rays are traced with here, for a CPU that is to trace them to the same bits.

#include "stream/stream_records.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 4) writeonly buffer VectorTarget {
    vec3 at[];
};

layout(push_constant, scalar) uniform Push {
    StreamMovePush push;
};

void main() {
    uint i = invocationIndex();
    if (i < push.count) {
        VectorTarget(push.target).at[i] = rayReciprocals(AT(RayRecord, push.source, i));
    }
}
