#version 460
#extension GL_GOOGLE_include_directive : require
// The image of a pyramid, from planes.
#include "peers/pyramid/pyramid.glsl"

void main() {
    uvec2 at = gl_GlobalInvocationID.xy;
    if (!isOutside(at)) {
        imageStore(target, ivec2(at), vec4(pixelOf(push.first, at), 0.0f));
    }
}
