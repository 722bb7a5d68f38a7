// What the kernels of a pyramid share (Jimenez, "Next Generation Post Processing in Call of Duty: Advanced Warfare",
// 2014). Each makes a pixel. Host side: src/bench/peers/pyramid/pyramid_peer.cpp.

#include "shared/lang.h"

layout(local_size_x = 32, local_size_y = 8) in;

layout(binding = 0) uniform sampler2D level; // that is sampled, linearly and dark outside
layout(binding = 1) uniform sampler2D own;   // the one that is made, as it was
layout(binding = 2, rgba16f) uniform writeonly image2D target;

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Floats {
    float at[];
};

layout(push_constant, scalar) uniform Push {
    uint64_t first; // planes that go in
    uint64_t last;  // and come out
    uvec2 size;     // of what is made
    uvec2 source;   // of what is sampled
    vec3 weights;   // of the level that is made
    vec3 below;     // of what comes up to it
}
push;

bool isOutside(uvec2 at) {
    return at.x >= push.size.x || at.y >= push.size.y;
}

uint placeOf(uvec2 at, uint plane) {
    return (plane * push.size.y + at.y) * push.size.x + at.x;
}

vec3 pixelOf(uint64_t planes, uvec2 at) {
    Floats values = Floats(planes);
    return vec3(values.at[placeOf(at, 0u)], values.at[placeOf(at, 1u)], values.at[placeOf(at, 2u)]);
}

// Of the level, at a place in its pixels.
vec3 sampleAt(vec2 place) {
    return textureLod(level, place / vec2(push.source), 0.0f).rgb;
}

// Nine samples a pixel apart, of the level below.
vec3 tentAt(uvec2 at) {
    vec2 middle = (vec2(at) + 0.5f) / 2.0f;
    vec3 sum = 4.0f * sampleAt(middle);
    for (int i = -1; i <= 1; i += 2) {
        sum += 2.0f * (sampleAt(middle + vec2(i, 0)) + sampleAt(middle + vec2(0, i)));
        sum += sampleAt(middle + vec2(i, i)) + sampleAt(middle + vec2(i, -i));
    }
    return sum / 16.0f;
}
