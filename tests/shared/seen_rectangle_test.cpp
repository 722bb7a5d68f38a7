// Rectangles seen from a point are sampled evenly over the solid angle that they fill, held against the closed form in
// long double (the sum of four arctangents), from points where floats have few digits too.

#include <cmath>
#include <numbers>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "chi_square.h"
#include "shared/sampling/spherical_rectangle.h"

namespace aureole {
namespace {

using shared::SeenRectangle;

struct Case {
    std::string name;
    SeenRectangle seen;
};

std::vector<Case> cases() {
    const auto at = [](const char* name, const glm::vec2& low, const glm::vec2& size, float height) {
        return Case{name, {low, low + size, height}};
    };
    return {
        at("square in front", {-0.5F, -0.5F}, {1.0F, 1.0F}, 1.0F),
        at("almost touched", {-0.3F, -0.6F}, {1.0F, 1.0F}, 1e-4F),
        at("almost touched at a corner", {0.0F, 0.0F}, {1.0F, 1.0F}, 1e-4F),
        at("to one side", {1.0F, 0.2F}, {0.5F, 0.5F}, 0.7F),
        at("to the other side", {-1.5F, -0.9F}, {0.5F, 0.5F}, 0.7F),
        at("grazing", {0.4F, -0.3F}, {0.5F, 0.7F}, 1e-5F),
        at("grazing beside a long side", {-1.0F, 0.3F}, {2.0F, 0.2F}, 1e-5F),
        at("next to the plane", {0.5F, 0.1F}, {0.5F, 0.5F}, 1.2e-7F),
        at("strip", {-0.5F, 0.2F}, {1.0F, 1e-4F}, 0.3F),
        at("strip towards the point", {0.05F, 0.2F}, {1e-4F, 1.0F}, 0.01F),
        at("strip overhead", {-1e-4F, -0.7F}, {2e-4F, 1.0F}, 0.001F),
        at("far away", {0.3F, 0.5F}, {0.012F, 0.007F}, 0.9F),
        at("small", {0.3F, 0.5F}, {0.001F, 0.002F}, 0.9F),
        at("small and grazing", {0.3F, 0.5F}, {0.001F, 0.002F}, 1e-4F),
        at("just not small", {-0.005F, -0.005F}, {0.01001F, 0.01001F}, 1.0F),
    };
}

/// What a rectangle from the foot to (x, y) fills, negative on two of the four sides.
long double quadrant(long double x, long double y, long double z) {
    return std::atan2(x * y, z * std::sqrt(x * x + y * y + z * z));
}

double exactSolidAngle(const glm::dvec2& low, const glm::dvec2& high, double z) {
    return static_cast<double>(quadrant(high.x, high.y, z) - quadrant(low.x, high.y, z) - quadrant(high.x, low.y, z) +
                               quadrant(low.x, low.y, z));
}

/// The density of a point in the rectangle's plane.
float pdfAt(const SeenRectangle& seen, const glm::vec2& point) {
    const float distance = std::sqrt(glm::dot(point, point) + seen.height * seen.height);
    return shared::seenRectanglePdf(seen, shared::seenMeasure(seen), distance, seen.height / distance);
}

TEST(SeenRectangle, FillsItsSolidAngle) {
    std::mt19937 random(1);
    std::uniform_real_distribution<float> unit(0.0F, 1.0F);
    int tried = 0;
    for (int i = 0; i < 100000; ++i) {
        const glm::vec2 size(std::exp(-7.0F * unit(random)), std::exp(-7.0F * unit(random)));
        const glm::vec2 low(2.0F * unit(random) - 1.5F, 2.0F * unit(random) - 1.5F);
        const SeenRectangle seen{low, low + size, std::exp(-15.0F * unit(random))};
        if (shared::isSeenAsSmall(seen) == 0) {
            const double exact = exactSolidAngle(seen.low, seen.high, seen.height);
            ASSERT_NEAR(shared::solidAngleOf(seen) / exact, 1.0, 2e-4)
                << low.x << ' ' << low.y << ' ' << size.x << ' ' << size.y << ' ' << seen.height;
            ++tried;
        }
    }
    EXPECT_GT(tried, 80000);
}

TEST(SeenRectangle, PointsFillTheSolidAngleEvenly) {
    constexpr int kBins = 16; // along each side
    constexpr int kDraws = 200000;
    std::mt19937 random(2);
    std::uniform_real_distribution<float> unit(0.0F, 0.9999999F);
    for (const auto& [name, seen] : cases()) {
        std::vector<double> drawn(kBins * kBins);
        std::vector<double> expected;
        const glm::dvec2 size = glm::dvec2(seen.high) - glm::dvec2(seen.low);
        for (int i = 0; i < kDraws; ++i) {
            const glm::vec2 point = shared::sampleSeenRectangle(seen, {unit(random), unit(random)});
            ASSERT_TRUE(glm::all(glm::lessThanEqual(seen.low, point)) && glm::all(glm::lessThanEqual(point, seen.high)))
                << name << ": " << point.x << ' ' << point.y;
            const glm::ivec2 bin =
                glm::min(glm::ivec2((glm::dvec2(point) - glm::dvec2(seen.low)) / size * double{kBins}), kBins - 1);
            drawn[static_cast<std::size_t>(bin.x * kBins + bin.y)] += 1.0;
        }
        const bool small = shared::isSeenAsSmall(seen) != 0;
        const double whole = exactSolidAngle(seen.low, seen.high, seen.height);
        double integral = 0.0;
        for (int i = 0; i < kBins * kBins; ++i) {
            const glm::dvec2 low = glm::dvec2(seen.low) + size * glm::dvec2(i / kBins, i % kBins) / double{kBins};
            const glm::dvec2 high = low + size / double{kBins};
            const double part = exactSolidAngle(low, high, seen.height);
            expected.push_back(kDraws * (small ? 1.0 / (kBins * kBins) : part / whole));
            integral += part * static_cast<double>(pdfAt(seen, glm::vec2(0.5 * (low + high))));
        }
        EXPECT_NEAR(integral, 1.0, 1e-3) << name;
        const ChiSquare test = chiSquare(drawn, expected);
        EXPECT_GT(test.probability, significanceOf(cases().size())) << name << ": " << test.statistic;
    }
}

TEST(SeenRectangle, IsNotSeenFromBehind) {
    const SeenRectangle behind{{-1.0F, -1.0F}, {1.0F, 1.0F}, -0.5F};
    EXPECT_EQ(shared::seenMeasure(behind), 0.0F);
    const SeenRectangle within{{-1.0F, -1.0F}, {1.0F, 1.0F}, 0.0F};
    EXPECT_EQ(shared::seenMeasure(within), 0.0F);
    const SeenRectangle before{{-1.0F, -1.0F}, {1.0F, 1.0F}, 0.5F};
    EXPECT_GT(shared::seenMeasure(before), 0.0F);
}

TEST(Angles, AreThoseOfTheStandardLibrary) {
    for (int i = 0; i <= 20000; ++i) {
        const double angle = std::numbers::pi * std::pow(i / 20000.0, 3.0);
        const auto x = static_cast<float>(std::cos(angle));
        const auto y = static_cast<float>(std::max(std::sin(angle), 0.0));
        const double expected = std::atan2(double{y}, double{x});
        ASSERT_NEAR(shared::angleOf(x, y), expected, 4e-7 * expected) << angle;
        const auto half = static_cast<float>(0.5 * angle);
        const glm::vec2 found = shared::directionOfAngle(half);
        ASSERT_NEAR(found.x, std::cos(double{half}), 1e-7) << angle;
        ASSERT_NEAR(found.y, std::sin(double{half}), 2e-7 * std::sin(double{half})) << angle;
    }
}

} // namespace
} // namespace aureole
