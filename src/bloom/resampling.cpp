#include "bloom/resampling.h"

#include <algorithm>
#include <cmath>

#include "core/math.h"

namespace aureole {

namespace {

constexpr std::uint32_t kKaiserTaps = 6;

/// sinh(sqrt(x)) / sqrt(x), and sin(sqrt(-x)) / sqrt(-x) below zero.
double sinhOverRoot(double x) {
    constexpr double kTiny = 1e-8;
    if (std::abs(x) < kTiny) {
        return 1.0 + x / 6.0;
    }
    const double root = std::sqrt(std::abs(x));
    return (x > 0 ? std::sinh(root) : std::sin(root)) / root;
}

} // namespace

std::uint32_t tapCount(BloomResampling filter) {
    return filter == BloomResampling::Kaiser ? kKaiserTaps : 2;
}

double usualOversampling(BloomResampling filter) {
    return filter == BloomResampling::Kaiser ? 2.0 : 1.0;
}

Resampling::Resampling(BloomResampling filter, double oversampling)
    : filter_(filter) {
    // Beatty et al., "Rapid Gridding Reconstruction With a Minimal Oversampling Ratio", 2005, equation 5.
    const double width = kKaiserTaps / oversampling * (oversampling - 0.5);
    shape_ = kPi * std::sqrt(width * width - 0.8);
}

double Resampling::compensation(double distance) const {
    if (filter_ == BloomResampling::Bilinear) {
        return 1.0; // to divide by sinc^2 would save the tails and, with them, raise their copies
    }
    const double phase = kPi * kKaiserTaps * distance;
    return sinhOverRoot(shape_ * shape_) / sinhOverRoot(shape_ * shape_ - phase * phase);
}

Resampling::Taps Resampling::taps(std::uint32_t frequency, std::uint32_t period, std::uint32_t compactPeriod) const {
    const std::uint64_t scaled = std::uint64_t{frequency} * compactPeriod;
    const auto below = static_cast<std::uint32_t>(scaled / period);
    const double fraction = static_cast<double>(scaled % period) / period;
    const std::uint32_t count = tapCount(filter_);
    const std::uint32_t before = count / 2 - 1; // taps below the nearest one from below
    Taps taps{(below + compactPeriod - before) % compactPeriod, {}};
    taps.weights.reserve(count);
    double sum = 0.0;
    for (std::uint32_t i = 0; i < count; ++i) {
        const double distance = std::abs(fraction + before - i);
        taps.weights.push_back(filter_ == BloomResampling::Bilinear ? 1.0 - distance : window(2.0 * distance / count));
        sum += taps.weights.back();
    }
    // A constant spectrum stays one: the centre of a kernel, which is most of it, has no copies.
    for (double& weight : taps.weights) {
        weight /= sum;
    }
    return taps;
}

double Resampling::window(double reach) const {
    return std::cyl_bessel_i(0.0, shape_ * std::sqrt(std::max(0.0, 1.0 - reach * reach)));
}

} // namespace aureole
