#include "image/colour/meter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "settings/limits.h"

namespace aureole {

namespace {

/// The luminances of the pixels that count, in the order of the picture.
std::vector<float> luminances(const Image& image, bool associated, const std::string& file) {
    const std::array<const Channel*, 3> rgb = image.rgb(file);
    const Channel* const alpha = associated ? image.find("A") : nullptr;
    std::vector<float> found;
    found.reserve(image.pixelCount());
    for (std::size_t i = 0; i < image.pixelCount(); ++i) {
        const double cover = alpha != nullptr && alpha->values[i] > 0.0F ? alpha->values[i] : 1.0;
        const double light = luminance(rgb[0]->values[i], rgb[1]->values[i], rgb[2]->values[i]) / cover;
        const auto value = static_cast<float>(light);
        if (std::isfinite(value) && value > 0.0F) {
            found.push_back(value);
        }
    }
    return found;
}

/// In the order of the values, so that it is the same every time.
double logAverage(const std::vector<float>& values) {
    double sum = 0.0;
    for (const float value : values) {
        sum += std::log2(double{value});
    }
    return sum / static_cast<double>(values.size());
}

/// The logarithm of the least value that `percentile` of them do not exceed.
double logPercentile(std::vector<float>& values, double percentile) {
    const auto count = static_cast<double>(values.size());
    const auto place =
        static_cast<std::ptrdiff_t>(std::clamp(std::ceil(percentile / 100.0 * count) - 1.0, 0.0, count - 1.0));
    std::nth_element(values.begin(), values.begin() + place, values.end());
    return std::log2(double{values[static_cast<std::size_t>(place)]});
}

} // namespace

std::optional<double> meteredStops(const Image& image, double percentile, bool associated, const std::string& file) {
    constexpr double kMiddleGrey = 0.18;
    std::vector<float> values = luminances(image, associated, file);
    if (values.empty()) {
        return std::nullopt;
    }
    const double stops =
        percentile > 0.0 ? -logPercentile(values, percentile) : std::log2(kMiddleGrey) - logAverage(values);
    return std::clamp(stops, -kMaximumExposure, kMaximumExposure);
}

} // namespace aureole
