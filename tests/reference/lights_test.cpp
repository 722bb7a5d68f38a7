// Light on a floor against closed forms: a Lambertian floor of albedo rho under irradiance E shows rho E / pi.

#include <array>
#include <cmath>
#include <span>

#include <gtest/gtest.h>

#include "full_sweep.h"
#include "model/photometry.h"
#include "model/primitives.h"
#include "reference/reference_renderer.h"
#include "sky/sky_model.h"

namespace aureole {
namespace {

constexpr double kAlbedo = 0.5;

/// A floor at height 0 seen from above at (x, 0, 0), so narrowly that it is evenly lit.
Scene floorAt(double x) {
    Scene scene;
    scene.integrator.sampler = SamplerKind::Independent; // whose scatter tells their error
    scene.meshes = {makeQuad({-50, 0, 50}, {100, 0, 0}, {0, 0, -100})};
    scene.materials.resize(1);
    scene.materials[0].albedo = glm::vec3(static_cast<float>(kAlbedo));
    scene.meshInstances = {MeshInstance{}};
    scene.film.width = 4;
    scene.film.height = 3;
    scene.film.filter = PixelFilter::Box;
    scene.film.filterRadius = 0.5;
    Camera camera;
    camera.position = glm::dvec3(x, 0.02, 0.0001);
    camera.target = glm::dvec3(x, 0.0, 0.0);
    camera.verticalFov = 1.0;
    scene.cameras = {camera};
    return scene;
}

/// Irradiance of the floor by channel, and its standard error.
struct Measured {
    glm::dvec3 irradiance{0.0};
    glm::dvec3 error{0.0};
};

Measured measure(const Scene& scene, std::uint32_t samples) {
    ReferenceRenderer renderer(scene, defaultView(scene));
    EXPECT_EQ(renderer.render(0, samples, [](double) { return true; }), samples);
    const FilmSums film = renderer.film();
    Measured result;
    glm::dvec3 squares(0.0);
    for (std::size_t i = 0; i < film.radiance.size(); ++i) {
        result.irradiance[static_cast<int>(i % 3)] += film.radiance[i];
        squares[static_cast<int>(i % 3)] += film.squared[i];
    }
    const double n = static_cast<double>(film.radiance.size()) / 3.0 * samples;
    result.irradiance /= n;
    result.error = glm::sqrt(glm::max(squares / n - result.irradiance * result.irradiance, 0.0) / n) * kPi / kAlbedo;
    result.irradiance *= kPi / kAlbedo;
    return result;
}

/// Within four standard errors and a share that the scene's own approximations may take.
void expectIrradiance(const Measured& found, const glm::dvec3& expected, double share = 1e-5) {
    for (int c = 0; c < 3; ++c) {
        EXPECT_NEAR(found.irradiance[c], expected[c], 4.0 * found.error[c] + share * expected[c]) << "channel " << c;
        EXPECT_LT(found.error[c], 0.02 * expected[c] + 1e-12) << "too noisy to tell";
    }
}

PunctualLight lightOf(LightType type, const glm::dvec3& position) {
    PunctualLight light;
    light.type = type;
    light.position = position;
    light.intensity = glm::vec3(10.0F, 5.0F, 1.0F);
    return light;
}

/// E = I cos / distance^2.
TEST(LightOnAFloor, PointLightFallsOffBySquares) {
    for (const double height : {0.5, 1.0, 4.0}) {
        for (const double x : {0.0, 1.0, 3.0}) {
            Scene scene = floorAt(x);
            scene.lights = {lightOf(LightType::Point, {0.0, height, 0.0})};
            const double squared = height * height + x * x;
            const double factor = height / std::sqrt(squared) / squared;
            expectIrradiance(measure(scene, 16), factor * glm::dvec3(10.0, 5.0, 1.0), 2e-3);
        }
    }
}

/// Within the inner cone as a point light; between the cones by the square of the way that the cosine has come; none
/// beyond.
TEST(LightOnAFloor, SpotLightFadesBetweenItsCones) {
    for (const double angle : {0.0, 10.0, 19.0, 22.0, 27.0, 29.0, 31.0, 60.0}) {
        Scene scene = floorAt(2.0 * std::tan(glm::radians(angle)));
        PunctualLight spot = lightOf(LightType::Spot, {0.0, 2.0, 0.0});
        spot.innerConeAngle = 20.0;
        spot.outerConeAngle = 30.0;
        scene.lights = {spot};
        const double cosine = std::cos(glm::radians(angle));
        const double inner = std::cos(glm::radians(20.0));
        const double outer = std::cos(glm::radians(30.0));
        const double way = std::clamp((cosine - outer) / (inner - outer), 0.0, 1.0);
        const double factor = cosine * cosine * cosine / 4.0 * way * way;
        expectIrradiance(measure(scene, 16), factor * glm::dvec3(10.0, 5.0, 1.0), 0.01);
    }
}

/// 683 lux and 683 cd are a watt for each square metre and for each steradian.
TEST(LightOnAFloor, LuxAndCandelaAreWattsOver683) {
    Scene scene = floorAt(0.0);
    PunctualLight light = lightOf(LightType::Directional, {});
    light.direction = glm::normalize(glm::dvec3(1.0, -1.0, 0.5));
    light.intensity = glm::vec3(683.0F * static_cast<float>(intensityPerUnit(LightUnit::Lux, light)));
    scene.lights = {light};
    expectIrradiance(measure(scene, 16), glm::dvec3(1.0 / 1.5));
    light = lightOf(LightType::Point, {0.0, 2.0, 0.0});
    light.intensity = glm::vec3(683.0F * static_cast<float>(intensityPerUnit(LightUnit::Candela, light)));
    scene.lights = {light};
    expectIrradiance(measure(scene, 16), glm::dvec3(0.25), 2e-3);
}

/// E = pi L (r / d)^2 cos, for a sphere that is wholly above the floor.
TEST(LightOnAFloor, SphereOfEvenRadiance) {
    for (const double x : {0.0, 1.5}) {
        for (const LightSampling strategy : {LightSampling::Mis, LightSampling::Lights, LightSampling::Bsdf}) {
            if (strategy == LightSampling::Bsdf && x > 0.0) {
                continue; // a small target for blind rays
            }
            Scene scene = floorAt(x);
            scene.integrator.lightSampling = strategy;
            scene.meshes.push_back(makeSphere({0.0, 2.0, 0.0}, 1.0, 4));
            scene.materials.resize(2);
            scene.materials[1].albedo = glm::vec3(0.0F);
            scene.materials[1].emission = glm::vec3(3.0F, 2.0F, 1.0F);
            scene.meshInstances.push_back({1, glm::dmat4(1.0), 1});
            const double squared = 4.0 + x * x;
            const double factor = kPi / squared * 2.0 / std::sqrt(squared);
            // The polyhedron is a few thousandths narrower than the sphere.
            expectIrradiance(measure(scene, strategy == LightSampling::Bsdf ? 16384 : 4096),
                             factor * glm::dvec3(3.0, 2.0, 1.0), 4e-3);
        }
    }
}

/// E cos, however large the disc is: it is wholly above the horizon.
TEST(LightOnAFloor, SunByItsHeight) {
    for (const double diameter : {0.001, 0.53, 30.0}) {
        for (const double elevation : {90.0, 40.0, 20.0}) {
            Scene scene = floorAt(0.0);
            scene.environment.sun = Sun{skyDirection(elevation, 70.0), diameter, glm::vec3(8.0F, 7.0F, 5.0F)};
            // A disc of even radiance is a little brighter than its middle: its cosines average to cos of the middle.
            expectIrradiance(measure(scene, diameter > 1.0 ? 1024 : 64),
                             std::sin(glm::radians(elevation)) * glm::dvec3(8.0, 7.0, 5.0), 1e-4);
        }
    }
}

/// pi L, and for a gradient 2 pi times the integral of its radiance times the height, over the height.
TEST(LightOnAFloor, ConstantAndGradientSky) {
    for (const LightSampling strategy : {LightSampling::Mis, LightSampling::Lights, LightSampling::Bsdf}) {
        Scene scene = floorAt(0.0);
        scene.integrator.lightSampling = strategy;
        scene.environment.radiance = glm::vec3(1.0F, 0.5F, 0.25F);
        scene.environment.scale = 2.0F;
        expectIrradiance(measure(scene, 2048), kPi * glm::dvec3(2.0, 1.0, 0.5));
        scene.environment.type = EnvironmentType::Gradient;
        scene.environment.zenith = glm::vec3(0.1F, 0.3F, 4.0F);
        scene.environment.horizon = glm::vec3(1.0F);
        // From the horizon by the root of the height: the integral of y sqrt(y) is 2 / 5.
        const glm::dvec3 zenith(scene.environment.zenith);
        const glm::dvec3 expected = 2.0 * kPi * (0.5 + (zenith - 1.0) * 0.4) * 2.0;
        expectIrradiance(measure(scene, 2048), expected, 2e-3);
    }
}

/// The sky's model integrated on a grid of its own, and its sun.
TEST(LightOnAFloor, SkyAndItsSun) {
    const std::array all = {6.0, 50.0};
    for (const double elevation : std::span(all).first(quickOrFull<std::size_t>(1, 2))) {
        const glm::dvec3 sun = skyDirection(elevation, 130.0);
        const SkyModel model(3.0, glm::vec3(0.3F), sun);
        glm::dvec3 expected(0.0);
        constexpr int kRows = 60;
        constexpr int kColumns = 90;
        for (int i = 0; i < kRows * kColumns; ++i) {
            const double angle = 0.5 * kPi * (i / kColumns + 0.5) / kRows;
            const double weight = std::sin(angle) * std::cos(angle) * 0.5 * kPi / kRows * 2.0 * kPi / kColumns;
            expected +=
                weight *
                glm::dvec3(model.radiance(skyDirection(90.0 - glm::degrees(angle), 360.0 * (i % kColumns) / kColumns)));
        }
        Scene scene = floorAt(0.0);
        scene.environment.type = EnvironmentType::Sky;
        scene.environment.sky.sunDirection = sun;
        expectIrradiance(measure(scene, 2048), expected, 4e-3);
        Sun disc{sun};
        disc.irradiance = sunIrradiance(3.0, sun);
        scene.environment.sun = disc;
        expectIrradiance(measure(scene, 2048), expected + sun.y * glm::dvec3(disc.irradiance), 4e-3);
    }
}

} // namespace
} // namespace aureole
