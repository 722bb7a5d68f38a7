// Interpolated spectra against the transform at those frequencies, in double.

#include <cmath>
#include <complex>
#include <random>
#include <tuple>

#include <gtest/gtest.h>

#include "bloom/resampling.h"
#include "core/math.h"

namespace aureole {
namespace {

using Complex = std::complex<double>;

/// The kernel's spectrum at a frequency in cycles per texel, its centre at the origin.
Complex spectrumAt(const std::vector<double>& texels, double frequency) {
    Complex sum = 0;
    const double centre = std::floor(static_cast<double>(texels.size()) / 2);
    for (std::size_t i = 0; i < texels.size(); ++i) {
        sum += std::polar(texels[i], -2 * kPi * frequency * (static_cast<double>(i) - centre));
    }
    return sum;
}

std::vector<double> randomTexels(std::uint32_t count) {
    std::mt19937 random(count);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    std::vector<double> texels(count);
    for (double& texel : texels) {
        texel = uniform(random);
    }
    return texels;
}

/// The largest error of the interpolated spectrum, relative to the kernel's sum.
double largestError(BloomResampling filter, std::uint32_t count, std::uint32_t compactPeriod, std::uint32_t period) {
    const std::vector<double> texels = randomTexels(count);
    const Resampling resampling(filter, static_cast<double>(compactPeriod) / count);
    std::vector<double> compensated = texels;
    for (std::uint32_t i = 0; i < count; ++i) {
        compensated[i] *= resampling.compensation((i - std::floor(static_cast<double>(count) / 2)) / compactPeriod);
    }
    std::vector<Complex> compact(compactPeriod);
    for (std::uint32_t m = 0; m < compactPeriod; ++m) {
        compact[m] = spectrumAt(compensated, static_cast<double>(m) / compactPeriod);
    }
    double largest = 0;
    for (std::uint32_t p = 0; p < period; ++p) {
        const Resampling::Taps taps = resampling.taps(p, period, compactPeriod);
        Complex value = 0;
        for (std::size_t i = 0; i < taps.weights.size(); ++i) {
            value += taps.weights[i] * compact[(taps.first + i) % compact.size()];
        }
        largest = std::max(largest, std::abs(value - spectrumAt(texels, static_cast<double>(p) / period)));
    }
    return largest / std::abs(spectrumAt(texels, 0));
}

TEST(Resampling, ByKaiserIsExactToAFewMillionthsAtTwiceTheKernel) {
    for (const auto& [count, compactPeriod, period] :
         {std::tuple{20U, 40U, 60U}, {21U, 42U, 45U}, {1U, 8U, 30U}, {31U, 64U, 500U}, {64U, 128U, 96U}}) {
        EXPECT_LE(largestError(BloomResampling::Kaiser, count, compactPeriod, period), 1e-5) << count;
    }
}

TEST(Resampling, ByKaiserNeedsRoomAroundTheKernel) {
    EXPECT_LE(largestError(BloomResampling::Kaiser, 32, 48, 100), 1e-4);
    EXPECT_LE(largestError(BloomResampling::Kaiser, 32, 40, 100), 2e-4);
    EXPECT_GE(largestError(BloomResampling::Kaiser, 32, 32, 100), 1e-3);
}

TEST(Resampling, BilinearlyKeepsTheCompactFrequenciesAndTheLight) {
    const Resampling resampling(BloomResampling::Bilinear, 1.0);
    for (std::uint32_t m = 0; m < 12; ++m) {
        const Resampling::Taps taps = resampling.taps(5 * m, 60, 12);
        EXPECT_EQ(taps.first, m);
        EXPECT_EQ(taps.weights, (std::vector<double>{1.0, 0.0}));
    }
    EXPECT_EQ(resampling.compensation(0.5), 1.0);
    EXPECT_GE(largestError(BloomResampling::Bilinear, 32, 32, 100), 1e-2);
}

} // namespace
} // namespace aureole
