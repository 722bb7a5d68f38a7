#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "core/error.h"
#include "core/threads/parallel.h"
#include "image/metrics/metrics.h"

namespace aureole {

namespace {

constexpr std::size_t kWindow = 11;

std::array<double, kWindow> gaussianWeights() {
    constexpr double kSigma = 1.5;
    std::array<double, kWindow> weights{};
    for (std::size_t i = 0; i < kWindow; ++i) {
        const double distance = static_cast<double>(i) - std::floor(0.5 * static_cast<double>(kWindow));
        weights[i] = std::exp(-distance * distance / (2.0 * kSigma * kSigma));
    }
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (double& weight : weights) {
        weight /= sum;
    }
    return weights;
}

/// Weighted moments of two images under a window: of a, b, a^2, b^2, ab.
using Moments = std::array<double, 5>;

/// Structural similarity from the moments, Wang et al. 2004, equation 13.
double similarity(const Moments& m) {
    constexpr double kC1 = 0.01 * 0.01, kC2 = 0.03 * 0.03;
    const double varianceA = m[2] - m[0] * m[0];
    const double varianceB = m[3] - m[1] * m[1];
    const double covariance = m[4] - m[0] * m[1];
    return (2.0 * m[0] * m[1] + kC1) * (2.0 * covariance + kC2) /
           ((m[0] * m[0] + m[1] * m[1] + kC1) * (varianceA + varianceB + kC2));
}

/// Two planes of the same image size.
struct Pair {
    const std::vector<float>& a;
    const std::vector<float>& b;
    std::size_t width;
};

/// The moments of one column of the window, rows `top` and below, summed with the weights.
Moments columnMoments(const Pair& pair, const std::array<double, kWindow>& weights, std::size_t x, std::size_t top) {
    Moments moments{};
    for (std::size_t j = 0; j < kWindow; ++j) {
        const std::size_t i = (top + j) * pair.width + x;
        const double a = pair.a[i];
        const double b = pair.b[i];
        const Moments terms = {a, b, a * a, b * b, a * b};
        for (std::size_t k = 0; k < moments.size(); ++k) {
            moments[k] += weights[j] * terms[k];
        }
    }
    return moments;
}

/// Adds the similarities of all windows whose first row is `top` to `row`, from the left. The window is a product, so
/// columns come first.
void addSimilarities(const Pair& pair, const std::array<double, kWindow>& weights, std::size_t top,
                     std::span<double> row) {
    std::vector<Moments> columns(pair.width);
    for (std::size_t x = 0; x < pair.width; ++x) {
        columns[x] = columnMoments(pair, weights, x, top);
    }
    for (std::size_t x = 0; x < row.size(); ++x) {
        Moments moments{};
        for (std::size_t j = 0; j < kWindow; ++j) {
            for (std::size_t k = 0; k < moments.size(); ++k) {
                moments[k] += weights[j] * columns[x + j][k];
            }
        }
        row[x] += similarity(moments);
    }
}

/// Similarities of all windows within the images, summed over R, G and B.
struct Similarities {
    std::size_t columns = 0;
    std::size_t rows = 0;
    std::vector<double> sums;
};

Similarities similarities(const NamedImage& image, const NamedImage& reference) {
    checkComparable(image, reference);
    const std::size_t width = image.image.width;
    const std::size_t height = image.image.height;
    if (width < kWindow || height < kWindow) {
        fail(ExitCode::BadInput, "{}: found {} x {} pixels, expected at least {} a side for SSIM", image.name, width,
             height, kWindow);
    }
    const auto a = image.image.rgb(image.name);
    const auto b = reference.image.rgb(reference.name);
    const std::array<double, kWindow> weights = gaussianWeights();
    Similarities result{width - kWindow + 1, height - kWindow + 1, {}};
    result.sums.resize(result.columns * result.rows);
    parallelFor(static_cast<std::int64_t>(result.rows), 2, [&](std::int64_t y) {
        const auto top = static_cast<std::size_t>(y);
        const std::span<double> row = std::span(result.sums).subspan(top * result.columns, result.columns);
        for (std::size_t c = 0; c < 3; ++c) {
            addSimilarities({a[c]->values, b[c]->values, width}, weights, top, row);
        }
    });
    return result;
}

} // namespace

double ssim(const NamedImage& image, const NamedImage& reference) {
    const Similarities found = similarities(image, reference);
    double sum = 0.0;
    for (std::size_t y = 0; y < found.rows; ++y) {
        const auto row = found.sums.begin() + static_cast<std::ptrdiff_t>(y * found.columns);
        sum += std::accumulate(row, row + static_cast<std::ptrdiff_t>(found.columns), 0.0);
    }
    return sum / (3.0 * static_cast<double>(found.sums.size()));
}

Image ssimErrorMap(const NamedImage& image, const NamedImage& reference) {
    const Similarities found = similarities(image, reference);
    Image result = makeImage(image.image.width, image.image.height, {"Y"});
    // The window about a pixel, or the nearest to it.
    const auto first = [](std::size_t middle, std::size_t count) {
        return std::min(middle - std::min(middle, kWindow / 2), count - 1);
    };
    for (std::size_t y = 0; y < result.height; ++y) {
        for (std::size_t x = 0; x < result.width; ++x) {
            const double sum = found.sums[first(y, found.rows) * found.columns + first(x, found.columns)];
            result.channels[0].values[y * result.width + x] = static_cast<float>(1.0 - sum / 3.0);
        }
    }
    return result;
}

} // namespace aureole
