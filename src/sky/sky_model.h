#pragma once

// The sky over flat ground, and the sun in it, in the renderer's radiance: linear Rec. 709 in W/(m^2 sr), of which
// 683 times the luminance is that of the sky in cd/m^2. So a watt here is as bright as one of light at 555 nm, as it is
// for glTF's lights (photometry.h).

#include <vector>

#include "sky/atmosphere.h"

namespace aureole {

class SkyModel {
public:
    /// `turbidity` from 1 (no haze) to 10; `sun` of unit length, towards it.
    SkyModel(double turbidity, const glm::vec3& groundAlbedo, const glm::dvec3& sun);

    /// The radiance from a direction of unit length, without the sun's disc. Below the horizon the ground is seen: an
    /// even radiance of what it reflects of sun and sky.
    glm::vec3 radiance(const glm::dvec3& direction) const;
    /// The same radiance in bands of wavelength, per nm.
    sky::Spectrum spectralRadiance(const glm::dvec3& direction) const;

    /// The irradiance of a horizontal plane by the whole sky without the sun's disc, per nm.
    const sky::Spectrum& skyIrradiance() const { return skyIrradiance_; }

private:
    sky::Atmosphere atmosphere_;
    glm::dvec3 sun_;
    sky::Spectrum skyIrradiance_{};
    sky::Spectrum ground_{}; ///< radiance
};

/// Sunlight on a surface that faces the sun, per nm; 0 where the sun is below the horizon.
sky::Spectrum spectralSunIrradiance(double turbidity, const glm::dvec3& sun);
glm::vec3 sunIrradiance(double turbidity, const glm::dvec3& sun);

/// Towards a place in the sky: `elevation` above the horizon and `azimuth` clockwise, seen from above, from -Z, both in
/// degrees.
glm::dvec3 skyDirection(double elevation, double azimuth);

} // namespace aureole
