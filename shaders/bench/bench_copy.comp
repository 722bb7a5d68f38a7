// Copies 128-bit words, the yardstick of 'aureole bench'. Host side: src/bench/bench_measure.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/lang.h"

layout(local_size_x = 256) in;
#include "gpu/dispatch.glsl"

const uint kWordsEach = 4u; // of an invocation, a workgroup apart

layout(buffer_reference, scalar, buffer_reference_align = 16) buffer Words {
    uvec4 at[];
};

layout(push_constant, scalar) uniform Push {
    uint64_t source;
    uint64_t target;
    uint words;
}
push;

void main() {
    uint group = workgroupIndex();
    uint first = group * gl_WorkGroupSize.x * kWordsEach + gl_LocalInvocationIndex;
    if ((group + 1u) * gl_WorkGroupSize.x * kWordsEach <= push.words) {
        uvec4 a = Words(push.source).at[first];
        uvec4 b = Words(push.source).at[first + gl_WorkGroupSize.x];
        uvec4 c = Words(push.source).at[first + 2u * gl_WorkGroupSize.x];
        uvec4 d = Words(push.source).at[first + 3u * gl_WorkGroupSize.x];
        Words(push.target).at[first] = a;
        Words(push.target).at[first + gl_WorkGroupSize.x] = b;
        Words(push.target).at[first + 2u * gl_WorkGroupSize.x] = c;
        Words(push.target).at[first + 3u * gl_WorkGroupSize.x] = d;
    } else {
        for (uint i = 0u; i < kWordsEach; ++i) {
            uint word = first + i * gl_WorkGroupSize.x;
            if (word < push.words) {
                Words(push.target).at[word] = Words(push.source).at[word];
            }
        }
    }
}
