// Media that scatter, in solids and as fog, against closed forms.

#include <array>
#include <cmath>
#include <functional>

#include <glm/gtc/matrix_transform.hpp>
#include <gtest/gtest.h>

#include "full_sweep.h"
#include "render/support/statistics.h"
#include "scenes.h"

namespace aureole {
namespace {

/// A wall in the plane z = 0 that emits `emission`, seen straight on, in parallel, from `distance` before it.
Scene wallScene(float emission, double distance) {
    Mesh wall;
    wall.positions = {{-9.0F, -9.0F, 0.0F}, {9.0F, -9.0F, 0.0F}, {9.0F, 9.0F, 0.0F}, {-9.0F, 9.0F, 0.0F}};
    wall.triangles = {{0, 1, 2}, {0, 2, 3}};
    Scene scene = sceneOf(wall, 0.0F, emission);
    lookAtOrigin(scene, {0.0, 0.0, distance}, 40.0);
    scene.cameras[0].projection = Projection::Orthographic;
    scene.cameras[0].height = 0.5;
    return scene;
}

Material mediumOf(const glm::vec3& scattering, float anisotropy) {
    Material medium;
    medium.model = MaterialModel::Dielectric;
    medium.albedo = glm::vec3(1.0F);
    medium.roughness = 0.0F;
    medium.ior = 1.0F;
    medium.scattering = scattering;
    medium.anisotropy = anisotropy;
    return medium;
}

/// A box of a medium about the origin, in white light from everywhere.
Scene furnaceOf(const glm::vec3& scattering, float anisotropy) {
    Scene scene = sceneOf(boxMesh({0.6F, 0.7F, 0.5F}), 1.0F, 0.0F);
    scene.materials[0] = mediumOf(scattering, anisotropy);
    scene.environment.radiance = glm::vec3(1.0F);
    lookAtOrigin(scene, {0.5, 0.8, 3.0}, 20.0);
    return scene;
}

/// The integral of a function from 0 to `end`, by Simpson's rule.
double integral(const std::function<double(double)>& f, double end) {
    constexpr int kParts = 20000;
    const double step = end / kParts;
    double sum = f(0.0) + f(end);
    for (int i = 1; i < kParts; ++i) {
        sum += f(step * i) * (i % 2 == 1 ? 4.0 : 2.0);
    }
    return sum * step / 3.0;
}

TEST(Media, FogLetsThroughWhatBeerSays) {
    // A path that is scattered ends, so that the wall's own light alone is left.
    Scene scene = wallScene(2.0F, 3.0);
    scene.integrator.maxDepth = 1;
    scene.environment.fog = Fog{{0.2F, 0.4F, 0.8F}, {0.1F, 0.0F, 0.2F}};
    const FilmSums film = render(scene, fullSweep() ? 20000 : 2000);
    const std::array<double, 3> extinction = {0.3, 0.4, 1.0};
    for (std::size_t c = 0; c < 3; ++c) {
        const double expected = 2.0 * std::exp(-3.0 * extinction.at(c));
        EXPECT_NEAR(meanOf(film, c) / expected, 1.0, fullSweep() ? 0.006 : 0.02) << c;
    }
    scene.environment.fog = Fog{glm::vec3(0.4F), glm::vec3(0.3F)};
    const ZTest test = zTest(render(scene, 1024), 2.0 * std::exp(-3.0 * 0.7));
    EXPECT_LT(test.worstPixel, test.pixelLimit);
    EXPECT_LT(std::abs(test.pictureZ), 3.3) << test.pictureMean;
}

TEST(Media, FogThatOnlyAbsorbsHasNoNoise) {
    Scene scene = wallScene(2.0F, 3.0);
    scene.environment.fog = Fog{glm::vec3(0.0F), glm::vec3(0.5F)};
    EXPECT_NEAR(meanOf(render(scene, 1)), 2.0 * std::exp(-1.5), 1e-6);
}

/// From above, from within, and along its upper side.
TEST(Media, FogLiesBelowItsHeight) {
    Scene scene = wallScene(2.0F, 3.0);
    Camera& camera = scene.cameras[0];
    camera.projection = Projection::Perspective;
    camera.verticalFov = 0.01;
    scene.film.width = 1;
    scene.film.height = 1;
    scene.environment.fog = Fog{glm::vec3(0.0F), glm::vec3(0.5F), 0.0F, 1.0};
    const auto seen = [&](const glm::dvec3& from, const glm::dvec3& to) {
        camera.position = from;
        camera.target = to;
        return -std::log(meanOf(render(scene, 1)) / 2.0) / 0.5; // the way through fog
    };
    const double slope = std::sqrt(3.0 * 3.0 + 4.0 * 4.0) / 4.0; // length per height
    EXPECT_NEAR(seen({0.0, 3.0, 3.0}, {0.0, -1.0, 0.0}), 2.0 * slope, 1e-3);
    EXPECT_NEAR(seen({0.0, -1.0, 3.0}, {0.0, 3.0, 0.0}), 2.0 * slope, 1e-3);
    EXPECT_NEAR(seen({0.0, 0.5, 3.0}, {0.0, 0.5, 0.0}), 3.0, 1e-3);
    EXPECT_NEAR(seen({0.0, 1.5, 3.0}, {0.0, 1.5, 0.0}), 0.0, 1e-3);
    EXPECT_NEAR(seen({0.0, 5.0, 3.0}, {0.0, 1.1, 0.0}), 0.0, 1e-3);
}

/// A sun lights a floor through a layer of fog: its way there, and that of the camera.
TEST(Media, SunsShineThroughFogThatOnlyAbsorbs) {
    Scene scene = wallScene(0.0F, 3.0);
    scene.materials[0].albedo = glm::vec3(0.6F);
    scene.meshInstances[0].worldFromMesh = glm::rotate(glm::dmat4(1.0), -0.5 * kPi, glm::dvec3(1.0, 0.0, 0.0));
    scene.cameras[0].position = {0.0, 3.0, 0.0};
    scene.cameras[0].up = {0.0, 0.0, -1.0};
    scene.environment.radiance = glm::vec3(0.0F);
    scene.environment.sun = Sun{glm::normalize(glm::dvec3(0.0, 3.0, 4.0)), 0.001, glm::vec3(2.0F)};
    scene.environment.fog = Fog{glm::vec3(0.0F), glm::vec3(0.5F), 0.0F, 1.0};
    const double cosine = 0.6;
    const double expected = 0.6 / kPi * 2.0 * cosine * std::exp(-0.5 / cosine - 0.5);
    EXPECT_NEAR(meanOf(render(scene, 4)), expected, 1e-3 * expected);
}

/// Fog so thin that a path is not turned where numbers still have room lets all light through.
TEST(Media, FogEndsWhereNumbersDo) {
    Scene scene = furnaceOf(glm::vec3(0.0F), 0.0F);
    scene.environment.fog = Fog{glm::vec3(1e-22F), glm::vec3(0.0F)};
    EXPECT_NEAR(meanOf(render(scene, 16)), 1.0, 1e-5);
}

/// What loses nothing cannot be seen in light that is the same from everywhere. Where chance alone finds that, each
/// path brings all of it, but for what roulette takes and gives, and the colours that share a path.
TEST(Media, WhiteFurnacesShowNothing) {
    for (const float anisotropy : {-0.9F, 0.0F, 0.9F}) {
        Scene scene = furnaceOf(glm::vec3(3.0F), anisotropy);
        const ZTest test = zTest(render(scene, fullSweep() ? 8192 : 64), 1.0);
        EXPECT_LT(std::abs(test.pictureZ), 3.3) << anisotropy << ' ' << test.pictureMean;
        scene.integrator.lightSampling = LightSampling::Bsdf;
        EXPECT_NEAR(meanOf(render(scene, fullSweep() ? 8192 : 32)), 1.0, 0.001) << anisotropy;
        scene.materials[0].ior = 1.4F;
        scene.materials[0].roughness = 0.4F;
        EXPECT_NEAR(meanOf(render(scene, fullSweep() ? 8192 : 32)), 1.0, 0.003) << anisotropy;
    }
    Scene coloured = furnaceOf({0.5F, 3.0F, 12.0F}, 0.3F);
    coloured.integrator.lightSampling = LightSampling::Bsdf;
    const FilmSums film = render(coloured, fullSweep() ? 8192 : 256);
    for (std::size_t c = 0; c < 3; ++c) {
        EXPECT_NEAR(meanOf(film, c), 1.0, fullSweep() ? 0.003 : 0.02) << c;
    }
}

/// Light of a lamp without extent that is scattered once, in fog without an end: of what goes along the line of sight
/// from t on, the phase function turns a part to the camera.
TEST(Media, SingleScatteringIsTheIntegralAlongTheSight) {
    for (const float anisotropy : {0.0F, 0.7F, -0.5F}) {
        constexpr double kScattering = 0.3;
        constexpr double kExtinction = 0.5;
        const glm::dvec3 lamp(0.8, 0.0, 1.5); // beside the sight, which is the way of the camera along -Z
        Scene scene = wallScene(0.0F, 100.0);
        scene.film.width = 4;
        scene.film.height = 4;
        scene.cameras[0].height = 1e-4;
        scene.cameras[0].position.z = 4.0;
        scene.meshInstances[0].worldFromMesh[3].z = -60.0;
        scene.integrator.maxDepth = 2;
        scene.environment.fog = Fog{glm::vec3(0.3F), glm::vec3(0.2F), anisotropy};
        PunctualLight light;
        light.type = LightType::Point;
        light.position = lamp;
        light.intensity = glm::vec3(5.0F);
        scene.lights = {light};
        const auto at = [&](double t) {
            const glm::dvec3 towards = lamp - glm::dvec3(0.0, 0.0, 4.0 - t);
            const double r = glm::length(towards);
            const double cosine = -towards.z / r; // between the sight and the way on to the lamp
            const auto g = double{anisotropy};
            const double phase = (1.0 - g * g) / (4.0 * kPi * std::pow(1.0 + g * g - 2.0 * g * cosine, 1.5));
            return kScattering * phase * 5.0 / (r * r) * std::exp(-kExtinction * (t + r));
        };
        const ZTest test = zTest(render(scene, 4096), integral(at, 60.0));
        EXPECT_LT(test.worstPixel, test.pixelLimit) << anisotropy;
        EXPECT_LT(std::abs(test.pictureZ), 3.3) << anisotropy << ' ' << test.pictureMean;
    }
}

/// Connections go on through the surface of a medium of index 1, and are weighed as if it were not there.
TEST(Media, LightIsFoundAlikeByChanceAndByConnections) {
    Scene scene = furnaceOf({1.0F, 2.0F, 4.0F}, 0.5F);
    scene.materials[0].absorption = glm::vec3(0.5F, 0.1F, 0.0F);
    scene.environment.type = EnvironmentType::Gradient;
    scene.environment.zenith = glm::vec3(3.0F, 1.0F, 0.2F);
    scene.environment.horizon = glm::vec3(0.2F);
    scene.environment.fog = Fog{glm::vec3(0.6F), glm::vec3(0.6F), 0.6F, 0.4};
    scene.meshes.push_back(boxMesh(glm::vec3(0.3F)));
    scene.meshes.back().material = 1;
    scene.materials.emplace_back().emission = glm::vec3(1.0F, 2.0F, 3.0F);
    scene.meshInstances.push_back({1});
    scene.meshInstances.back().worldFromMesh[3].x = 1.0;
    scene.film.width = 4;
    scene.film.height = 3;
    scene.integrator.lightSampling = LightSampling::Bsdf;
    const FilmSums byChance = render(scene, 2048);
    for (const LightSampling sampling : {LightSampling::Mis, LightSampling::Lights}) {
        scene.integrator.lightSampling = sampling;
        ++scene.integrator.seed;
        const ZTest test = zTestOfTwo(render(scene, 1024), byChance);
        EXPECT_LT(test.worstPixel, test.pixelLimit);
        EXPECT_LT(std::abs(test.pictureZ), 3.3) << test.pictureMean;
    }
}

/// A solid of index 1 in fog of its own kind is not there.
TEST(Media, FogGoesOnInASolidOfTheSame) {
    Scene scene = wallScene(1.0F, 3.0);
    scene.environment.fog = Fog{glm::vec3(0.5F), glm::vec3(0.1F), 0.2F};
    const FilmSums fog = render(scene, 256);
    scene.meshes.push_back(boxMesh({2.0F, 2.0F, 0.7F}));
    scene.meshes.back().material = 1;
    scene.materials.push_back(mediumOf(glm::vec3(0.5F), 0.2F));
    scene.materials.back().absorption = glm::vec3(0.1F);
    scene.meshInstances.push_back({1});
    scene.meshInstances.back().worldFromMesh[3].z = 1.5;
    scene.integrator.seed = 7;
    const ZTest test = zTestOfTwo(render(scene, 256), fog);
    EXPECT_LT(test.worstPixel, test.pixelLimit);
    EXPECT_LT(std::abs(test.pictureZ), 3.3) << test.pictureMean;
}

} // namespace
} // namespace aureole
