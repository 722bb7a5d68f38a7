// What each invocation sees of its subgroup: the size, and how many invocations are in it.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#include "shared/lang.h"

layout(local_size_x = 128) in;

layout(buffer_reference, scalar, buffer_reference_align = 8) writeonly buffer Seen {
    uvec2 at[];
};

layout(push_constant, scalar) uniform Push {
    uint64_t seen;
}
push;

void main() {
    Seen(push.seen).at[gl_GlobalInvocationID.x] = uvec2(gl_SubgroupSize, subgroupAdd(1u));
}
