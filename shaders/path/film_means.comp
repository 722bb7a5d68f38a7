#version 460
#include "shared/lang.h"

// The picture that a film of means alone makes, in planes as bloom takes them.

layout(local_size_x = 64) in;
#include "gpu/dispatch.glsl"

uint traversalStack[7];
#define TRAVERSAL_STACK(state, level) traversalStack[level]
#define TRAVERSAL_REACH(entry) reachableCells(entry)
#include "shared/path/path_work.h"

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer MeanRef {
    float at[];
};
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer FlagRef {
    uint at;
};

layout(push_constant, scalar) uniform Push {
    FilmMeansPush push;
};

void main() {
    uint pixel = invocationIndex();
    if (pixel >= push.pixels) {
        return;
    }
    FilmPixel sums = AT(FilmPixel, push.film, pixel);
    bool usual = true;
    for (uint c = 0u; c < 3u; ++c) {
        // The rest is less than a unit in the sum's last place, and Vulkan's division errs by 2.5: together 2e-7.
        float mean = sums.radiance[c] / float(push.samples);
        usual = usual && abs(mean) <= push.most;
        uint64_t plane = push.means + uint64_t(c) * uint64_t(push.pixels) * uint64_t(4u);
        MeanRef(plane).at[pixel] = mean;
    }
    if (!usual) {
        FlagRef(push.unusual).at = 1u; // all who write it write the same
    }
}
