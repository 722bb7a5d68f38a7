#include "film/tiles.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <type_traits>
#include <utility>

#include "core/divide_up.h"
#include "core/error.h"
#include "core/threads/parallel.h"
#include "film/film_pixel.h"
#include "film/state.h"
#include "shared/path/adaptive.h"

namespace aureole {

namespace {

/// One step on the CPU.
void runStep(const shared::AdaptivePush& push) {
    constexpr std::int64_t kGrain = 64;
    const auto store = [&](std::uint64_t address, std::int64_t i, const auto& value) {
        // Push constants hold addresses as the device has them. NOLINTNEXTLINE(performance-no-int-to-ptr)
        reinterpret_cast<std::remove_cvref_t<decltype(value)>*>(address)[i] = value;
    };
    parallelFor(itemsOf(push), push.step == ADAPTIVE_PIXELS ? kPixelsAtOnce : kGrain, [&](std::int64_t item) {
        const auto i = static_cast<std::uint32_t>(item);
        switch (push.step) {
        case ADAPTIVE_PIXELS:
            return store(push.pixels, item, shared::adaptivePixel(push, i));
        case ADAPTIVE_LIGHT:
            return store(push.sums, item, shared::adaptiveLight(push, i));
        case ADAPTIVE_SUM:
            return store(push.sums, item, shared::adaptiveSum(push, i));
        case ADAPTIVE_TILES:
            return store(push.tiles, item, shared::adaptiveTile(push, i));
        default:
            return store(push.doneAt, item, shared::adaptiveDecide(push, i));
        }
    });
}

template <typename T>
std::uint64_t addressOf(std::vector<T>& values) {
    return reinterpret_cast<std::uint64_t>(values.data());
}

} // namespace

std::uint32_t itemsOf(const shared::AdaptivePush& push) {
    return push.step == ADAPTIVE_SUM ? divideUp(push.count, ADAPTIVE_SUM_ITEMS) : push.count;
}

void forAdaptiveSteps(const AdaptiveArrays& arrays, glm::uvec2 size, std::uint32_t samples, bool isSobol, double noise,
                      const std::function<void(const shared::AdaptivePush&)>& run) {
    const glm::uvec2 tiles = shared::pathTiles(size);
    shared::AdaptivePush push{};
    push.film = arrays.film;
    push.pixels = arrays.pixels;
    push.tiles = arrays.tiles;
    push.doneAt = arrays.doneAt;
    push.lights = arrays.sums[1];
    push.sums = arrays.sums[0];
    push.size = size;
    push.samples = samples;
    push.samplerKind = isSobol ? SAMPLER_SOBOL : SAMPLER_INDEPENDENT;
    push.noise = static_cast<float>(noise);
    const auto step = [&](std::uint32_t which, std::uint32_t count) {
        push.step = which;
        push.count = count;
        run(push);
    };
    step(ADAPTIVE_PIXELS, size.x * size.y);
    step(ADAPTIVE_LIGHT, tiles.x * tiles.y);
    for (std::uint32_t count = tiles.x * tiles.y; count > 1; count = divideUp(count, ADAPTIVE_SUM_ITEMS)) {
        std::swap(push.lights, push.sums);
        step(ADAPTIVE_SUM, count);
    }
    std::swap(push.lights, push.sums);
    step(ADAPTIVE_TILES, tiles.x * tiles.y);
    step(ADAPTIVE_DECIDE, tiles.x * tiles.y);
}

AdaptiveTiles::AdaptiveTiles(glm::uvec2 size)
    : size_(size)
    , tiles_(shared::pathTiles(size))
    , active_(std::size_t{tiles_.x} * tiles_.y)
    , samples_(active_.size()) {
    std::iota(active_.begin(), active_.end(), 0U);
    countActive();
}

std::uint64_t AdaptiveTiles::pixelsOf(std::uint32_t tile) const {
    const glm::uvec2 low = glm::uvec2(tile % tiles_.x, tile / tiles_.x) * glm::uvec2(PATH_TILE_WIDTH, PATH_TILE_HEIGHT);
    const glm::uvec2 high = glm::min(low + glm::uvec2(PATH_TILE_WIDTH, PATH_TILE_HEIGHT), size_);
    return std::uint64_t{high.x - low.x} * (high.y - low.y);
}

void AdaptiveTiles::countActive() {
    activePixels_ = std::accumulate(active_.begin(), active_.end(), std::uint64_t{0},
                                    [&](std::uint64_t sum, std::uint32_t tile) { return sum + pixelsOf(tile); });
}

void AdaptiveTiles::reached(std::uint32_t samples) {
    for (const std::uint32_t tile : active_) {
        samples_[tile] = samples;
    }
}

std::vector<std::uint32_t> AdaptiveTiles::doneAt() const {
    std::vector<std::uint32_t> doneAt = samples_;
    for (const std::uint32_t tile : active_) {
        doneAt[tile] = 0;
    }
    return doneAt;
}

void AdaptiveTiles::retire(const std::vector<std::uint32_t>& doneAt) {
    std::erase_if(active_, [&](std::uint32_t tile) { return doneAt[tile] != 0; });
    countActive();
}

void AdaptiveTiles::retire(const FilmSums& film, double noise) {
    const bool isSobol = !film.half.empty();
    std::vector<shared::FilmPixel> sums(film.pixelCount());
    forEachIndex(sums.size(), [&](std::size_t pixel) {
        sums[pixel] = filmPixel(film.radiance, isSobol ? film.half : film.squared, pixel);
    });
    std::vector<shared::PixelEstimate> pixels(sums.size());
    std::vector<shared::TileEstimate> tiles(samples_.size());
    std::vector<float> lights(samples_.size());
    std::vector<float> totals(samples_.size());
    std::vector<std::uint32_t> done = doneAt();
    const AdaptiveArrays arrays{
        addressOf(sums), addressOf(pixels), addressOf(tiles), addressOf(done), {addressOf(lights), addressOf(totals)}};
    forAdaptiveSteps(arrays, size_, activeSamples(), isSobol, noise, runStep);
    retire(done);
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
    countActive();
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
