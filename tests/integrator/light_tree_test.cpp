// The tree that draws lights with a place: what is drawn has the probabilities that are claimed for it, whatever shines
// can be drawn, and what nearly shines alike is drawn alike.

#include "integrator/light_tree.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <random>
#include <set>

#include <gtest/gtest.h>
#include <omp.h>

#include "address_of.h"
#include "chi_square.h"
#include "core/math.h"

namespace aureole {
namespace {

constexpr double kTreeSignificance = 1e-4; // of each chi-square test
constexpr double kSpotCone = 0.4;

class LightTrees : public testing::Test {
protected:
    float number(float low, float high) { return std::uniform_real_distribution<float>(low, high)(random_); }
    glm::vec3 place() { return {number(1.0F, 2.0F), number(1.0F, 2.0F), number(1.0F, 2.0F)}; }
    glm::vec3 direction() {
        std::normal_distribution<float> normal;
        return glm::normalize(glm::vec3(normal(random_), normal(random_), normal(random_)));
    }
    std::uint32_t bits() { return static_cast<std::uint32_t>(random_()); }
    shared::LightReceiver receiver(std::uint32_t sides = RECEIVES_AHEAD) { return {place(), direction(), sides}; }

    PlacedLight point(const glm::vec3& middle, double intensity) {
        PlacedLight light;
        light.middle = middle;
        light.intensity = intensity;
        light.leaf = next_++;
        return light;
    }

    /// Points, spots and balls of very different light.
    std::vector<PlacedLight> mixture(std::size_t count) {
        std::vector<PlacedLight> lights;
        for (std::size_t i = 0; i < count; ++i) {
            PlacedLight& light = lights.emplace_back(point(place(), std::exp(double{number(-4.0F, 4.0F)})));
            if (i % 3 == 1) {
                light.axis = direction();
                light.cone = kSpotCone;
            } else if (i % 3 == 2) {
                light.radius = number(0.0F, 0.2F);
            }
        }
        return lights;
    }

    void use(const std::vector<PlacedLight>& lights) {
        lights_ = lights;
        tree_ = makeLightTree(lights);
        nodes_ = addressOf(tree_.nodes);
    }

    /// The probability of drawing a light, along the way to it, by all that is known of a receiver, or without normal.
    double probability(std::size_t light, const shared::LightReceiver& from, int known) const {
        double product = 1.0;
        std::uint32_t at = tree_.root;
        for (std::uint32_t trail = tree_.trails[light]; (at & LIGHT_LEAF) == 0; trail >>= 1U) {
            const shared::LightNode& taken = tree_.nodes[at + (trail & 1U)];
            const shared::LightNode& other = tree_.nodes[at + (~trail & 1U)];
            const double own = shared::lightImportance(taken, from)[known];
            const double both = own + double{shared::lightImportance(other, from)[known]};
            const double least = own > 0.0 && own < both ? double{LIGHT_LEAST_SHARE} : 0.0;
            product *= both > 0.0 ? std::clamp(own / both, least, 1.0 - least) : 0.5;
            at = taken.child;
        }
        EXPECT_EQ(at, LIGHT_LEAF | lights_[light].leaf);
        return product;
    }

    /// What a light brings to a receiver where nothing is in its way: of a ball what its middle brings.
    double contribution(std::size_t light, const shared::LightReceiver& from) const {
        const glm::dvec3 towards = glm::dvec3(lights_[light].middle) - glm::dvec3(from.point);
        const double squared = glm::dot(towards, towards);
        const double away = -glm::dot(towards, glm::dvec3(lights_[light].axis)) / std::sqrt(squared);
        const double height = glm::dot(towards, glm::dvec3(from.normal));
        if (squared <= 0.0 || (lights_[light].cone < kPi && away < std::cos(lights_[light].cone))) {
            return 0.0;
        }
        if (from.sides == RECEIVES_AROUND) {
            return lights_[light].intensity / squared;
        }
        return lights_[light].intensity * (from.sides == RECEIVES_BOTH ? std::abs(height) : std::max(height, 0.0)) /
               (squared * std::sqrt(squared));
    }

    shared::LightPick draw(const shared::LightReceiver& from) {
        return shared::drawFromTree(nodes_, tree_.root, from, bits());
    }

    /// The relative variance of one draw's estimate of what all lights bring, where `share` draws light i.
    double variance(const shared::LightReceiver& from, const std::function<double(std::size_t)>& share) const {
        double sum = 0.0;
        double squares = 0.0;
        for (std::size_t i = 0; i < lights_.size(); ++i) {
            const double brought = contribution(i, from);
            sum += brought;
            squares += brought > 0.0 ? brought * brought / share(i) : 0.0;
        }
        return sum > 0.0 ? squares / (sum * sum) - 1.0 : 0.0;
    }

    std::mt19937 random_{21};
    std::uint32_t next_ = 0;
    std::vector<PlacedLight> lights_;
    LightTree tree_;
    std::uint64_t nodes_ = 0;
};

TEST_F(LightTrees, DrawAsTheirProbabilitiesSay) {
    use(mixture(90));
    constexpr int kReceivers = 6;
    constexpr int kDraws = 60000;
    for (int r = 0; r < kReceivers; ++r) {
        const shared::LightReceiver from = receiver(static_cast<std::uint32_t>(r % 3));
        std::vector<double> drawn(lights_.size());
        std::vector<double> expected;
        double sum = 0.0;
        double unfaced = 0.0;
        for (std::size_t i = 0; i < lights_.size(); ++i) {
            const double own = probability(i, from, 0);
            expected.push_back(kDraws * own);
            sum += own;
            const double blind = probability(i, from, 1);
            unfaced += blind;
            EXPECT_NEAR(shared::unfacedProbability(nodes_, tree_.root, tree_.trails[i], from.point), blind,
                        1e-5 * blind);
        }
        EXPECT_NEAR(sum, 1.0, 1e-6);
        EXPECT_NEAR(unfaced, 1.0, 1e-6);
        for (int i = 0; i < kDraws; ++i) {
            const shared::LightPick pick = draw(from);
            ASSERT_LT(pick.light, lights_.size());
            ASSERT_NEAR(pick.probability * kDraws / expected[pick.light], 1.0, 1e-4);
            const double blind = probability(pick.light, from, 1);
            ASSERT_NEAR(pick.unfaced, blind, 1e-4 * blind);
            drawn[pick.light] += 1.0;
        }
        const ChiSquare test = chiSquare(drawn, expected);
        EXPECT_GT(test.probability, kTreeSignificance) << test.statistic << " / " << test.degrees;
    }
}

/// One number of 24 bits has fewer digits than such a tree branches.
TEST_F(LightTrees, DrawEvenlyFromManyLights) {
    std::vector<PlacedLight> lights;
    for (int i = 0; i < 1 << 17; ++i) {
        lights.push_back(point(place(), i % 2 == 0 ? 1.0 : 1e-5));
    }
    use(lights);
    const shared::LightReceiver from{{1.5F, -40.0F, 1.5F}, {0.0F, 1.0F, 0.0F}, 0};
    constexpr std::size_t kBins = 500;
    constexpr int kDraws = 100000;
    std::vector<double> drawn(kBins);
    std::vector<double> expected(kBins);
    for (std::size_t i = 0; i < lights.size(); ++i) {
        expected[i * kBins / lights.size()] += kDraws * probability(i, from, 0);
    }
    int dim = 0;
    double dimExpected = 0.0;
    for (std::size_t i = 1; i < lights.size(); i += 2) {
        dimExpected += probability(i, from, 0);
    }
    for (int i = 0; i < kDraws; ++i) {
        const shared::LightPick pick = draw(from);
        drawn[std::size_t{pick.light} * kBins / lights.size()] += 1.0;
        dim += pick.light % 2 != 0 ? 1 : 0;
    }
    const ChiSquare test = chiSquare(drawn, expected);
    EXPECT_GT(test.probability, kTreeSignificance) << test.statistic << " / " << test.degrees;
    EXPECT_NEAR(dim, kDraws * dimExpected, 4.0 * std::sqrt(kDraws * dimExpected) + 1.0);
    // Below the first branches it is a hash of the word that tells them apart, last bits included.
    std::set<std::uint32_t> apart;
    for (int i = 0; i < 2000; ++i) {
        apart.insert(shared::drawFromTree(nodes_, tree_.root, from, bits() & 0xFFU).light);
    }
    EXPECT_GT(apart.size(), 50U);
}

/// Cores build parts of large trees.
TEST_F(LightTrees, OfManyLightsHaveEachOnce) {
    use(mixture(6000));
    const shared::LightReceiver from = receiver();
    double sum = 0.0;
    for (std::size_t i = 0; i < lights_.size(); ++i) {
        sum += probability(i, from, 1);
    }
    EXPECT_NEAR(sum, 1.0, 1e-6);
}

/// A place within a ball shines if it is lit from there, and a spot within its cone.
TEST_F(LightTrees, WhateverShinesCanBeDrawn) {
    use(mixture(150));
    int shining = 0;
    for (int r = 0; r < 300; ++r) {
        const shared::LightReceiver from = receiver(r % 4 < 3 ? static_cast<std::uint32_t>(r % 4) : RECEIVES_AHEAD);
        for (std::size_t i = 0; i < lights_.size(); ++i) {
            const glm::vec3 inside = lights_[i].middle + lights_[i].radius * number(0.0F, 1.0F) * direction();
            const float height = glm::dot(from.normal, inside - from.point);
            const bool shines =
                lights_[i].radius > 0.0F ? height > 0.0F || from.sides != RECEIVES_AHEAD : contribution(i, from) > 0.0;
            shining += shines ? 1 : 0;
            ASSERT_TRUE(!shines || probability(i, from, 0) > 0.0) << r << ' ' << i;
            ASSERT_TRUE(!shines || probability(i, from, 1) > 0.0) << r << ' ' << i;
        }
    }
    EXPECT_GT(shining, 10000);
}

/// Spots that look apart have a wide cone together, and from close to them it takes in all of space.
TEST_F(LightTrees, SpotsThatLookApartCanBeDrawn) {
    std::vector<PlacedLight> lights;
    for (int i = 0; i < 60; ++i) {
        PlacedLight& light = lights.emplace_back(point(place(), 1.0));
        light.axis = direction();
        light.cone = 0.5 * kPi;
    }
    for (std::size_t i = 0; i + 1 < lights.size(); i += 2) { // each two by themselves
        next_ = 0;
        use({lights[i], lights[i + 1], point({9.0F, 9.0F, 9.0F}, 1.0)});
        for (int r = 0; r < 300; ++r) {
            const shared::LightReceiver from = receiver(RECEIVES_AROUND);
            for (std::size_t j = 0; j < 2; ++j) {
                ASSERT_TRUE(contribution(j, from) <= 0.0 || probability(j, from, 0) > 0.0) << i << ' ' << r;
            }
        }
    }
}

/// What one draw estimates is the sum of all, and so it is by power.
TEST_F(LightTrees, AreUnbiased) {
    use(mixture(120));
    for (int r = 0; r < 5; ++r) {
        const shared::LightReceiver from = receiver();
        double expected = 0.0;
        for (std::size_t i = 0; i < lights_.size(); ++i) {
            expected += contribution(i, from);
        }
        constexpr int kDraws = 40000;
        double sum = 0.0;
        double squares = 0.0;
        for (int i = 0; i < kDraws; ++i) {
            const shared::LightPick pick = draw(from);
            const double value = contribution(pick.light, from) / double{pick.probability};
            sum += value / kDraws;
            squares += value * value / kDraws;
        }
        EXPECT_NEAR(sum, expected, 4.0 * std::sqrt((squares - sum * sum) / kDraws) + 1e-5 * expected) << r;
    }
}

/// 196 equal lights over a floor, which by power have a relative error of 0.6 after 64 draws: in rows and anywhere.
TEST_F(LightTrees, FindTheNearOnesOfEqualLights) {
    for (const bool rows : {true, false}) {
        std::vector<PlacedLight> lights;
        next_ = 0;
        for (int i = 0; i < 196; ++i) {
            const glm::vec3 place(static_cast<float>(i / 14) + 0.5F, 0.5F, static_cast<float>(i % 14) + 0.5F);
            lights.push_back(point(rows ? place : glm::vec3(number(0.0F, 14.0F), 0.5F, number(0.0F, 14.0F)), 1.0));
        }
        use(lights);
        double byTree = 0.0;
        double byPower = 0.0;
        constexpr int kPlaces = 200;
        for (int i = 0; i < kPlaces; ++i) {
            const shared::LightReceiver from{{number(0.0F, 14.0F), 0.0F, number(0.0F, 14.0F)}, {0.0F, 1.0F, 0.0F}, 0};
            byTree += variance(from, [&](std::size_t light) { return probability(light, from, 0); }) / kPlaces;
            byPower += variance(from, [&](std::size_t) { return 1.0 / 196.0; }) / kPlaces;
        }
        EXPECT_GT(byPower / 64.0, 0.4);
        EXPECT_LT(byTree / 64.0, 0.01);
    }
}

/// Of two lights, whatever their power and place, each is drawn as it shines.
TEST_F(LightTrees, PointsAreDrawnByWhatTheyBring) {
    for (int r = 0; r < 100; ++r) {
        next_ = 0;
        use({point(place(), 1.0), point(place(), std::exp(double{number(-25.0F, 25.0F)}))});
        const shared::LightReceiver from = receiver(RECEIVES_BOTH);
        EXPECT_LT(std::abs(variance(from, [&](std::size_t light) { return probability(light, from, 0); })), 1e-4);
    }
}

/// The mean of 1 / probability over draws of a light is 1, however faint it is beside the other.
TEST_F(LightTrees, FaintLightsAreDrawnAsOftenAsTheySay) {
    constexpr std::uint32_t kDraws = 1U << 20U;
    for (const double faint : {1e-2, 1e-4, 1e-11, 1e-30}) {
        for (const std::uint32_t which : {0U, 1U}) {
            next_ = 0;
            use({point({1.0F, 1.5F, 1.5F}, which == 0 ? faint : 1.0),
                 point({2.0F, 1.5F, 1.5F}, which == 0 ? 1.0 : faint)});
            const shared::LightReceiver from{{1.5F, 1.0F, 1.5F}, {0.0F, 1.0F, 0.0F}, 0};
            double sum = 0.0;
            for (std::uint32_t i = 0; i < kDraws; ++i) {
                const shared::LightPick pick = shared::drawFromTree(nodes_, tree_.root, from, i << 12U | 0x800U);
                sum += pick.light == which ? 1.0 / double{pick.probability} : 0.0;
            }
            EXPECT_NEAR(sum / kDraws, 1.0, 0.07) << faint << ' ' << which;
        }
    }
}

TEST_F(LightTrees, StandExtremes) {
    // One light, before and behind.
    use({point({1.5F, 1.5F, 1.5F}, 2.0)});
    EXPECT_EQ(draw(receiver()).probability, 1.0F);
    // All behind: some light is drawn, in vain.
    next_ = 0;
    use({point({1.1F, 1.5F, 1.5F}, 2.0), point({1.2F, 1.7F, 1.5F}, 3.0), point({1.9F, 1.8F, 1.2F}, 1.0)});
    const shared::LightPick some = draw({{1.5F, 1.4F, 1.5F}, {0.0F, -1.0F, 0.0F}, 0});
    EXPECT_LT(some.light, 3U);
    EXPECT_GT(some.probability, 0.0F);
    // At the very point, and next to it.
    for (const glm::vec3 at : {glm::vec3(1.1F, 1.5F, 1.5F), glm::vec3(1.1F, 1.4999999F, 1.5F)}) {
        for (int i = 0; i < 100; ++i) {
            const shared::LightPick pick = draw({at, {0.0F, 1.0F, 0.0F}, 0});
            ASSERT_LT(pick.light, 3U);
            ASSERT_GT(pick.probability, 0.0F);
            ASSERT_LE(pick.probability, 1.0F);
            ASSERT_TRUE(std::isfinite(pick.unfaced));
        }
    }
}

/// Lamps whose light is too faint to be a number leave the others as they are.
TEST_F(LightTrees, LampsOfNoIntensityHavePlaces) {
    use({point({1.1F, 1.5F, 1.5F}, 0.0), point({1.2F, 1.5F, 1.5F}, 1.0), point({1.9F, 1.5F, 1.5F}, 1.0)});
    for (const shared::LightNode& node : tree_.nodes) {
        EXPECT_TRUE(std::isfinite(node.middle.x) && node.middle.x > 1.0F && node.middle.x < 2.0F) << node.middle.x;
    }
    const shared::LightReceiver from{{1.2F, 1.0F, 1.5F}, {0.0F, 1.0F, 0.0F}, 0};
    EXPECT_EQ(probability(0, from, 0), 0.0);
    EXPECT_NEAR(probability(1, from, 0) + probability(2, from, 0), 1.0, 1e-6);
}

/// Many at one place, and places that come ever closer, with a power that grows as much: no way is too long.
TEST_F(LightTrees, AreNotTooDeep) {
    std::vector<PlacedLight> lights;
    for (int i = 0; i < 5000; ++i) {
        const float x = std::ldexp(1.0F, -i % 100);
        lights.push_back(point({x, i < 2500 ? 0.0F : x, 0.0F}, i % 7 == 0 ? 1e11 : 1.0));
    }
    use(lights);
    const shared::LightReceiver from{{0.0F, 0.0F, -1.0F}, {0.0F, 0.0F, 1.0F}, 0};
    double sum = 0.0;
    for (std::size_t i = 0; i < lights.size(); ++i) {
        sum += probability(i, from, 0); // checks that the trail leads to it
    }
    EXPECT_NEAR(sum, 1.0, 1e-5);
}

/// Branches are built side by side: the tree of several threads is that of one.
TEST_F(LightTrees, AreTheSameOnAnyNumberOfThreads) {
    std::vector<PlacedLight> lights = mixture(20000);
    std::fill(lights.begin(), lights.begin() + 3000, lights.front()); // of which no plane parts any
    for (std::size_t i = 0; i < lights.size(); ++i) {
        lights[i].leaf = static_cast<std::uint32_t>(i);
    }
    const int threads = omp_get_max_threads();
    omp_set_num_threads(1);
    const LightTree one = makeLightTree(lights);
    omp_set_num_threads(4);
    const LightTree several = makeLightTree(lights);
    omp_set_num_threads(threads);
    EXPECT_EQ(several.root, one.root);
    EXPECT_EQ(several.trails, one.trails);
    ASSERT_EQ(several.nodes.size(), one.nodes.size());
    EXPECT_EQ(std::memcmp(several.nodes.data(), one.nodes.data(), one.nodes.size() * sizeof(one.nodes[0])), 0);
}

} // namespace
} // namespace aureole
