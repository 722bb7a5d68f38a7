// What the kernels of peers share. Each defines traceRay() and has one invocation for each ray.

#include "stream/stream_records.glsl"

#include "shared/stream/peer_push.h"

layout(buffer_reference, scalar, buffer_reference_align = 16) writeonly buffer HitTarget {
    HitRecord at[];
};

layout(push_constant, scalar) uniform Push {
    PeerTracePush push;
};

HitRecord traceRay(RayRecord ray);

void main() {
    uint i = invocationIndex();
    if (i >= push.count) {
        return;
    }
    RayRecord ray = AT(RayRecord, push.rays, i);
    if (isRay(ray) != 0u) {
        HitTarget(push.hits).at[i] = traceRay(ray);
    }
}
