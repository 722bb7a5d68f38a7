#version 460
#include "shared/lang.h"

// Adds the sums of whole batches to the film, in the order of the batches.

layout(local_size_x = 64) in;

uint traversalStack[7];
#define TRAVERSAL_STACK(state, level) traversalStack[level]
#include "shared/path_work.h"

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer FilmRef {
    FilmPixel at[];
};

layout(push_constant, scalar) uniform Push {
    FilmPush push;
};

void main() {
    uint pixel = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 64u + gl_LocalInvocationID.x;
    if (pixel >= push.size.x * push.size.y) {
        return;
    }
    uint perBatch = pathItemsPerBatch(push.size);
    uint item = pathItemOfPixel(push.size, uvec2(pixel % push.size.x, pixel / push.size.x));
    FilmPixel sums = FilmRef(push.film).at[pixel];
    for (uint batch = 0u; batch < push.batches; ++batch) {
        SampleSums part = AT(SampleSums, push.results, batch * perBatch + item);
        for (uint c = 0u; c < 3u; ++c) {
            addCompensated(sums.radiance[c], sums.radianceRest[c], part.radiance[c]);
            addCompensated(sums.squared[c], sums.squaredRest[c], part.squared[c]);
        }
    }
    FilmRef(push.film).at[pixel] = sums;
}
