// Kernels of images made wider or narrower, against closed forms.

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "bloom/kernel.h"
#include "core/error.h"

namespace aureole {
namespace {

/// A Gaussian of that sigma in texels, about the centre, of another light in each channel.
BloomKernel gaussian(std::uint32_t width, std::uint32_t height, double sigma) {
    BloomKernel kernel{width, height, {}};
    for (std::size_t c = 0; c < 3; ++c) {
        for (std::uint32_t y = 0; y < height; ++y) {
            for (std::uint32_t x = 0; x < width; ++x) {
                const double dx = static_cast<double>(x) - width / 2;
                const double dy = static_cast<double>(y) - height / 2;
                kernel.planes.at(c).push_back(static_cast<float>(
                    static_cast<double>(c + 1) * std::exp(-(dx * dx + dy * dy) / (2.0 * sigma * sigma))));
            }
        }
    }
    return kernel;
}

struct Moments {
    double sum = 0.0;
    double meanX = 0.0; ///< from the centre
    double meanY = 0.0;
    double variance = 0.0; ///< along x
};

Moments momentsOf(const BloomKernel& kernel, std::size_t channel) {
    Moments m;
    for (std::uint32_t y = 0; y < kernel.height; ++y) {
        for (std::uint32_t x = 0; x < kernel.width; ++x) {
            const double value = kernel.planes.at(channel)[std::size_t{y} * kernel.width + x];
            const double dx = static_cast<double>(x) - kernel.width / 2;
            m.sum += value;
            m.meanX += value * dx;
            m.meanY += value * (static_cast<double>(y) - kernel.height / 2);
            m.variance += value * dx * dx;
        }
    }
    m.meanX /= m.sum;
    m.meanY /= m.sum;
    m.variance /= m.sum;
    return m;
}

// A tent of half-width r adds a variance of r^2 / 6 to what it goes over.
TEST(KernelScale, SpreadsByTheFactorAboutTheCentre) {
    for (const auto& [width, height] : {std::pair{65U, 49U}, std::pair{64U, 51U}}) {
        const BloomKernel kernel = gaussian(width, height, 4.0);
        for (const double scale : {0.5, 0.8, 1.5, 3.0}) {
            const BloomKernel scaled = scaledKernel(kernel, scale, "kernel");
            EXPECT_EQ(scaled.width % 2, width % 2);
            EXPECT_EQ(scaled.height % 2, height % 2);
            EXPECT_NEAR(scaled.width, (width + 1) * scale, 2.0);
            const double tent = std::max(scale, 1.0);
            for (std::size_t c = 0; c < 3; ++c) {
                const Moments before = momentsOf(kernel, c);
                const Moments after = momentsOf(scaled, c);
                EXPECT_NEAR(after.sum, before.sum, 1e-5 * before.sum) << scale;
                EXPECT_NEAR(after.meanX, 0.0, 1e-3) << scale;
                EXPECT_NEAR(after.meanY, 0.0, 1e-3) << scale;
                EXPECT_NEAR(after.variance, scale * scale * before.variance + tent * tent / 6.0, 0.02 * after.variance)
                    << scale;
            }
        }
        EXPECT_EQ(scaledKernel(kernel, 1.0, "kernel").planes, kernel.planes);
    }
}

TEST(KernelScale, TooWideIsNamed) {
    try {
        scaledKernel(gaussian(400, 3, 1.0), 50.0, "wide.exr");
        ADD_FAILURE() << "expected an error";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::BadInput);
        EXPECT_NE(std::string(error.what()).find("wide.exr: bloom kernel: found 400x3"), std::string::npos);
    }
}

} // namespace
} // namespace aureole
