#include "film/state.h"

#include <cstring>
#include <utility>

#include "core/error.h"
#include "core/threads/parallel.h"
#include "film/film_pixel.h"

namespace aureole {

namespace {

template <typename T>
T elementAt(const std::vector<std::byte>& bytes, std::size_t index) {
    T element;
    std::memcpy(&element, &bytes[index * sizeof(T)], sizeof(T));
    return element;
}

} // namespace

FilmTotal::FilmTotal(glm::uvec2 size, FilmLayout layout)
    : size_(size)
    , layout_(std::move(layout))
    , tiles_(size) {}

void FilmTotal::makeRoom() {
    radiance_.resize(3 * pixelCount());
    spread_.resize(3 * pixelCount());
    layers_.resize(layerCount());
}

void FilmTotal::add(const FilmState& part) {
    if (part.samples.empty()) {
        return;
    }
    IndexRanges samples = samples_;
    samples.insert(samples.end(), part.samples.begin(), part.samples.end());
    samples = joinRanges(std::move(samples));
    makeRoom();
    addPixels(part); // this and all below allocates nothing, so it throws nothing
    addLayers(part);
    samples_ = std::move(samples);
    tiles_.reached(samples_.back().second);
}

void FilmTotal::addPixels(const FilmState& part) {
    const bool isFirst = samples_.empty();
    forEachIndex(pixelCount(), [&](std::size_t i) {
        const auto pixel = elementAt<shared::FilmPixel>(part.film, i);
        for (int c = 0; c < 3; ++c) {
            const std::size_t at = 3 * i + static_cast<std::size_t>(c);
            const double radiance = static_cast<double>(pixel.radiance[c]) + pixel.radianceRest[c];
            const double spread = static_cast<double>(pixel.spread[c]) + pixel.spreadRest[c];
            radiance_[at] = isFirst ? radiance : radiance_[at] + radiance;
            spread_[at] = isFirst ? spread : spread_[at] + spread;
        }
    });
}

void FilmTotal::addLayers(const FilmState& part) {
    const std::size_t count = layout_.layers.count;
    const bool isFirst = samples_.empty();
    forEachIndex(layers_.size(), [&](std::size_t at) {
        const auto layer = elementAt<shared::LayerPixel>(part.layers, at);
        const double value = static_cast<double>(layer.sum) + layer.rest;
        if (shared::layerCounts(static_cast<std::uint32_t>(at % count), layout_.layers.first[AOV_INSTANCE], isFirst)) {
            layers_[at] = isFirst ? value : layers_[at] + value;
        }
    });
}

FilmSums FilmTotal::film() const& {
    return FilmTotal(*this).film();
}

FilmSums FilmTotal::film() && {
    if (samples_.empty()) {
        radiance_.assign(3 * pixelCount(), 0.0);
        spread_.assign(3 * pixelCount(), 0.0);
        layers_.assign(layerCount(), 0.0);
    }
    FilmSums film;
    film.width = size_.x;
    film.height = size_.y;
    film.samples = std::move(samples_);
    film.radiance = std::move(radiance_);
    (layout_.sampler == SamplerKind::Sobol ? film.half : film.squared) = std::move(spread_);
    addPlanes(film, layout_, layers_);
    return film;
}

FilmState FilmTotal::state() const {
    FilmState state;
    state.samples = samples_;
    tiles_.save(state);
    state.film.resize(pixelCount() * sizeof(shared::FilmPixel));
    state.layers.resize(layerCount() * sizeof(shared::LayerPixel));
    if (samples_.empty()) {
        return state; // all of it 0
    }
    for (std::size_t i = 0; i < pixelCount(); ++i) {
        const shared::FilmPixel pixel = filmPixel(radiance_, spread_, i);
        std::memcpy(&state.film[i * sizeof(pixel)], &pixel, sizeof(pixel));
    }
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        const SumPair value = toPair(layers_[i]);
        const shared::LayerPixel layer{value.sum, value.rest};
        std::memcpy(&state.layers[i * sizeof(layer)], &layer, sizeof(layer));
    }
    return state;
}

void FilmTotal::restore(const FilmState& state, const std::string& file) {
    const std::size_t filmBytes = pixelCount() * sizeof(shared::FilmPixel);
    const std::size_t layerBytes = layerCount() * sizeof(shared::LayerPixel);
    if (state.film.size() != filmBytes || state.layers.size() != layerBytes || state.adaptive) {
        fail(ExitCode::BadInput, "{}: found {} bytes of film and {} of layers{}, expected {} and {}", file,
             state.film.size(), state.layers.size(), state.adaptive ? " of adaptive sampling" : "", filmBytes,
             layerBytes);
    }
    FilmTotal restored(size_, layout_);
    restored.tiles_.restore(state, file);
    restored.add(state);
    *this = std::move(restored);
}

} // namespace aureole
