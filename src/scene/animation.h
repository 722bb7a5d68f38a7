#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "scene/scene.h"

namespace aureole {

/// The camera of an animation at a frame, from 0 to frames - 1. Throws Error (BadInput) naming the scene where
/// faultOfFrame finds one.
///
/// Between keys, a smooth path is a Catmull-Rom spline with centripetal knots, which neither overshoots far nor has
/// cusps: Yuksel, Schaefer and Keyser, "Parameterization and Applications of Catmull-Rom Curves" (2011), evaluated as
/// by Barry and Goldman (1988). Every frame of a segment takes an equal part of its knot interval.
Camera cameraAtFrame(const Scene& scene, std::uint32_t frame);

/// What is wrong with the camera at a frame: that it has no view axis or no horizon there.
std::optional<std::string> faultOfFrame(const Scene& scene, std::uint32_t frame);

} // namespace aureole
