#include "film/tiles.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/error.h"
#include "core/parallel.h"
#include "film/state.h"
#include "shared/path/path_work.h"

namespace aureole {

namespace {

constexpr double kDarkShare = 0.05;

/// For each pixel, its mean luminance and the variance of that. `dark` is what errors add to a luminance, lest those of
/// dark pixels count for too much.
struct Estimates {
    std::vector<double> luminance;
    std::vector<double> variance;
    double dark = 0.0;
};

Estimates estimate(const FilmSums& film) {
    constexpr std::array kWeights = {0.2126, 0.7152, 0.0722};
    Estimates result{std::vector<double>(film.pixelCount()), std::vector<double>(film.pixelCount()), 0.0};
    for (std::size_t i = 0; i < film.pixelCount(); ++i) {
        const auto n = static_cast<double>(std::max<std::uint64_t>(film.sampleCount(i), 1));
        double error = 0.0;
        for (std::size_t c = 0; c < 3; ++c) {
            error += kWeights.at(c) * std::sqrt(film.varianceOfMean(i, c));
            result.luminance[i] += kWeights.at(c) * film.radiance[3 * i + c] / n;
        }
        result.variance[i] = error * error;
    }
    const double sum = std::accumulate(result.luminance.begin(), result.luminance.end(), 0.0);
    result.dark = kDarkShare * sum / static_cast<double>(film.pixelCount());
    return result;
}

std::vector<float> errorsOf(const FilmSums& film, const Estimates& pixels) {
    std::vector<float> errors(film.pixelCount());
    const std::uint32_t reach = film.half.empty() ? 1 : 2; // two halves of a pixel tell less than all of its samples
    parallelFor(film.height, 16, [&](std::int64_t row) {
        const auto y = static_cast<std::uint32_t>(row);
        for (std::uint32_t x = 0; x < film.width; ++x) {
            const glm::uvec2 tile(x / PATH_TILE_WIDTH * PATH_TILE_WIDTH, y / PATH_TILE_HEIGHT * PATH_TILE_HEIGHT);
            const glm::uvec2 last =
                glm::min(tile + glm::uvec2(PATH_TILE_WIDTH, PATH_TILE_HEIGHT), glm::uvec2(film.width, film.height)) -
                1U;
            double luminance = 0.0;
            double variance = 0.0;
            int count = 0;
            for (std::uint32_t v = std::max(y, tile.y + reach) - reach; v <= std::min(y + reach, last.y); ++v) {
                for (std::uint32_t u = std::max(x, tile.x + reach) - reach; u <= std::min(x + reach, last.x); ++u) {
                    const std::size_t at = std::size_t{v} * film.width + u;
                    luminance += pixels.luminance[at];
                    variance += pixels.variance[at];
                    ++count;
                }
            }
            const double error = std::sqrt(variance / count);
            errors[std::size_t{y} * film.width + x] =
                error == 0.0 ? 0.0F : static_cast<float>(error / (luminance / count + pixels.dark));
        }
    });
    return errors;
}

} // namespace

std::vector<float> relativeErrors(const FilmSums& film) {
    return errorsOf(film, estimate(film));
}

AdaptiveTiles::AdaptiveTiles(glm::uvec2 size)
    : size_(size)
    , tiles_(shared::pathTiles(size))
    , active_(std::size_t{tiles_.x} * tiles_.y)
    , samples_(active_.size()) {
    std::iota(active_.begin(), active_.end(), 0U);
}

std::uint64_t AdaptiveTiles::pixelsOf(std::uint32_t tile) const {
    const glm::uvec2 low = glm::uvec2(tile % tiles_.x, tile / tiles_.x) * glm::uvec2(PATH_TILE_WIDTH, PATH_TILE_HEIGHT);
    const glm::uvec2 high = glm::min(low + glm::uvec2(PATH_TILE_WIDTH, PATH_TILE_HEIGHT), size_);
    return std::uint64_t{high.x - low.x} * (high.y - low.y);
}

std::uint64_t AdaptiveTiles::activePixels() const {
    return std::accumulate(active_.begin(), active_.end(), std::uint64_t{0},
                           [&](std::uint64_t sum, std::uint32_t tile) { return sum + pixelsOf(tile); });
}

void AdaptiveTiles::reached(std::uint32_t samples) {
    for (const std::uint32_t tile : active_) {
        samples_[tile] = samples;
    }
}

namespace {

/// Means over the pixels of a tile, with `dark` added to the luminance; 0 for a tile that gets no more samples.
struct TileMeans {
    double luminance = 0.0;
    double variance = 0.0;
    bool noisy = false; ///< whether the error of some pixel is too large
};

} // namespace

void AdaptiveTiles::retire(const FilmSums& film, double noise) {
    const Estimates pixels = estimate(film);
    const std::vector<float> errors = errorsOf(film, pixels);
    std::vector<TileMeans> tiles(samples_.size());
    const std::vector<char> active = activeMask();
    for (std::uint32_t y = 0; y < size_.y; ++y) {
        for (std::uint32_t x = 0; x < size_.x; ++x) {
            const std::size_t at = std::size_t{y} * size_.x + x;
            if (active[at] == 0) {
                continue;
            }
            const std::uint32_t index = y / PATH_TILE_HEIGHT * tiles_.x + x / PATH_TILE_WIDTH;
            const auto count = static_cast<double>(pixelsOf(index));
            TileMeans& tile = tiles[index];
            tile.luminance += (pixels.luminance[at] + pixels.dark) / count;
            tile.variance += pixels.variance[at] / count;
            tile.noisy = tile.noisy || !(errors[at] <= noise); // an error that is no number counts as too large
        }
    }
    std::erase_if(active_, [&](std::uint32_t index) {
        const glm::uvec2 at(index % tiles_.x, index / tiles_.x);
        double variance = 0.0;
        double allowed = 0.0;
        for (std::uint32_t y = at.y > 0 ? at.y - 1 : 0; y <= std::min(at.y + 1, tiles_.y - 1); ++y) {
            for (std::uint32_t x = at.x > 0 ? at.x - 1 : 0; x <= std::min(at.x + 1, tiles_.x - 1); ++x) {
                const TileMeans& tile = tiles[std::size_t{y} * tiles_.x + x];
                variance += tile.variance;
                allowed += noise * noise * tile.luminance * tile.luminance;
            }
        }
        return !tiles[index].noisy && variance <= allowed;
    });
}

void AdaptiveTiles::save(FilmState& state) const {
    state.activeTiles = active_;
    state.tileSamples = samples_;
}

void AdaptiveTiles::restore(const FilmState& state, const std::string& file) {
    const std::vector<std::uint32_t>& active = state.activeTiles;
    const bool ascending = std::adjacent_find(active.begin(), active.end(), std::greater_equal<>()) == active.end();
    if (state.tileSamples.size() != samples_.size() || !ascending ||
        (!active.empty() && active.back() >= samples_.size())) {
        fail(ExitCode::BadInput,
             "{}: found {} tiles, of which {} get samples, expected {} tiles and ascending ones of them", file,
             state.tileSamples.size(), active.size(), samples_.size());
    }
    active_ = active;
    samples_ = state.tileSamples;
}

template <typename T>
std::vector<T> AdaptiveTiles::ofPixels(const std::vector<T>& ofTiles) const {
    std::vector<T> values;
    values.reserve(pixelCount());
    for (std::uint32_t y = 0; y < size_.y; ++y) {
        for (std::uint32_t x = 0; x < size_.x; ++x) {
            values.push_back(ofTiles[std::size_t{y / PATH_TILE_HEIGHT} * tiles_.x + x / PATH_TILE_WIDTH]);
        }
    }
    return values;
}

std::vector<std::uint32_t> AdaptiveTiles::pixelSamples() const {
    return ofPixels(samples_);
}

std::vector<char> AdaptiveTiles::activeMask() const {
    std::vector<char> mask(samples_.size(), 0);
    for (const std::uint32_t tile : active_) {
        mask[tile] = 1;
    }
    return ofPixels(mask);
}

std::uint64_t AdaptiveTiles::nextDecision(std::uint64_t samples, std::uint32_t batch) {
    const std::uint64_t wanted = std::max<std::uint64_t>(samples + samples / 4, kLeastSamples);
    return std::max((wanted + batch - 1) / batch, samples / batch + 1) * batch;
}

} // namespace aureole
