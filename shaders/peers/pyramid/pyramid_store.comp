#version 460
#extension GL_GOOGLE_include_directive : require
// The planes that come of a pyramid: those that went in, and a tent of samples of the first level.
#include "peers/pyramid/pyramid.glsl"

void main() {
    uvec2 at = gl_GlobalInvocationID.xy;
    if (isOutside(at)) {
        return;
    }
    vec3 sum = push.weights * pixelOf(push.first, at) + push.below * tentAt(at);
    for (uint plane = 0u; plane < 3u; ++plane) {
        Floats(push.last).at[placeOf(at, plane)] = sum[plane];
    }
}
