#pragma once

#include "scene/scene.h"
#include "scene/view.h"
#include "shared/path/camera.h"

namespace aureole {

/// Where a camera looks, in the world.
struct CameraAxes {
    glm::dvec3 right; ///< these three of unit length, at right angles
    glm::dvec3 up;
    glm::dvec3 forward;
    double halfWidth; ///< of the picture, at distance 1 from the lens; of an orthographic one in metres
    double halfHeight;
    double focus; ///< distance along `forward`
};

CameraAxes cameraAxes(const Scene& scene, const View& view);

/// The camera of the view, for every backend.
shared::CameraParams makeCameraParams(const Scene& scene, const View& view, const Space& space);

} // namespace aureole
