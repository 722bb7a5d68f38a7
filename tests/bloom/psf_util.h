#pragma once

// Measurements on kernels.

#include <cmath>
#include <cstdint>
#include <numeric>

#include "bloom/psf/frame.h"

namespace aureole::testing {

inline double sumOf(const BloomKernel& kernel, std::size_t channel) {
    const std::vector<float>& plane = kernel.planes.at(channel);
    return std::accumulate(plane.begin(), plane.end(), 0.0);
}

/// The texel at an offset from the centre.
inline double texel(const BloomKernel& kernel, std::int64_t x, std::int64_t y, std::size_t channel) {
    const std::int64_t column = x + kernel.width / 2;
    const std::int64_t row = y + kernel.height / 2;
    return kernel.planes.at(channel)[static_cast<std::size_t>(row * kernel.width + column)];
}

/// The light within a distance of the centre, in texels; those on the rim count in part (8 x 8 samples).
inline double lightWithin(const BloomKernel& kernel, double radius, std::size_t channel) {
    double sum = 0.0;
    const auto bound = static_cast<std::int64_t>(std::ceil(radius)) + 1;
    for (std::int64_t y = -bound; y <= bound; ++y) {
        for (std::int64_t x = -bound; x <= bound; ++x) {
            int inside = 0;
            for (int i = 0; i < 64; ++i) {
                const int row = i / 8;
                inside += std::hypot(static_cast<double>(x) + (i % 8 + 0.5) / 8 - 0.5,
                                     static_cast<double>(y) + (row + 0.5) / 8 - 0.5) < radius
                              ? 1
                              : 0;
            }
            sum += inside == 0 ? 0.0 : texel(kernel, x, y, channel) * inside / 64;
        }
    }
    return sum;
}

/// The mean distance from the centre of the light within `radius` texels.
inline double meanDistance(const BloomKernel& kernel, std::int64_t radius, std::size_t channel) {
    double sum = 0.0;
    double light = 0.0;
    for (std::int64_t y = -radius; y <= radius; ++y) {
        for (std::int64_t x = -radius; x <= radius; ++x) {
            const double distance = std::hypot(static_cast<double>(x), static_cast<double>(y));
            if (distance <= static_cast<double>(radius)) {
                sum += distance * texel(kernel, x, y, channel);
                light += texel(kernel, x, y, channel);
            }
        }
    }
    return sum / light;
}

/// The sum over the n x n fine texels that make the coarse texel at an offset, n odd. Both kernels have odd sizes.
inline double blockSum(const BloomKernel& fine, std::int64_t x, std::int64_t y, std::int64_t n, std::size_t channel) {
    double sum = 0.0;
    for (std::int64_t j = -n / 2; j <= n / 2; ++j) {
        for (std::int64_t i = -n / 2; i <= n / 2; ++i) {
            sum += texel(fine, n * x + i, n * y + j, channel);
        }
    }
    return sum;
}

} // namespace aureole::testing
