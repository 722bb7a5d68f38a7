// The polygons of apertures: warp, density and inverse agree.

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "shared/sampling/sampling.h"

namespace aureole::shared {
namespace {

constexpr double kPiHere = 3.14159265358979323846;

/// Whether p lies in the regular polygon, by the half-planes of its sides.
bool inside(vec2 p, uint corners, float tolerance) {
    for (uint i = 0; i < corners; ++i) {
        const double angle = (i + 0.5) * 2.0 * kPiHere / corners;
        if (p.x * std::cos(angle) + p.y * std::sin(angle) >
            std::cos(kPiHere / corners) + static_cast<double>(tolerance)) {
            return false;
        }
    }
    return true;
}

TEST(RegularPolygon, InverseTakesPointsBack) {
    std::mt19937 random(1);
    std::uniform_real_distribution<float> unit(0.001F, 0.999F);
    for (uint corners = 3; corners <= 16; ++corners) {
        for (int i = 0; i < 500; ++i) {
            const vec2 u(unit(random), unit(random));
            const vec2 p = sampleRegularPolygon(u, corners);
            ASSERT_TRUE(inside(p, corners, 1e-6F)) << corners;
            const vec2 back = invertRegularPolygon(p, corners);
            ASSERT_NEAR(back.x, u.x, 2e-4F) << corners;
            ASSERT_NEAR(back.y, u.y, 2e-5F) << corners;
        }
    }
}

/// A lattice of squares over the plane; those wholly inside the polygon hold its density times their area.
TEST(RegularPolygon, SamplesAreUniformAndHaveTheirDensity) {
    for (const uint corners : {3U, 4U, 5U, 6U, 8U, 11U, 16U}) {
        constexpr int kSide = 24;
        constexpr int kSamples = 200000;
        std::vector<double> counts(kSide * kSide, 0.0);
        std::mt19937 random(corners);
        std::uniform_real_distribution<float> unit(0.0F, 0.9999999F);
        for (int i = 0; i < kSamples; ++i) {
            const vec2 p = sampleRegularPolygon(vec2(unit(random), unit(random)), corners);
            const auto column = std::min(static_cast<int>((p.x + 1.0F) * 0.5F * kSide), kSide - 1);
            const auto row = std::min(static_cast<int>((p.y + 1.0F) * 0.5F * kSide), kSide - 1);
            counts[static_cast<std::size_t>(row * kSide + column)] += 1.0;
        }
        constexpr double kWidth = 2.0 / kSide;
        const double expected = static_cast<double>(regularPolygonPdf(corners)) * kWidth * kWidth * kSamples;
        double chiSquare = 0.0;
        int whole = 0;
        for (int row = 0; row < kSide; ++row) {
            for (int column = 0; column < kSide; ++column) {
                bool within = true;
                for (int corner = 0; corner < 4; ++corner) {
                    const vec2 p(static_cast<float>((column + corner % 2) * kWidth - 1.0),
                                 static_cast<float>((row + corner / 2) * kWidth - 1.0));
                    within = within && inside(p, corners, -1e-6F);
                }
                if (within) {
                    const double count = counts[static_cast<std::size_t>(row * kSide + column)];
                    chiSquare += (count - expected) * (count - expected) / expected;
                    ++whole;
                }
            }
        }
        ASSERT_GT(whole, 50);
        // As no sum is fixed, there are as many degrees of freedom as squares.
        EXPECT_LT(chiSquare, whole + 4.2 * std::sqrt(2.0 * whole)) << corners;
        EXPECT_GT(chiSquare, whole - 4.2 * std::sqrt(2.0 * whole)) << corners;
    }
}

TEST(RegularPolygon, CornersAreOnTheCircle) {
    const vec2 corner = sampleRegularPolygon(vec2(0.0F, 1.0F), 5);
    EXPECT_NEAR(corner.x, 1.0F, 1e-6F);
    EXPECT_NEAR(corner.y, 0.0F, 1e-6F);
    const vec2 last = sampleRegularPolygon(vec2(0.99999994F, 1.0F), 5);
    EXPECT_NEAR(glm::length(last - corner), 0.0F, 1e-5F);
}

} // namespace
} // namespace aureole::shared
