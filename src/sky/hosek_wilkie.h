#pragma once

// Hosek and Wilkie, "An Analytic Model for Full Spectral Sky-Dome Radiance" (SIGGRAPH 2012) and "Adding a Solar
// Radiance Function to the Hosek Skylight Model" (IEEE CG&A 2013), from the figures that the authors published. In
// linear Rec. 709 and W/(m^2 sr), as SkyModel: 683 times the luminance is that of the sky in cd/m^2.

#include "core/math.h"
#include "sky/hosek_data.h"

namespace aureole::sky {

/// One channel of the sky's radiance, for one place of the sun.
class SkyChannel {
public:
    /// `turbidity` from 1 to 10, `albedo` of the ground from 0 to 1, `elevation` of the sun from 0 to pi / 2.
    SkyChannel(const SkyFigures& figures, double turbidity, double albedo, double elevation);

    /// At an angle from the sun, in radians and as its cosine, and at an angle from straight up whose cosine is `up`,
    /// at least 0. Under a low sun, the model falls below 0 in places at the horizon.
    double radiance(double up, double sunAngle, double sunCosine) const;

private:
    double a_, b_, c_, d_, e_, f_, g_, i_, h_; ///< as the paper calls them
    double mean_;                              ///< radiance
};

/// Radiance of the sun's disc, the mean over all of it (limb darkening included), without what the sky adds in front of
/// it. Components below 0 are colours beyond the primaries: the low sun is redder than they are. Arguments as above.
glm::dvec3 solarRadiance(const std::array<SunFigures, 3>& sun, double turbidity, double elevation);

/// The angular radius that the model gives the sun, in degrees.
inline constexpr double kSolarRadius = 0.255;

} // namespace aureole::sky
