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

} // namespace

ZTest zTest(const FilmSums& film, double expected) {
    constexpr double kSignificance = 0.001;
    const std::size_t values = film.radiance.size();
    const auto n = static_cast<double>(film.sampleCount());
    ZTest result;
    result.pixelLimit = twoSidedQuantile(1.0 - std::pow(1.0 - kSignificance, 1.0 / static_cast<double>(values)));
    double sum = 0.0;
    double variances = 0.0;
    for (std::size_t i = 0; i < values; ++i) {
        const double mean = film.radiance[i] / n;
        // A floor as in Mitsuba's tests, for pixels that happen to have seen no variance.
        const double variance = std::max(film.squared[i] / n - mean * mean, 1e-8) * n / (n - 1.0);
        result.worstPixel = std::max(result.worstPixel, std::abs(mean - expected) / std::sqrt(variance / n));
        sum += mean;
        variances += variance / n;
    }
    // Grey scenes have equal channels, so a picture has a third as many independent values.
    result.pictureMean = sum / static_cast<double>(values);
    result.pictureZ = (result.pictureMean - expected) * static_cast<double>(values) / std::sqrt(3.0 * variances);
    return result;
}

ZTest zTestOfTwo(const FilmSums& a, const FilmSums& b) {
    constexpr double kSignificance = 0.001;
    const std::size_t values = a.radiance.size();
    const auto na = static_cast<double>(a.sampleCount());
    const auto nb = static_cast<double>(b.sampleCount());
    ZTest result;
    result.pixelLimit = twoSidedQuantile(1.0 - std::pow(1.0 - kSignificance, 1.0 / static_cast<double>(values)));
    double sum = 0.0;
    double difference = 0.0;
    double variances = 0.0;
    const auto varianceOfMean = [](const FilmSums& film, double n, std::size_t i) {
        const double mean = film.radiance[i] / n;
        return std::max(film.squared[i] / n - mean * mean, 1e-8) / (n - 1.0);
    };
    for (std::size_t i = 0; i < values; ++i) {
        const double gap = a.radiance[i] / na - b.radiance[i] / nb;
        const double variance = varianceOfMean(a, na, i) + varianceOfMean(b, nb, i);
        result.worstPixel = std::max(result.worstPixel, std::abs(gap) / std::sqrt(variance));
        sum += a.radiance[i] / na;
        difference += gap;
        variances += variance;
    }
    result.pictureMean = sum / static_cast<double>(values);
    // At worst a pixel's channels are one number three times.
    result.pictureZ = difference / std::sqrt(3.0 * variances);
    return result;
}

FilmSums brightened(FilmSums film, double times) {
    for (std::size_t i = 0; i < film.radiance.size(); ++i) {
        film.radiance[i] *= times;
        film.squared[i] *= times * times;
    }
    return film;
}

} // namespace aureole
