#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/math.h"

namespace aureole {

/// How long and through which aperture a photograph is taken, on which film.
struct Exposure {
    double fNumber = 8.0;
    double shutter = 0.01; ///< seconds
    double iso = 100.0;
};

enum class Projection {
    Perspective,
    Orthographic,
    Equirectangular ///< the whole sphere; its middle column looks to the target, its upper edge along `up`
};

struct Camera {
    std::string name;
    Projection projection = Projection::Perspective;
    glm::dvec3 position{0.0, 0.0, 5.0};
    glm::dvec3 target{0.0};
    glm::dvec3 up{0.0, 1.0, 0.0};
    double verticalFov = 40.0;          ///< degrees; Perspective
    double height = 2.0;                ///< metres that the picture is high; Orthographic
    double apertureRadius = 0.0;        ///< metres; 0 is a pinhole
    double focusDistance = 0.0;         ///< metres along the view axis; 0 means the distance to the target
    std::uint32_t blades = 0;           ///< of the iris, its corners at apertureRadius: 0, a round one, or 3 to 16
    double bladeRotation = 0.0;         ///< degrees counter-clockwise; at 0 a corner is on the right
    std::optional<double> exposure;     ///< stops, instead of the film's
    std::optional<Exposure> photograph; ///< what these stops come from or go on top of; see exposure.h
};

} // namespace aureole
