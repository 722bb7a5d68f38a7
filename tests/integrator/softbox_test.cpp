// Softboxes bring the light that they say, and floors of studios go over into what is below their horizon.

#include <cmath>

#include <gtest/gtest.h>

#include "integrator/environment_table.h"
#include "scene/json/model_stage.h"
#include "scene/scene.h"

namespace aureole {
namespace {

/// What a surface of that normal gets of the table: the sum over its texels.
glm::dvec3 irradianceOn(const glm::dvec3& normal, const EnvironmentTable& table) {
    glm::dvec3 sum(0.0);
    for (std::uint32_t y = 0; y < table.size.y; ++y) {
        const double down = (y + 0.5) / table.size.y * kPi;
        const double solidAngle =
            2.0 * kPi / table.size.x * (std::cos(y * kPi / table.size.y) - std::cos((y + 1) * kPi / table.size.y));
        for (std::uint32_t x = 0; x < table.size.x; ++x) {
            const double turn = ((x + 0.5) / table.size.x - 0.5) * 2.0 * kPi;
            const glm::dvec3 d(std::sin(down) * std::sin(turn), std::cos(down), -std::sin(down) * std::cos(turn));
            sum += std::max(glm::dot(d, normal), 0.0) * solidAngle *
                   glm::dvec3(table.radiances[std::size_t{y} * table.size.x + x]);
        }
    }
    return sum;
}

TEST(Softbox, BringsItsIrradianceWhateverItsSize) {
    for (const double diameter : {4.0, 20.0, 60.0, 120.0}) {
        for (const glm::dvec3& direction :
             {glm::dvec3(0.0, 1.0, 0.0), glm::dvec3(0.6, 0.0, -0.8), glm::normalize(glm::dvec3(-1.0, 0.7, 0.4))}) {
            Environment environment;
            environment.softboxes = {{direction, diameter, glm::vec3(3.0F, 2.0F, 1.0F)}};
            const glm::dvec3 found = irradianceOn(direction, bakeEnvironment(environment, "test"));
            const double tolerance = diameter < 10.0 ? 0.03 : 0.004; // a few texels, or many
            EXPECT_NEAR(found.x, 3.0, 3.0 * tolerance) << diameter;
            EXPECT_NEAR(found.y, 2.0, 2.0 * tolerance) << diameter;
            EXPECT_NEAR(found.z, 1.0, tolerance) << diameter;
        }
    }
}

glm::vec3 vectorOf(const Json& json) {
    return json.is_number() ? glm::vec3(json.get<float>()) : glm::vec3(json[0], json[1], json[2]);
}

/// The environment that a stage's JSON says.
Environment environmentOf(const Json& json) {
    Environment environment;
    environment.type = EnvironmentType::Gradient;
    environment.zenith = vectorOf(json["zenith"]);
    environment.horizon = vectorOf(json["horizon"]);
    environment.ground = vectorOf(json["ground"]);
    for (const auto& [name, box] : json["softboxes"].items()) {
        environment.softboxes.push_back(
            {glm::dvec3(vectorOf(box["direction"])), box["angularDiameter"], vectorOf(box["irradiance"])});
    }
    return environment;
}

TEST(ModelStage, TheFloorHasTheRadianceOfWhatIsBelowTheHorizon) {
    for (const ModelStage stage : {ModelStage::Studio, ModelStage::White}) {
        Json scene;
        addStage(scene, stage, {});
        const Environment environment = environmentOf(scene["environment"]);
        ASSERT_EQ(environment.softboxes.size(), 3U);
        const glm::dvec3 light = irradianceOn({0.0, 1.0, 0.0}, bakeEnvironment(environment, "test"));
        const glm::dvec3 floor = scene["materials"]["floor"]["albedo"].get<double>() * light / kPi;
        for (glm::length_t c = 0; c < 3; ++c) {
            EXPECT_NEAR(floor[c] / environment.ground[c], 1.0, 0.005);
            EXPECT_EQ(environment.ground[c], environment.horizon[c]);
        }
    }
}

TEST(ModelStage, TheLampsStandWhereTheCameraWantsThem) {
    for (const double azimuth : {0.0, 29.0, 200.0}) {
        Json scene;
        addStage(scene, ModelStage::Studio, {azimuth, 10.0, false});
        const Json& boxes = scene["environment"]["softboxes"];
        const double turn = glm::radians(azimuth);
        const glm::vec3 toCamera(std::sin(turn), 0.0, std::cos(turn));
        const glm::vec3 right(std::cos(turn), 0.0, -std::sin(turn));
        const auto side = [&](const char* name) { return glm::dot(vectorOf(boxes[name]["direction"]), right); };
        const auto front = [&](const char* name) { return glm::dot(vectorOf(boxes[name]["direction"]), toCamera); };
        EXPECT_LT(side("key"), -0.3F);
        EXPECT_GT(front("key"), 0.3F);
        EXPECT_GT(side("fill"), 0.3F);
        EXPECT_GT(front("fill"), 0.3F);
        EXPECT_LT(front("rim"), -0.3F);
    }
}

} // namespace
} // namespace aureole
