// What the passes that choose among the filtered pictures have in common: bindings, and the fits by their planes.
#include "gpu/dispatch.glsl"
#include "shared/denoise/denoise.h"
#include "shared/denoise/selection.h"

layout(push_constant, scalar) uniform Push {
    DenoiseSelectPush push;
};

layout(buffer_reference, scalar, buffer_reference_align = 8) writeonly buffer Pairs {
    vec2 at[];
};
layout(buffer_reference, scalar, buffer_reference_align = 4) writeonly buffer Colours {
    vec3 at[];
};

uint pixelCount() {
    return uint(push.picture.width) * uint(push.picture.height);
}

/// The noisy half of plane 0 or 1.
vec3 noisyHalf(uint plane, uint pixel) {
    return AT(vec3, push.picture.halves, plane * uint(denoiseOtherHalf(push.picture)) + pixel);
}
/// The variance of the noise in that.
vec3 noiseVariance(uint pixel) {
    return AT(vec3, push.picture.variances, pixel);
}

/// Of a plane of the fits.
vec3 fitted(uint plane, uint pixel) {
    return AT(vec3, push.fits, plane * pixelCount() + pixel);
}
