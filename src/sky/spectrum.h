#pragma once

// The visible spectrum as a few narrow bands, and its way to linear Rec. 709.

#include <array>
#include <cstddef>

#include "core/math.h"

namespace aureole::sky {

inline constexpr std::size_t kBands = 19;
inline constexpr double kFirstWavelength = 380.0; ///< nm, the middle of the first band
inline constexpr double kBandWidth = 20.0;        ///< nm

/// A quantity in each band.
using Spectrum = std::array<float, kBands>;

double wavelengthOf(std::size_t band);

/// Spectral radiance or irradiance (per nm) to linear Rec. 709 such that Y = 0.2126 R + 0.7152 G + 0.0722 B is the
/// spectrum weighted by the luminous efficiency function: the luminance or illuminance over 683 lm/W. Colours beyond
/// the primaries come out with their negative components at 0.
glm::vec3 toRec709(const Spectrum& spectrum);

/// Linear Rec. 709 of a watt of light of one wavelength in nm, by the same matching functions; components below 0 stay.
glm::dvec3 rec709Of(double wavelength);

/// W/m^2 from W/(m^2 nm): all bands, 370 to 750 nm, without weights.
double total(const Spectrum& spectrum);

/// A smooth reflectance whose short, middle and long wavelengths are the colour's blue, green and red.
Spectrum reflectanceOf(const glm::vec3& colour);

} // namespace aureole::sky
