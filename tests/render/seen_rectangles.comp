// Points on rectangles, and their densities: one for each invocation.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/sampling/spherical_rectangle.h"

layout(local_size_x = 64) in;

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Rectangles {
    vec2 at[];
};

layout(push_constant, scalar) uniform Push {
    uint64_t rectangles; // low, high, (height, 0), two numbers; after these: the point, (pdf there, 0)
    uint count;
}
push;

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= push.count) {
        return;
    }
    Rectangles all = Rectangles(push.rectangles);
    SeenRectangle seen;
    seen.low = all.at[6u * i];
    seen.high = all.at[6u * i + 1u];
    seen.height = all.at[6u * i + 2u].x;
    vec2 point = sampleSeenRectangle(seen, all.at[6u * i + 3u]);
    float distance = sqrt(dot(point, point) + seen.height * seen.height);
    all.at[6u * i + 4u] = point;
    all.at[6u * i + 5u] = vec2(seenRectanglePdf(seen, seenMeasure(seen), distance, seen.height / distance), 0.0);
}
