#include "session/denoise/denoise_input.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <fmt/format.h>

#include "core/error.h"
#include "core/threads/parallel.h"
#include "denoise/holes.h"
#include "image/attributes.h"

namespace aureole {

namespace {

/// Glare begins at this many times the geometric mean of the picture's luminance. What is darker than the last counts
/// as black, and not there: a scene on black would have no lamp that does not dazzle.
constexpr double kGlareOfNetwork = 64.0;
constexpr double kGlareOfFilter = 1024.0;
constexpr double kDarkest = 1e-8;
/// Pixels that a lamp's edge may be blurred by, as the filter of the picture has a few.
constexpr std::size_t kEdgeOfLamp = 3;

bool hasAll(const Image& image, const ChannelNames& names) {
    return std::all_of(names.begin(), names.end(), [&](const auto& name) { return image.find(name) != nullptr; });
}

/// The second half of a part, which holds the mean of all samples and that of the first half.
std::vector<float> restOfPart(const Image& image, const FilmSums& counts, const std::vector<float>& half) {
    const auto all = static_cast<double>(counts.sampleCount());
    const auto even = static_cast<double>(counts.evenCount());
    std::vector<float> rest = interleaved(image, kPictureChannels);
    for (std::size_t i = 0; i < rest.size(); ++i) {
        rest[i] = static_cast<float>((all * rest[i] - even * half[i]) / (all - even));
    }
    return rest;
}

/// Adds the two halves of the samples, if there are two.
void addHalves(const Image& image, const std::string& file, DenoiseInput& input) {
    FilmSums counts; // of no samples where the image does not tell, as after adaptive sampling
    if (const std::string& ranges = attributeOf(image, kSamplesAttribute); !ranges.empty()) {
        counts.samples = parseRanges(ranges, fmt::format("{}: {}", file, kSamplesAttribute));
        if (!hasTwoHalves(counts)) {
            return;
        }
    }
    std::vector<float> half = interleaved(image, {"halfA.R", "halfA.G", "halfA.B"});
    std::vector<float> other = interleaved(image, {"halfB.R", "halfB.G", "halfB.B"});
    if (!half.empty() && other.empty() && hasTwoHalves(counts)) {
        other = restOfPart(image, counts, half);
    }
    if (!half.empty() && !other.empty()) {
        input.half = std::move(half);
        input.otherHalf = std::move(other);
    }
}

/// The light groups of an image.
std::vector<ChannelNames> lightGroups(const Image& image) {
    std::vector<ChannelNames> groups;
    for (const Channel& channel : image.channels) {
        if (channel.name.starts_with("group.") && channel.name.ends_with(".R")) {
            const std::string layer = channel.name.substr(0, channel.name.size() - 1);
            const ChannelNames names = {layer + "R", layer + "G", layer + "B"};
            if (hasAll(image, names)) {
                groups.push_back(names);
            }
        }
    }
    return groups;
}

/// Whether groups add up to the picture but for what floats round, where both are finite.
bool addUp(const Image& image, const std::vector<ChannelNames>& groups) {
    constexpr double kRounding = 1e-3;
    for (std::size_t c = 0; c < 3; ++c) {
        const std::vector<float>& whole = image.find(kPictureChannels.at(c))->values;
        std::vector<double> sums(whole.size());
        for (const ChannelNames& group : groups) {
            const std::vector<float>& values = image.find(group.at(c))->values;
            std::transform(sums.begin(), sums.end(), values.begin(), sums.begin(), std::plus<>());
        }
        for (std::size_t i = 0; i < whole.size(); ++i) {
            const bool isKnown = std::isfinite(sums[i]) && std::isfinite(whole[i]);
            if (isKnown && std::abs(sums[i] - whole[i]) > kRounding * (1e-3 + std::abs(whole[i]))) {
                return false;
            }
        }
    }
    return true;
}

std::vector<float> luminancesOf(const std::vector<float>& colours) {
    std::vector<float> luminances(colours.size() / 3);
    for (std::size_t i = 0; i < luminances.size(); ++i) {
        luminances[i] = static_cast<float>(luminance(colours[3 * i], colours[3 * i + 1], colours[3 * i + 2]));
    }
    return luminances;
}

/// The mean of the luminances that are not black; 0 where all are.
double geometricMean(const std::vector<float>& luminances) {
    double logarithms = 0.0;
    std::size_t lit = 0;
    for (const double light : luminances) {
        if (light > kDarkest) {
            logarithms += std::log(light);
            ++lit;
        }
    }
    return lit > 0 ? std::exp(logarithms / static_cast<double>(lit)) : 0.0;
}

/// Which pixels have more than `most`, or one within kEdgeOfLamp pixels of them along either axis.
std::vector<bool> isAboutMore(const std::vector<float>& values, std::uint32_t width, double most) {
    std::vector<bool> isAbout(values.size(), false);
    const std::size_t height = values.size() / width;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i] <= most) {
            continue;
        }
        const std::size_t column = i % width;
        const std::size_t row = i / width;
        for (std::size_t y = row - std::min(row, kEdgeOfLamp); y <= std::min(row + kEdgeOfLamp, height - 1); ++y) {
            const std::size_t first = column - std::min(column, kEdgeOfLamp);
            const std::size_t end = std::min<std::size_t>(column + kEdgeOfLamp + 1, width);
            std::fill(isAbout.begin() + static_cast<std::ptrdiff_t>(y * width + first),
                      isAbout.begin() + static_cast<std::ptrdiff_t>(y * width + end), true);
        }
    }
    return isAbout;
}

} // namespace

std::vector<float> interleaved(const Image& image, const ChannelNames& names) {
    std::vector<float> values;
    if (hasAll(image, names)) {
        values.resize(3 * image.pixelCount());
        for (std::size_t c = 0; c < 3; ++c) {
            const std::vector<float>& plane = image.find(names.at(c))->values;
            forEachIndex(plane.size(), [&](std::size_t i) { values[3 * i + c] = plane[i]; });
        }
    }
    return values;
}

bool hasTwoHalves(const FilmSums& film) {
    return film.evenCount() > 0 && film.evenCount() < film.sampleCount();
}

std::vector<ChannelNames> denoisedColours(const Image& image, const std::string& file) {
    if (!hasAll(image, kPictureChannels)) {
        fail(ExitCode::BadInput, "{}: found no channels R, G and B, expected a picture in colour", file);
    }
    std::vector<ChannelNames> groups = lightGroups(image);
    return !groups.empty() && addUp(image, groups) ? groups : std::vector<ChannelNames>{kPictureChannels};
}

DenoiseInput featuresOf(const Image& image, const std::string& file) {
    DenoiseInput input;
    input.width = image.width;
    input.height = image.height;
    takeSeen(image, input);
    addHalves(image, file, input);
    return input;
}

void takeSeen(const Image& image, DenoiseInput& input) {
    input.albedo = interleaved(image, {"albedo.R", "albedo.G", "albedo.B"});
    input.normal = interleaved(image, {"N.X", "N.Y", "N.Z"});
    if (const Channel* depth = image.find("depth.Z")) {
        input.depth = depth->values;
    }
    for (std::vector<float>* const plane : {&input.albedo, &input.normal, &input.depth}) {
        zeroHoles(*plane);
    }
}

std::vector<float> shareOf(const std::vector<float>& values, const std::vector<float>& colour,
                           const std::vector<float>& whole) {
    std::vector<float> share(values.size());
    forEachIndex(values.size(), [&](std::size_t i) {
        share[i] = whole[i] > 0.0F ? values[i] * std::min(colour[i] / whole[i], 1.0F) : 0.0F;
    });
    return share;
}

std::vector<float> emissionOf(const Image& image, const std::vector<float>& whole) {
    std::vector<float> emission = interleaved(image, {"emission.R", "emission.G", "emission.B"});
    zeroHoles(emission);
    for (std::size_t i = 0; i < emission.size(); ++i) {
        emission[i] = std::min(emission[i], std::max(whole[i], 0.0F));
    }
    return emission;
}

std::vector<float> glareOf(const Image& image, const std::vector<float>& whole, DenoiserKind denoiser) {
    std::vector<float> glare = interleaved(image, {"emission.R", "emission.G", "emission.B"});
    zeroHoles(glare);
    if (glare.empty()) {
        return glare;
    }
    const bool ofFilter = denoiser == DenoiserKind::Builtin;
    const double most = (ofFilter ? kGlareOfFilter : kGlareOfNetwork) * geometricMean(luminancesOf(whole));
    const std::vector<float> lights = luminancesOf(glare);
    const std::vector<bool> isAside = ofFilter ? isAboutMore(lights, image.width, most) : std::vector<bool>();
    for (std::size_t i = 0; i < lights.size(); ++i) {
        const double light = lights[i];
        const double beyond = light > most ? (light - most) / light : 0.0;
        const double share = !ofFilter ? beyond : isAside[i] ? 1.0 : 0.0;
        for (std::size_t c = 3 * i; c < 3 * i + 3; ++c) {
            glare[c] = std::min(static_cast<float>(share * glare[c]), std::max(whole[c], 0.0F));
        }
    }
    return glare;
}

} // namespace aureole
