#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "address_of.h"
#include "chi_square.h"
#include "integrator/alias_table.h"
#include "integrator/camera_params.h"
#include "integrator/light_tables.h"
#include "scene/scene.h"
#include "scene/view.h"

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

TEST(AliasTable, DrawsInProportionToTheWeights) {
    const std::vector<double> weights = {3.0, 0.0, 1.0, 0.5, 7.5, 1e-9};
    const std::vector<shared::AliasSlot> table = makeAliasTable(weights);
    // Exactly: slot i gives i with its threshold and its alias with the rest.
    std::vector<double> shares(weights.size(), 0.0);
    for (std::size_t i = 0; i < table.size(); ++i) {
        shares[i] += static_cast<double>(table[i].threshold) / static_cast<double>(table.size());
        shares[table[i].alias] += (1.0 - static_cast<double>(table[i].threshold)) / static_cast<double>(table.size());
    }
    for (std::size_t i = 0; i < weights.size(); ++i) {
        EXPECT_NEAR(shares[i], weights[i] / 12.0, 1e-7);
        EXPECT_NEAR(table[i].probability, weights[i] / 12.0, 1e-7);
    }
    // And as drawn.
    std::mt19937 random(3);
    std::vector<int> drawn(weights.size());
    std::vector<double> left(weights.size());
    constexpr int kDraws = 200000;
    for (int i = 0; i < kDraws; ++i) {
        float rest = 0.0F;
        const std::uint32_t index = shared::sampleAliasBits(addressOf(table), 6, {random(), random()}, rest);
        ++drawn[index];
        left[index] += static_cast<double>(rest);
    }
    EXPECT_EQ(drawn[1], 0);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const double expected = weights[i] / 12.0 * kDraws;
        EXPECT_NEAR(drawn[i], expected, 5.0 * std::sqrt(expected) + 5.0);
        EXPECT_NEAR(left[i], 0.5 * drawn[i], 5.0 * std::sqrt(drawn[i] / 12.0)); // what is left of a draw is uniform
    }
}

/// Against exact arithmetic in 128 bits, for tables that numbers of 24 bits would not reach all of.
TEST(AliasTable, EverySlotOfALongTableIsDrawn) {
    __extension__ using Wide = unsigned __int128;
    std::mt19937 random(4);
    for (const std::uint32_t count : {1U, 7U, (1U << 24U) + 1U, (1U << 25U) + 3U, 0x80000001U, 0xFFFFFFFFU}) {
        constexpr int kDraws = 70000;
        std::vector<double> residues(std::min(count, 7U));
        double restSum = 0.0;
        for (int i = 0; i < kDraws; ++i) {
            const glm::uvec2 bits(random(), random());
            const Wide product = ((Wide{bits.x} << 32U) | bits.y) * count;
            float rest = -1.0F;
            const std::uint32_t slot = shared::sampleSlot(count, bits, rest);
            ASSERT_EQ(slot, static_cast<std::uint32_t>(product >> 64U));
            const auto below = static_cast<double>(static_cast<std::uint64_t>(product)) * 0x1p-64;
            ASSERT_NEAR(rest, below, 0x1p-23);
            ASSERT_LT(rest, 1.0F);
            residues[slot % residues.size()] += 1.0;
            restSum += rest;
        }
        const double expected = static_cast<double>(kDraws) / static_cast<double>(residues.size());
        const ChiSquare test = chiSquare(residues, std::vector<double>(residues.size(), expected));
        EXPECT_GT(test.probability, 0.001) << count << ": " << test.statistic;
        EXPECT_NEAR(restSum / kDraws, 0.5, 0.005) << count;
        float rest = 0.0F;
        EXPECT_EQ(shared::sampleSlot(count, glm::uvec2(0xFFFFFFFFU), rest), count - 1);
        EXPECT_EQ(shared::sampleSlot(count, glm::uvec2(0), rest), 0U);
    }
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

TEST(CameraParams, RaysGoThroughTheirPixels) {
    Scene scene;
    Camera camera;
    camera.position = {1.0, 2.0, 3.0};
    camera.target = {1.0, 2.0, -7.0}; // along -Z: x to the right, y up
    camera.verticalFov = 90.0;
    scene.cameras = {camera};
    scene.film.width = 200;
    scene.film.height = 100;
    scene.film.filter = PixelFilter::Box;
    scene.film.filterRadius = 0.5;
    const shared::CameraParams params = makeCameraParams(scene, defaultView(scene), Space{});
    const auto address = reinterpret_cast<std::uint64_t>(&params);
    const auto through = [&](glm::uvec2 pixel, glm::vec2 film) {
        const glm::vec3 d = shared::sampleCamera(address, pixel, film, {0.5F, 0.5F}).direction;
        return glm::vec2(d.x, d.y) / -d.z;
    };
    EXPECT_LT(glm::length(through({0, 0}, {0.0F, 0.0F}) - glm::vec2(-2.0F, 1.0F)), 1e-5F);
    EXPECT_LT(glm::length(through({199, 99}, {0.9999999F, 0.9999999F}) - glm::vec2(2.0F, -1.0F)), 1e-5F);
    EXPECT_LT(glm::length(through({100, 50}, {0.0F, 0.0F}) - glm::vec2(0.0F, 0.0F)), 1e-5F);
}

TEST(CameraParams, ThinLensFocusesOnTheTarget) {
    Scene scene;
    Camera camera;
    camera.position = {0.0, 0.0, 5.0};
    camera.target = {0.0, 0.0, 0.0};
    camera.apertureRadius = 0.5;
    scene.cameras = {camera};
    scene.film.filter = PixelFilter::Box;
    scene.film.filterRadius = 0.5;
    scene.film.width = 101;
    scene.film.height = 101;
    const shared::CameraParams params = makeCameraParams(scene, defaultView(scene), Space{});
    const auto address = reinterpret_cast<std::uint64_t>(&params);
    double spread = 0.0;
    for (int i = 0; i < 64; ++i) {
        const glm::vec2 lens((static_cast<float>(i % 8) + 0.5F) / 8.0F,
                             (static_cast<float>(i / 8) + 0.5F) / 8.0F); // NOLINT
        const shared::CameraRay ray = shared::sampleCamera(address, {50, 50}, {0.5F, 0.5F}, lens);
        const glm::vec3 focus = ray.origin + ray.direction * (-ray.origin.z / ray.direction.z);
        const glm::vec3 origin = ray.origin - glm::vec3(0, 0, 5);
        EXPECT_LT(glm::length(focus + glm::vec3(0, 0, 0)), 2e-5F);
        EXPECT_LE(glm::length(origin), 0.5F + 1e-5F);
        spread = std::max(spread, static_cast<double>(glm::length(origin)));
    }
    EXPECT_GT(spread, 0.4);
}

TEST(PixelFilter, SamplesFollowBlackmanHarris) {
    Scene scene;
    scene.cameras = {Camera{}};
    const shared::CameraParams params = makeCameraParams(scene, defaultView(scene), Space{});
    const auto address = reinterpret_cast<std::uint64_t>(&params);
    // Variance of the window on [-1.5, 1.5], by numerical integration.
    double weight = 0.0;
    double square = 0.0;
    for (int i = 0; i < 100000; ++i) {
        const double x = (i + 0.5) / 50000.0 - 1.0;
        const double w =
            0.35875 + 0.48829 * std::cos(kPi * x) + 0.14128 * std::cos(2 * kPi * x) + 0.01168 * std::cos(3 * kPi * x);
        weight += w;
        square += w * x * x * 2.25;
    }
    double mean = 0.0;
    double sampled = 0.0;
    for (int i = 0; i < 100000; ++i) {
        const double x = shared::sampleFilter(address, (static_cast<float>(i) + 0.5F) / 100000.0F);
        mean += x / 100000.0;
        sampled += x * x / 100000.0;
    }
    EXPECT_NEAR(mean, 0.0, 1e-4);
    EXPECT_NEAR(sampled, square / weight, 0.02 * square / weight);
}

} // namespace
} // namespace aureole
