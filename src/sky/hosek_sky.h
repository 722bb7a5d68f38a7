#pragma once

// Hosek and Wilkie's sky and sun (hosek_wilkie.h) over flat ground, in the renderer's radiance, as SkyModel.

#include <array>

#include "sky/hosek_wilkie.h"

namespace aureole {

class HosekSky {
public:
    /// `turbidity` from 1 (no haze) to 10; components of `groundAlbedo` in [0, 1]; `sun` of unit length, towards it.
    /// Throws Error (BadInput) where the turbidity is another or the sun is below the horizon.
    HosekSky(const sky::HosekData& data, double turbidity, const glm::vec3& groundAlbedo, const glm::dvec3& sun);

    /// From a direction of unit length, without the sun's disc. Below the horizon, the ground: an even radiance of what
    /// it reflects of sun and sky. Where the model falls below 0, as it does in places at the horizon under a low sun,
    /// the radiance is 0; nowhere is it more than kMaximumNumber.
    glm::vec3 radiance(const glm::dvec3& direction) const;

    /// On a horizontal plane, from the whole sky without the sun's disc.
    const glm::vec3& skyIrradiance() const { return skyIrradiance_; }

private:
    glm::vec3 skyRadiance(const glm::dvec3& direction) const;

    std::array<sky::SkyChannel, 3> channels_;
    glm::dvec3 sun_;
    glm::vec3 skyIrradiance_;
    glm::vec3 ground_; ///< radiance
};

/// Sunlight on a surface that faces the sun: the radiance that the model gives its disc, over the solid angle that the
/// model gives it (whole, down to the horizon). Colours beyond the primaries come out with their negative components at
/// 0. Arguments and errors as of HosekSky.
glm::vec3 hosekSunIrradiance(const sky::HosekData& data, double turbidity, const glm::dvec3& sun);

} // namespace aureole
