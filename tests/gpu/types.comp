// 64-bit arithmetic and a scalar layout, in which no member is padded.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/lang.h"

layout(local_size_x = 32) in;

struct Record {
    uint64_t wide;
    vec3 position;
    uint tag;
    uvec2 pair;
};

layout(buffer_reference, scalar, buffer_reference_align = 8) buffer Records {
    Record at[];
};

layout(push_constant, scalar) uniform Push {
    uint64_t records;
}
push;

void main() {
    uint i = gl_GlobalInvocationID.x;
    Record record = Records(push.records).at[i];
    record.wide = record.wide * record.wide + uint64_t(record.tag);
    record.position = record.position * 2.0f;
    record.tag = record.pair.x - record.pair.y;
    Records(push.records).at[i] = record;
}
