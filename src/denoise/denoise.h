#pragma once

// Aureole's own denoiser. It follows Bitterli et al., "Nonlinearly Weighted First-order Regression for Denoising Monte
// Carlo Renderings", EGSR 2016: about each pixel a linear function of the features is fitted to the noisy picture, with
// weights from how alike the surroundings look beyond their noise. Each half of the samples is fitted with weights
// from the other, so that the noise of the weights and that of the values are independent.

#include <cstdint>
#include <vector>

#include "gpu/device.h"

namespace aureole {

/// What a denoiser reads of a picture: planes of width x height floats, row by row, the top row first, with the
/// components of a pixel side by side.
struct DenoiseInput {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::vector<float> colour;    ///< 3 a pixel, linear, noisy: the mean of all samples
    std::vector<float> half;      ///< 3 a pixel: the means of the first half of the samples
    std::vector<float> otherHalf; ///< 3 a pixel: of the second; independent of the first
    std::vector<float> albedo;    ///< 3 a pixel; may be empty
    std::vector<float> normal;    ///< 3 a pixel; may be empty
    std::vector<float> depth;     ///< 1 a pixel, along the camera's axis, 0 where nothing was hit; may be empty
};

/// The picture with less noise: 3 floats a pixel, all finite. A pixel whose colour is not finite counts as a hole, and
/// is filled from those around it. The same bytes for any number of threads. Throws Error (Internal) where a plane has
/// another size. `milliseconds`, where it is given, becomes the time that the filter took, without what is prepared.
std::vector<float> denoiseBuiltin(const DenoiseInput& input, double* milliseconds = nullptr);

/// The same on a device, within 1e-4 of it (relative). Throws also Error (OutOfMemory) where the device has too little,
/// (NoDevice) where it is lost. `milliseconds` becomes the time that the device took.
std::vector<float> denoiseBuiltin(const gpu::Device& device, const DenoiseInput& input, double* milliseconds = nullptr);

} // namespace aureole
