#include <random>

#include <gtest/gtest.h>

#include "address_of.h"
#include "integrator/light_tables.h"
#include "scene/scene.h"

namespace aureole {
namespace {

/// LightParams that point into the tables.
shared::LightParams bind(const LightTables& tables) {
    shared::LightParams params = describeLights(tables);
    params.lights = addressOf(tables.lights);
    params.choice = addressOf(tables.choice);
    params.environment = addressOf(tables.environment);
    params.environmentPick = addressOf(tables.environmentPick);
    return params;
}

/// An environment with a gradient and a bright spot: the density integrates to one over the sphere, agrees with what is
/// drawn, and estimates the sky's integral.
TEST(Environment, DensityAgreesWithItsSamples) {
    Scene scene;
    scene.environment.type = EnvironmentType::Image;
    scene.environment.image = makeImage(32, 16, {"R", "G", "B"});
    for (std::size_t c = 0; c < 3; ++c) {
        for (std::size_t i = 0; i < 512; ++i) {
            scene.environment.image.channels[c].values[i] =
                i == 16 * 9 + 3 ? 50.0F : 0.1F + 0.002F * static_cast<float>(i);
        }
    }
    scene.environment.rotation = 33.0;
    scene.environment.scale = 2.0F;
    scene.integrator.lightSampling = LightSampling::Lights;
    Bounds bounds;
    bounds.add(glm::dvec3(-1.0));
    bounds.add(glm::dvec3(1.0));
    const LightTables tables = makeLightTables(scene, Space{}, bounds, 0.0);
    const shared::LightParams params = bind(tables);
    const auto address = reinterpret_cast<std::uint64_t>(&params);

    std::mt19937 random(5);
    std::uniform_real_distribution<float> unit(0.0F, 0.9999999F);
    std::normal_distribution<float> normal;
    double density = 0.0;
    double uniform = 0.0;
    constexpr int kSamples = 400000;
    for (int i = 0; i < kSamples; ++i) {
        const glm::vec3 d = glm::normalize(glm::vec3(normal(random), normal(random), normal(random)));
        const glm::vec4 found = shared::environmentAt(address, d);
        density += found.w;
        uniform += found.x;
    }
    EXPECT_NEAR(density / kSamples * 4.0 * kPi, 1.0, 0.02);
    double weighted = 0.0;
    for (int i = 0; i < kSamples; ++i) {
        const shared::LightSample s =
            shared::sampleEnvironment(address, {random(), random()}, {unit(random), unit(random)});
        ASSERT_GT(s.pdf, 0.0F);
        ASSERT_NEAR(glm::length(s.direction), 1.0F, 1e-5F);
        weighted += s.radiance.x / s.pdf;
    }
    EXPECT_NEAR(weighted / kSamples, uniform / kSamples * 4.0 * kPi, 0.02 * weighted / kSamples);
}

TEST(Environment, DirectionsAndCoordinatesAreInverse) {
    std::mt19937 random(6);
    std::uniform_real_distribution<float> unit(0.01F, 0.99F);
    for (int i = 0; i < 1000; ++i) {
        const glm::vec2 uv(unit(random), unit(random));
        const glm::vec2 back = shared::environmentUv(shared::environmentDirection(uv));
        EXPECT_NEAR(back.x, uv.x, 1e-5F);
        EXPECT_NEAR(back.y, uv.y, 1e-5F);
    }
    // The middle of the picture looks along -Z, its upper edge along +Y, its right half along +X.
    EXPECT_LT(glm::length(shared::environmentDirection({0.5F, 0.5F}) - glm::vec3(0, 0, -1)), 1e-6F);
    EXPECT_LT(glm::length(shared::environmentDirection({0.75F, 0.5F}) - glm::vec3(1, 0, 0)), 1e-6F);
    EXPECT_LT(glm::length(shared::environmentDirection({0.3F, 0.0F}) - glm::vec3(0, 1, 0)), 1e-6F);
}

} // namespace
} // namespace aureole
