#pragma once

#include "scene/scene.h"
#include "scene/view.h"
#include "shared/path/camera.h"

namespace aureole {

/// The camera of the view, for every backend.
shared::CameraParams makeCameraParams(const Scene& scene, const View& view, const Space& space);

} // namespace aureole
