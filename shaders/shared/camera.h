// The camera: a pinhole or a thin lens, and the filter of the film.
#ifndef AUREOLE_SHARED_CAMERA_H
#define AUREOLE_SHARED_CAMERA_H

#include "shared/sampling.h"

SHARED_BEGIN

#define FILTER_TABLE_SIZE 64

/// A camera in the space of its backend (world, or grid units).
struct CameraParams {
    vec3 position;
    vec3 right;   ///< from the centre of the picture to its right edge, at distance 1 from the lens
    vec3 up;      ///< to its top edge
    vec3 forward; ///< unit length
    float apertureRadius;
    float focusDistance;
    uvec2 size;       ///< pixels of the full picture
    uvec2 cropOrigin; ///< the rendered part
    uvec2 cropSize;
    float filterRadius; ///< pixels
    /// Inverse of the pixel filter's cumulative distribution on one axis, over [-1, 1] radii.
    float filterInverse[FILTER_TABLE_SIZE + 1];
    float padding0;
    float padding1;
};
SHARED_ARRAY(CameraParams, 4)

struct CameraRay {
    vec3 origin;
    vec3 direction; ///< unit length
};

/// An offset from the pixel's centre, in pixels, distributed as the filter: filter importance sampling, Ernst et al.,
/// "Filter Importance Sampling" (2006). Samples weigh 1 and no pixel touches another.
SHARED_INLINE float sampleFilter(uint64_t camera, float u) {
    float x = u * float(FILTER_TABLE_SIZE);
    uint i = min(uint(x), uint(FILTER_TABLE_SIZE - 1));
    float a = AT(CameraParams, camera, 0).filterInverse[i];
    float b = AT(CameraParams, camera, 0).filterInverse[i + 1u];
    return (a + (b - a) * (x - float(i))) * AT(CameraParams, camera, 0).filterRadius;
}

/// The ray through pixel (x, y) of the full picture, the top row first; `film` and `lens` are uniform numbers.
SHARED_INLINE CameraRay sampleCamera(uint64_t camera, uvec2 pixel, vec2 film, vec2 lens) {
    vec2 size = vec2(float(AT(CameraParams, camera, 0).size.x), float(AT(CameraParams, camera, 0).size.y));
    float x = (float(pixel.x) + 0.5f + sampleFilter(camera, film.x)) / size.x * 2.0f - 1.0f;
    float y = 1.0f - (float(pixel.y) + 0.5f + sampleFilter(camera, film.y)) / size.y * 2.0f;
    vec3 right = AT(CameraParams, camera, 0).right;
    vec3 up = AT(CameraParams, camera, 0).up;
    vec3 towards = AT(CameraParams, camera, 0).forward + right * x + up * y;
    CameraRay ray;
    ray.origin = AT(CameraParams, camera, 0).position;
    float radius = AT(CameraParams, camera, 0).apertureRadius;
    if (radius > 0.0f) {
        vec2 p = sampleDisc(lens);
        vec3 offset = normalize(right) * (p.x * radius) + normalize(up) * (p.y * radius);
        ray.origin = ray.origin + offset;
        towards = towards * AT(CameraParams, camera, 0).focusDistance - offset;
    }
    ray.direction = normalize(towards);
    return ray;
}

SHARED_END
#endif
