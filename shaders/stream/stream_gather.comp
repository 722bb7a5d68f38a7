#version 460
#include "shared/lang.h"

// Puts rays in the order of the numbers given.

#include "stream/stream_records.glsl"

layout(push_constant, scalar) uniform Push {
    StreamMovePush push;
};

void main() {
    uint i = invocationIndex();
    if (i < push.count) {
        storeRay(push.target, i, AT(RayRecord, push.source, AT(uint, push.other, i)));
    }
}
