#version 460
#include "shared/lang.h"

// Puts the hits of rays where their pixels are, so that those of rays in different orders can be compared.

#include "stream/stream_records.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 16) writeonly buffer HitTarget {
    HitRecord at[];
};

layout(push_constant, scalar) uniform Push {
    StreamMovePush push;
};

void main() {
    uint i = invocationIndex();
    if (i >= push.count) {
        return;
    }
    RayRecord ray = AT(RayRecord, push.other, i);
    if (isRay(ray) != 0u) {
        HitTarget(push.target).at[rayPixel(ray)] = AT(HitRecord, push.source, i);
    }
}
