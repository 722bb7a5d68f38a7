#include "image/finish/grain.h"

#include <algorithm>
#include <cmath>

#include "core/hash.h"
#include "core/threads/parallel.h"

namespace aureole {

namespace {

/// A normally distributed number of mean 0 and variance 1 for a pixel, by the method of Box and Muller.
float gaussian(std::uint32_t seed, std::uint32_t x, std::uint32_t y) {
    const std::uint64_t bits =
        mixBits(mixBits((std::uint64_t{y} << 32U) | x) + (std::uint64_t{seed} + 1) * 0x9e3779b97f4a7c15ULL);
    const double first = (static_cast<double>(bits >> 32U) + 0.5) * 0x1p-32;
    const double second = static_cast<double>(bits & 0xffffffffU) * 0x1p-32;
    return static_cast<float>(std::sqrt(-2.0 * std::log(first)) * std::cos(2.0 * kPi * second));
}

/// The weights of a Gaussian. Their squares add up to 1, so that variance stays 1; a single 1 for grains of a pixel.
std::vector<float> grainWeights(double size) {
    const double variance = 0.25 * (size * size - 1.0);
    const auto reach = static_cast<int>(std::ceil(3.0 * std::sqrt(variance)));
    std::vector<float> weights;
    double squares = 0.0;
    for (int i = -reach; i <= reach; ++i) {
        const double weight = variance > 0.0 ? std::exp(-0.5 * i * i / variance) : 1.0;
        weights.push_back(static_cast<float>(weight));
        squares += weight * weight;
    }
    for (float& weight : weights) {
        weight /= static_cast<float>(std::sqrt(squares));
    }
    return weights;
}

} // namespace

void addGrain(FinishPixels& pixels, const Grain& grain) {
    const std::vector<float> weights = grainWeights(grain.size);
    const std::size_t margin = weights.size() - 1; // of the noise around the picture, on both sides together
    const std::size_t columns = pixels.width + margin;
    const std::size_t rows = pixels.height + margin;
    std::vector<float> blurred(rows * pixels.width); // along rows
    parallelFor(static_cast<std::int64_t>(rows), 1, [&](std::int64_t y) {
        std::vector<float> noise(columns);
        for (std::size_t x = 0; x < columns; ++x) {
            noise[x] = gaussian(grain.seed, static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y));
        }
        for (std::size_t x = 0; x < pixels.width; ++x) {
            float sum = 0.0F;
            for (std::size_t i = 0; i < weights.size(); ++i) {
                sum += weights[i] * noise[x + i];
            }
            blurred[static_cast<std::size_t>(y) * pixels.width + x] = sum;
        }
    });
    parallelFor(pixels.height, 1, [&](std::int64_t y) {
        for (std::size_t x = 0; x < pixels.width; ++x) {
            float sum = 0.0F;
            for (std::size_t i = 0; i < weights.size(); ++i) {
                sum += weights[i] * blurred[(static_cast<std::size_t>(y) + i) * pixels.width + x];
            }
            const double factor = std::exp(grain.amount * double{sum} - 0.5 * grain.amount * grain.amount);
            glm::vec4& value = pixels.values[static_cast<std::size_t>(y) * pixels.width + x];
            value = glm::vec4(glm::vec3(value) * static_cast<float>(factor), value.a);
        }
    });
}

} // namespace aureole
