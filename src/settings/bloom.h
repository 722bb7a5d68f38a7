#pragma once

// Glare: which kernel a picture is convolved with, and how.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/input_file.h"
#include "core/math.h"

namespace aureole {

/// How large the aperture is whose diffraction shows: of a camera with this sensor, or as given.
struct BloomLens {
    double fNumber = 16.0;
    double sensorHeight = 24.0;     ///< mm, as high as the image; with the field of view, it gives the focal length
    std::optional<double> diameter; ///< mm; without one, focal length / fNumber
};

struct BloomAperture {
    BloomLens lens;
    std::uint32_t blades = 6;    ///< 0, a round aperture, or 3 to 64
    double roundness = 0.0;      ///< 0, straight sides, to 1, a circle
    double rotation = 0.0;       ///< degrees counter-clockwise; at 0 a corner is on the right
    std::uint32_t dust = 0;      ///< specks
    std::uint32_t scratches = 0; ///< as many
    std::uint32_t seed = 0;      ///< of dust and scratches
    std::string image;           ///< instead of all these, an EXR or PNG file, as an absolute path
};

struct BloomEye {
    double adaptation = 1.0;        ///< cd/m^2
    std::uint32_t flareLines = 200; ///< of the ciliary corona
    std::uint32_t seed = 0;
};

struct BloomGaussian {
    double weight = 1.0;
    double sigma = 0.1; ///< degrees
    glm::vec3 colour{1.0F};
};

/// The kernels that are generated, by name: "default", "airy", "aperture", "eye", "gaussians".
const std::vector<std::string>& generatedBloomKernels();
bool isGeneratedBloomKernel(std::string_view name);

/// What lies around the image for the bloom: darkness, or the image's reflection, with the edge pixels repeated.
enum class BloomPadding { Zero, Mirror };

/// Whether the kernel's spectrum is made for the padded image, or for the kernel alone and resampled.
enum class BloomMode { Exact, Resampled };

/// How a kernel's spectrum is resampled: between two frequencies, or by a Kaiser-Bessel window over six.
enum class BloomResampling { Bilinear, Kaiser };

struct BloomSettings {
    bool enabled = false;
    std::string kernel = "default"; ///< a generated one, or an EXR or PNG file, as an absolute path
    Links links = Links::Follow;    ///< in the paths of images; refused where a scene refers to them
    std::uint32_t kernelSize = 0;   ///< of a generated kernel, in pixels; 0 follows the image
    double sharpen = 0.0;           ///< 0 the whole kernel, 1 a Dirac delta
    BloomPadding padding = BloomPadding::Zero;
    BloomMode mode = BloomMode::Exact;
    BloomResampling resampling = BloomResampling::Kaiser; ///< in mode Resampled
    BloomLens airy;
    BloomAperture aperture;
    BloomEye eye;
    std::vector<BloomGaussian> gaussians = {{0.85, 0.015}, {0.1, 0.15}, {0.04, 0.8}, {0.01, 4.0}};
};

} // namespace aureole
