// The camera: perspective or orthographic, with a pinhole or a thin lens, or the whole sphere; and the filter of the
// film.
#ifndef AUREOLE_SHARED_CAMERA_H
#define AUREOLE_SHARED_CAMERA_H

#include "shared/light/lights.h"
#include "shared/path/motion_pose.h"

SHARED_BEGIN

#define FILTER_TABLE_SIZE 64

#define CAMERA_PERSPECTIVE 0u
#define CAMERA_ORTHOGRAPHIC 1u
#define CAMERA_EQUIRECTANGULAR 2u ///< environmentUv of the directions, in the camera's axes

/// A camera in the space of its backend (world, or grid units).
struct CameraParams {
    vec3 position;
    vec3 right;   ///< from the centre of the picture to its right edge, at distance 1 from the lens; of unit length for
                  ///< the whole sphere
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
    uint projection;     ///< CAMERA_
    uint blades;         ///< corners of the aperture; 0: round
    float bladeRotation; ///< radians from `right` towards `up`, of the first corner
    uint padding;
};
SHARED_ARRAY(CameraParams, 4)

/// Where a camera is, as CameraParams have it.
struct CameraPlace {
    vec3 position;
    vec3 right;
    vec3 up;
    vec3 forward;
    float focusDistance;
};

SHARED_INLINE CameraPlace cameraPlace(uint64_t camera) {
    CameraPlace place;
    place.position = AT(CameraParams, camera, 0).position;
    place.right = AT(CameraParams, camera, 0).right;
    place.up = AT(CameraParams, camera, 0).up;
    place.forward = AT(CameraParams, camera, 0).forward;
    place.focusDistance = AT(CameraParams, camera, 0).focusDistance;
    return place;
}

/// The same of a camera that moves: its pose has the lengths of `right` and `up`, and its focus distance, for a size.
SHARED_INLINE CameraPlace cameraPlaceIn(MotionPose pose) {
    TurnedAxes axes = turnedAxes(pose.turn);
    CameraPlace place;
    place.position = pose.place;
    place.right = axes.x * pose.size.x;
    place.up = axes.y * pose.size.y;
    place.forward = -axes.z;
    place.focusDistance = pose.size.z;
    return place;
}

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

/// A point of the aperture of radius 1.
SHARED_INLINE vec2 sampleAperture(uint64_t camera, vec2 u) {
    uint blades = AT(CameraParams, camera, 0).blades;
    if (blades == 0u) {
        return sampleDisc(u);
    }
    vec2 p = sampleRegularPolygon(u, blades);
    float c = cos(AT(CameraParams, camera, 0).bladeRotation);
    float s = sin(AT(CameraParams, camera, 0).bladeRotation);
    return vec2(c * p.x - s * p.y, s * p.x + c * p.y);
}

/// The ray through pixel (x, y) of the full picture, the top row first; `film` and `lens` are uniform numbers.
SHARED_INLINE CameraRay sampleCameraAt(uint64_t camera, CameraPlace place, uvec2 pixel, vec2 film, vec2 lens) {
    vec2 size = vec2(float(AT(CameraParams, camera, 0).size.x), float(AT(CameraParams, camera, 0).size.y));
    float x = (float(pixel.x) + 0.5f + sampleFilter(camera, film.x)) / size.x * 2.0f - 1.0f;
    float y = 1.0f - (float(pixel.y) + 0.5f + sampleFilter(camera, film.y)) / size.y * 2.0f;
    vec3 right = place.right;
    vec3 up = place.up;
    vec3 towards = place.forward;
    uint projection = AT(CameraParams, camera, 0).projection;
    CameraRay ray;
    ray.origin = place.position;
    if (projection == CAMERA_EQUIRECTANGULAR) {
        vec3 d = environmentDirection(vec2(0.5f + 0.5f * x, 0.5f - 0.5f * y));
        ray.direction = normalize(right * d.x + up * d.y - towards * d.z);
        return ray;
    }
    vec3 across = right * x + up * y;
    if (projection == CAMERA_ORTHOGRAPHIC) {
        ray.origin = ray.origin + across;
    } else {
        towards = towards + across;
    }
    float radius = AT(CameraParams, camera, 0).apertureRadius;
    if (radius > 0.0f) {
        vec2 p = sampleAperture(camera, lens);
        vec3 offset = normalize(right) * (p.x * radius) + normalize(up) * (p.y * radius);
        ray.origin = ray.origin + offset;
        towards = towards * place.focusDistance - offset;
    }
    ray.direction = normalize(towards);
    return ray;
}

/// The same of a camera that stands.
SHARED_INLINE CameraRay sampleCamera(uint64_t camera, uvec2 pixel, vec2 film, vec2 lens) {
    return sampleCameraAt(camera, cameraPlace(camera), pixel, film, lens);
}

SHARED_END
#endif
