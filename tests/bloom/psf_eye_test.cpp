// The eye's glare against the paper's formulas, integrated here.

#include <gtest/gtest.h>

#include "bloom/psf/eye.h"
#include "bloom/psf/flare_lines.h"
#include "bloom/psf/gaussians.h"
#include "core/error.h"
#include "core/math.h"
#include "psf_util.h"

namespace aureole {
namespace {

using testing::lightWithin;
using testing::texel;

/// A component over the sphere's cap within an angle, by the midpoint rule over the logarithm of the angle.
double lightOfCap(std::size_t component, double degrees, double nanometres) {
    constexpr int kSteps = 40000;
    const double low = std::log(1e-5);
    const double step = (std::log(degrees) - low) / kSteps;
    double sum = 0.0;
    for (int i = 0; i < kSteps; ++i) {
        const double angle = std::exp(low + (i + 0.5) * step);
        const double radians = angle * kPi / 180.0;
        sum += eyeDensity(component, angle, nanometres) * 2.0 * kPi * std::sin(radians) * radians * step;
    }
    return sum;
}

TEST(Eye, ComponentsIntegrateToOneOverTheHemisphere) {
    for (std::size_t component = 0; component < kEyeComponents; ++component) {
        EXPECT_NEAR(lightOfCap(component, 90.0, 568.0), 1.0, 0.003) << "f" << component;
    }
    EXPECT_NEAR(lightOfCap(3, 90.0, 420.0), 1.0, 0.003);
    EXPECT_NEAR(lightOfCap(3, 90.0, 700.0), 1.0, 0.003);
}

TEST(Eye, SharesAreThoseOfThePaper) {
    const auto expectShares = [](double adaptation, const EyeShares& expected) {
        for (std::size_t i = 0; i < kEyeComponents; ++i) {
            EXPECT_NEAR(eyeShares(adaptation).at(i), expected.at(i), 1e-12) << adaptation << ", f" << i;
        }
    };
    expectShares(100.0, {0.384, 0.478, 0.138, 0.0});
    expectShares(5.0, {0.384, 0.478, 0.138, 0.0});
    expectShares(std::sqrt(5.0 * 0.005), {0.368, 0.478, 0.138, 0.016});
    expectShares(0.001, {0.282, 0.478, 0.207, 0.033});
    double halo = 1.0;
    for (int step = 0; step < 38; ++step) {
        const double adaptation = 1e-3 * std::pow(1.3, step); // up to 16
        const EyeShares shares = eyeShares(adaptation);
        EXPECT_NEAR(shares[0] + shares[1] + shares[2] + shares[3], 1.0, 1e-12);
        EXPECT_LE(shares[3], halo);
        halo = shares[3];
    }
}

TEST(Eye, KernelHoldsTheSharesOfItsComponents) {
    const BloomKernel kernel = eyeKernel({601, 601, 0.01}, {0.001, 0, 0});
    const EyeShares shares = eyeShares(0.001);
    // Between two circles, within which nothing fades.
    for (const auto& [from, to] : {std::pair{0.1, 0.3}, {0.3, 1.4}}) {
        double expected = 0.0;
        for (const std::size_t component : {0U, 1U, 2U}) {
            expected += shares.at(component) * (lightOfCap(component, to, 568.0) - lightOfCap(component, from, 568.0));
        }
        const double found = lightWithin(kernel, to / 0.01, 1) - lightWithin(kernel, from / 0.01, 1);
        EXPECT_NEAR(found / expected, 1.0, 0.01) << from << " to " << to << " degrees";
    }
}

/// The ring of each colour stands at 3 degrees times its wavelength over 568 nm; only the scotopic eye has it.
TEST(Eye, HaloGrowsWithTheWavelength) {
    const BloomKernel night = eyeKernel({401, 401, 0.05}, {0.001, 0, 0});
    const BloomKernel day = eyeKernel({401, 401, 0.05}, {100.0, 0, 0});
    const auto brightest = [&](std::size_t channel) {
        std::int64_t place = 35;
        const auto halo = [&](std::int64_t x) {
            // Without the veil, which is known from the day's.
            return texel(night, x, 0, channel) - 0.207 / 0.138 * texel(day, x, 0, channel);
        };
        for (std::int64_t x = 35; x < 90; ++x) {
            place = halo(x) > halo(place) ? x : place;
        }
        return static_cast<double>(place) * 0.05;
    };
    EXPECT_NEAR(brightest(0), 3.0 * 605.0 / 568.0, 0.15);
    EXPECT_NEAR(brightest(1), 3.0 * 545.0 / 568.0, 0.15);
    EXPECT_NEAR(brightest(2), 3.0 * 455.0 / 568.0, 0.15);
    for (std::int64_t x = 36; x < 90; ++x) {
        EXPECT_LT(texel(day, x + 1, 0, 0), texel(day, x, 0, 0)) << "by day, light falls steadily";
    }
}

TEST(Eye, FlareLinesKeepTheLightOfEveryCircle) {
    const FlareLines lines(150, 4, 0.0);
    for (const double radius : {0.05, 0.3, 1.0, 3.0, 8.0}) {
        constexpr int kSteps = 40000;
        PsfColour mean{};
        double most = 0.0;
        for (int i = 0; i < kSteps; ++i) {
            const double angle = 2.0 * kPi * (i + 0.5) / kSteps;
            const PsfColour factor = lines(radius * std::cos(angle), radius * std::sin(angle));
            for (std::size_t c = 0; c < 3; ++c) {
                ASSERT_GT(factor.at(c), 0.0);
                mean.at(c) += factor.at(c) / kSteps;
            }
            most = std::max(most, factor[1]);
        }
        for (const double value : mean) {
            EXPECT_NEAR(value, 1.0, 1e-3) << radius;
        }
        if (radius >= 0.3 && radius <= 3.0) {
            EXPECT_GT(most, 1.5) << "lines show at " << radius;
        }
    }
    EXPECT_EQ(lines(9.0, 9.0), (PsfColour{1.0, 1.0, 1.0}));
}

TEST(Eye, FlareLinesFollowTheirSeed) {
    const PsfFrame frame{101, 101, 0.05};
    EXPECT_EQ(eyeKernel(frame, {1.0, 100, 7}).planes, eyeKernel(frame, {1.0, 100, 7}).planes);
    EXPECT_NE(eyeKernel(frame, {1.0, 100, 7}).planes, eyeKernel(frame, {1.0, 100, 8}).planes);
}

TEST(Eye, RefusesSettingsOutOfRange) {
    const PsfFrame frame{9, 9, 0.04};
    EXPECT_THROW(eyeKernel(frame, {0.0, 100, 0}), Error);
    EXPECT_THROW(eyeKernel(frame, {std::nan(""), 100, 0}), Error);
    EXPECT_THROW(eyeKernel(frame, {1.0, 10001, 0}), Error);
}

TEST(Gaussians, AreTheNormalDistribution) {
    const double sigma = 0.2;
    const double pixel = 0.05;
    const BloomKernel kernel = gaussianKernel({201, 201, pixel}, {{1.0, sigma, {1, 1, 1}}});
    for (const double radius : {0.1, 0.3, 0.7}) {
        EXPECT_NEAR(lightWithin(kernel, radius / pixel, 0), 1.0 - std::exp(-radius * radius / (2.0 * sigma * sigma)),
                    0.005);
    }
    // Two lobes mix by their weights, and colours by theirs.
    const BloomKernel two = gaussianKernel({201, 201, pixel}, {{3.0, 0.001, {1, 1, 1}}, {1.0, sigma, {1, 0, 3}}});
    EXPECT_NEAR(texel(two, 0, 0, 0), 0.75 + 0.25 * texel(kernel, 0, 0, 0), 1e-6);
    EXPECT_NEAR(texel(two, 0, 0, 1), 1.0, 1e-6);
    EXPECT_NEAR(texel(two, 0, 0, 2), 0.5 + 0.5 * texel(kernel, 0, 0, 0), 1e-6);
}

TEST(Gaussians, RefuseSettingsOutOfRange) {
    const PsfFrame frame{9, 9, 0.04};
    EXPECT_THROW(gaussianKernel(frame, {}), Error);
    EXPECT_THROW(gaussianKernel(frame, {{0.0, 0.1, {1, 1, 1}}}), Error);
    EXPECT_THROW(gaussianKernel(frame, {{1.0, 0.0, {1, 1, 1}}}), Error);
    EXPECT_THROW(gaussianKernel(frame, {{1.0, 0.1, {1, -1, 1}}}), Error);
    EXPECT_THROW(gaussianKernel(frame, {{1.0, 0.1, {1, 0, 1}}}), Error);
}

} // namespace
} // namespace aureole
