#pragma once

// The glare of the human eye, after Spencer, Shirley, Zimmerman and Greenberg, "Physically-Based Glare Effects for
// Digital Images", SIGGRAPH 1995.

#include "bloom/psf/frame.h"

namespace aureole {

struct EyeOptions {
    double adaptation = 1.0;        ///< luminance that the eye is adapted to, cd/m^2, above 0; see eyeShares
    std::uint32_t flareLines = 200; ///< needles of the ciliary corona, to both sides of the centre; 0 makes it smooth
    std::uint32_t seed = 0;         ///< of the flare lines
};

/// The components of the eye's point-spread function: f0, the light that is not scattered; f1, falling with the third
/// power of the angle; f2, with the second; f3, the lenticular halo, a ring at 3 degrees for 568 nm.
inline constexpr std::size_t kEyeComponents = 4;
using EyeShares = std::array<double, kEyeComponents>;

/// The paper's shares of the components, which add up to one: photopic from 5 cd/m^2, mesopic in the middle of the
/// mesopic range (on a logarithmic scale), scotopic to 0.005 cd/m^2; the bounds are CIE 191's. Linear between them.
EyeShares eyeShares(double adaptation);

/// A component per steradian at an angle in degrees, as in the paper. Each integrates to one over a hemisphere.
double eyeDensity(std::size_t component, double degrees, double nanometres);

/// The eye's glare. f0 to f2 are grey, the halo follows the wavelength. The flare lines redistribute f1 and f2 around
/// the centre: the mean over any circle stays that of the paper. They come in pairs on opposite sides, since a
/// diffraction pattern of particles is the same when turned by half a turn. Light that the frame cuts off stays in f0.
/// Throws Error (BadInput) for settings out of range.
BloomKernel eyeKernel(const PsfFrame& frame, const EyeOptions& options);

} // namespace aureole
