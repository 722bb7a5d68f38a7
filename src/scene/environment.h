#pragma once

// Light from all around: what is seen where no surface is.

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "core/math.h"
#include "image/image.h"

namespace aureole {

/// A disc in the sky.
struct Sun {
    glm::dvec3 direction{0.0, 1.0, 0.0}; ///< towards the sun; unit length
    double angularDiameter = 0.53;       ///< degrees, above 0
    glm::vec3 irradiance{1.0F};          ///< on a surface that faces it
    std::uint32_t lightGroup = 0;
};

/// A round lamp far away whose light fades out towards its rim, as that of a photographer's softbox.
struct Softbox {
    glm::dvec3 direction{0.0, 1.0, 0.0}; ///< towards it; unit length
    double angularDiameter = 30.0;       ///< degrees
    glm::vec3 irradiance{1.0F};          ///< on a surface that faces it
};

namespace sky {
struct HosekData;
}

/// A clear sky, without its sun: simulated (SkyModel), or by Hosek and Wilkie's model (HosekSky).
struct Sky {
    double turbidity = 3.0;                                     ///< 1 to 10
    glm::vec3 groundAlbedo{0.3F};                               ///< components in [0, 1]
    glm::dvec3 sunDirection{-0.5, 0.70710678118654752440, 0.5}; ///< towards the sun; unit length
    std::shared_ptr<const sky::HosekData> hosek;                ///< null for the simulated sky
};

enum class EnvironmentType { Constant, Gradient, Image, Sky };

/// A homogeneous medium outside of all solids.
struct Fog {
    glm::vec3 scattering{0.0F}; ///< per metre
    glm::vec3 absorption{0.0F};
    float anisotropy = 0.0F;                                 ///< mean cosine by which it turns light
    double height = std::numeric_limits<double>::infinity(); ///< below which it is
};

/// Radiance from all around.
struct Environment {
    EnvironmentType type = EnvironmentType::Constant;
    glm::vec3 radiance{0.0F}; ///< Constant
    glm::vec3 zenith{0.0F};   ///< Gradient: straight up, at the horizon, and below it
    glm::vec3 horizon{0.0F};
    glm::vec3 ground{0.0F};
    Image image;           ///< Image: equirectangular, R, G, B; its middle column looks along -Z
    double rotation = 0.0; ///< of the image, degrees about +Y
    Sky sky;
    float scale = 1.0F; ///< of all radiance from here, not of the sun
    std::uint32_t lightGroup = 0;
    std::vector<Softbox> softboxes; ///< Constant, Gradient: added to the radiance
    std::optional<Sun> sun;         ///< beside the radiance, none of which is its own
    std::optional<Fog> fog;
};

} // namespace aureole
