#pragma once

// Point-spread functions: how the light of one pixel spreads over others.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "image/image.h"

namespace aureole {

/// A kernel of width x height texels, three planes (R, G, B), row by row, the top row first. The centre is texel
/// (floor(width / 2), floor(height / 2)).
struct BloomKernel {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::array<std::vector<float>, 3> planes;
};

/// A kernel from any image with R, G, B or one grey channel, divided by its Rec. 709 luminance sum: a grey image keeps
/// its luminance, and colour differences between the channels survive. `file` names the image in messages.
/// Throws Error (BadInput) for an empty image, for values that are not finite, for one that is zero all over and for
/// one whose luminance does not sum to more than zero.
BloomKernel kernelFromImage(const Image& image, const std::string& file);

/// A kernel `scale` times as wide about its centre, with the sums of its channels: a tent filter as wide as a texel of
/// the coarser of both. Throws Error (BadInput), naming `file`, where it would be wider than kernels may be.
BloomKernel scaledKernel(BloomKernel kernel, double scale, const std::string& file);

/// The kernel as an image with channels R, G, B.
Image kernelToImage(const BloomKernel& kernel);

/// Settings of the generated glare. It is defined by angle, so that it does not change with the render's resolution.
struct GlareOptions {
    double degreesPerPixel = 0.04;
    std::uint32_t width = 513; ///< texels; odd sizes are symmetric
    std::uint32_t height = 513;
    double scattered = 0.10;  ///< share of the light that leaves the sharp core, 0 to 1
    std::uint32_t blades = 6; ///< of the aperture; an odd number makes twice as many streaks; 0 makes none
    double rotationDegrees = 12.0;
};

/// The angle that a pixel in the middle of an image spans, for a vertical field of view in degrees.
double degreesPerPixel(double verticalFieldOfView, std::uint32_t height);

/// Glare in linear radiance: a sharp core, a skirt that falls with the third and a veil that falls with the second
/// power of the angle, both after the point-spread function of the eye in Spencer et al., "Physically-Based Glare
/// Effects for Digital Images", 1995, slightly wider at long wavelengths, and the faint streaks of a bladed aperture.
/// Each channel sums to one. Throws Error (BadInput) for settings out of range.
BloomKernel glareKernel(const GlareOptions& options);

} // namespace aureole
