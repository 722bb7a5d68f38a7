#pragma once

// The rule of adaptive sampling (shared/path/adaptive.h) once more, in double and as errors, not as comparisons of
// squares: what decisions are held against.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/math.h"
#include "film/film.h"

namespace aureole {

/// Of each pixel, of a film of n samples: its mean luminance and the variance of that; what dark pixels get.
struct LuminanceErrors {
    std::vector<double> luminance;
    std::vector<double> variance;
    double dark = 0.0;
};

inline LuminanceErrors luminanceErrors(const FilmSums& film) {
    constexpr double kWeights[] = {0.2126, 0.7152, 0.0722};
    LuminanceErrors result{std::vector<double>(film.pixelCount()), std::vector<double>(film.pixelCount()), 0.0};
    for (std::size_t i = 0; i < film.pixelCount(); ++i) {
        const auto n = static_cast<double>(std::max<std::uint64_t>(film.sampleCount(i), 1));
        double error = 0.0;
        for (std::size_t c = 0; c < 3; ++c) {
            error += kWeights[c] * std::sqrt(film.varianceOfMean(i, c));
            result.luminance[i] += kWeights[c] * film.radiance[3 * i + c] / n;
        }
        result.variance[i] = error * error;
        result.dark += 0.05 * result.luminance[i] / static_cast<double>(film.pixelCount());
    }
    return result;
}

/// Calls body(i) for the pixels within [low, high).
template <typename Body>
void forPixels(const FilmSums& film, glm::uvec2 low, glm::uvec2 high, const Body& body) {
    for (std::uint32_t y = low.y; y < std::min(high.y, film.height); ++y) {
        for (std::uint32_t x = low.x; x < std::min(high.x, film.width); ++x) {
            body(std::size_t{y} * film.width + x);
        }
    }
}

/// The relative standard error of each pixel.
inline std::vector<float> relativeErrors(const FilmSums& film) {
    const LuminanceErrors pixels = luminanceErrors(film);
    const std::uint32_t reach = film.half.empty() ? 1 : 2;
    std::vector<float> errors(film.pixelCount());
    for (std::uint32_t y = 0; y < film.height; ++y) {
        for (std::uint32_t x = 0; x < film.width; ++x) {
            const glm::uvec2 tile(x / 8 * 8, y / 4 * 4);
            const glm::uvec2 low(std::max(x, tile.x + reach) - reach, std::max(y, tile.y + reach) - reach);
            const glm::uvec2 high(std::min(x + reach, tile.x + 7) + 1, std::min(y + reach, tile.y + 3) + 1);
            double luminance = 0.0;
            double variance = 0.0;
            int count = 0;
            forPixels(film, low, high, [&](std::size_t i) {
                luminance += pixels.luminance[i];
                variance += pixels.variance[i];
                ++count;
            });
            const double error = std::sqrt(variance / count);
            errors[std::size_t{y} * film.width + x] =
                error == 0.0 ? 0.0F : static_cast<float>(error / (luminance / count + pixels.dark));
        }
    }
    return errors;
}

/// How near each tile is to being done, of those that `active` names: done below a noise of this.
inline std::vector<double> noiseOfTiles(const FilmSums& film, const std::vector<std::uint32_t>& active) {
    const LuminanceErrors pixels = luminanceErrors(film);
    const std::vector<float> errors = relativeErrors(film);
    const glm::uvec2 tiles((film.width + 7) / 8, (film.height + 3) / 4);
    std::vector<double> variance(std::size_t{tiles.x} * tiles.y);
    std::vector<double> square(variance.size());
    std::vector<double> worst(variance.size());
    for (const std::uint32_t tile : active) {
        const glm::uvec2 low(tile % tiles.x * 8, tile / tiles.x * 4);
        double luminance = 0.0;
        int count = 0;
        forPixels(film, low, low + glm::uvec2(8, 4), [&](std::size_t i) {
            luminance += pixels.luminance[i] + pixels.dark;
            variance[tile] += pixels.variance[i];
            worst[tile] = std::max(worst[tile], static_cast<double>(errors[i]));
            ++count;
        });
        variance[tile] /= count;
        square[tile] = luminance / count * (luminance / count);
    }
    std::vector<double> noise;
    for (const std::uint32_t tile : active) {
        double around = 0.0;
        double squares = 0.0;
        for (std::uint32_t v = std::max(tile / tiles.x, 1U) - 1; v <= std::min(tile / tiles.x + 1, tiles.y - 1); ++v) {
            for (std::uint32_t u = std::max(tile % tiles.x, 1U) - 1; u <= std::min(tile % tiles.x + 1, tiles.x - 1);
                 ++u) {
                around += variance[std::size_t{v} * tiles.x + u];
                squares += square[std::size_t{v} * tiles.x + u];
            }
        }
        noise.push_back(std::max(worst[tile], around == 0.0 ? 0.0 : std::sqrt(around / squares)));
    }
    return noise;
}

} // namespace aureole
