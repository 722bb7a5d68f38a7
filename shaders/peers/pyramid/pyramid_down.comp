#version 460
#extension GL_GOOGLE_include_directive : require
// A level of a pyramid from the one above: 13 samples between four pixels each, in five boxes that overlap.
#include "peers/pyramid/pyramid.glsl"

void main() {
    uvec2 at = gl_GlobalInvocationID.xy;
    if (isOutside(at)) {
        return;
    }
    vec2 middle = vec2(2u * at) + 1.0f;
    vec3 inner = vec3(0.0f);
    vec3 corners = vec3(0.0f);
    vec3 sides = vec3(0.0f);
    for (int i = -1; i <= 1; i += 2) {
        inner += sampleAt(middle + vec2(i, i)) + sampleAt(middle + vec2(i, -i));
        corners += sampleAt(middle + vec2(2 * i, 2 * i)) + sampleAt(middle + vec2(2 * i, -2 * i));
        sides += sampleAt(middle + vec2(2 * i, 0)) + sampleAt(middle + vec2(0, 2 * i));
    }
    vec3 sum = inner / 8.0f + sampleAt(middle) / 8.0f + sides / 16.0f + corners / 32.0f;
    imageStore(target, ivec2(at), vec4(sum, 0.0f));
}
