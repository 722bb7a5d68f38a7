// How media turn light, and how far it gets in them.

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "chi_square.h"
#include "shared/bsdf/phase.h"
#include "shared/media/tracking.h"
#include "shared/path/medium.h"

namespace aureole {
namespace {

constexpr std::uint32_t kPaths = 200000;

glm::vec4 numbersOf(std::uint32_t index) {
    const glm::uvec4 bits = shared::pcg4d(glm::uvec4(index, 5, 9, 33));
    return {shared::unitFloat(bits.x), shared::unitFloat(bits.y), shared::unitFloat(bits.z), shared::unitFloat(bits.w)};
}

shared::Scatterer mediumOf(float anisotropy) {
    shared::Scatterer medium = shared::mattScatterer(glm::vec3(0.0F, 1.0F, 0.0F), glm::vec3(1.0F));
    medium.model = MODEL_MEDIUM;
    medium.anisotropy = anisotropy;
    return medium;
}

TEST(Phase, TurnsLightByItsDensityAndMeanCosine) {
    constexpr std::size_t kCases = 4;
    const glm::vec3 outgoing = glm::normalize(glm::vec3(0.3F, -0.7F, 0.5F));
    for (const float anisotropy : {-0.9F, 0.0F, 0.5F, 0.97F}) {
        const shared::Scatterer medium = mediumOf(anisotropy);
        std::vector<glm::dvec2> points;
        double cosines = 0.0;
        for (std::uint32_t i = 0; i < kPaths; ++i) {
            const glm::vec4 u = numbersOf(i);
            const shared::BsdfSample s = shared::samplePhase(medium, outgoing, {u.x, u.y});
            const shared::BsdfValue value = shared::evaluatePhase(medium, outgoing, s.direction);
            ASSERT_NEAR(value.pdf / s.pdf, 1.0, 0.02) << anisotropy << ' ' << s.pdf;
            ASSERT_NEAR(glm::length(s.direction), 1.0F, 1e-6F);
            points.push_back(toSphereGrid(s.direction));
            cosines -= static_cast<double>(glm::dot(outgoing, s.direction)) / kPaths;
        }
        EXPECT_NEAR(cosines, static_cast<double>(anisotropy), 0.006);
        const auto density = [&](const glm::dvec2& at) {
            return static_cast<double>(shared::phaseDensity(medium, outgoing, fromSphereGrid(at)));
        };
        if (std::abs(anisotropy) < 0.95F) { // of a narrower peak bins are too large
            const ChiSquare test = chiSquare(sphereGrid(), points, kPaths, density);
            EXPECT_GT(test.probability, significanceOf(kCases)) << anisotropy << ' ' << test.statistic;
            EXPECT_NEAR(test.integral, 1.0, 5e-4);
        }
    }
}

TEST(Medium, FreePathsAreExponential) {
    constexpr std::size_t kBins = 24;
    shared::MediumStretch stretch{};
    stretch.from = 1.0F;
    stretch.to = 4.0F;
    stretch.scattering = glm::vec3(0.6F);
    stretch.extinction = glm::vec3(0.8F);
    std::vector<double> counts(kBins + 1); // the last is of those that get through
    for (std::uint32_t i = 0; i < kPaths; ++i) {
        const glm::vec4 u = numbersOf(i);
        const shared::MediumDraw draw = shared::drawInMedium(stretch, glm::vec3(1.0F, 0.5F, 0.2F), {u.x, u.y});
        const double part = static_cast<double>(draw.distance) / 3.0;
        counts.at(draw.scatters != 0 ? static_cast<std::size_t>(part * kBins) : kBins) += 1.0;
        ASSERT_NEAR(draw.weight.y, draw.scatters != 0 ? 0.75F : 1.0F, 1e-5F);
    }
    const auto left = [](std::size_t bins) { return std::exp(-0.8 * 3.0 * static_cast<double>(bins) / kBins); };
    std::vector<double> expected;
    for (std::size_t i = 0; i < kBins; ++i) {
        expected.push_back(kPaths * (left(i) - left(i + 1)));
    }
    expected.push_back(kPaths * left(kBins));
    const ChiSquare test = chiSquare(counts, expected);
    EXPECT_GT(test.probability, significanceOf(1)) << test.statistic << " / " << test.degrees;
}

/// Whatever channel the distances are drawn by, each gets what is its own; and none can gain by it.
TEST(Medium, ChannelsHaveTheirOwnShares) {
    shared::MediumStretch stretch{};
    stretch.to = 1.5F;
    stretch.scattering = glm::vec3(0.2F, 1.0F, 3.0F);
    stretch.extinction = stretch.scattering + glm::vec3(0.3F, 0.0F, 0.5F);
    const glm::vec3 throughput(0.2F, 0.7F, 1.0F);
    glm::dvec3 scattered(0.0);
    glm::dvec3 through(0.0);
    for (std::uint32_t i = 0; i < kPaths; ++i) {
        const glm::vec4 u = numbersOf(i);
        const shared::MediumDraw draw = shared::drawInMedium(stretch, throughput, {u.x, u.y});
        (draw.scatters != 0 ? scattered : through) += glm::dvec3(draw.weight) / double{kPaths};
        const glm::vec3 after = throughput * draw.weight;
        ASSERT_LE(after.x + after.y + after.z, throughput.x + throughput.y + throughput.z + 1e-5F);
    }
    for (int c = 0; c < 3; ++c) {
        const double left = std::exp(-1.5 * static_cast<double>(stretch.extinction[c]));
        const auto albedo = static_cast<double>(stretch.scattering[c] / stretch.extinction[c]);
        EXPECT_NEAR(through[c], left, 0.006) << c;
        EXPECT_NEAR(scattered[c], albedo * (1.0 - left), 0.006) << c;
    }
}

/// From a medium that scatters one channel alone, light of another comes back as nothing; and goes on.
TEST(Medium, PathsThatCarryNothingStaySo) {
    shared::MediumStretch stretch{};
    stretch.to = 2.0F;
    stretch.scattering = glm::vec3(1.0F, 0.0F, 0.0F);
    stretch.extinction = glm::vec3(1.0F, 1.0F, 1.0F);
    for (std::uint32_t i = 0; i < 1000; ++i) {
        const glm::vec4 u = numbersOf(i);
        const shared::MediumDraw first = shared::drawInMedium(stretch, glm::vec3(0.0F, 1.0F, 0.0F), {u.x, u.y});
        const glm::vec3 left = glm::vec3(0.0F, 1.0F, 0.0F) * glm::vec3(first.weight);
        ASSERT_EQ(left.y > 0.0F, first.scatters == 0);
        const shared::MediumDraw second = shared::drawInMedium(stretch, left, {u.z, u.w});
        const glm::vec3 after = left * glm::vec3(second.weight);
        ASSERT_TRUE(std::isfinite(after.x + after.y + after.z));
    }
}

TEST(Medium, WaysToTheSkyEndInFogAlone) {
    shared::MediumStretch stretch{};
    stretch.to = LIGHT_FAR;
    stretch.scattering = glm::vec3(1e-6F, 0.0F, 5.0F);
    stretch.extinction = stretch.scattering;
    for (std::uint32_t i = 0; i < 1000; ++i) {
        const glm::vec4 u = numbersOf(i);
        const shared::MediumDraw draw = shared::drawInMedium(stretch, glm::vec3(1.0F), {u.x, u.y});
        ASSERT_TRUE(std::isfinite(draw.weight.x + draw.weight.y + draw.weight.z));
        ASSERT_EQ(draw.weight.y > 0.0F, draw.scatters == 0);
    }
}

/// A device's logarithm of 1 - u may be above 0, here as of a number below 0, where a way begins outside of media.
TEST(Tracking, WeightsAreNumbersWhereLogarithmsAreNotExact) {
    shared::MediaSegment segment{};
    segment.direction = glm::vec3(0.0F, 0.0F, 1.0F);
    segment.distance = 3.0F;
    segment.stretch.from = 1.0F;
    segment.stretch.to = 2.0F;
    segment.stretch.scattering = glm::vec3(0.5F);
    segment.stretch.extinction = glm::vec3(0.5F);
    shared::MediaNumbers numbers{};
    const shared::MediaDraw draw = shared::drawInMedia(segment, glm::vec3(1.0F), {-1.2e-7F, 0.5F, 0.5F, 0.5F}, numbers);
    EXPECT_EQ(draw.weight, glm::vec3(1.0F));
    EXPECT_GE(draw.distance, 1.0F);
}

} // namespace
} // namespace aureole
