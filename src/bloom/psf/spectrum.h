#pragma once

// Light of many wavelengths as linear Rec. 709, for point-spread functions whose size follows the wavelength.

#include <cstdint>
#include <vector>

#include "bloom/psf/frame.h"

namespace aureole {

inline constexpr double kShortestWavelength = 380.0; ///< nanometres
inline constexpr double kLongestWavelength = 780.0;

/// A band of the spectrum and its shares in R, G and B.
struct SpectralBand {
    double from = 0.0; ///< nanometres
    double to = 0.0;
    PsfColour weights{};
};

/// The visible spectrum in `count` bands of equal width in the logarithm of the wavelength, that is, in the size of a
/// diffraction pattern. The weights of each channel sum to one over the bands, so that white light stays white.
///
/// A pure wavelength lies outside of Rec. 709: one or two of its components are negative. They are clipped here, for
/// each wavelength, before the bands are added up. So a kernel is never negative, remains linear in the light (clipping
/// texels instead would make it change with the resolution), and hues are kept; only the purest rainbow colours lose
/// some saturation. The light is taken to be white, of equal energy.
std::vector<SpectralBand> spectralBands(std::uint32_t count);

} // namespace aureole
