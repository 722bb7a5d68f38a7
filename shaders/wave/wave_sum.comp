#version 460
#include "shared/lang.h"

// Adds up the samples of each item, in order.

#define WAVE_SUMS
#include "wave/wave_kernel.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer ResultArray {
    SampleSums at[];
};

layout(push_constant, scalar) uniform Push {
    WaveSumPush push;
};

void storeSums(uint item, SampleSums sums) {
    ResultArray(push.results).at[item] = sums;
}

void main() {
    uint item =
        (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    if (item >= push.items) {
        return;
    }
    SampleSums sums;
    sums.radiance = vec3(0.0);
    sums.squared = vec3(0.0);
    if (push.firstOfItem > 0u) {
        sums = ResultArray(push.results).at[item];
    }
    PathItem work = pathItem(push.params, item);
    for (uint i = 0u; i < push.samplesOfItem; ++i) {
        if (push.firstOfItem + i < work.endSample - work.firstSample) {
            vec3 radiance = RadianceArray(push.radiance).at[i * push.items + item];
            sums.radiance += radiance;
            sums.squared += radiance * radiance;
        }
    }
    storeSums(item, sums);
}
