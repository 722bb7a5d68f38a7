#pragma once

// Sums over the pixels about each pixel of a plane.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/math.h"
#include "core/threads/parallel.h"

namespace aureole {

/// The place of a pixel in a plane of such a width; of the first one below a plane, how many pixels that has.
inline std::size_t pixelIndex(const glm::ivec2& pixel, int width) {
    return static_cast<std::size_t>(pixel.y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(pixel.x);
}

/// The sum over the pixels that lie up to `reach` to either side along x and along y, as far as these are in the plane.
/// A plane is a vector with a value a pixel, row by row.
template <typename Plane>
Plane windowSums(Plane plane, const glm::ivec2& size, int reach) {
    using Value = typename Plane::value_type;
    Plane alongRows(plane.size());
    parallelFor(size.y, 16, [&](std::int64_t row) {
        const int y = static_cast<int>(row);
        for (int x = 0; x < size.x; ++x) {
            Value sum{};
            for (int i = std::max(x - reach, 0); i <= std::min(x + reach, size.x - 1); ++i) {
                sum += plane[pixelIndex({i, y}, size.x)];
            }
            alongRows[pixelIndex({x, y}, size.x)] = sum;
        }
    });
    parallelFor(size.y, 16, [&](std::int64_t row) {
        const int y = static_cast<int>(row);
        std::fill_n(&plane[pixelIndex({0, y}, size.x)], size.x, Value{});
        for (int i = std::max(y - reach, 0); i <= std::min(y + reach, size.y - 1); ++i) {
            for (int x = 0; x < size.x; ++x) {
                plane[pixelIndex({x, y}, size.x)] += alongRows[pixelIndex({x, i}, size.x)];
            }
        }
    });
    return plane;
}

} // namespace aureole
