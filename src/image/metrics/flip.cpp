#include "image/metrics/flip.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>

#include "core/error.h"
#include "image/metrics/flip_error.h"

namespace aureole {

namespace {

using Colours = std::array<const Channel*, 3>;

// Narkowicz, "ACES Filmic Tone Mapping Curve", 2016: (a x^2 + b x) / (c x^2 + d x + e), on 0.6 of the exposure, which
// takes back the exposure that ACES has built in.
constexpr double kBuiltIn = 0.6;
constexpr double kA = kBuiltIn * kBuiltIn * 2.51;
constexpr double kB = kBuiltIn * 0.03;
constexpr double kC = kBuiltIn * kBuiltIn * 2.43;
constexpr double kD = kBuiltIn * 0.59;
constexpr double kE = 0.14;

/// Clipped to [0, 1], from a value of any size.
float aces(double value) {
    constexpr double kWhite = 1e6; // far beyond white, yet its square is finite
    const auto x = static_cast<float>(std::clamp(value, 0.0, kWhite));
    const float mapped = (static_cast<float>(kA) * x + static_cast<float>(kB)) * x /
                         ((static_cast<float>(kC) * x + static_cast<float>(kD)) * x + static_cast<float>(kE));
    return std::min(mapped, 1.0F);
}

/// What the curve maps to `target`.
double acesInverse(double target) {
    const double a = kA - target * kC;
    const double b = kB - target * kD;
    const double c = -target * kE;
    return (-b + std::sqrt(b * b - 4.0 * a * c)) / (2.0 * a);
}

void checkPixelsPerDegree(double pixelsPerDegree) {
    if (!(pixelsPerDegree >= kFlipLeastPixelsPerDegree && pixelsPerDegree <= kFlipMostPixelsPerDegree)) {
        fail(ExitCode::Usage, "FLIP: found {} pixels per degree, expected {} to {}", pixelsPerDegree,
             kFlipLeastPixelsPerDegree, kFlipMostPixelsPerDegree);
    }
}

/// Luminances of all pixels, values below 0 taken as 0.
std::vector<double> luminances(const NamedImage& image) {
    const Colours rgb = image.image.rgb(image.name);
    std::vector<double> result(image.image.pixelCount());
    for (std::size_t i = 0; i < result.size(); ++i) {
        const auto value = [&](std::size_t c) { return std::max(double{rgb[c]->values[i]}, 0.0); };
        result[i] = luminance(value(0), value(1), value(2));
    }
    return result;
}

double median(std::vector<double>& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// Sums over small ranges of errors find the range, and only its errors are sorted.
double weightedMedian(const std::vector<float>& errors, double sum) {
    constexpr std::size_t kRanges = 4096;
    const auto range = [](float error) { return static_cast<std::size_t>(error * float{kRanges - 1}); };
    std::vector<double> sums(kRanges);
    for (const float error : errors) {
        sums[range(error)] += error;
    }
    double below = 0.0;
    std::size_t found = 0;
    while (found + 1 < kRanges && below + sums[found] <= 0.5 * sum) {
        below += sums[found++];
    }
    std::vector<float> values;
    std::copy_if(errors.begin(), errors.end(), std::back_inserter(values),
                 [&](float error) { return range(error) == found; });
    std::sort(values.begin(), values.end());
    for (const float value : values) {
        below += value;
        if (below > 0.5 * sum) {
            return value;
        }
    }
    return values.empty() ? 0.0 : values.back();
}

void addStatistics(FlipResult& result) {
    const std::vector<float>& errors = result.map.find("Y")->values;
    const double sum = std::accumulate(errors.begin(), errors.end(), 0.0);
    result.mean = sum / static_cast<double>(errors.size());
    result.weightedMedian = weightedMedian(errors, sum);
    result.maximum = *std::max_element(errors.begin(), errors.end());
}

/// The image through `curve`, which maps values to [0, 1].
template <typename Curve>
OpponentImage mapped(const NamedImage& image, const Curve& curve) {
    const Colours rgb = image.image.rgb(image.name);
    return opponentImage(image.image.width, image.image.height, [&](std::size_t i) {
        return glm::vec3(curve(rgb[0]->values[i]), curve(rgb[1]->values[i]), curve(rgb[2]->values[i]));
    });
}

} // namespace

FlipResult ldrFlip(const NamedImage& image, const NamedImage& reference, double pixelsPerDegree) {
    checkComparable(image, reference);
    checkPixelsPerDegree(pixelsPerDegree);
    const auto clip = [](float value) { return std::clamp(value, 0.0F, 1.0F); };
    FlipResult result;
    result.map = makeImage(image.image.width, image.image.height, {"Y"});
    result.map.channels[0].values =
        flipErrors(mapped(image, clip), mapped(reference, clip), flipFilters(pixelsPerDegree));
    addStatistics(result);
    return result;
}

FlipExposures flipExposures(const NamedImage& image, const NamedImage& reference) {
    checkComparable(image, reference);
    constexpr double kShown = 0.85;
    std::vector<double> values = luminances(reference);
    if (*std::max_element(values.begin(), values.end()) <= 0.0) {
        values = luminances(image);
    }
    const double largest = *std::max_element(values.begin(), values.end());
    if (largest <= 0.0) {
        return {}; // both are black
    }
    double middle = median(values);
    if (middle <= 0.0) {
        values.erase(std::remove(values.begin(), values.end(), 0.0), values.end());
        middle = median(values);
    }
    FlipExposures result;
    result.first = std::log2(acesInverse(kShown) / largest);
    const double stops = std::log2(largest / middle);
    result.last = result.first + stops;
    result.count = static_cast<std::uint32_t>(std::max(2.0, std::ceil(stops)));
    return result;
}

FlipResult hdrFlip(const NamedImage& image, const NamedImage& reference, double pixelsPerDegree) {
    checkComparable(image, reference);
    checkPixelsPerDegree(pixelsPerDegree);
    const FlipFilters filters = flipFilters(pixelsPerDegree);
    const FlipExposures exposures = flipExposures(image, reference);
    FlipResult result;
    result.exposures = exposures;
    result.map = makeImage(image.image.width, image.image.height, {"Y", "exposure"});
    std::vector<float>& errors = result.map.channels[0].values;
    std::vector<float>& stops = result.map.channels[1].values;
    std::fill(stops.begin(), stops.end(), static_cast<float>(exposures.first));
    for (std::uint32_t e = 0; e < exposures.count; ++e) {
        const double scale = std::exp2(exposures.at(e));
        const auto expose = [&](float value) { return aces(scale * double{value}); };
        const std::vector<float> these = flipErrors(mapped(image, expose), mapped(reference, expose), filters);
        for (std::size_t i = 0; i < errors.size(); ++i) {
            if (these[i] > errors[i]) {
                errors[i] = these[i];
                stops[i] = static_cast<float>(exposures.at(e));
            }
        }
    }
    addStatistics(result);
    return result;
}

} // namespace aureole
