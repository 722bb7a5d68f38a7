#pragma once

// A pixel of the film as devices keep it.

#include <cmath>
#include <cstddef>

#include "core/raw_vector.h"
#include "shared/path/path_work.h"

namespace aureole {

/// A sum as devices keep it: rounded to a float, and the rest that the rounding took away.
struct SumPair {
    float sum = 0.0F;
    float rest = 0.0F;
};

inline SumPair toPair(double value) {
    const auto sum = static_cast<float>(value);
    return {sum, std::isfinite(sum) ? static_cast<float>(value - sum) : 0.0F};
}

/// A pixel of a film, from sums in double: R, G, B of each pixel; `spread` as SampleSums has it.
inline shared::FilmPixel filmPixel(const RawVector<double>& radiance, const RawVector<double>& spread,
                                   std::size_t pixel) {
    shared::FilmPixel result{};
    for (int c = 0; c < 3; ++c) {
        const std::size_t at = 3 * pixel + static_cast<std::size_t>(c);
        const SumPair light = toPair(radiance[at]);
        const SumPair scatter = toPair(spread[at]);
        result.radiance[c] = light.sum;
        result.radianceRest[c] = light.rest;
        result.spread[c] = scatter.sum;
        result.spreadRest[c] = scatter.rest;
    }
    return result;
}

} // namespace aureole
