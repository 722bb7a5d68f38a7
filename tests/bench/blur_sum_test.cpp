// The blooms that come near the convolution: what they are of, against sums written down otherwise.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "bench/peers/boxes/boxes_peer.h"
#include "bench/peers/pyramid/pyramid_peer.h"
#include "gpu_test/gpu_test.h"

namespace aureole::bench {

namespace {

struct Plane {
    glm::ivec2 size{0};
    std::vector<double> values;

    explicit Plane(const glm::ivec2& of)
        : size(of)
        , values(static_cast<std::size_t>(of.x) * static_cast<std::size_t>(of.y), 0.0) {}
    double at(const glm::ivec2& p) const {
        const bool inside = p.x >= 0 && p.y >= 0 && p.x < size.x && p.y < size.y;
        return inside ? values[static_cast<std::size_t>(p.y * size.x + p.x)] : 0.0;
    }
    /// Between the middles of pixels, which stand at halves.
    double sample(double x, double y) const {
        const glm::ivec2 low(static_cast<int>(std::floor(x - 0.5)), static_cast<int>(std::floor(y - 0.5)));
        const double u = x - 0.5 - low.x;
        const double v = y - 0.5 - low.y;
        return (1.0 - v) * ((1.0 - u) * at(low) + u * at(low + glm::ivec2(1, 0))) +
               v * ((1.0 - u) * at(low + glm::ivec2(0, 1)) + u * at(low + glm::ivec2(1, 1)));
    }
};

/// Of a profile along both axes.
double responseAt(const std::vector<double>& profile, const glm::ivec2& offset) {
    const auto at = [&](int along) {
        const int place = static_cast<int>(profile.size() / 2) + along;
        return place >= 0 && place < static_cast<int>(profile.size()) ? profile[static_cast<std::size_t>(place)] : 0.0;
    };
    return at(offset.x) * at(offset.y);
}

class BlurSumTest : public gpu::GpuTest {
protected:
    static std::vector<float> run(BlurSum& blurs, const std::vector<float>& planes) {
        const gpu::Buffer input = device().createBufferWith(std::span<const float>(planes), "input");
        const gpu::Buffer output = device().createBuffer(input.size(), gpu::MemoryKind::Device, "output");
        gpu::CommandEncoder commands = device().encoder();
        blurs.execute(commands, output.address(), input.address());
        device().submit(std::move(commands)).wait();
        std::vector<float> result(planes.size());
        device().download(output, 0, std::as_writable_bytes(std::span(result)));
        return result;
    }
};

/// A plane of the values that a function has by pixel.
Plane planeOf(const glm::ivec2& size, const std::function<double(const glm::ivec2&)>& value) {
    Plane plane(size);
    for (int i = 0; i < size.x * size.y; ++i) {
        plane.values[static_cast<std::size_t>(i)] = value({i % size.x, i / size.x});
    }
    return plane;
}

/// The mean of the pixels beside each, along an axis.
Plane boxed(const Plane& plane, int radius, const glm::ivec2& along) {
    return planeOf(plane.size, [&](const glm::ivec2& at) {
        double sum = 0.0;
        for (int i = -radius; i <= radius; ++i) {
            sum += plane.at(at + i * along);
        }
        return sum / (2.0 * radius + 1.0);
    });
}

std::vector<float> randomPlanes(const glm::ivec2& size) {
    std::mt19937 random(3);
    std::uniform_real_distribution<float> uniform(0.0F, 1.0F);
    std::vector<float> planes(3 * static_cast<std::size_t>(size.x * size.y));
    std::generate(planes.begin(), planes.end(), [&] { return uniform(random); });
    return planes;
}

Plane planeOf(const glm::ivec2& size, const std::vector<float>& planes, std::size_t plane) {
    return planeOf(size, [&](const glm::ivec2& at) {
        return double{
            planes[plane * static_cast<std::size_t>(size.x * size.y) + static_cast<std::size_t>(at.y * size.x + at.x)]};
    });
}

void expectPlane(const Plane& expected, const std::vector<float>& planes, std::size_t plane, double tolerance = 1e-5) {
    const Plane found = planeOf(expected.size, planes, plane);
    for (std::size_t i = 0; i < found.values.size(); ++i) {
        ASSERT_NEAR(found.values[i], expected.values[i], tolerance) << "plane " << plane << ", pixel " << i;
    }
}

TEST_F(BlurSumTest, BoxesAreMeansAlongBothAxes) {
    const glm::ivec2 size(45, 38); // some boxes stick out on both sides
    const BlurWeights own = {0.5, 0.25, 0.0};
    const std::vector<BoxTerm> terms = {{{1, 2, 2}, {0.5, 1.0, 2.0}}, {{0, 3, 24}, {0.25, 0.0, 1.0}}};
    const std::vector<float> planes = randomPlanes(size);
    BoxesPeer boxes(device(), size, own, terms);
    const std::vector<float> found = run(boxes, planes);
    for (std::size_t p = 0; p < 3; ++p) {
        const Plane image = planeOf(size, planes, p);
        Plane expected = planeOf(size, [&](const glm::ivec2& at) { return own.at(p) * image.at(at); });
        for (const BoxTerm& term : terms) {
            Plane blurred = image;
            for (const glm::ivec2 along : {glm::ivec2(1, 0), glm::ivec2(0, 1)}) {
                for (const std::uint32_t radius : term.radii) {
                    blurred = boxed(blurred, static_cast<int>(radius), along);
                }
            }
            for (std::size_t i = 0; i < expected.values.size(); ++i) {
                expected.values[i] += term.weights.at(p) * blurred.values[i];
            }
        }
        expectPlane(expected, found, p);
    }
}

TEST_F(BlurSumTest, BoxesHaveTheDeviationsAskedFor) {
    for (const double sigma : {0.9, 2.0, 7.3, 40.0, 133.0}) {
        const std::vector<double> profile = boxProfile(boxRadii(sigma));
        const auto reach = static_cast<double>(profile.size() / 2);
        double sum = 0.0;
        double variance = 0.0;
        for (std::size_t i = 0; i < profile.size(); ++i) {
            sum += profile[i];
            variance += profile[i] * std::pow(static_cast<double>(i) - reach, 2.0);
        }
        EXPECT_NEAR(sum, 1.0, 1e-12);
        // Widths are odd numbers: half a step of one of them.
        EXPECT_NEAR(std::sqrt(variance), sigma, 1.0 / 6.0 + 0.125 / sigma);
    }
}

const std::vector<glm::ivec2> kCorners = {{-1, -1}, {1, -1}, {-1, 1}, {1, 1}};

/// By 13 samples between pixels, in five boxes, as the slides have them.
Plane halfOf(const Plane& above) {
    return planeOf((above.size + 1) / 2, [&](const glm::ivec2& at) {
        const auto box = [&](const glm::ivec2& middle) {
            double sum = 0.0;
            for (const glm::ivec2& corner : kCorners) {
                sum += above.sample(middle.x + corner.x, middle.y + corner.y) / 4.0;
            }
            return sum;
        };
        const glm::ivec2 middle = 2 * at + 1;
        double sum = 0.5 * box(middle);
        for (const glm::ivec2& corner : kCorners) {
            sum += 0.125 * box(middle + corner);
        }
        return sum;
    });
}

/// By nine samples of the level below.
double tentOf(const Plane& below, const glm::ivec2& at) {
    double sum = 0.0;
    for (int i = 0; i < 9; ++i) {
        const glm::ivec2 aside(i % 3 - 1, i / 3 - 1);
        const double weight = (2 - std::abs(aside.x)) * (2 - std::abs(aside.y)) / 16.0;
        sum += weight * below.sample(at.x / 2.0 + 0.25 + aside.x, at.y / 2.0 + 0.25 + aside.y);
    }
    return sum;
}

TEST_F(BlurSumTest, PyramidSamplesAsItsPaperDoes) {
    constexpr double kTolerance = 4e-3; // fp16, and places between pixels in steps of 1/256
    const glm::ivec2 size(13, 10);
    const std::vector<BlurWeights> weights = {{0.5, 0.0, 1.0}, {0.25, 1.0, 0.0}, {0.125, 0.5, 2.0}};
    const std::vector<float> planes = randomPlanes(size);
    PyramidPeer pyramid(device(), size, 2);
    pyramid.setWeights(weights);
    const std::vector<float> found = run(pyramid, planes);
    for (std::size_t p = 0; p < 3; ++p) {
        const Plane image = planeOf(size, planes, p);
        const Plane half = halfOf(image);
        const Plane quarter = halfOf(half);
        const Plane up = planeOf(half.size, [&](const glm::ivec2& at) {
            return weights[1].at(p) * half.at(at) + weights[2].at(p) * tentOf(quarter, at);
        });
        expectPlane(
            planeOf(size, [&](const glm::ivec2& at) { return weights[0].at(p) * image.at(at) + tentOf(up, at); }),
            found, p, kTolerance);
    }
}

TEST_F(BlurSumTest, WeightsAreFoundAgainAndNoneIsNegative) {
    BloomKernel kernel{31, 31, {}};
    const std::vector<double> narrow = boxProfile({1, 1, 2});
    const std::vector<double> wide = boxProfile({3, 4, 4});
    const std::array<double, 3> share = {0.5, 1.0, 2.0};
    for (std::size_t c = 0; c < 3; ++c) {
        for (int i = 0; i < 31 * 31; ++i) {
            const glm::ivec2 offset(i % 31 - 15, i / 31 - 15);
            kernel.planes.at(c).push_back(
                static_cast<float>((offset == glm::ivec2(0) ? 0.75 : 0.0) + share.at(c) * responseAt(wide, offset)));
        }
    }
    const KernelSamples samples(kernel);
    BlurResponses responses = {imageResponse(samples), {}, {}};
    for (const glm::ivec2& offset : samples.offsets()) {
        responses[1].push_back(responseAt(narrow, offset));
        responses[2].push_back(responseAt(wide, offset));
    }
    const BlurFit fit = fitBlurs(samples, responses);
    for (std::size_t c = 0; c < 3; ++c) {
        EXPECT_NEAR(fit.weights[0].at(c), 0.75, 1e-3);
        EXPECT_NEAR(fit.weights[1].at(c), 0.0, 1e-3);
        EXPECT_NEAR(fit.weights[2].at(c), share.at(c), 1e-3);
    }
    EXPECT_LT(fit.residual, 1e-6);
    // A kernel that is darker in the middle would take some of the narrow one away.
    responses.erase(responses.begin());
    for (std::size_t c = 0; c < 3; ++c) {
        kernel.planes.at(c)[kernel.planes.at(c).size() / 2] = 0.0F;
    }
    const BlurFit dark = fitBlurs(KernelSamples(kernel), responses);
    EXPECT_EQ(dark.weights[0].at(0), 0.0);
    EXPECT_GT(dark.weights[1].at(0), 0.3);
    EXPECT_GT(dark.residual, 0.0);
}

} // namespace

} // namespace aureole::bench
