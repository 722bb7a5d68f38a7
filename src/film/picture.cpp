#include "film/picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "core/error.h"
#include "core/threads/parallel.h"
#include "settings/aov.h"

namespace aureole {

namespace {

constexpr std::array kMeans = {"R", "G", "B"};
constexpr std::array kMoments = {"moment.R", "moment.G", "moment.B"};
constexpr std::array kHalvesA = {"halfA.R", "halfA.G", "halfA.B"};
constexpr std::array kHalvesB = {"halfB.R", "halfB.G", "halfB.B"};
constexpr std::array kVariances = {"variance.R", "variance.G", "variance.B"};
constexpr const char* kSampleCount = "samples.Y";
constexpr const char* kHits = "hits.Y";

} // namespace

IndexRanges partSamples(const Image& part, const std::string& file) {
    if (const std::string& version = attributeOf(part, kPartVersionAttribute); !version.empty()) {
        checkFormatVersion(file, version, kPartVersions);
    }
    if (part.attributes.contains(kCountsAttribute)) {
        fail(ExitCode::BadInput,
             "{}: found pixels with different numbers of samples ({}: {}), as render --noise makes them, or merge of "
             "parts with gaps; expected a part made by render --samples, with the same samples in every pixel",
             file, kCountsAttribute, attributeOf(part, kCountsAttribute));
    }
    const std::string& samples = attributeOf(part, kSamplesAttribute);
    if (samples.empty()) {
        fail(ExitCode::BadInput, "{}: found no attribute {}, expected a part made by render --samples", file,
             kSamplesAttribute);
    }
    return parseRanges(samples, fmt::format("{}: {}", file, kSamplesAttribute));
}

namespace {

std::string describeCounts(const FilmSums& film) {
    const auto [least, most] = std::minmax_element(film.counts.begin(), film.counts.end());
    const double sum = std::accumulate(film.counts.begin(), film.counts.end(), 0.0);
    return fmt::format("{} to {}, mean {:.6g}", *least, *most, sum / static_cast<double>(film.counts.size()));
}

/// Adds a channel, whose value at each pixel is value(index of the pixel, number of its samples).
template <typename Value>
void addChannel(Image& image, const FilmSums& film, const std::string& name, Value value) {
    std::vector<float>& values = image.add(name).values;
    const auto all = static_cast<double>(std::max<std::uint64_t>(film.sampleCount(), 1));
    forEachIndex(values.size(), [&](std::size_t i) {
        values[i] = static_cast<float>(value(i, film.counts.empty() ? all : std::max(1.0, 1.0 * film.counts[i])));
    });
}

void addPlane(Image& image, const FilmSums& film, const FilmPlane& plane) {
    addChannel(image, film, plane.channel, [&](std::size_t i, double n) {
        const double value = plane.values[i];
        switch (plane.rule) {
        case PlaneRule::Mean:
            return value / n;
        case PlaneRule::HitMean:
            return film.hits[i] > 0.0 ? value / film.hits[i] : 0.0;
        case PlaneRule::First:
            break;
        }
        return value;
    });
}

/// Adds the mean of the samples of even (0) or odd (1) index.
void addHalf(Image& image, const FilmSums& film, int half) {
    for (std::size_t c = 0; c < 3; ++c) {
        addChannel(image, film, half == 0 ? kHalvesA.at(c) : kHalvesB.at(c),
                   [&](std::size_t i, double /*n*/) { return film.meanOfHalf(i, c, half); });
    }
}

/// Adds the channels without which a part cannot be merged.
void addMoments(Image& image, const FilmSums& film) {
    for (std::size_t c = 0; !film.squared.empty() && c < 3; ++c) {
        addChannel(image, film, kMoments.at(c), [&](std::size_t i, double n) { return film.squared[3 * i + c] / n; });
    }
    if (!film.half.empty()) {
        addHalf(image, film, 0);
    }
    if (!film.hits.empty()) {
        addChannel(image, film, kHits, [&](std::size_t i, double n) { return film.hits[i] / n; });
    }
}

} // namespace

void noteSamples(Image& image, const FilmSums& film) {
    if (film.counts.empty()) {
        image.attributes[kSamplesAttribute] = formatRanges(film.samples);
    } else {
        image.attributes[kCountsAttribute] = describeCounts(film);
    }
}

Image filmImage(const FilmSums& film, bool moments) {
    Image image = makeImage(film.width, film.height, {});
    for (std::size_t c = 0; c < 3; ++c) {
        addChannel(image, film, kMeans.at(c), [&](std::size_t i, double n) { return film.radiance[3 * i + c] / n; });
    }
    if (moments) {
        addMoments(image, film);
    }
    for (const FilmPlane& plane : film.planes) {
        addPlane(image, film, plane);
    }
    if (film.halves && !moments) {
        addHalf(image, film, 0);
    }
    if (film.halves) {
        addHalf(image, film, 1);
    }
    for (std::size_t c = 0; film.variance && c < 3; ++c) {
        addChannel(image, film, kVariances.at(c),
                   [&](std::size_t i, double /*n*/) { return film.varianceOfMean(i, c); });
    }
    if (film.sampleCounts) {
        addChannel(image, film, kSampleCount,
                   [&](std::size_t i, double /*n*/) { return static_cast<double>(film.sampleCount(i)); });
    }
    noteSamples(image, film);
    return image;
}

namespace {

/// The rule of the layer that a channel is of. Channels of light groups begin with the groups' own names.
PlaneRule ruleOf(std::string_view channel) {
    const std::string_view layer = channel.substr(0, channel.rfind('.'));
    const auto* const row =
        std::find_if(kAovs.begin(), kAovs.end(), [&](const AovRow& aov) { return aov.layer == layer; });
    return row == kAovs.end() ? AovRow{}.rule : row->rule;
}

bool isOneOf(const std::string& name, std::span<const char* const> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// Takes the planes from the channels of a part that are neither R, G, B nor made of their sums.
void takePlanes(const Image& part, const std::string& file, FilmSums& film) {
    const auto count = static_cast<double>(film.sampleCount());
    if (const Channel* hits = part.find(kHits)) {
        for (const float share : hits->values) {
            film.hits.push_back(std::round(share * count));
        }
    }
    film.variance = part.find(kVariances[0]) != nullptr;
    film.sampleCounts = part.find(kSampleCount) != nullptr;
    film.halves = part.find(kHalvesB[0]) != nullptr;
    for (const Channel& channel : part.channels) {
        if (isOneOf(channel.name, kMeans) || isOneOf(channel.name, kMoments) || isOneOf(channel.name, kVariances) ||
            isOneOf(channel.name, kHalvesA) || isOneOf(channel.name, kHalvesB) || channel.name == kSampleCount ||
            channel.name == kHits) {
            continue;
        }
        FilmPlane plane{channel.name, ruleOf(channel.name), {}};
        if (plane.rule == PlaneRule::HitMean && film.hits.empty()) {
            fail(ExitCode::BadInput,
                 "{}: found no channel {}, which {} needs, expected a part made by render --samples", file, kHits,
                 channel.name);
        }
        plane.values.reserve(channel.values.size());
        for (std::size_t i = 0; i < channel.values.size(); ++i) {
            const double weight = plane.rule == PlaneRule::Mean      ? count
                                  : plane.rule == PlaneRule::HitMean ? film.hits[i]
                                                                     : 1.0;
            plane.values.push_back(weight * channel.values[i]);
        }
        film.planes.push_back(std::move(plane));
    }
}

} // namespace

void checkSums(const Image& part, const std::string& file) {
    for (const char* channel : kMeans) {
        if (part.find(channel) == nullptr) {
            fail(ExitCode::BadInput, "{}: found no channel {}, expected a part made by render --samples", file,
                 channel);
        }
    }
    for (const char* channel : part.find(kHalvesA[0]) != nullptr ? kHalvesA : kMoments) {
        if (part.find(channel) == nullptr) {
            fail(ExitCode::BadInput,
                 "{}: found no sums (no channel {}), as in a picture rendered without --samples, expected a part made "
                 "by render --samples",
                 file, channel);
        }
    }
}

std::string dropSums(Image& image) {
    const bool keepsHalves = image.find(kHalvesB[0]) != nullptr; // as layers that were asked for
    std::erase_if(image.channels, [&](const Channel& channel) {
        return isOneOf(channel.name, kMoments) || channel.name == kHits ||
               (!keepsHalves && isOneOf(channel.name, kHalvesA));
    });
    std::string samples = attributeOf(image, kSamplesAttribute);
    image.attributes.erase(kSamplesAttribute);
    return samples;
}

FilmSums filmFromImage(const Image& part, const std::string& file) {
    FilmSums film;
    film.width = part.width;
    film.height = part.height;
    film.samples = partSamples(part, file);
    film.radiance.resize(3 * part.pixelCount());
    const auto count = static_cast<double>(film.sampleCount());
    checkSums(part, file);
    const bool inHalves = part.find(kHalvesA[0]) != nullptr;
    RawVector<double>& spread = inHalves ? film.half : film.squared;
    const double spreadCount = inHalves ? static_cast<double>(film.evenCount()) : count;
    spread.resize(3 * part.pixelCount());
    for (std::size_t c = 0; c < 3; ++c) {
        const Channel* mean = part.find(kMeans[c]);
        const Channel* told = part.find(inHalves ? kHalvesA[c] : kMoments[c]);
        for (std::size_t i = 0; i < part.pixelCount(); ++i) {
            film.radiance[3 * i + c] = static_cast<double>(mean->values[i]) * count;
            spread[3 * i + c] = static_cast<double>(told->values[i]) * spreadCount;
        }
    }
    takePlanes(part, file, film);
    return film;
}

void checkLayersOf(const Image& part, const std::string& file, const Image& model, const std::string& modelFile) {
    for (const Channel& channel : model.channels) {
        if (part.find(channel.name) == nullptr) {
            fail(ExitCode::BadInput, "{}: found no channel {}, expected the layers of {}, which has it", file,
                 channel.name, modelFile);
        }
    }
}

} // namespace aureole
