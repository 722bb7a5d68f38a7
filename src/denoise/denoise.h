#pragma once

// Aureole's own denoiser. It follows Bitterli et al., "Nonlinearly Weighted First-order Regression for Denoising Monte
// Carlo Renderings", EGSR 2016: about each pixel a linear function of the features and the place is fitted to the noisy
// picture, with weights from how alike features are, and surroundings beyond their noise. Each half of the samples is
// fitted with weights from the other, so that the noise of the weights and that of the values are independent, but for
// that of the albedo, by which both halves are divided first.

#include <cstdint>
#include <memory>
#include <vector>

#include "gpu/device.h"

namespace aureole {

/// Added to the albedo that colours are divided by, which may be 0.
inline constexpr float kLeastAlbedo = 0.05F;

/// What a denoiser reads of a picture: planes of width x height floats, row by row, the top row first, with the
/// components of a pixel side by side. All are finite, colours below kBrightest (holes.h).
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

/// The picture with less noise: 3 floats a pixel, all finite. The same bytes for any number of threads. Throws Error
/// (Internal) where a plane has another size, (Interrupted) where a stop is asked for meanwhile (core/interrupt.h).
/// Shows its progress. `milliseconds`, where it is given, becomes the time that the filter took, without what is
/// prepared.
std::vector<float> denoiseBuiltin(const DenoiseInput& input, double* milliseconds = nullptr);

class DeviceFilter; // builtin_device.cpp

/// The built-in filter on a device, for one picture after the other: pipelines and memory stay there for the next
/// picture of that size, of 1920x1080 1 GB on the device and 200 MB on the host. For one thread at a time.
class DeviceDenoiser {
public:
    explicit DeviceDenoiser(gpu::Device device);
    ~DeviceDenoiser();
    DeviceDenoiser(DeviceDenoiser&&) noexcept;
    DeviceDenoiser& operator=(DeviceDenoiser&&) noexcept;
    DeviceDenoiser(const DeviceDenoiser&) = delete;
    DeviceDenoiser& operator=(const DeviceDenoiser&) = delete;

    /// Within 1e-4 of denoiseBuiltin (relative). Throws also Error (OutOfMemory) where the device has too little, and
    /// then holds none, (NoDevice) where it is lost.
    std::vector<float> denoise(const DenoiseInput& input);

    /// Gives the memory back until the next picture.
    void release();

    /// The device time of all pictures so far.
    double milliseconds() const { return milliseconds_; }

private:
    gpu::Device device_;
    std::unique_ptr<DeviceFilter> filter_; ///< for the size of the last picture
    double milliseconds_ = 0.0;
};

} // namespace aureole
