#include "image/metrics/flip_filters.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "core/math.h"

namespace aureole {

namespace {

/// One Gaussian of a contrast sensitivity function: a sqrt(pi / b) exp(-pi^2 x^2 / b), x in degrees.
struct Sensitivity {
    double a;
    double b;
};

// Andersson et al. 2020, table 1.
constexpr Sensitivity kLuminance = {1.0, 0.0047};
constexpr Sensitivity kRedGreen = {1.0, 0.0053};
constexpr Sensitivity kBlueYellowNarrow = {34.1, 0.04};
constexpr Sensitivity kBlueYellowWide = {13.5, 0.025};
/// The width of an edge in sight, in degrees; its Gaussian has half of it as standard deviation.
constexpr double kEdgeWidth = 0.082;

/// Weights from the middle outwards.
using Half = std::vector<double>;

/// Rounded to floats, without the outer ones that are too small to show in a sum of floats.
FlipKernel kernelFrom(const Half& half, FlipSymmetry symmetry) {
    constexpr double kSmallest = 1e-9;
    std::size_t count = half.size();
    while (count > 1 && std::abs(half[count - 1]) < kSmallest) {
        --count;
    }
    FlipKernel kernel;
    kernel.symmetry = symmetry;
    std::transform(half.begin(), half.begin() + static_cast<std::ptrdiff_t>(count), std::back_inserter(kernel.weights),
                   [](double weight) { return static_cast<float>(weight); });
    return kernel;
}

/// The sum over both sides.
double total(const Half& half) {
    double sum = 0.0;
    for (std::size_t k = half.size(); k-- > 1;) {
        sum += 2.0 * half[k];
    }
    return sum + half[0];
}

Half sensitivityLine(const Sensitivity& function, double pixelsPerDegree, std::size_t radius) {
    Half half(radius + 1);
    for (std::size_t k = 0; k <= radius; ++k) {
        const double x = static_cast<double>(k) / pixelsPerDegree;
        half[k] = std::exp(-kPi * kPi * x * x / function.b);
    }
    return half;
}

Half scaled(Half half, double factor) {
    for (double& weight : half) {
        weight *= factor;
    }
    return half;
}

void addSensitivityFilters(FlipFilters& filters, double pixelsPerDegree) {
    // Three standard deviations of the widest of them, for all.
    const auto radius =
        static_cast<std::size_t>(std::ceil(3.0 * std::sqrt(kBlueYellowNarrow.b / (2.0 * kPi * kPi)) * pixelsPerDegree));
    const auto kernel = [&](const Sensitivity& function) {
        const Half half = sensitivityLine(function, pixelsPerDegree, radius);
        return kernelFrom(scaled(half, 1.0 / total(half)), FlipSymmetry::Even);
    };
    // What each Gaussian has of the sum over the square.
    const auto volume = [&](const Sensitivity& function) {
        const double line = total(sensitivityLine(function, pixelsPerDegree, radius));
        return function.a * std::sqrt(kPi / function.b) * line * line;
    };
    filters.luminance = kernel(kLuminance);
    filters.redGreen = kernel(kRedGreen);
    filters.blueYellowNarrow = kernel(kBlueYellowNarrow);
    filters.blueYellowWide = kernel(kBlueYellowWide);
    const double narrow = volume(kBlueYellowNarrow);
    filters.blueYellowShare = static_cast<float>(narrow / (narrow + volume(kBlueYellowWide)));
}

/// Positive weights scaled to sum to 1, negative ones to -1, over both sides.
Half balanced(Half half) {
    double positive = 0.0, negative = 0.0;
    for (std::size_t k = 0; k < half.size(); ++k) {
        const double weight = k == 0 ? half[k] : 2.0 * half[k];
        (weight > 0.0 ? positive : negative) += std::abs(weight);
    }
    for (double& weight : half) {
        const double sum = weight > 0.0 ? positive : negative;
        weight = sum > 0.0 ? weight / sum : 0.0;
    }
    return half;
}

void addFeatureFilters(FlipFilters& filters, double pixelsPerDegree) {
    const double deviation = 0.5 * kEdgeWidth * pixelsPerDegree;
    const auto radius = static_cast<std::size_t>(std::ceil(3.0 * deviation));
    Half gaussian(radius + 1), first(radius + 1), second(radius + 1);
    for (std::size_t k = 0; k <= radius; ++k) {
        const double x = static_cast<double>(k) / deviation;
        gaussian[k] = std::exp(-0.5 * x * x);
        first[k] = x * gaussian[k];
        second[k] = (x * x - 1.0) * gaussian[k];
    }
    filters.smooth = kernelFrom(scaled(gaussian, 1.0 / total(gaussian)), FlipSymmetry::Even);
    // The positive weights of an odd kernel are those of one side.
    double side = 0.0;
    for (const double weight : first) {
        side += weight;
    }
    filters.edge = kernelFrom(scaled(first, side > 0.0 ? 1.0 / side : 0.0), FlipSymmetry::Odd);
    filters.point = kernelFrom(balanced(second), FlipSymmetry::EvenOfZero);
}

/// sums[x] += weight * combine(a[x], b[x], middle[x])
template <typename Combine>
void addTaps(float weight, const float* a, const float* b, const float* middle, std::span<float> sums,
             const Combine& combine) {
    for (std::size_t i = 0; i < sums.size(); ++i) {
        sums[i] += weight * combine(a[i], b[i], middle[i]);
    }
}

/// out[x] = the sum over the kernel's taps, those at distance k read from before(k)[x] and after(k)[x].
template <typename Before, typename After>
void filterLine(const FlipKernel& kernel, const Before& before, const After& after, std::span<float> out) {
    constexpr std::size_t kBlock = 256; // sums that stay in the nearest cache
    const float inMiddle = kernel.symmetry == FlipSymmetry::Even ? kernel.weights[0] : 0.0F;
    std::array<float, kBlock> block{};
    for (std::size_t begin = 0; begin < out.size(); begin += kBlock) {
        const std::span<float> sums = std::span(block).first(std::min(kBlock, out.size() - begin));
        const float* const middle = after(0) + begin;
        std::transform(middle, middle + sums.size(), sums.begin(), [&](float value) { return inMiddle * value; });
        for (std::size_t k = 1; k < kernel.weights.size(); ++k) {
            const float weight = kernel.weights[k];
            const float* const a = before(k) + begin;
            const float* const b = after(k) + begin;
            switch (kernel.symmetry) {
            case FlipSymmetry::Even:
                addTaps(weight, a, b, middle, sums, [](float x, float y, float) { return x + y; });
                break;
            case FlipSymmetry::EvenOfZero:
                addTaps(weight, a, b, middle, sums, [](float x, float y, float m) { return (x - m) + (y - m); });
                break;
            case FlipSymmetry::Odd:
                addTaps(weight, a, b, middle, sums, [](float x, float y, float) { return y - x; });
                break;
            }
        }
        std::copy(sums.begin(), sums.end(), out.begin() + static_cast<std::ptrdiff_t>(begin));
    }
}

} // namespace

FlipFilters flipFilters(double pixelsPerDegree) {
    FlipFilters filters;
    addSensitivityFilters(filters, pixelsPerDegree);
    addFeatureFilters(filters, pixelsPerDegree);
    return filters;
}

std::vector<float> flipFilterDown(const FlipKernel& kernel, const FlipPlane& plane, std::size_t y) {
    std::vector<float> result(plane.width);
    const auto above = [&](std::size_t k) { return plane.values + (y - std::min(k, y)) * plane.width; };
    const auto below = [&](std::size_t k) { return plane.values + std::min(y + k, plane.height - 1) * plane.width; };
    filterLine(kernel, above, below, result);
    return result;
}

std::vector<float> flipFilterAlong(const FlipKernel& kernel, std::span<const float> line) {
    const std::size_t radius = kernel.radius();
    std::vector<float> padded(line.size() + 2 * radius);
    const auto begin = padded.begin() + static_cast<std::ptrdiff_t>(radius);
    std::fill(padded.begin(), begin, line.front());
    std::fill(std::copy(line.begin(), line.end(), begin), padded.end(), line.back());

    std::vector<float> result(line.size());
    const auto left = [&](std::size_t k) { return padded.data() + radius - k; };
    const auto right = [&](std::size_t k) { return padded.data() + radius + k; };
    filterLine(kernel, left, right, result);
    return result;
}

} // namespace aureole
