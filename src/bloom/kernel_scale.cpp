#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "bloom/kernel.h"
#include "core/error.h"
#include "settings/limits.h"

namespace aureole {

namespace {

struct Plane {
    std::uint32_t width;
    std::uint32_t height;
    std::vector<float> values;
};

/// Texels along an axis that hold what comes of so many. Odd ones stay odd, so that the centre stays in the middle.
std::uint32_t scaledTaps(std::uint32_t taps, double scale) {
    const auto needed = static_cast<std::uint32_t>(std::ceil((taps + 1) * scale));
    return std::max(needed + (needed + taps) % 2, 1U);
}

/// The plane scaled along x, and stored transposed.
Plane scaledAlongX(const Plane& plane, std::uint32_t width, double scale) {
    const double reach = std::max(scale, 1.0); // of the tent, in texels of the target
    const auto centre = static_cast<std::int64_t>(plane.width / 2);
    const auto middle = static_cast<std::int64_t>(width / 2); // of the target
    Plane result{plane.height, width, std::vector<float>(std::size_t{plane.height} * width)};
    for (std::uint32_t x = 0; x < width; ++x) {
        const auto place = static_cast<double>(x - middle);
        const auto first = static_cast<std::int64_t>(std::floor((place - reach) / scale)) + centre;
        const auto last = static_cast<std::int64_t>(std::ceil((place + reach) / scale)) + centre;
        for (std::int64_t i = std::max<std::int64_t>(first, 0); i <= std::min<std::int64_t>(last, plane.width - 1);
             ++i) {
            const double distance = std::abs(static_cast<double>(i - centre) * scale - place) / reach;
            const double weight = std::max(1.0 - distance, 0.0);
            for (std::uint32_t y = 0; weight > 0.0 && y < plane.height; ++y) {
                const float value = plane.values[std::size_t{y} * plane.width + static_cast<std::size_t>(i)];
                result.values[std::size_t{x} * plane.height + y] += static_cast<float>(weight * value);
            }
        }
    }
    return result;
}

/// Multiplies the values so that they sum to what they did.
void keepSum(const std::vector<float>& from, std::vector<float>& to) {
    const double before = std::accumulate(from.begin(), from.end(), 0.0);
    const double after = std::accumulate(to.begin(), to.end(), 0.0);
    if (after != 0.0) {
        std::transform(to.begin(), to.end(), to.begin(),
                       [=](float value) { return static_cast<float>(value * (before / after)); });
    }
}

} // namespace

BloomKernel scaledKernel(BloomKernel kernel, double scale, const std::string& file) {
    if (scale == 1.0) {
        return kernel;
    }
    if ((std::max(kernel.width, kernel.height) + 2) * scale > kMaximumKernelSize) {
        fail(ExitCode::BadInput,
             "{}: bloom kernel: found {}x{} pixels to be scaled by {:g}, expected at most {} a side then", file,
             kernel.width, kernel.height, scale, kMaximumKernelSize);
    }
    const std::uint32_t width = scaledTaps(kernel.width, scale);
    const std::uint32_t height = scaledTaps(kernel.height, scale);
    for (std::vector<float>& values : kernel.planes) {
        const Plane along = scaledAlongX({kernel.width, kernel.height, values}, width, scale);
        Plane scaled = scaledAlongX(along, height, scale);
        keepSum(values, scaled.values);
        values = std::move(scaled.values);
    }
    kernel.width = width;
    kernel.height = height;
    return kernel;
}

} // namespace aureole
