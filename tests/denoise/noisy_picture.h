#pragma once

// Pictures whose truth is known, as a render of independent samples would have them.

#include <cstdint>
#include <functional>

#include "core/math.h"
#include "denoise/denoise.h"

namespace aureole {

/// A pixel without noise.
struct TruePixel {
    glm::vec3 colour{1.0F};
    glm::vec3 albedo{0.5F};
    glm::vec3 normal{0.0F, 0.0F, 1.0F};
    float depth = 1.0F;
};

struct NoisyPicture {
    DenoiseInput input;
    std::vector<float> truth; ///< 3 a pixel
};

/// The picture of `pixel`(x, y), each half with normal noise of `deviation` times the colour; that of their mean is
/// smaller by the root of two. Frames have noise of their own.
NoisyPicture noisyPicture(std::uint32_t width, std::uint32_t height, float deviation,
                          const std::function<TruePixel(std::uint32_t, std::uint32_t)>& pixel, std::uint32_t frame = 0);

/// The root of the mean squared difference.
double rootMeanSquare(const std::vector<float>& a, const std::vector<float>& b);

double meanOf(const std::vector<float>& values);

} // namespace aureole
