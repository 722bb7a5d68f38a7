#pragma once

// Apertures as pictures: how much of the light's amplitude passes at each place.

#include <cstdint>
#include <string>
#include <vector>

#include "image/image.h"

namespace aureole {

/// An iris of blades, in a circle whose diameter is the unit of all lengths here.
struct ApertureShape {
    std::uint32_t blades = 6;    ///< 3 to 64; 0 is a round hole
    double roundness = 0.0;      ///< 0, straight sides, to 1, a circle
    double rotation = 0.0;       ///< degrees counter-clockwise; at 0 a corner is on the right
    std::uint32_t dust = 0;      ///< specks, at most 10000
    std::uint32_t scratches = 0; ///< at most 1000
    std::uint32_t seed = 0;      ///< of dust and scratches

    /// Throws Error (BadInput) for values out of range.
    void check() const;
};

/// The edges of a mask are blurred by a Gaussian of this standard deviation in samples, so that its spectrum does not
/// alias; who uses the spectrum divides by the Gaussian's.
inline constexpr double kMaskBlur = 0.6;

/// Samples around the circle's square on each side, for the blurred edge.
inline constexpr std::uint32_t kMaskMargin = 4;

/// Transmittances from 0 to 1, row by row, the top row first, of the square around the circle with its margin:
/// `samples` are a diameter.
std::vector<double> drawAperture(const ApertureShape& shape, std::uint32_t samples);

/// Transmittances of that square from an image, which has them as luminance; its longer side is `samples` long.
/// Negative values count as 0. Throws Error (BadInput) naming `file` for an image that is empty, not finite or black.
std::vector<double> imageAperture(const Image& image, const std::string& file, std::uint32_t samples);

} // namespace aureole
