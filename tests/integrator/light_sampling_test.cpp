// What is drawn of environments and lights agrees with the densities that are claimed for it.

#include <cmath>
#include <functional>
#include <random>
#include <span>

#include <gtest/gtest.h>

#include "address_of.h"
#include "chi_square.h"
#include "full_sweep.h"
#include "integrator/alias_table.h"
#include "integrator/environment_table.h"
#include "integrator/light_tables.h"
#include "model/photometry.h"
#include "scene/scene.h"
#include "scene/view.h"

namespace aureole {
namespace {

constexpr double kSignificance = 1e-4; // of each chi-square test

/// Tables of a scene, where the shared functions find them.
struct Bound {
    explicit Bound(const Scene& scene, double surfacePower = 0.0, std::span<const PlacedLight> boxes = {}) {
        Bounds bounds;
        bounds.add(glm::dvec3(-1.0));
        bounds.add(glm::dvec3(1.0));
        tables = makeLightTables(scene, Space{}, bounds, surfacePower, boxes);
        params = describeLights(tables);
        params.lights = addressOf(tables.lights);
        params.choice = addressOf(tables.choice);
        params.nodes = addressOf(tables.tree.nodes);
        params.environment = addressOf(tables.environment);
        params.environmentPick = addressOf(tables.environmentPick);
    }
    std::uint64_t address() const { return reinterpret_cast<std::uint64_t>(&params); }

    LightTables tables;
    shared::LightParams params{};
};

Scene imageScene(std::uint32_t width, std::uint32_t height,
                 const std::function<float(std::uint32_t, std::uint32_t)>& value) {
    Scene scene;
    scene.environment.type = EnvironmentType::Image;
    scene.environment.image = makeImage(width, height, {"R", "G", "B"});
    for (Channel& channel : scene.environment.image.channels) {
        for (std::uint32_t i = 0; i < width * height; ++i) {
            channel.values[i] = value(i % width, i / width);
        }
    }
    return scene;
}

glm::vec3 radianceAt(const Bound& bound, const glm::vec3& d) {
    return glm::vec3(shared::environmentAt(bound.address(), d));
}

float densityAt(const Bound& bound, const glm::vec3& d) {
    return shared::environmentAt(bound.address(), d).w;
}

/// Environments that samplers stumble over, by name; none is constant.
std::vector<std::pair<std::string, Scene>> environments() {
    std::vector<std::pair<std::string, Scene>> all;
    all.emplace_back("one row", imageScene(7, 1, [](auto x, auto) { return static_cast<float>(x); }));
    all.emplace_back("one column", imageScene(1, 9, [](auto, auto y) { return static_cast<float>(y); }));
    all.emplace_back("one bright texel",
                     imageScene(40, 20, [](auto x, auto y) { return x == 33 && y == 11 ? 1e5F : 0.0F; }));
    all.emplace_back("bright poles",
                     imageScene(24, 12, [](auto, auto y) { return y == 0 || y == 11 ? 50.0F : 0.01F; }));
    all.emplace_back("a bright texel at the pole and the seam",
                     imageScene(24, 12, [](auto x, auto y) { return x == 23 && y == 0 ? 1e4F : 0.1F; }));
    all.emplace_back("black rows", imageScene(16, 16, [](auto x, auto y) {
                         return y % 4 == 0 ? 1.0F + static_cast<float>(x) : 0.0F;
                     }));
    std::mt19937 random(7);
    all.emplace_back("noise", imageScene(33, 17, [&](auto, auto) {
                         return std::exp(4.0F * static_cast<float>(random()) / 4294967296.0F);
                     }));
    Scene gradient;
    gradient.environment.type = EnvironmentType::Gradient;
    gradient.environment.zenith = glm::vec3(0.1F, 0.2F, 2.0F);
    gradient.environment.horizon = glm::vec3(1.0F);
    all.emplace_back("gradient", gradient);
    gradient.environment.softboxes = {{{0.0, 0.6, -0.8}, 4.0, glm::vec3(2.0F)},
                                      {{1.0, 0.0, 0.0}, 90.0, glm::vec3(1.0F)}};
    all.emplace_back("softboxes", gradient);
    Scene sky;
    sky.environment.type = EnvironmentType::Sky;
    all.emplace_back("sky", sky);
    return all;
}

TEST(EnvironmentSampling, DrawsFollowTheDensity) {
    std::mt19937 random(11);
    std::uniform_real_distribution<float> unit(0.0F, 1.0F);
    auto all = environments();
    for (const auto& [name, scene] : environments()) {
        all.emplace_back(name + ", lights alone", scene);
        all.back().second.integrator.lightSampling = LightSampling::Lights;
    }
    all.emplace_back("one texel, lights alone", imageScene(1, 1, [](auto, auto) { return 3.0F; }));
    all.back().second.integrator.lightSampling = LightSampling::Lights;
    for (const auto& [name, scene] : all) {
        const Bound bound(scene);
        glm::vec4 brightest(0.0F);
        for (const glm::vec4& texel : bound.tables.environment) {
            brightest = glm::max(brightest, texel);
        }
        constexpr int kRows = 24;
        constexpr int kColumns = 48;
        const int draws = quickOrFull(50000, 200000);
        std::vector<double> drawn(std::size_t{kRows} * kColumns);
        std::vector<double> expected(drawn.size());
        for (int i = 0; i < draws; ++i) {
            const glm::vec2 u(std::min(unit(random), 0.99999994F), std::min(unit(random), 0.99999994F));
            const shared::LightSample s = shared::sampleEnvironment(bound.address(), {random(), random()}, u);
            ASSERT_GT(s.pdf, 0.0F) << name;
            const glm::vec4 found = shared::environmentAt(bound.address(), s.direction);
            // The direction is rounded, by some part of a texel.
            ASSERT_NEAR(s.pdf, found.w, 1e-4F * brightest.w) << name;
            ASSERT_NEAR(s.radiance.y, found.y, 1e-4F * brightest.y) << name;
            const glm::vec2 uv = shared::environmentUv(s.direction);
            const int row = std::min(static_cast<int>(uv.y * kRows), kRows - 1);
            const int column = std::min(static_cast<int>(uv.x * kColumns), kColumns - 1);
            drawn[static_cast<std::size_t>(row * kColumns + column)] += 1.0;
        }
        // The density, integrated on a grid that is finer than texels and no multiple of them.
        constexpr int kFine = 13;
        for (int row = 0; row < kRows * kFine; ++row) {
            const double v = (row + 0.5) / (kRows * kFine);
            const double cell = std::sin(v * kPi) * kPi * 2.0 * kPi / (double{kRows} * kColumns * kFine * kFine);
            for (int column = 0; column < kColumns * kFine; ++column) {
                const double u = (column + 0.5) / (kColumns * kFine);
                const glm::vec3 d =
                    shared::environmentDirection(glm::vec2(static_cast<float>(u), static_cast<float>(v)));
                expected[static_cast<std::size_t>(row / kFine * kColumns + column / kFine)] +=
                    draws * cell * double{densityAt(bound, d)};
            }
        }
        double total = 0.0;
        for (const double value : expected) {
            total += value;
        }
        EXPECT_NEAR(total / draws, 1.0, 0.01) << name;
        const ChiSquare test = chiSquare(drawn, expected);
        EXPECT_GT(test.probability, kSignificance) << name << ": " << test.statistic << " / " << test.degrees;
    }
}

/// Next to the poles of a picture of fine rows, where a direction's height is 1 but for its last bits. What is drawn
/// there estimates the integral of its bilinear tent.
TEST(EnvironmentSampling, RowsNextToThePolesKeepTheirLight) {
    constexpr std::uint32_t kRows = 4096;
    for (const std::uint32_t bright : {0U, 1U, 3U, kRows - 1}) {
        const Scene scene = imageScene(8, kRows, [&](auto, auto y) { return y == bright ? 1e5F : 0.0F; });
        const Bound bound(scene);
        std::mt19937 random(16);
        std::uniform_real_distribution<float> unit(0.0F, 0.9999999F);
        constexpr int kDraws = 200000;
        double sum = 0.0;
        double squares = 0.0;
        for (int i = 0; i < kDraws; ++i) {
            const shared::LightSample s =
                shared::sampleEnvironment(bound.address(), {random(), random()}, {unit(random), unit(random)});
            const double value = s.pdf > 0.0F ? static_cast<double>(s.radiance.x) / static_cast<double>(s.pdf) : 0.0;
            sum += value / kDraws;
            squares += value * value / kDraws;
        }
        double expected = 0.0;
        constexpr int kSteps = 3000;
        const auto heightOf = [&](double row) { return std::cos((row + 0.5) / kRows * kPi); };
        for (int i = 0; i < kSteps; ++i) { // over the tent, flat in the half of a row next to the pole
            const double v = std::clamp(bright - 0.5, 0.0, kRows - 2.0) + 2.0 * (i + 0.5) / kSteps;
            const double row = std::clamp(v - 0.5, 0.0, kRows - 1.0);
            const double other = row < bright || bright == kRows - 1 ? bright - 1.0 : bright + 1.0;
            const double tent = std::max(0.0, (heightOf(row) - heightOf(other)) / (heightOf(bright) - heightOf(other)));
            expected += 1e5 * tent * std::sin(v / kRows * kPi) * 2.0 / kSteps;
        }
        expected *= 2.0 * kPi * kPi / kRows;
        EXPECT_LT(squares - sum * sum, 1e-6 * expected * expected) << bright; // the density is that of the radiance
        EXPECT_NEAR(sum, expected, 1e-3 * expected) << bright;
    }
}

glm::vec3 anyDirection(std::mt19937& random) {
    std::normal_distribution<float> normal;
    return glm::normalize(glm::vec3(normal(random), normal(random), normal(random)));
}

/// Alone, light sampling has the density of the radiance itself, in between of texels too.
TEST(EnvironmentSampling, DensityIsThatOfTheRadiance) {
    std::mt19937 random(12);
    for (auto& [name, scene] : environments()) {
        scene.integrator.lightSampling = LightSampling::Lights;
        const Bound bound(scene);
        double flux = 0.0; // as the first direction has it
        for (int i = 0; i < 2000; ++i) {
            const glm::vec3 d = anyDirection(random);
            const double radiance = luminanceOf(radianceAt(bound, d));
            flux = flux > 0.0 || radiance <= 0.0 ? flux : radiance / double{densityAt(bound, d)};
            ASSERT_NEAR(densityAt(bound, d) * flux, radiance, 1e-5 * radiance) << name;
        }
        for (const glm::vec3 pole :
             {glm::vec3(0, 1, 0), glm::vec3(0, -1, 0), glm::vec3(0, 0, 1), glm::vec3(-0.0F, 0, 1)}) {
            EXPECT_TRUE(std::isfinite(densityAt(bound, pole))) << name;
            EXPECT_TRUE(std::isfinite(radianceAt(bound, pole).x)) << name;
        }
    }
}

/// From all of a sphere's upper half.
struct Irradiance {
    double mean = 0.0;
    double variance = 0.0; ///< of the mean
};

Irradiance irradianceByBoth(const Bound& bound, bool chanceAlone) {
    std::mt19937 random(17);
    std::uniform_real_distribution<float> unit(0.0F, 0.9999999F);
    constexpr int kDraws = 200000;
    double sum = 0.0;
    double squares = 0.0;
    const auto brightness = [&](const glm::vec3& d) {
        return std::max(d.y, 0.0F) / static_cast<float>(kPi) * radianceAt(bound, d).x;
    };
    for (int i = 0; i < kDraws; ++i) {
        const glm::vec3 local = shared::sampleCosineHemisphere({unit(random), unit(random)});
        const glm::vec3 d(local.x, local.z, local.y);
        const float cosine = shared::cosineHemispherePdf(d.y);
        const std::uint32_t strategy = chanceAlone ? STRATEGY_BSDF : STRATEGY_MIS;
        float value = brightness(d) / cosine * shared::bsdfWeight(strategy, cosine, densityAt(bound, d));
        const shared::LightSample s =
            shared::sampleEnvironment(bound.address(), {random(), random()}, {unit(random), unit(random)});
        if (!chanceAlone && s.direction.y > 0.0F && s.pdf > 0.0F) {
            const float other = shared::cosineHemispherePdf(s.direction.y);
            value += brightness(s.direction) / s.pdf * shared::misWeight(s.pdf, other, other);
        }
        sum += double{value} / kDraws;
        squares += double{value} * double{value} / kDraws;
    }
    return {sum, (squares - sum * sum) / kDraws};
}

/// What light sampling leaves out chance finds; and of a sky with something bright in it that takes variance away.
TEST(EnvironmentSampling, WhatIsLeftToChanceIsFoundByChance) {
    Scene scene = imageScene(32, 16, [](auto x, auto y) { return x > 20 && x < 24 && y == 5 ? 20.0F : 1.0F; });
    const Bound compensated(scene);
    scene.integrator.lightSampling = LightSampling::Lights;
    const Bound whole(scene);
    EXPECT_EQ(densityAt(compensated, {0, 0, 1}), 0.0F);
    EXPECT_GT(densityAt(whole, {0, 0, 1}), 0.0F);
    const Irradiance chance = irradianceByBoth(compensated, true);
    const Irradiance less = irradianceByBoth(compensated, false);
    const Irradiance more = irradianceByBoth(whole, false);
    EXPECT_NEAR(less.mean, chance.mean, 4.0 * std::sqrt(less.variance + chance.variance));
    EXPECT_NEAR(more.mean, chance.mean, 4.0 * std::sqrt(more.variance + chance.variance));
    EXPECT_LT(less.variance, 0.5 * more.variance);
}

/// Nothing is left of a constant sky, but for what rounding makes of it; one that is all but constant is drawn seldom.
TEST(EnvironmentSampling, ConstantSkiesAreLeftToChance) {
    Scene scene;
    scene.environment.radiance = glm::vec3(0.1F, 0.3F, 0.7F);
    scene.environment.sun = Sun{};
    const Bound left(scene);
    ASSERT_EQ(left.params.lightCount, 1U);
    EXPECT_EQ(left.tables.lights[0].type, LIGHT_SUN);
    EXPECT_EQ(left.params.environmentProbability, 0.0F);
    scene.integrator.lightSampling = LightSampling::Lights;
    const Bound drawn(scene);
    ASSERT_EQ(drawn.params.lightCount, 2U);
    std::mt19937 random(18);
    for (int i = 0; i < 1000; ++i) {
        const glm::vec3 d = anyDirection(random);
        ASSERT_EQ(densityAt(left, d), 0.0F);
        ASSERT_NEAR(radianceAt(left, d).y, 0.3F, 1e-6F);
        ASSERT_NEAR(densityAt(drawn, d), 0.25 / kPi, 1e-6);
    }
    scene.integrator.lightSampling = LightSampling::Mis;
    scene.environment.type = EnvironmentType::Gradient;
    scene.environment.zenith = scene.environment.ground = glm::vec3(1.0F);
    scene.environment.horizon = glm::vec3(1.2F);
    const float seldom = Bound(scene).params.environmentProbability;
    scene.integrator.lightSampling = LightSampling::Lights;
    EXPECT_LT(seldom, 0.3F * Bound(scene).params.environmentProbability);
}

/// Turned by 90 degrees about +Y, what was seen along -Z is seen along -X; so are a sky's sun and its glow.
TEST(EnvironmentRotation, TurnsCounterClockwiseSeenFromAbove) {
    Scene scene = imageScene(64, 32, [](auto x, auto) { return x == 31 || x == 32 ? 8.0F : 0.0F; });
    const auto at = [](const Scene& s, const glm::vec3& d) { return radianceAt(Bound(s), d).x; };
    EXPECT_NEAR(at(scene, {0, 0, -1}), 8.0F, 1e-4F);
    scene.environment.rotation = 90.0;
    scene.environment.scale = 0.25F;
    EXPECT_NEAR(at(scene, {-1, 0, 0}), 2.0F, 1e-4F);
    EXPECT_NEAR(at(scene, {0, 0, -1}), 0.0F, 1e-4F);
    scene.environment.rotation = -450.0;
    EXPECT_NEAR(at(scene, {1, 0, 0}), 2.0F, 1e-4F);
}

constexpr shared::LightReceiver kReceiver = {{0.1F, 0.2F, 0.3F}, {0.0F, 1.0F, 0.0F}, 0};

/// The first choice: the environment, its sun, directional lights, and all with a place.
TEST(LightChoice, LightsAreDrawnAsTheirProbabilitiesSay) {
    Scene scene;
    scene.environment.type = EnvironmentType::Gradient;
    scene.environment.zenith = glm::vec3(0.05F);
    scene.environment.horizon = glm::vec3(0.5F);
    scene.environment.sun = Sun{};
    std::mt19937 random(13);
    for (int i = 0; i < 40; ++i) {
        PunctualLight light;
        light.type = static_cast<LightType>(i % 3);
        light.intensity = glm::vec3(std::exp(8.0F * static_cast<float>(random()) / 4294967296.0F - 6.0F));
        light.position.y = 2.0;
        scene.lights.push_back(light);
    }
    const std::vector<shared::EmitterBox> boxes(1,
                                                shared::EmitterBox{{0.5F, 1.5F, 0.0F}, 3.0F, {}, 0, {}, {}, NO_SIDE});
    const Bound bound(scene, 17.0, placedBoxes(boxes, std::vector(1, glm::vec3(0.0F)), 0.01));
    ASSERT_EQ(bound.tables.choice.size(), 16U); // 13 directional lights
    ASSERT_EQ(bound.tables.lights.size(), 16U + 27U);
    ASSERT_EQ(bound.tables.placed, 15U);
    ASSERT_EQ(bound.tables.surfaces, 16U);
    ASSERT_EQ(bound.tables.tree.trails.size(), 1U);
    constexpr int kDraws = 300000;
    std::vector<double> drawn(bound.tables.choice.size());
    std::vector<double> expected;
    double sum = 0.0;
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        const float probability = bound.tables.lights[i].probability;
        expected.push_back(kDraws * double{probability});
        EXPECT_GT(probability, 0.0F);
        sum += probability;
    }
    EXPECT_NEAR(sum, 1.0, 1e-5);
    constexpr std::size_t kBins = 8;
    std::vector<double> drawnWith(drawn.size() * kBins); // what is left of the number is even, and tells nothing
    std::vector<double> expectedWith;
    for (std::size_t i = 0; i < drawnWith.size(); ++i) {
        expectedWith.push_back(expected[i / kBins] / kBins);
    }
    for (int i = 0; i < kDraws; ++i) {
        float left = 0.0F;
        const shared::LightPick pick = shared::chooseLight(bound.address(), kReceiver, {random(), random()}, left);
        const std::uint32_t first = std::min(pick.light, bound.tables.placed);
        ASSERT_GE(left, 0.0F);
        ASSERT_LT(left, 1.0F);
        drawnWith[first * kBins + static_cast<std::size_t>(left * kBins)] += 1.0;
        ASSERT_LE(pick.probability, bound.tables.lights[first].probability);
        ASSERT_TRUE(first == bound.tables.placed || pick.unfaced == bound.tables.lights[first].probability);
        drawn[first] += 1.0;
    }
    for (const ChiSquare& test : {chiSquare(drawn, expected), chiSquare(drawnWith, expectedWith)}) {
        EXPECT_GT(test.probability, kSignificance) << test.statistic << " / " << test.degrees;
    }
}

/// In proportion to power, but for a tenth of all choices that are spread evenly.
TEST(LightChoice, ProbabilitiesFollowThePower) {
    Scene scene;
    for (const float irradiance : {1.0F, 9.0F}) {
        PunctualLight light;
        light.type = LightType::Directional;
        light.intensity = glm::vec3(irradiance);
        scene.lights.push_back(light);
    }
    const Bound bound(scene);
    EXPECT_NEAR(bound.tables.lights[0].probability, (0.1 + 0.05) / 1.1, 1e-6);
    EXPECT_NEAR(bound.tables.lights[1].probability, (0.9 + 0.05) / 1.1, 1e-6);
}

TEST(LightChoice, EmittersOfAMillionAreDrawnByPower) {
    std::mt19937 random(14);
    std::vector<double> weights(1000000);
    for (double& weight : weights) {
        weight = std::exp(12.0 * static_cast<double>(random()) / 4294967296.0);
    }
    double total = 0.0;
    for (const double weight : weights) {
        total += weight;
    }
    const std::vector<shared::AliasSlot> table = makeAliasTable(weights);
    constexpr std::size_t kBins = 1000;
    constexpr int kDraws = 1000000;
    std::vector<double> drawn(kBins);
    std::vector<double> expected(kBins);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        expected[i % kBins] += kDraws * weights[i] / total;
    }
    float unused = 0.0F;
    for (int i = 0; i < kDraws; ++i) {
        drawn[shared::sampleAliasBits(addressOf(table), 1000000, {random(), random()}, unused) % kBins] += 1.0;
    }
    const ChiSquare test = chiSquare(drawn, expected);
    EXPECT_GT(test.probability, kSignificance) << test.statistic << " / " << test.degrees;
}

} // namespace
} // namespace aureole
