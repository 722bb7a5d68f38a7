// What both samplers give for many pixels, samples and dimensions.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/sampling/rng.h"

layout(local_size_x = 64) in;

layout(buffer_reference, scalar, buffer_reference_align = 4) writeonly buffer Words {
    uvec4 at[];
};

layout(push_constant, scalar) uniform Push {
    uint64_t words;
    uint count;
    uint seed;
}
push;

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= push.count) {
        return;
    }
    for (uint kind = 0u; kind < 2u; ++kind) {
        Rng rng = Rng(push.seed, i % 61u, i * 2654435761u, i % 7u, kind);
        Words(push.words).at[2u * i + kind] = rngNextBits(rng);
    }
}
