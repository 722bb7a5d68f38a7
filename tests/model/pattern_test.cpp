#include "model/pattern.h"

#include <array>
#include <cmath>
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include "json_test_util.h"
#include "scene/surface.h"

namespace aureole {
namespace {

TEST(Pattern, CheckerAlternatesAlongEachAxis) {
    Pattern pattern;
    pattern.size = 0.25;
    pattern.colours = {glm::vec3(0.1F), glm::vec3(0.9F)};
    std::mt19937 random(1);
    std::uniform_real_distribution<double> unit(0.1, 0.9);
    for (int x = -3; x < 3; ++x) {
        for (int y = -3; y < 3; ++y) {
            for (int z = -3; z < 3; ++z) {
                const glm::dvec3 place = 0.25 * glm::dvec3(x + unit(random), y + unit(random), z + unit(random));
                const float expected = ((x + y + z) % 2) == 0 ? 0.1F : 0.9F;
                EXPECT_EQ(patternColour(pattern, place, {0, 1, 0}).x, expected) << x << ' ' << y << ' ' << z;
            }
        }
    }
}

/// Rounding of its height must not show on a floor that lies between two layers of cubes.
TEST(Pattern, AFloorBetweenCubesShowsOneLayer) {
    const Pattern pattern;
    for (const double height : {-1e-7, 0.0, 1e-7}) {
        EXPECT_EQ(patternColour(pattern, {0.5, height, 0.5}, {0, 1, 0}), pattern.colours[1]);
        EXPECT_EQ(patternColour(pattern, {1.5, height, 0.5}, {0, 1, 0}), pattern.colours[0]);
    }
}

TEST(Pattern, NoiseIsSmoothAndBalanced) {
    std::mt19937 random(2);
    std::uniform_real_distribution<double> place(-500.0, 500.0);
    double sum = 0.0;
    double squares = 0.0;
    constexpr int kPlaces = 200000;
    for (int i = 0; i < kPlaces; ++i) {
        const glm::dvec3 p(place(random), place(random), place(random));
        const double value = gradientNoise(p, 5);
        ASSERT_LE(std::abs(value), 1.0);
        sum += value;
        squares += value * value;
        // No jump, at cells' borders either: the slope is at most some 4 per cell.
        const glm::dvec3 near = p + glm::dvec3(1e-4, -1e-4, 1e-4);
        ASSERT_LT(std::abs(gradientNoise(near, 5) - value), 1e-3);
    }
    EXPECT_NEAR(sum / kPlaces, 0.0, 0.005);
    // Perlin's twelve directions give a standard deviation of about a quarter.
    EXPECT_NEAR(std::sqrt(squares / kPlaces), 0.26, 0.03);
}

TEST(Pattern, NoiseVanishesAtWholeCoordinatesAndFollowsItsSeed) {
    int differs = 0;
    for (int i = -20; i < 20; ++i) {
        EXPECT_EQ(gradientNoise({i, 3 * i, -i}, 1), 0.0);
        const glm::dvec3 place(i + 0.3, i + 0.6, 0.4 - i);
        differs += gradientNoise(place, 1) != gradientNoise(place, 2) ? 1 : 0;
        EXPECT_EQ(gradientNoise(place, 1), gradientNoise(place, 1));
    }
    EXPECT_GT(differs, 30);
    EXPECT_TRUE(std::isfinite(gradientNoise({1e30, -1e30, 1e300}, 0)));
}

/// What a thread remembers of cells gives no other values: in a new thread, by seeds that share a place in its memory.
TEST(Pattern, NoiseDoesNotHangOnWhatWasAskedBefore) {
    std::array<double, 5> values{};
    std::thread([&] {
        const glm::dvec3 first(0.3, 0.4, 0.55);
        const glm::dvec3 second(-7.3, 120.4, 0.7);
        values = {gradientNoise(first, 0), gradientNoise(second, 5), gradientNoise(first, 16), gradientNoise(first, 5),
                  gradientNoise(second, 5)};
    }).join();
    // Of the function before it remembered anything.
    EXPECT_EQ(values[0], 0.237553048676514);
    EXPECT_EQ(values[1], -0.38374529917978045);
    EXPECT_EQ(values[2], 0.13498247889905757);
    EXPECT_NE(values[3], values[1]);
    EXPECT_EQ(values[4], values[1]);
}

TEST(Pattern, OctavesAddFinerAndWeakerNoise) {
    Pattern pattern;
    pattern.kind = PatternKind::Noise;
    pattern.size = 2.0;
    pattern.octaves = 3;
    pattern.seed = 4;
    pattern.colours = {glm::vec3(0.0F), glm::vec3(1.0F)};
    std::mt19937 random(3);
    std::uniform_real_distribution<double> place(-9.0, 9.0);
    for (int i = 0; i < 1000; ++i) {
        const glm::dvec3 p(place(random), place(random), place(random));
        const double sum = gradientNoise(p / 2.0, 4) + gradientNoise(p, 5) / 2.0 + gradientNoise(p * 2.0, 6) / 4.0;
        EXPECT_NEAR(patternColour(pattern, p, {0, 1, 0}).y, std::clamp(0.5 + 0.5 * sum / 1.75, 0.0, 1.0), 1e-6);
    }
}

/// Where the instance stands counts, not the mesh's own coordinates.
TEST(Pattern, IsEvaluatedInTheWorld) {
    Scene scene;
    Mesh mesh;
    mesh.positions = {{0, 0, 0}, {0, 0, 0.5F}, {0.5F, 0, 0}};
    mesh.triangles = {{0, 1, 2}};
    scene.meshes = {mesh};
    scene.materials.resize(1);
    scene.materials[0].pattern = Pattern{};
    MeshInstance instance;
    const SurfacePoint here = evaluateSurface(scene, instance, 0, 0.3F, 0.3F);
    instance.worldFromMesh[3] = glm::dvec4(1.0, 0.0, 0.0, 1.0);
    const SurfacePoint there = evaluateSurface(scene, instance, 0, 0.3F, 0.3F);
    EXPECT_NE(here.albedo, there.albedo);
    EXPECT_EQ(here.albedo, scene.materials[0].pattern->colours[1]); // a cube of the layer below the floor
}

class PatternJson : public SceneJsonTest {};

TEST_F(PatternJson, ReadsBothAndNamesWhatIsWrong) {
    const auto with = [&](const std::string& albedo) {
        return load(minimalScene(), {{"/materials/wall/albedo", albedo}});
    };
    const Scene checker = with(R"({ "checker": { "size": 0.5, "colours": ["#ffffff", [0, 0.5, 1]] } })");
    ASSERT_TRUE(checker.materials[0].pattern);
    EXPECT_EQ(checker.materials[0].pattern->kind, PatternKind::Checker);
    EXPECT_EQ(checker.materials[0].pattern->colours[1], glm::vec3(0.0F, 0.5F, 1.0F));
    const Scene noise = with(R"({ "noise": {} })");
    EXPECT_EQ(noise.materials[0].pattern->octaves, 4U);
    EXPECT_NE(noise.surfaceHash, checker.surfaceHash);
    EXPECT_EQ(noise.surfaceHash, with(R"({ "noise": {} })").surfaceHash);
    EXPECT_NE(noise.surfaceHash, with(R"({ "noise": { "seed": 1 } })").surfaceHash);
    const auto found = [&](const std::string& albedo) {
        return join(problems(minimalScene(), {{"/materials/wall/albedo", albedo}}));
    };
    EXPECT_NE(found("{}").find("neither"), std::string::npos);
    EXPECT_NE(found(R"({ "checker": {}, "noise": {} })").find("both"), std::string::npos);
    EXPECT_NE(found(R"({ "cheker": {} })").find("did you mean 'checker'"), std::string::npos);
    EXPECT_NE(found(R"({ "checker": { "size": 0 } })").find("/materials/wall/albedo/checker/size"), std::string::npos);
    EXPECT_NE(found(R"({ "noise": { "colours": [1, 2] } })").find("/materials/wall/albedo/noise/colours/1"),
              std::string::npos);
}

/// Lights change pixels and no voxel; patterns change both.
TEST_F(PatternJson, LightsDoNotChangeTheSurfaces) {
    const Scene before = load(minimalScene());
    const Scene lit = load(minimalScene(), {{"/environment", R"({ "type": "sky" })"},
                                            {"/lights", R"({ "l": { "type": "point", "position": [0, 1, 0],
                                                             "unit": "cd", "lightGroup": "key" } })"}});
    EXPECT_EQ(lit.surfaceHash, before.surfaceHash);
    EXPECT_NE(lit.hash, before.hash);
    const Scene tiled = load(minimalScene(), {{"/materials/wall/albedo", R"({ "checker": {} })"}});
    EXPECT_NE(tiled.surfaceHash, before.surfaceHash);
    EXPECT_NE(tiled.hash, before.hash);
}

} // namespace
} // namespace aureole
