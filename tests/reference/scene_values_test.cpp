// Scenes at the edges of what the format allows: finite pictures, and an end.

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "reference/reference_renderer.h"
#include "scene/primitives.h"
#include "scene/sky/sky_model.h"

namespace aureole {
namespace {

/// A ball on a floor under an even sky, with a lamp.
Scene plainScene() {
    Scene scene;
    scene.meshes = {makeQuad({-4, 0, 4}, {8, 0, 0}, {0, 0, -8}), makeSphere({0, 1, 0}, 1.0, 2),
                    makeBox({-3, 3, -1}, {-2, 4, 1})};
    scene.materials.resize(3);
    scene.materials[2].emission = glm::vec3(5.0F);
    scene.meshInstances = {{0, glm::dmat4(1.0), 0}, {1, glm::dmat4(1.0), 1}, {2, glm::dmat4(1.0), 2}};
    scene.environment.radiance = glm::vec3(0.5F);
    scene.film.width = 10;
    scene.film.height = 8;
    Camera camera;
    camera.position = glm::dvec3(3.0, 2.5, 6.0);
    camera.target = glm::dvec3(0.0, 1.0, 0.0);
    scene.cameras = {camera};
    return scene;
}

void useImage(Scene& scene, std::uint32_t width, std::uint32_t height, float value) {
    scene.environment.type = EnvironmentType::Image;
    scene.environment.image = makeImage(width, height, {"R", "G", "B"});
    for (Channel& channel : scene.environment.image.channels) {
        channel.values.back() = value;
    }
}

PunctualLight lightOf(LightType type, float intensity) {
    PunctualLight light;
    light.type = type;
    light.position = glm::dvec3(0.0, 5.0, 0.0);
    light.intensity = glm::vec3(intensity);
    return light;
}

using Change = std::pair<std::string, std::function<void(Scene&)>>;

std::vector<Change> lightChanges() {
    return {
        {"no lights at all",
         [](Scene& s) {
             s.environment.radiance = glm::vec3(0.0F);
             s.materials[2].emission = glm::vec3(0.0F);
         }},
        {"lamp without a size", [](Scene& s) { s.meshInstances[2].worldFromMesh = glm::dmat4(0.0); }},
        {"lamp as thin as nothing", [](Scene& s) { s.meshInstances[2].worldFromMesh[0] = glm::dvec4(0.0); }},
        {"emission of 1e8", [](Scene& s) { s.materials[2].emission = glm::vec3(1e8F); }},
        {"emission of 1e-30", [](Scene& s) { s.materials[2].emission = glm::vec3(1e-30F); }},
        {"a point light of 0 and one of 1e8",
         [](Scene& s) {
             s.lights = {lightOf(LightType::Point, 0.0F), lightOf(LightType::Point, 1e8F)};
         }},
        {"a point light on the floor",
         [](Scene& s) {
             s.lights = {lightOf(LightType::Point, 10.0F)};
             s.lights[0].position = glm::dvec3(1.0, 0.0, 1.0);
         }},
        {"a spot as narrow as nothing",
         [](Scene& s) {
             s.lights = {lightOf(LightType::Spot, 10.0F)};
             s.lights[0].outerConeAngle = 0.0;
         }},
        {"a spot of a half space",
         [](Scene& s) {
             s.lights = {lightOf(LightType::Spot, 1e8F)};
             s.lights[0].innerConeAngle = s.lights[0].outerConeAngle = 90.0;
         }},
        {"a directional light along the floor",
         [](Scene& s) {
             s.lights = {lightOf(LightType::Directional, 1e8F)};
             s.lights[0].direction = glm::dvec3(1.0, 0.0, 0.0);
         }},
        {"the smallest sun",
         [](Scene& s) {
             s.environment.sun = Sun{glm::dvec3(0, 1, 0), 0.001, glm::vec3(1e8F)};
         }},
        {"a sun of half the sky",
         [](Scene& s) {
             s.environment.sun = Sun{glm::dvec3(0, 1, 0), 180.0, glm::vec3(1e8F)};
         }},
        {"a sun below the floor",
         [](Scene& s) {
             s.environment.sun = Sun{glm::dvec3(0, -1, 0), 0.53, glm::vec3(9.0F)};
         }},
        {"a black sun",
         [](Scene& s) {
             s.environment.sun = Sun{glm::dvec3(0, 1, 0), 0.53, glm::vec3(0.0F)};
         }},
    };
}

std::vector<Change> otherChanges() {
    return {
        {"an image of one texel", [](Scene& s) { useImage(s, 1, 1, 2.0F); }},
        {"an image with the largest number", [](Scene& s) { useImage(s, 8, 4, 1e12F); }},
        {"a black image", [](Scene& s) { useImage(s, 8, 4, 0.0F); }},
        {"an image of the smallest number", [](Scene& s) { useImage(s, 8, 4, 1e-45F); }},
        {"the murkiest sky at night",
         [](Scene& s) {
             s.environment.type = EnvironmentType::Sky;
             s.environment.sky.turbidity = 10.0;
             s.environment.sky.sunDirection = glm::dvec3(0, -1, 0);
         }},
        {"the clearest sky over white ground",
         [](Scene& s) {
             s.environment.type = EnvironmentType::Sky;
             s.environment.sky.turbidity = 1.0;
             s.environment.sky.groundAlbedo = glm::vec3(1.0F);
             s.environment.sky.sunDirection = glm::dvec3(0, 1, 0);
         }},
        {"white surfaces without end",
         [](Scene& s) { s.materials[0].albedo = s.materials[1].albedo = glm::vec3(1.0F); }},
        {"the camera in the ball", [](Scene& s) { s.cameras[0].position = glm::dvec3(0.0, 1.0, 0.001); }},
        {"the camera on the floor",
         [](Scene& s) {
             s.cameras[0].position = glm::dvec3(2.0, 0.0, 2.0);
             s.cameras[0].target = glm::dvec3(0.0, 0.0, 0.0);
         }},
        {"an empty scene", [](Scene& s) { s.meshInstances.clear(); }},
        {"an empty scene with a sun and lamps",
         [](Scene& s) {
             s.meshInstances.clear();
             s.environment.sun = Sun{};
             s.lights = {lightOf(LightType::Point, 1.0F)};
         }},
        {"a checker of micrometres",
         [](Scene& s) {
             s.materials[0].pattern = Pattern{};
             s.materials[0].pattern->size = 1e-6;
         }},
    };
}

TEST(SceneValues, PicturesStayFinite) {
    std::vector<Change> changes = lightChanges();
    for (Change& change : otherChanges()) {
        changes.push_back(std::move(change));
    }
    for (const auto& [name, change] : changes) {
        for (const LightSampling strategy : {LightSampling::Mis, LightSampling::Lights, LightSampling::Bsdf}) {
            Scene scene = plainScene();
            change(scene);
            scene.integrator.lightSampling = strategy;
            ReferenceRenderer renderer(scene, defaultView(scene));
            ASSERT_EQ(renderer.render(0, 8, [](double) { return true; }), 8U);
            for (const double value : renderer.film().radiance) {
                ASSERT_TRUE(std::isfinite(value) && value >= 0.0) << name << ": " << value;
            }
            for (const double value : renderer.film().squared) {
                ASSERT_TRUE(std::isfinite(value)) << name << ": " << value;
            }
        }
    }
}

} // namespace
} // namespace aureole
