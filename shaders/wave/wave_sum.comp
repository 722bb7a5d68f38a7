#version 460
#include "shared/lang.h"

// Adds up the samples of each item, in order.

#define WAVE_SUMS
#include "wave/wave_kernel.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer ResultArray {
    SampleSums at[];
};

void storeSums(uint item, SampleSums sums) {
    ResultArray(push.results).at[item] = sums;
}

void storeLayer(uint64_t sums, uint index, float sum) {
    LayerArray(sums).at[index] = sum;
}

// One layer's float after the other, over all samples.
void sumLayers(uint item, uint samples) {
    uint count = AT(FilmLayers, push.layers, 0).count;
    uint instance = layerFirst(push.layers, AOV_INSTANCE);
    uint64_t sums = push.layerSums + uint64_t(item) * uint64_t(4u * count);
    for (uint i = 0u; i < count; ++i) {
        float sum = push.firstOfItem > 0u ? LayerArray(sums).at[i] : layerBefore(i, instance);
        for (uint s = 0u; s < samples; ++s) {
            sum = layerAfter(sum, uint64_t(s * push.items + item), i, instance);
        }
        storeLayer(sums, i, sum);
    }
}

void main() {
    uint item = invocationIndex();
    if (item >= push.items) {
        return;
    }
    SampleSums sums;
    sums.radiance = vec3(0.0);
    sums.spread = vec3(0.0);
    if (push.firstOfItem > 0u) {
        sums = ResultArray(push.results).at[item];
    }
    PathItem work = pathItem(push.params, item);
    uint left = work.endSample - work.firstSample;
    uint samples = min(push.samplesOfItem, left - min(push.firstOfItem, left));
    for (uint i = 0u; i < samples; ++i) {
        vec3 radiance = vec3Target(push.radiance).at[i * push.items + item];
        sums.radiance += radiance;
        sums.spread += spreadOfSample(kSampler, work.firstSample + push.firstOfItem + i, radiance);
    }
    storeSums(item, sums);
    if (kLayers != 0u) {
        sumLayers(item, samples);
    }
}
