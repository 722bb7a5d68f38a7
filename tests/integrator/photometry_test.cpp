#include "model/photometry.h"

#include <cmath>

#include <gtest/gtest.h>

#include "integrator/light_tables.h"
#include "integrator/material_traits.h"
#include "json_test_util.h"
#include "scene/scene.h"
#include "scene/view.h"

namespace aureole {
namespace {

class Photometry : public SceneJsonTest {
protected:
    glm::vec3 intensity(const std::string& light) const {
        return load(minimalScene(), {{"/lights", R"({ "l": )" + light + "}"}}).lights.at(0).intensity;
    }
};

TEST_F(Photometry, AWattIsSixHundredAndEightyThreeLumens) {
    const auto point = [&](const char* unit) {
        return intensity(
            std::string(R"({ "type": "point", "position": [0,1,0], "intensity": [683, 1366, 0], "unit": ")") + unit +
            "\" }");
    };
    EXPECT_EQ(point("W/sr"), glm::vec3(683, 1366, 0));
    EXPECT_LT(glm::length(point("cd") - glm::vec3(1, 2, 0)), 1e-6F);
    EXPECT_LT(glm::length(point("lm") - glm::vec3(1, 2, 0) / static_cast<float>(4.0 * kPi)), 1e-7F);
    EXPECT_LT(glm::length(intensity(R"({ "type": "directional", "direction": [0,-1,0], "intensity": 683,
                                         "unit": "lux" })") -
                          glm::vec3(1.0F)),
              1e-6F);
}

/// Of a spot, lumens are what goes through the whole cone: integrated over the directions with the shared falloff.
TEST_F(Photometry, LumensOfASpotAreItsFlux) {
    for (const auto& [inner, outer] : {std::pair{0.0, 45.0}, {20.0, 30.0}, {0.0, 1.0}, {80.0, 90.0}, {30.0, 30.0}}) {
        PunctualLight light;
        light.type = LightType::Spot;
        light.innerConeAngle = inner;
        light.outerConeAngle = outer;
        light.intensity = glm::vec3(static_cast<float>(800.0 * intensityPerUnit(LightUnit::Lumen, light)));
        Scene scene;
        scene.lights = {light};
        const shared::Light made = makeLightTables(scene, Space{}, Bounds{}, 0.0).lights.at(1);
        double flux = 0.0;
        constexpr int kSteps = 20000;
        for (int i = 0; i < kSteps; ++i) {
            const double angle = glm::radians(91.0) * (i + 0.5) / kSteps;
            const glm::dvec3 point(std::sin(angle), -std::cos(angle), 0.0);
            const double arrived = shared::samplePunctual(made, glm::vec3(point), {0.5F, 0.5F}).radiance.x;
            flux += arrived * 2.0 * kPi * std::sin(angle) * glm::radians(91.0) / kSteps;
        }
        EXPECT_NEAR(flux * 683.0, 800.0, 1.0) << inner << ' ' << outer;
    }
}

TEST_F(Photometry, ASpotMayHaveASharpEdge) {
    const std::string spot = R"({ "type": "spot", "position": [0,0,0], "direction": [0,1,0], )";
    EXPECT_EQ(intensity(spot + R"("innerConeAngle": 20, "outerConeAngle": 20 })"), glm::vec3(1.0F));
    EXPECT_NE(join(problems(minimalScene(), {{"/lights", R"({ "l": )" + spot + R"("outerConeAngle": 0 }})"}}))
                  .find("/lights/l/outerConeAngle"),
              std::string::npos);
}

TEST_F(Photometry, UnitsGoWithTheirTypes) {
    const auto found = [&](const std::string& light) {
        return join(problems(minimalScene(), {{"/lights", R"({ "l": )" + light + "}"}}));
    };
    EXPECT_NE(found(R"({ "type": "point", "position": [0,1,0], "unit": "lux" })").find("/lights/l/unit: found 'lux'"),
              std::string::npos);
    EXPECT_NE(found(R"({ "type": "directional", "direction": [0,1,0], "unit": "cd" })").find("'lux'"),
              std::string::npos);
}

class LightGroups : public SceneJsonTest {};

TEST_F(LightGroups, NamesAreCollectedAndReachTheTables) {
    const Scene scene = load(R"({ "version": 1,
  "assets": { "ball": { "sphere": { "subdivisions": 0 } } },
  "instances": { "ball": { "asset": "ball", "material": "glow" } },
  "materials": { "glow": { "emission": 1, "lightGroup": "lamps" }, "plain": {} },
  "cameras": { "main": { "position": [0, 0, 5], "target": [0, 0, 0] } },
  "lights": { "a": { "type": "point", "position": [0, 1, 0], "lightGroup": "key-1" },
              "b": { "type": "point", "position": [0, 1, 0] },
              "c": { "type": "directional", "direction": [0, -1, 0], "lightGroup": "lamps" } },
  "environment": { "type": "gradient", "zenith": 1, "horizon": 2, "lightGroup": "sky",
                   "sun": { "direction": [0, 1, 0], "lightGroup": "sun" } } })");
    const auto named = [&](std::uint32_t group) { return scene.lightGroups.at(group); };
    ASSERT_EQ(scene.lightGroups.size(), 5U);
    EXPECT_EQ(scene.lightGroups[0], "");
    EXPECT_EQ(named(scene.materials[0].lightGroup), "lamps");
    EXPECT_EQ(named(scene.materials[1].lightGroup), "");
    const LightTables tables = makeLightTables(scene, Space{}, Bounds{}, 0.0);
    EXPECT_EQ(named(tables.environmentGroup), "sky");
    ASSERT_EQ(tables.lights.size(), 6U);
    EXPECT_EQ(named(tables.lights[tables.sun].group), "sun");
    EXPECT_EQ(named(tables.lights[2].group), "lamps"); // lights with a place stand behind those without
    EXPECT_EQ(named(tables.lights[4].group), "key-1");
    EXPECT_EQ(named(tables.lights[5].group), "");
    EXPECT_EQ(named(makeMaterialTraits(scene.materials, Space{})[0].lightGroup), "lamps");
    shared::LightParams params = describeLights(tables);
    params.environment = reinterpret_cast<std::uint64_t>(tables.environment.data());
    params.environmentPick = reinterpret_cast<std::uint64_t>(tables.environmentPick.data());
    EXPECT_EQ(named(shared::sampleEnvironment(reinterpret_cast<std::uint64_t>(&params), {1, 2}, {0.5F, 0.5F}).group),
              "sky");
    EXPECT_EQ(named(shared::samplePunctual(tables.lights[2], {}, {0.5F, 0.5F}).group), "lamps");
}

} // namespace
} // namespace aureole
