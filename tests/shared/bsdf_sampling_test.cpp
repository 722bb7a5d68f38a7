// Samples of BSDFs have the density that bsdfEvaluate says, and its values for weights.

#include <array>
#include <cmath>
#include <cstddef>

#include <gtest/gtest.h>

#include "bsdf_cases.h"
#include "chi_square.h"
#include "core/threads/parallel.h"
#include "full_sweep.h"

namespace aureole {
namespace {

const std::uint32_t kSamples = quickOrFull(80000U, 150000U);

glm::vec3 uniformPoint(std::uint32_t index) {
    const glm::uvec4 bits = shared::pcg4d(glm::uvec4(index, 5, 9, 2026));
    return {shared::unitFloat(bits.x), shared::unitFloat(bits.y), shared::unitFloat(bits.z)};
}

struct Situation {
    BsdfCase bsdf;
    double cosine;
};

std::vector<Situation> allTests() {
    std::vector<BsdfCase> cases = {lambertCase(0.8F), metallicCase(0.7F, 0.0F, 0.0F), metallicCase(0.7F, 0.0F, 0.5F)};
    for (const float roughness : {0.12F, 0.4F, 1.0F}) {
        for (const float metalness : {0.0F, 0.5F, 1.0F}) {
            cases.push_back(metallicCase(0.7F, roughness, metalness));
        }
        for (const float ior : {1.1F, 1.5F, 2.4F}) {
            cases.push_back(dielectricCase(roughness, ior, false));
            cases.push_back(dielectricCase(roughness, ior, true));
        }
    }
    constexpr std::array<double, 3> cosines = {0.9, 0.3, 0.02};
    std::vector<Situation> tests;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        for (std::size_t c = 0; c < cosines.size(); ++c) {
            if (fullSweep() || c == (i + i / 3) % 3) { // cases of one kind take the angles by turns
                tests.push_back({cases[i], cosines[c]});
            }
        }
    }
    for (const BsdfCase& bsdf :
         {clearcoatCase(1.0F, 0.12F, 0.7F, 0.4F, 0.5F), clearcoatCase(0.5F, 0.0F, 0.7F, 0.4F, 1.0F),
          clearcoatCase(1.0F, 0.4F, 0.1F, 0.0F, 0.5F), partialPaneCase(0.5F, 0.7F, 0.4F, 0.5F),
          partialSolidCase(0.5F, 0.7F, 0.4F, 0.3F, false), partialSolidCase(0.8F, 0.7F, 0.0F, 0.0F, true)}) {
        tests.push_back({bsdf, 0.3});
    }
    return tests;
}

struct Outcome {
    ChiSquare chi;
    double scattered = 0.0;    ///< share of the samples that are in the density
    std::size_t unequal = 0;   ///< samples whose density or weight is another than bsdfEvaluate's
    std::size_t misplaced = 0; ///< samples on the other side than they say
};

Outcome run(const Situation& test) {
    const std::uint64_t tables = test.bsdf.tables();
    const shared::Scatterer& surface = test.bsdf.surface;
    const glm::vec3 outgoing = directionOf(test.cosine);
    Outcome outcome;
    std::vector<glm::dvec2> points;
    for (std::uint32_t i = 0; i < kSamples; ++i) {
        const shared::BsdfSample s = shared::bsdfSample(tables, surface, outgoing, uniformPoint(i));
        if (s.pdf <= 0.0F || s.isDelta != 0) {
            continue;
        }
        points.push_back(toSphereGrid(s.direction));
        outcome.misplaced += (s.direction.z < 0.0F) != (s.transmitted != 0) ? 1U : 0U;
        const shared::BsdfValue value = shared::bsdfEvaluate(tables, surface, outgoing, s.direction);
        const float tolerance = 0.02F;
        const bool equal = std::abs(value.pdf - s.pdf) <= tolerance * s.pdf &&
                           std::abs(value.value.x - s.weight.x * s.pdf) <= tolerance * s.weight.x * s.pdf;
        outcome.unequal += equal ? 0U : 1U;
    }
    outcome.scattered = static_cast<double>(points.size()) / kSamples;
    outcome.chi = chiSquare(sphereGrid(), points, kSamples, [&](const glm::dvec2& at) {
        return static_cast<double>(shared::bsdfEvaluate(tables, surface, outgoing, fromSphereGrid(at)).pdf);
    });
    return outcome;
}

TEST(BsdfSampling, SamplesHaveTheDensityAndTheWeightsOfValues) {
    const std::vector<Situation> tests = allTests();
    std::vector<Outcome> outcomes(tests.size());
    parallelFor(static_cast<std::int64_t>(tests.size()), 1, [&](std::int64_t i) {
        outcomes[static_cast<std::size_t>(i)] = run(tests[static_cast<std::size_t>(i)]);
    });
    for (std::size_t i = 0; i < tests.size(); ++i) {
        SCOPED_TRACE(testing::Message() << tests[i].bsdf.name << ", cosine " << tests[i].cosine);
        const Outcome& outcome = outcomes[i];
        EXPECT_GT(outcome.chi.probability, significanceOf(tests.size()))
            << outcome.chi.statistic << " / " << outcome.chi.degrees;
        const double deviation = std::sqrt(std::max(outcome.scattered * (1.0 - outcome.scattered), 1e-12) / kSamples);
        EXPECT_NEAR(outcome.chi.integral, outcome.scattered, 4.0 * deviation + 1e-3);
        EXPECT_LE(outcome.unequal, kSamples / 20000U); // where rounding turns a direction at the horizon
        EXPECT_EQ(outcome.misplaced, 0U);
    }
}

/// Deltas are drawn as often as their probability says.
TEST(BsdfSampling, DeltasHaveTheirProbability) {
    for (const BsdfCase& bsdf :
         {mirrorCase(0.5F), paneCase(0.8F, 1.5F), dielectricCase(0.0F, 1.5F, false), dielectricCase(0.0F, 1.5F, true),
          metallicCase(0.5F, 0.0F, 0.0F), partialPaneCase(0.5F, 0.5F, 1.0F, 0.5F),
          partialSolidCase(0.5F, 0.5F, 0.0F, 1.0F, true), clearcoatCase(1.0F, 0.0F, 0.5F, 1.0F, 0.0F)}) {
        const glm::vec3 outgoing = directionOf(0.8);
        double expected[2] = {0.0, 0.0};
        double drawn[2] = {0.0, 0.0};
        for (std::uint32_t i = 0; i < 100000; ++i) {
            const shared::BsdfSample s = shared::bsdfSample(bsdf.tables(), bsdf.surface, outgoing, uniformPoint(i));
            if (s.isDelta != 0) {
                expected[s.transmitted] = static_cast<double>(s.pdf);
                drawn[s.transmitted] += 1e-5;
            }
        }
        EXPECT_NEAR(drawn[0], expected[0], 0.006) << bsdf.name;
        EXPECT_NEAR(drawn[1], expected[1], 0.006) << bsdf.name;
    }
}

} // namespace
} // namespace aureole
