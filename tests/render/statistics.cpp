#include "statistics.h"

#include <algorithm>
#include <cmath>

namespace aureole {

namespace {

/// The z that a normal variable exceeds in absolute value with probability p, by bisection on erfc.
double twoSidedQuantile(double p) {
    double low = 0.0;
    double high = 40.0;
    for (int i = 0; i < 100; ++i) {
        const double middle = 0.5 * (low + high);
        (std::erfc(middle / std::sqrt(2.0)) > p ? low : high) = middle;
    }
    return high;
}

/// The significance of a whole test, in all its values.
constexpr double kSignificance = 0.001;

double pixelLimit(std::size_t values) {
    return twoSidedQuantile(1.0 - std::pow(1.0 - kSignificance, 1.0 / static_cast<double>(values)));
}

struct Estimate {
    double mean;
    double variance; ///< of the mean
};

Estimate estimate(const FilmSums& film, std::size_t value) {
    const auto n = static_cast<double>(film.sampleCount());
    const double mean = film.radiance[value] / n;
    // A floor as in Mitsuba's tests, for pixels that happen to have seen no variance.
    return {mean, std::max(film.squared[value] / n - mean * mean, 1e-8) / (n - 1.0)};
}

} // namespace

ZTest zTest(const FilmSums& film, double expected) {
    const std::size_t values = film.radiance.size();
    ZTest result;
    result.pixelLimit = pixelLimit(values);
    double sum = 0.0;
    double variances = 0.0;
    for (std::size_t i = 0; i < values; ++i) {
        const Estimate pixel = estimate(film, i);
        result.worstPixel = std::max(result.worstPixel, std::abs(pixel.mean - expected) / std::sqrt(pixel.variance));
        sum += pixel.mean;
        variances += pixel.variance;
    }
    // Grey scenes have equal channels, so a picture has a third as many independent values.
    result.pictureMean = sum / static_cast<double>(values);
    result.pictureZ = (sum - expected * static_cast<double>(values)) / std::sqrt(3.0 * variances);
    return result;
}

FilmComparison compareFilms(const FilmSums& a, const FilmSums& b) {
    const std::size_t values = a.radiance.size();
    FilmComparison result;
    result.pixelLimit = pixelLimit(values);
    double sumA = 0.0;
    double sumB = 0.0;
    double variances = 0.0;
    for (std::size_t i = 0; i < values; ++i) {
        const Estimate first = estimate(a, i);
        const Estimate second = estimate(b, i);
        const double variance = first.variance + second.variance;
        result.worstPixel = std::max(result.worstPixel, std::abs(first.mean - second.mean) / std::sqrt(variance));
        sumA += first.mean;
        sumB += second.mean;
        variances += variance;
    }
    result.pictureMean = sumA / static_cast<double>(values);
    result.otherMean = sumB / static_cast<double>(values);
    result.pictureZ = (sumA - sumB) / std::sqrt(3.0 * variances);
    return result;
}

} // namespace aureole
