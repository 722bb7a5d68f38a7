// Media whose density differs from place to place, against closed forms and homogeneous ones.

#include <algorithm>
#include <array>
#include <cmath>

#include <glm/gtc/matrix_transform.hpp>
#include <gtest/gtest.h>

#include "full_sweep.h"
#include "image/colour/black_body.h"
#include "model/primitives.h"
#include "render/support/statistics.h"
#include "scene/volume_heat.h"
#include "scenes.h"
#include "volume_scenes.h"

namespace aureole {
namespace {

using test::addVolume;
using test::densityOf;

/// White light from everywhere, and a camera that looks at the origin.
Scene skyScene() {
    Scene scene = sceneOf(boxMesh(glm::vec3(0.5F)), 1.0F, 0.0F);
    scene.meshInstances.clear();
    scene.environment.radiance = glm::vec3(1.0F);
    lookAtOrigin(scene, {0.5, 0.8, 3.0}, 20.0);
    return scene;
}

/// Puffs that fill bricks by halves and thousandths, about the origin.
DensityGrid puffs() {
    return densityOf(glm::ivec3(-13), glm::ivec3(14), 0.05, [](const glm::dvec3& at) {
        const double ball = std::max(0.0, 0.6 - glm::length(at)) * 4.0;
        return ball * (1.0 + std::sin(19.0 * at.x) * std::sin(17.0 * at.y) * std::sin(23.0 * at.z));
    });
}

void expectMean(const FilmSums& film, double expected, std::size_t channel) {
    double squares = 0.0;
    const double mean = meanOf(film, channel);
    for (std::size_t i = channel; i < film.radiance.size(); i += 3) {
        squares += film.squared[i];
    }
    const double count = static_cast<double>(film.pixelCount()) * static_cast<double>(film.sampleCount());
    const double sigma = std::sqrt(std::max(squares / count - mean * mean, 0.0) / count);
    EXPECT_NEAR(mean, expected, 3.3 * sigma + 1e-6) << channel << ", one sigma being " << sigma;
}

/// A camera that looks along Z, through the middle.
void lookAlongZ(Scene& scene) {
    Camera& camera = scene.cameras[0];
    camera.projection = Projection::Orthographic;
    camera.position = {0.0, 0.0, 5.0};
    camera.height = 0.5;
}

/// From 0 to 2 along Z, from -1 to 1; then it falls to 0 within 0.05.
DensityGrid rampAlongZ() {
    return densityOf(glm::ivec3(-20), glm::ivec3(21), 0.05, [](const glm::dvec3& at) { return 1.0 + at.z; });
}

/// A ramp from 0 to 2 along Z, seen along it: what is left is exp(-extinction * its sum), and of
/// what glows as it weakens light the share that does not come through.
TEST(Volumes, RampLetsThroughItsSum) {
    Scene scene = skyScene();
    lookAlongZ(scene);
    const DensityGrid ramp = rampAlongZ();
    // From the last points on, it falls to 0 within a cell.
    const double sum = 2.0 + 0.5 * 0.05 * 2.0;
    const std::uint32_t samples = fullSweep() ? 20000 : 200;
    const auto expectRamp = [&](double glow) {
        const FilmSums film = render(scene, samples);
        for (std::size_t c = 0; c < 3; ++c) {
            const double extinction = 0.3 * (1U << c);
            const double left = std::exp(-extinction * sum);
            expectMean(film, left + glow / extinction * (1.0 - left), c);
        }
    };
    addVolume(scene, ramp, glm::vec3(0.0F), {0.3F, 0.6F, 1.2F}, 0.0F);
    expectRamp(0.0);
    // What is scattered is lost: the path ends there.
    scene.integrator.maxDepth = 1;
    scene.volumes[0].scattering = {0.3F, 0.0F, 0.9F};
    scene.volumes[0].absorption = {0.0F, 0.6F, 0.3F};
    expectRamp(0.0);
    scene.volumes[0].emission = glm::vec3(0.5F);
    expectRamp(0.5);
    // A flame that scatters nothing.
    scene.volumes[0].scattering = glm::vec3(0.0F);
    scene.volumes[0].absorption = {0.3F, 0.6F, 1.2F};
    expectRamp(0.5);
}

/// A slab of one temperature glows as it takes light: emission (1 - exp(-extinction d)) / extinction, and emission d
/// where it hardly takes any.
TEST(Volumes, SlabsGlowAsBlackBodies) {
    Scene scene = skyScene();
    scene.environment.radiance = glm::vec3(0.0F);
    lookAlongZ(scene);
    // Two metres of points, and a quarter at each end in which it falls to 0.
    const auto even = [](const glm::dvec3&) { return 1.0; };
    addVolume(scene, densityOf({-16, -16, -4}, {17, 17, 5}, 0.25, even), glm::vec3(0.0F), {0.4F, 0.8F, 1e-3F}, 0.0F);
    Volume& flame = scene.volumes[0];
    flame.emission = {1.0F, 2.0F, 4.0F};
    const DensityGrid temperatures = densityOf({-4, -4, -4}, {5, 5, 5}, 1.0, [](const glm::dvec3&) { return 2.25; });
    flame.heat = makeVolumeHeat(makeDensityTree(temperatures, "heat"), 1000.0, 250.0);
    const glm::dvec3 colour = blackBodyRec709(2500.0);
    const FilmSums film = render(scene, fullSweep() ? 200000 : 2000);
    for (int c = 0; c < 3; ++c) {
        const auto extinction = double{flame.absorption[c]};
        const double sum = 2.25; // of densities, with both ends
        const double glow = double{flame.emission[c]} * colour[c] * -std::expm1(-extinction * sum) / extinction;
        expectMean(film, glow, static_cast<std::size_t>(c));
    }
}

/// Temperatures of another lattice than the densities', and less wide: what glows is the sum along the way of the
/// density there, times the black body of the temperature there, weakened on its way out.
TEST(Volumes, TemperaturesAreTheirOwnGrid) {
    Scene scene = skyScene();
    scene.environment.radiance = glm::vec3(0.0F);
    lookAlongZ(scene);
    addVolume(scene, rampAlongZ(), glm::vec3(0.0F), {0.3F, 0.6F, 1.2F}, 0.0F);
    scene.volumeInstances[0].worldFromVolume = glm::scale(glm::dmat4(1.0), glm::dvec3(1.0, 1.0, 2.0));
    Volume& flame = scene.volumes[0];
    flame.emission = {0.5F, 1.0F, 2.0F};
    const DensityGrid temperatures =
        densityOf(glm::ivec3(-12), glm::ivec3(13), 0.08, [](const glm::dvec3& at) { return 1.2 - 0.8 * at.z; });
    flame.heat = makeVolumeHeat(makeDensityTree(temperatures, "heat"), 1200.0, 300.0);
    const auto kelvin = [](double z) {
        const double inside = std::clamp(z, -0.96, 0.96);
        return 300.0 + 1200.0 * (1.2 - 0.8 * inside) * std::max(0.0, 1.0 - std::abs(z - inside) / 0.08);
    };
    const auto density = [](double z) { return z < 1.0 ? 1.0 + z : std::max(0.0, (1.05 - z) / 0.05 * 2.0); };
    constexpr int kSteps = 4000;
    glm::dvec3 glow(0.0);
    double before = 0.0; // the sum of densities from the camera on
    for (int i = 0; i < kSteps; ++i) {
        const double length = 2.0 * 2.05 / kSteps; // of the world, twice that of the file
        const double z = 1.05 - 2.05 * (i + 0.5) / kSteps;
        const double here = length * density(z);
        glow += here * glm::dvec3(flame.emission) * blackBodyRec709(kelvin(z)) *
                glm::exp(-glm::dvec3(flame.absorption) * (before + 0.5 * here));
        before += here;
    }
    const FilmSums film = render(scene, fullSweep() ? 40000 : 1000);
    for (int c = 0; c < 3; ++c) {
        expectMean(film, glow[c], static_cast<std::size_t>(c));
    }
}

/// What loses nothing shows nothing: its own majorants, those of two that overlap, and fog beside.
TEST(Volumes, WhiteFurnacesShowNothing) {
    for (const float anisotropy : {-0.9F, 0.0F, 0.9F}) {
        Scene scene = skyScene();
        addVolume(scene, puffs(), glm::vec3(5.0F), glm::vec3(0.0F), anisotropy);
        const ZTest test = zTest(render(scene, fullSweep() ? 8192 : 64), 1.0);
        EXPECT_LT(std::abs(test.pictureZ), 3.3) << anisotropy << ' ' << test.pictureMean;
        scene.integrator.lightSampling = LightSampling::Bsdf;
        EXPECT_NEAR(meanOf(render(scene, fullSweep() ? 8192 : 32)), 1.0, 0.001) << anisotropy;
    }
    Scene scene = skyScene();
    scene.integrator.lightSampling = LightSampling::Bsdf;
    addVolume(scene, puffs(), {1.0F, 4.0F, 9.0F}, glm::vec3(0.0F), 0.3F);
    addVolume(scene, puffs(), {6.0F, 2.0F, 1.0F}, glm::vec3(0.0F), -0.6F);
    scene.volumeInstances[1].worldFromVolume = glm::translate(glm::dmat4(1.0), glm::dvec3(0.2, 0.1, -0.1));
    const FilmSums film = render(scene, fullSweep() ? 8192 : 256);
    for (std::size_t c = 0; c < 3; ++c) {
        expectMean(film, 1.0, c);
    }
}

/// A volume that is the same everywhere is a homogeneous medium, whatever its tree; and so are two halves of it. All of
/// light's ways are in it: to a lamp within, a sun, and the sky.
TEST(Volumes, EvenOnesAreHomogeneousMedia) {
    Scene scene = skyScene();
    scene.film.width = 4;
    scene.film.height = 3;
    scene.environment.radiance = glm::vec3(0.2F, 0.3F, 0.5F);
    scene.environment.sun = Sun{glm::normalize(glm::dvec3(1.0, 1.0, 0.3)), 2.0, glm::vec3(3.0F)};
    PunctualLight light;
    light.position = {0.1, 0.2, 0.9};
    light.intensity = glm::vec3(1.0F);
    scene.lights = {light};
    scene.environment.fog = Fog{{0.9F, 1.5F, 0.6F}, {0.3F, 0.1F, 0.6F}, 0.4F, 0.55};
    const FilmSums fog = render(scene, 1024);
    scene.environment.fog = Fog{{0.45F, 0.75F, 0.3F}, {0.15F, 0.05F, 0.3F}, 0.4F, 0.55};
    // It falls to 0 within a cell, above the last point below 0.6.
    const DensityGrid even = densityOf({-64, -128, -64}, {65, 6, 65}, 0.1, [](const glm::dvec3&) { return 0.5; });
    addVolume(scene, even, {0.9F, 1.5F, 0.6F}, {0.3F, 0.1F, 0.6F}, 0.4F);
    scene.integrator.seed = 3;
    const ZTest test = zTestOfTwo(render(scene, 512), fog);
    EXPECT_LT(test.worstPixel, test.pixelLimit);
    EXPECT_LT(std::abs(test.pictureZ), 3.3) << test.pictureMean;
}

/// Glass that absorbs and scatters nothing takes its share of light, not of paths, where there are volumes too: beside
/// one, and about one that glows.
TEST(Volumes, GlassBesideThemTakesItsShare) {
    Scene scene = sceneOf(boxMesh(glm::vec3(0.5F)), 1.0F, 0.0F);
    scene.materials[0].model = MaterialModel::Dielectric;
    scene.materials[0].ior = 1.0F;
    scene.materials[0].absorption = {0.5F, 1.0F, 2.0F};
    scene.environment.radiance = glm::vec3(1.0F);
    lookAtOrigin(scene, {0.0, 0.0, 5.0}, 20.0);
    lookAlongZ(scene);
    addVolume(scene, puffs(), glm::vec3(5.0F), glm::vec3(0.0F), 0.0F);
    scene.volumeInstances[0].worldFromVolume = glm::translate(glm::dmat4(1.0), glm::dvec3(7.0, 0.0, 0.0));
    const FilmSums aside = render(scene, 4);
    for (std::size_t i = 0; i < aside.radiance.size(); ++i) {
        ASSERT_NEAR(aside.radiance[i] / 4.0, std::exp(-double{scene.materials[0].absorption[static_cast<int>(i % 3)]}),
                    1e-5);
    }
    // Of what glows evenly, before the glass, in it and behind.
    scene.environment.radiance = glm::vec3(0.0F);
    const DensityGrid even = densityOf(glm::ivec3(-8), glm::ivec3(9), 0.1, [](const glm::dvec3&) { return 1.0; });
    scene.volumes.clear();
    scene.volumeInstances.clear();
    addVolume(scene, even, glm::vec3(0.0F), glm::vec3(1.0F), 0.0F);
    scene.volumes[0].emission = glm::vec3(3.0F);
    const FilmSums about = render(scene, 256);
    for (std::size_t c = 0; c < 3; ++c) {
        const double depth = double{scene.materials[0].absorption[static_cast<int>(c)]} + 1.0;
        const double left = std::exp(-0.35); // outside of it on each side: it falls to 0 between 0.8 and 0.9
        const double outside = 3.0 * (1.0 - left) * (1.0 + left * std::exp(-depth));
        expectMean(about, outside + left * 3.0 * (1.0 - std::exp(-depth)) / depth, c);
    }
}

/// The tree with its root alone, which is as thick as its thickest place, brings the same light.
TEST(Volumes, LocalMajorantsChangeNoMean) {
    Scene scene = skyScene();
    scene.environment.type = EnvironmentType::Gradient;
    scene.environment.zenith = glm::vec3(3.0F, 1.0F, 0.2F);
    scene.environment.horizon = glm::vec3(0.2F);
    addVolume(scene, puffs(), {4.0F, 8.0F, 2.0F}, {1.0F, 0.0F, 2.0F}, 0.6F);
    const glm::dmat4 stretched =
        glm::scale(glm::rotate(glm::dmat4(1.0), 0.7, glm::dvec3(1.0, 2.0, 3.0)), {1.0, 0.6, 1.3});
    scene.volumeInstances[0].worldFromVolume = stretched;
    const FilmSums local = render(scene, 512);
    DensityTree& tree = scene.volumes[0].tree;
    for (std::size_t i = 0; i < tree.brickCount(); ++i) {
        // Values become shares of the largest of all.
        std::uint32_t* const words = &tree.bricks[i * VOLUME_BRICK_WORDS];
        const float share = shared::uintBitsToFloat(words[0]) / tree.most();
        for (std::uint32_t w = 1; w < VOLUME_BRICK_WORDS; ++w) {
            const auto low = static_cast<std::uint32_t>(std::lround(static_cast<float>(words[w] & 0xFFFFU) * share));
            const auto high = static_cast<std::uint32_t>(std::lround(static_cast<float>(words[w] >> 16U) * share));
            words[w] = low | high << 16U;
        }
        words[0] = shared::floatBitsToUint(tree.most());
    }
    for (shared::VolumeNode& node : tree.nodes) {
        node.most = tree.most();
    }
    ++scene.integrator.seed;
    const ZTest test = zTestOfTwo(render(scene, 256), local);
    EXPECT_LT(test.worstPixel, test.pixelLimit);
    EXPECT_LT(std::abs(test.pictureZ), 3.3) << test.pictureMean;
}

/// What is left of the sky's light behind a volume, once through a pane and twice by way of a mirror behind it.
TEST(Volumes, AreSeenThroughPanesAndInMirrors) {
    Scene scene = skyScene();
    Camera& camera = scene.cameras[0];
    camera.projection = Projection::Orthographic;
    camera.position = {0.0, 0.0, 5.0};
    camera.height = 0.1;
    const glm::vec3 extinction(0.1F, 0.3F, 0.7F);
    addVolume(scene, densityOf(glm::ivec3(-20), glm::ivec3(21), 0.05, [](const glm::dvec3&) { return 1.0; }),
              glm::vec3(0.0F), extinction, 0.0F);
    constexpr double kWay = 2.0 + 0.05; // it falls to 0 within a cell at both ends
    scene.meshes = {boxMesh({9.0F, 9.0F, 0.1F})};
    scene.meshInstances = {MeshInstance{}};
    MeshInstance& sheet = scene.meshInstances[0];
    sheet.worldFromMesh[3] = {0.0, 0.0, -3.0, 1.0};
    scene.materials[0] = Material{};
    scene.materials[0].model = MaterialModel::Mirror;
    scene.materials[0].albedo = glm::vec3(1.0F);
    const FilmSums mirrored = render(scene, fullSweep() ? 4096 : 256);
    scene.meshes = {makeQuad({-9.0F, -9.0F, 0.0F}, {18.0F, 0.0F, 0.0F}, {0.0F, 18.0F, 0.0F})};
    sheet.worldFromMesh[3].z = 3.0;
    scene.materials[0].model = MaterialModel::ThinGlass;
    const FilmSums behind = render(scene, fullSweep() ? 4096 : 256);
    const double reflected = 2.0 * 0.04 / 1.04; // by both sides of a pane of index 1.5, straight on
    for (std::size_t c = 0; c < 3; ++c) {
        const double left = std::exp(-kWay * double{extinction[static_cast<int>(c)]});
        expectMean(mirrored, left * left, c);
        expectMean(behind, reflected + (1.0 - reflected) * left, c);
    }
}

} // namespace
} // namespace aureole
