#version 460
#extension GL_GOOGLE_include_directive : require
// A level of a pyramid with all below it: the sum of the level itself and of a tent of samples of the next one.
#include "peers/pyramid/pyramid.glsl"

void main() {
    uvec2 at = gl_GlobalInvocationID.xy;
    if (!isOutside(at)) {
        vec3 before = texelFetch(own, ivec2(at), 0).rgb;
        imageStore(target, ivec2(at), vec4(push.weights * before + push.below * tentAt(at), 0.0f));
    }
}
