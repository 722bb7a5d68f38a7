#include "session/denoise/seen_layers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/divide_up.h"
#include "core/error.h"
#include "core/threads/parallel.h"
#include "core/to_number.h"
#include "denoise/denoise.h"
#include "denoise/holes.h"
#include "image/attributes.h"
#include "render/path_tracer.h"
#include "session/denoise/denoise_input.h"
#include "settings/limits.h"

namespace aureole {

namespace {

constexpr std::array<std::string_view, 4> kSeen = {"albedo", "N", "depth", "emission"};

constexpr std::string_view kPrefix = "seen.";

bool isSeen(const FilmPlane& plane) {
    const std::string_view layer = std::string_view(plane.channel).substr(0, plane.channel.rfind('.'));
    return std::find(kSeen.begin(), kSeen.end(), layer) != kSeen.end();
}

/// The channel of R, G and B that a plane of light seen directly is about; none of the others.
std::optional<std::size_t> emissionChannel(const FilmPlane& plane) {
    constexpr std::array<std::string_view, 3> kEmission = {"emission.R", "emission.G", "emission.B"};
    const auto* const found = std::find(kEmission.begin(), kEmission.end(), plane.channel);
    return found == kEmission.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - kEmission.begin()));
}

/// What the picture has of a channel in a pixel.
float meanOf(const FilmSums& film, std::size_t pixel, std::size_t channel) {
    const auto samples = static_cast<double>(film.sampleCount(pixel));
    return samples > 0.0 ? static_cast<float>(film.radiance[3 * pixel + channel] / samples) : 0.0F;
}

/// The samples of a pixel, on average.
std::uint64_t meanCount(const FilmSums& film) {
    return film.counts.empty()
               ? film.sampleCount()
               : std::accumulate(film.counts.begin(), film.counts.end(), std::uint64_t{0}) / film.counts.size();
}

ChannelNames coloursOf(const std::string& layer) {
    return {layer + ".R", layer + ".G", layer + ".B"};
}

/// A layer's colours, finite and not negative.
std::vector<float> layerOf(const Image& image, const std::string& layer) {
    std::vector<float> values = interleaved(image, coloursOf(layer));
    zeroHoles(values);
    for (float& value : values) {
        value = std::max(value, 0.0F);
    }
    return values;
}

} // namespace

std::optional<SeenLayers> seenLayers(const FilmSums& film, const LayersOf& layersOf, std::uint32_t beside) {
    constexpr std::uint64_t kBatch = PathTracer::kBatchSize;
    const std::uint64_t first = divideUp(film.samples.back().second, kBatch) * kBatch;
    const std::uint64_t end = first + beside * meanCount(film);
    if (end > kMaximumSamplesPerPixel) {
        return std::nullopt;
    }
    const FilmSums more = layersOf(static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(end));
    SeenLayers seen{makeImage(film.width, film.height, {}), more.sampleCount()};
    for (std::size_t number = 0; number < film.planes.size() && seen.samples > 0; ++number) {
        const FilmPlane& plane = film.planes[number];
        if (!isSeen(plane)) {
            continue;
        }
        std::vector<float>& values = seen.image.add(plane.channel).values;
        const std::optional<std::size_t> channel = emissionChannel(plane);
        forEachIndex(values.size(), [&](std::size_t i) {
            const double weight = plane.rule == PlaneRule::HitMean
                                      ? film.hits[i] + more.hits[i]
                                      : static_cast<double>(film.sampleCount(i) + seen.samples);
            values[i] =
                weight > 0.0 ? static_cast<float>((plane.values[i] + more.planes[number].values[i]) / weight) : 0.0F;
            if (channel && plane.values[i] == 0.0) {
                values[i] = std::min(values[i], meanOf(film, i, *channel));
            }
        });
    }
    return seen.samples > 0 ? std::optional(std::move(seen)) : std::nullopt;
}

void addSeenLayers(Image& image, SeenLayers seen) {
    for (Channel& channel : seen.image.channels) {
        image.add(fmt::format("{}{}", kPrefix, channel.name)).values = std::move(channel.values);
    }
    image.attributes[kSeenAttribute] = fmt::format("{}", seen.samples);
}

std::optional<SeenLayers> seenLayersIn(const Image& image, const std::string& file) {
    SeenLayers seen{makeImage(image.width, image.height, {}), 0};
    for (const Channel& channel : image.channels) {
        if (channel.name.starts_with(kPrefix)) {
            seen.image.add(channel.name.substr(kPrefix.size())).values = channel.values;
        }
    }
    if (seen.image.channels.empty()) {
        return std::nullopt;
    }
    const std::string& rays = attributeOf(image, kSeenAttribute);
    seen.samples = toNumber<std::uint64_t>(rays).value_or(0);
    if (seen.samples == 0) {
        fail(ExitCode::BadInput,
             "{}: found the attribute {} \"{}\", expected the number of camera rays of the layers {}*", file,
             kSeenAttribute, rays, kPrefix);
    }
    return seen;
}

void seeAs(const Image& picture, const Image& seen, std::vector<float>& whole,
           std::span<std::vector<float>* const> parts) {
    const std::vector<float> albedo = layerOf(picture, "albedo");
    const std::vector<float> emission = layerOf(picture, "emission");
    const std::vector<float> seenAlbedo = layerOf(seen, "albedo");
    const std::vector<float> seenEmission = layerOf(seen, "emission");
    if (albedo.empty() || emission.empty() || seenAlbedo.empty() || seenEmission.empty()) {
        return;
    }
    forEachIndex(whole.size(), [&](std::size_t i) {
        const float reflected = std::max(whole[i] - emission[i], 0.0F);
        const float before = whole[i];
        const float now = reflected * ((seenAlbedo[i] + kLeastAlbedo) / (albedo[i] + kLeastAlbedo)) + seenEmission[i];
        whole[i] = std::min(now, kBrightest);
        for (std::vector<float>* const part : parts) {
            // Where there was next to nothing it tells no share: what comes of it may be infinite.
            const float scaled = (*part)[i] * (whole[i] / before);
            (*part)[i] = before > 0.0F && std::abs(scaled) < kBrightest ? scaled : whole[i];
        }
    });
}

} // namespace aureole
