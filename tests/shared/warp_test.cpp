// The warps of sampling.h and of GGX have the densities that they say, and their inverses take them back.

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "bsdf_cases.h"
#include "chi_square.h"
#include "shared/bsdf/bsdf_ggx.h"

namespace aureole {
namespace {

constexpr std::size_t kSamples = 400000;
constexpr std::size_t kCases = 12;

glm::vec2 uniformPoint(std::uint32_t index) {
    const glm::uvec4 bits = shared::pcg4d(glm::uvec4(index, 17, 4, 2026));
    return {shared::unitFloat(bits.x), shared::unitFloat(bits.y)};
}

template <typename Sample, typename Density>
void expectDensity(const char* name, const BinGrid& grid, const Sample& sample, const Density& density,
                   double integral = 1.0) {
    std::vector<glm::dvec2> points;
    for (std::uint32_t i = 0; i < kSamples; ++i) {
        points.push_back(sample(uniformPoint(i)));
    }
    const ChiSquare test = chiSquare(grid, points, kSamples, density);
    EXPECT_GT(test.probability, significanceOf(kCases)) << name << ": " << test.statistic << " / " << test.degrees;
    EXPECT_NEAR(test.integral, integral, 5e-4) << name;
}

TEST(Warp, DirectionsHaveTheirDensity) {
    expectDensity(
        "cosine hemisphere", sphereGrid(),
        [](const glm::vec2& u) { return toSphereGrid(shared::sampleCosineHemisphere(u)); },
        [](const glm::dvec2& at) { return shared::cosineHemispherePdf(static_cast<float>(at.x)); });
    for (const float height : {0.01F, 0.5F, 2.0F}) {
        expectDensity(
            "cone", {{1.0 - static_cast<double>(height), -std::numbers::pi}, {1.0, std::numbers::pi}},
            [&](const glm::vec2& u) { return toSphereGrid(shared::sampleUniformCone(u, height)); },
            [&](const glm::dvec2&) { return shared::uniformConePdf(height); });
    }
}

TEST(Warp, TheDiscIsUniform) {
    expectDensity(
        "disc", {{0.0, -std::numbers::pi}, {1.0, std::numbers::pi}},
        [](const glm::vec2& u) {
            const glm::dvec2 p = shared::sampleDisc(u);
            return glm::dvec2(glm::dot(p, p), std::atan2(p.y, p.x));
        },
        [](const glm::dvec2&) { return 0.5 / std::numbers::pi; });
}

TEST(Warp, VisibleNormalsHaveTheirDensity) {
    for (const float alpha : {0.2F, 0.5F, 1.0F}) {
        for (const double cosine : {1.0, 0.4, 0.1}) {
            const glm::vec3 w = directionOf(cosine);
            expectDensity(
                "visible normals", sphereGrid(),
                [&](const glm::vec2& u) { return toSphereGrid(shared::sampleVisibleNormal(w, alpha, u)); },
                [&](const glm::dvec2& at) {
                    return at.x <= 0.0 ? 0.0
                                       : static_cast<double>(shared::visibleNormalPdf(w, fromSphereGrid(at), alpha));
                });
        }
    }
}

TEST(Warp, InversesTakeBack) {
    const glm::vec3 w = directionOf(0.4);
    for (std::uint32_t i = 0; i < 1000; ++i) {
        const glm::vec2 u = uniformPoint(i);
        const auto expectSame = [&](const glm::vec2& back, const char* name) {
            EXPECT_NEAR(back.x, u.x, 2e-3) << name << i;
            EXPECT_NEAR(back.y, u.y, 2e-3) << name << i;
        };
        expectSame(shared::invertDisc(shared::sampleDisc(u)), "disc ");
        expectSame(shared::invertCosineHemisphere(shared::sampleCosineHemisphere(u)), "hemisphere ");
        expectSame(shared::invertUniformCone(shared::sampleUniformCone(u, 0.5F), 0.5F), "cone ");
        expectSame(shared::invertVisibleNormal(w, shared::sampleVisibleNormal(w, 0.4F, u), 0.4F), "visible normal ");
        const glm::vec3 n = directionOf(2.0 * static_cast<double>(u.x) - 1.0, 6.0 * static_cast<double>(u.y));
        const glm::vec3 v = shared::sampleCosineHemisphere(u);
        EXPECT_LT(glm::length(shared::toLocal(n, shared::fromLocal(n, v)) - v), 1e-5F);
    }
}

TEST(Warp, NoDirectionOverTheHemisphereLiesInTheSurface) {
    const float last = shared::unitFloat(~0U);
    for (const glm::vec2& u : {glm::vec2(0.0F, 0.3F), glm::vec2(0.7F, 0.0F), glm::vec2(0.0F), glm::vec2(last),
                               glm::vec2(0.0F, last), glm::vec2(last, 0.5F)}) {
        for (std::uint32_t i = 0; i < 100; ++i) {
            const glm::vec2 at = uniformPoint(i);
            const glm::vec3 n = directionOf(2.0 * static_cast<double>(at.x) - 1.0, 6.0 * static_cast<double>(at.y));
            EXPECT_GT(glm::dot(n, shared::fromLocal(n, shared::sampleCosineHemisphere(u))), 0.0F) << u.x << " " << u.y;
        }
    }
}

} // namespace
} // namespace aureole
