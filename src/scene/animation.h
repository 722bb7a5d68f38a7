#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/math.h"
#include "model/camera.h"
#include "scene/value_keys.h"

namespace aureole {

struct Scene;

/// A picture of the animation at one frame.
struct CameraKey {
    std::uint32_t frame = 0;
    glm::dvec3 position{0.0};
    glm::dvec3 target{0.0};
    glm::dvec3 up{0.0, 1.0, 0.0};
    double verticalFov = 40.0;
    double height = 2.0;
    double focusDistance = 0.0; ///< as the camera's
};

enum class AnimationKind { Turntable, Path };

/// How one camera moves from frame to frame, and what changes beside it.
struct Animation {
    AnimationKind kind = AnimationKind::Turntable;
    std::uint32_t camera = 0;
    std::uint32_t frames = 1; ///< they are numbered from 0
    // Turntable: the camera goes around.
    glm::dvec3 centre{0.0};
    glm::dvec3 axis{0.0, 1.0, 0.0}; ///< unit length
    double degrees = 360.0;         ///< from frame 0 to where frame `frames` would be; counter-clockwise about the axis
    // Path
    std::vector<CameraKey> keys; ///< ascending; none where the camera stands
    bool smooth = true;          ///< Catmull-Rom instead of straight lines
    // With either, or alone
    std::vector<ValueKeys> values; ///< of bloom and finish, and of frames that instances show

    bool posesModels = false; ///< animations of model files pose them in each frame

    bool movesCamera() const { return kind == AnimationKind::Turntable || !keys.empty(); }
};

/// The camera of an animation at a frame, from 0 to frames - 1, or between two. Throws Error (BadInput) naming the
/// scene where faultOfFrame finds one.
///
/// Between keys, a smooth path is a Catmull-Rom spline with centripetal knots, which neither overshoots far nor has
/// cusps: Yuksel, Schaefer and Keyser, "Parameterization and Applications of Catmull-Rom Curves" (2011), evaluated as
/// by Barry and Goldman (1988). Every frame of a segment takes an equal part of its knot interval.
Camera cameraAtFrame(const Scene& scene, double frame);

/// What is wrong with the camera at a frame: that it has no view axis or no horizon there.
std::optional<std::string> faultOfFrame(const Scene& scene, std::uint32_t frame);

} // namespace aureole
