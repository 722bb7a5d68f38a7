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

} // namespace
} // namespace aureole
