// Roulette of connections to lights that bring little.

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "shared/path/path.h"

namespace aureole {
namespace {

constexpr std::uint32_t kConnections = 20000;

/// What connections of a matt surface to a light bring, path after path: the share of those that bring anything, and
/// the most and the mean of all.
struct Brought {
    double share = 0.0;
    double most = 0.0;
    double mean = 0.0;
};

Brought bringAll(const shared::LightSample& light, std::uint32_t strategy) {
    shared::PathParams params{};
    params.strategy = strategy;
    const auto address = reinterpret_cast<std::uint64_t>(&params);
    shared::SurfaceHit hit{};
    hit.surface = shared::mattScatterer(glm::vec3(0.0F, 0.0F, 1.0F), glm::vec3(0.5F));
    hit.outgoing = glm::vec3(0.0F, 0.0F, 1.0F);
    Brought all;
    for (std::uint32_t i = 0; i < kConnections; ++i) {
        const shared::PathState path = shared::beginPath(address, 7, i);
        const double brought = double{shared::pathConnect(address, path, hit, light).contribution.x};
        all.share += brought > 0.0 ? 1.0 / kConnections : 0.0;
        all.most = std::max(all.most, brought);
        all.mean += brought / kConnections;
    }
    return all;
}

shared::LightSample lightAt(float cosine) {
    shared::LightSample light{};
    light.direction = glm::vec3(std::sqrt(1.0F - cosine * cosine), 0.0F, cosine);
    light.distance = 1.0F;
    light.radiance = glm::vec3(1.0F);
    light.pdf = 1.0F;
    light.misPdf = 1.0F;
    return light;
}

/// Those that are left make up for those that are not; what nothing else finds is always connected to.
TEST(Connections, OfLittleLightAreTakenByRoulette) {
    const double density = 0.5 / kPi; // of a matt surface's own sampling
    for (const double ratio : {1.0, 0.25, 0.01}) {
        shared::LightSample light = lightAt(0.5F);
        light.misPdf = static_cast<float>(ratio * density);
        const double weight = ratio * ratio / (1.0 + ratio * ratio);
        const double whole = 0.5 * density * weight;
        const double survival = std::clamp(10.0 * weight, 0.25, 1.0);
        const Brought found = bringAll(light, STRATEGY_MIS);
        const double error = std::sqrt(survival * (1.0 - survival) / kConnections);
        EXPECT_NEAR(found.share, survival, 4.0 * error + 1e-9) << ratio;
        EXPECT_NEAR(found.most * survival, whole, 1e-4 * whole) << ratio;
        EXPECT_NEAR(found.mean, whole, whole * (4.0 * error / survival + 1e-4)) << ratio;
        light.isDelta = 1;
        EXPECT_NEAR(bringAll(light, STRATEGY_MIS).share, 1.0, 1e-9);
    }
    EXPECT_NEAR(bringAll(lightAt(0.001F), STRATEGY_LIGHTS).share, 1.0, 1e-9) << "grazing";
}

/// What a point within a medium that scatters ahead connects to a light straight ahead, where its own sampling has
/// `density`, and that density.
struct Ahead {
    double brought = 0.0;
    float density = 0.0F;
};

Ahead connectAhead(std::uint32_t strategy, float anisotropy, float lightPdf) {
    shared::PathParams params{};
    params.strategy = strategy;
    const auto address = reinterpret_cast<std::uint64_t>(&params);
    shared::SurfaceHit hit{};
    hit.surface = shared::mattScatterer(glm::vec3(0.0F, 0.0F, 1.0F), glm::vec3(1.0F));
    hit.surface.model = MODEL_MEDIUM;
    hit.surface.anisotropy = anisotropy;
    hit.outgoing = glm::vec3(0.0F, 0.0F, -1.0F);
    shared::LightSample light = lightAt(1.0F);
    light.misPdf = lightPdf;
    const auto path = shared::beginPath(address, 7, 0);
    const auto scattered = shared::bsdfEvaluate(0, hit.surface, hit.outgoing, light.direction);
    return {double{shared::pathConnect(address, path, hit, light).contribution.x}, scattered.pdf};
}

/// Connections and chance share what both find, in a lobe as beside one: their weights add up to 1.
TEST(Connections, LeaveToChanceWhatTheyDoNotBring) {
    for (const float anisotropy : {0.0F, 0.5F, 0.9F}) {
        for (const float lightPdf : {0.05F, 0.3F, 0.5F, 5.0F, 50.0F}) {
            const Ahead both = connectAhead(STRATEGY_MIS, anisotropy, lightPdf);
            const Ahead alone = connectAhead(STRATEGY_LIGHTS, anisotropy, lightPdf);
            const float chance = shared::bsdfWeight(STRATEGY_MIS, both.density, lightPdf);
            EXPECT_NEAR(both.brought / alone.brought + chance, 1.0, 1e-5) << anisotropy << ' ' << lightPdf;
        }
    }
}

/// Among lights that are all behind a surface some is drawn, though it may be one that looks away from there: by the
/// point alone it is never drawn, nor does the surface scatter from there. Both densities are 0, and nothing comes of
/// it.
TEST(Connections, OfLightsThatAreDarkFromThereBringNothing) {
    for (const float cosine : {0.5F, -0.5F}) {
        shared::LightSample light = lightAt(cosine);
        light.misPdf = 0.0F;
        const Brought found = bringAll(light, STRATEGY_MIS);
        EXPECT_EQ(found.most, 0.0) << cosine;
        EXPECT_EQ(found.mean, 0.0) << cosine;
    }
}

/// Beside lobes the larger density counts by its square, in them by itself.
TEST(Connections, WeighByTheBalanceHeuristicInLobes) {
    EXPECT_FLOAT_EQ(shared::misWeight(0.6F, 0.3F, 0.3F), 0.8F);
    EXPECT_FLOAT_EQ(shared::misWeight(6.0F, 3.0F, 3.0F), 6.0F / 9.0F);
    EXPECT_FLOAT_EQ(shared::bsdfWeight(STRATEGY_MIS, 0.3F, 0.6F), 0.2F);
    EXPECT_FLOAT_EQ(shared::bsdfWeight(STRATEGY_MIS, 3.0F, 6.0F), 3.0F / 9.0F);
}

} // namespace
} // namespace aureole
