#pragma once

#include <cstdint>
#include <string>

#include "core/math.h"
#include "model/texture.h"

namespace aureole {

enum class LightType { Point, Spot, Directional };

/// KHR_lights_punctual.
struct PunctualLight {
    std::string name;
    LightType type = LightType::Point;
    glm::dvec3 position{0.0};
    glm::dvec3 direction{0.0, -1.0, 0.0}; ///< the way the light travels; unit length
    glm::vec3 intensity{1.0F};            ///< W/sr for point and spot, irradiance W/m^2 for directional
    double innerConeAngle = 0.0;          ///< degrees from the axis
    double outerConeAngle = 45.0;
    std::uint32_t lightGroup = 0;
    std::uint32_t motion = kNone; ///< number of how it moves with an instance, in a scene that says so
};

/// The light that a model's author gave it: a sun in a sky of one radiance, over level ground.
struct Daylight {
    glm::dvec3 sunDirection{0.0, 1.0, 0.0}; ///< towards it; unit length
    double sunDiameter = 0.53;              ///< degrees, above 0
    glm::vec3 sunIrradiance{0.0F};          ///< on a surface that faces it
    glm::vec3 skyRadiance{0.0F};
    glm::vec3 groundAlbedo{0.3F};
    double exposure = 0.0; ///< stops
};

} // namespace aureole
