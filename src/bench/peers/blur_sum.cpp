#include "bench/peers/blur_sum.h"

#include <algorithm>
#include <cmath>

namespace aureole::bench {

namespace {

constexpr int kRingsPerOctave = 12;
constexpr int kDirections = 48;

double dot(const KernelSamples& samples, const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum += a[i] * b[i] * samples.scale(i) * samples.scale(i);
    }
    return sum;
}

/// Minimises x G x - 2 b x over x >= 0, coordinate after coordinate.
std::vector<double> nonNegative(const std::vector<std::vector<double>>& gram, const std::vector<double>& right) {
    constexpr int kSweeps = 20000;
    constexpr double kEnough = 1e-12;
    std::vector<double> x(right.size(), 0.0);
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
        double moved = 0.0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            double rest = right[i];
            for (std::size_t j = 0; j < x.size(); ++j) {
                rest -= j == i ? 0.0 : gram[i][j] * x[j];
            }
            const double next = gram[i][i] > 0.0 ? std::max(rest / gram[i][i], 0.0) : 0.0;
            moved = std::max(moved, std::abs(next - x[i]));
            x[i] = next;
        }
        if (moved < kEnough) {
            break;
        }
    }
    return x;
}

} // namespace

KernelSamples::KernelSamples(const BloomKernel& kernel) {
    const glm::ivec2 centre(kernel.width / 2, kernel.height / 2);
    const glm::ivec2 size(kernel.width, kernel.height);
    const auto add = [&](const glm::ivec2& offset, double scale) {
        const glm::ivec2 texel = centre + offset;
        if (texel.x < 0 || texel.y < 0 || texel.x >= size.x || texel.y >= size.y) {
            return;
        }
        const std::size_t index = static_cast<std::size_t>(texel.y) * kernel.width + static_cast<std::size_t>(texel.x);
        offsets_.push_back(offset);
        scales_.push_back(scale);
        values_.push_back({kernel.planes[0][index], kernel.planes[1][index], kernel.planes[2][index]});
    };
    // A texel of the core counts as a ring does.
    add({0, 0}, std::sqrt(static_cast<double>(kDirections)));
    const double reach = std::max(kernel.width, kernel.height) / 2.0;
    for (int ring = 0; std::exp2(static_cast<double>(ring) / kRingsPerOctave) <= reach; ++ring) {
        const double radius = std::exp2(static_cast<double>(ring) / kRingsPerOctave);
        for (int direction = 0; direction < kDirections; ++direction) {
            const double angle = 2.0 * kPi * (direction + 0.5 * (ring % 2)) / kDirections;
            // The light of a ring's share of the plane.
            add({std::lround(radius * std::cos(angle)), std::lround(radius * std::sin(angle))}, radius * radius);
        }
    }
}

BlurFit fitBlurs(const KernelSamples& samples, const BlurResponses& responses) {
    const std::size_t terms = responses.size();
    std::vector<std::vector<double>> gram(terms, std::vector<double>(terms));
    for (std::size_t i = 0; i < terms; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            gram[i][j] = gram[j][i] = dot(samples, responses[i], responses[j]);
        }
    }
    BlurFit fit{std::vector<BlurWeights>(terms), 0.0};
    for (std::size_t colour = 0; colour < 3; ++colour) {
        std::vector<double> wanted(samples.offsets().size());
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            wanted[i] = samples.value(i, colour);
        }
        std::vector<double> right(terms);
        for (std::size_t i = 0; i < terms; ++i) {
            right[i] = dot(samples, responses[i], wanted);
        }
        const std::vector<double> weights = nonNegative(gram, right);
        for (std::size_t i = 0; i < terms; ++i) {
            fit.weights[i].at(colour) = weights[i];
            for (std::size_t sample = 0; sample < wanted.size(); ++sample) {
                wanted[sample] -= weights[i] * responses[i][sample];
            }
        }
        fit.residual += dot(samples, wanted, wanted);
    }
    return fit;
}

std::vector<double> imageResponse(const KernelSamples& samples) {
    std::vector<double> response(samples.offsets().size(), 0.0);
    for (std::size_t i = 0; i < response.size(); ++i) {
        response[i] = samples.offsets()[i] == glm::ivec2(0) ? 1.0 : 0.0;
    }
    return response;
}

} // namespace aureole::bench
