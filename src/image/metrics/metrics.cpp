#include "image/metrics/metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/ranges.h>

#include "core/error.h"
#include "core/suggest.h"
#include "image/non_finite.h"

namespace aureole {

namespace {

void checkFinite(const NamedImage& image) {
    const auto rgb = image.image.rgb(image.name);
    if (const NonFinite found = findNonFinite(rgb, image.image.width)) {
        fail(ExitCode::BadInput, "{}: found {}, expected none", image.name, found.describe());
    }
    if (image.image.pixelCount() == 0) {
        fail(ExitCode::BadInput, "{}: found no pixels, expected at least one", image.name);
    }
}

/// Mean of difference(a, b) over all samples of R, G and B. Rows are summed on their own, so that sums stay small.
template <typename Difference>
double meanOver(const NamedImage& image, const NamedImage& reference, const Difference& difference) {
    checkComparable(image, reference);
    const auto a = image.image.rgb(image.name);
    const auto b = reference.image.rgb(reference.name);
    const std::size_t width = image.image.width;
    double sum = 0.0;
    for (std::size_t c = 0; c < 3; ++c) {
        for (std::size_t first = 0; first < image.image.pixelCount(); first += width) {
            double row = 0.0;
            for (std::size_t i = first; i < first + width; ++i) {
                row += difference(double{a[c]->values[i]}, double{b[c]->values[i]});
            }
            sum += row;
        }
    }
    return sum / (3.0 * static_cast<double>(image.image.pixelCount()));
}

/// The root of the mean of difference(a, b) over R, G and B of each pixel.
template <typename Difference>
Image rootMap(const NamedImage& image, const NamedImage& reference, const Difference& difference) {
    checkComparable(image, reference);
    const auto a = image.image.rgb(image.name);
    const auto b = reference.image.rgb(reference.name);
    Image result = makeImage(image.image.width, image.image.height, {"Y"});
    for (std::size_t i = 0; i < result.pixelCount(); ++i) {
        double sum = 0.0;
        for (std::size_t c = 0; c < 3; ++c) {
            sum += difference(double{a[c]->values[i]}, double{b[c]->values[i]});
        }
        result.channels[0].values[i] = static_cast<float>(std::sqrt(sum / 3.0));
    }
    return result;
}

double squared(double a, double b) {
    return (a - b) * (a - b);
}

double relativeSquared(double a, double b) {
    constexpr double kEpsilon = 0.01;
    return squared(a, b) / (b * b + kEpsilon);
}

} // namespace

const std::vector<std::string>& metricNames() {
    static const std::vector<std::string> kNames = {"mse", "rmse", "relmse", "psnr", "ssim"};
    return kNames;
}

Metric metricFromName(std::string_view name) {
    const std::vector<std::string>& names = metricNames();
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
        fail(ExitCode::Usage, "found the metric '{}', expected one of {}{}", name, fmt::join(names, ", "),
             didYouMean(name, names));
    }
    return static_cast<Metric>(found - names.begin());
}

bool smallerIsBetter(Metric metric) {
    return metric != Metric::Psnr && metric != Metric::Ssim;
}

void checkComparable(const NamedImage& image, const NamedImage& reference) {
    checkFinite(image);
    checkFinite(reference);
    if (image.image.width != reference.image.width || image.image.height != reference.image.height) {
        fail(ExitCode::BadInput, "{}: found {} x {} pixels, expected {} x {} as in {}", image.name, image.image.width,
             image.image.height, reference.image.width, reference.image.height, reference.name);
    }
}

double compareImages(Metric metric, const NamedImage& image, const NamedImage& reference) {
    switch (metric) {
    case Metric::Mse:
        return meanOver(image, reference, squared);
    case Metric::Rmse:
        return std::sqrt(meanOver(image, reference, squared));
    case Metric::RelMse:
        return meanOver(image, reference, relativeSquared);
    case Metric::Psnr: {
        const double mse = meanOver(image, reference, squared);
        return mse > 0.0 ? -10.0 * std::log10(mse) : std::numeric_limits<double>::infinity();
    }
    case Metric::Ssim:
        return ssim(image, reference);
    }
    fail(ExitCode::Internal, "a metric of value {}", static_cast<int>(metric));
}

Image errorMap(Metric metric, const NamedImage& image, const NamedImage& reference) {
    switch (metric) {
    case Metric::Mse:
    case Metric::Rmse:
    case Metric::Psnr:
        return rootMap(image, reference, squared);
    case Metric::RelMse:
        return rootMap(image, reference, relativeSquared);
    case Metric::Ssim:
        return ssimErrorMap(image, reference);
    }
    fail(ExitCode::Internal, "a metric of value {}", static_cast<int>(metric));
}

Image differenceImage(const NamedImage& image, const NamedImage& reference) {
    checkComparable(image, reference);
    const auto a = image.image.rgb(image.name);
    const auto b = reference.image.rgb(reference.name);
    Image result = makeImage(image.image.width, image.image.height, {"R", "G", "B"});
    for (std::size_t c = 0; c < 3; ++c) {
        std::transform(a[c]->values.begin(), a[c]->values.end(), b[c]->values.begin(),
                       result.channels[c].values.begin(), [](float x, float y) { return std::abs(x - y); });
    }
    return result;
}

double meanLuminance(const NamedImage& image) {
    checkFinite(image);
    const auto rgb = image.image.rgb(image.name);
    double sum = 0.0;
    for (std::size_t i = 0; i < image.image.pixelCount(); ++i) {
        sum += luminance(rgb[0]->values[i], rgb[1]->values[i], rgb[2]->values[i]);
    }
    return sum / static_cast<double>(image.image.pixelCount());
}

} // namespace aureole
