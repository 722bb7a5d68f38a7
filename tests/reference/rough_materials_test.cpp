// Materials that lose no light, in scenes of which the radiance is known.

#include <cmath>

#include <gtest/gtest.h>

#include "full_sweep.h"
#include "render/support/statistics.h"
#include "scenes.h"

namespace aureole {
namespace {

constexpr LightSampling kStrategies[] = {LightSampling::Bsdf, LightSampling::Mis};

/// Samples a pixel: the quick count, or 32 times as many where AUREOLE_FULL is 1.
std::uint32_t samplesOf(std::uint32_t quick) {
    return fullSweep() ? 32 * quick : quick;
}

/// What the tables of directional albedo may be wrong by at a scattering (bsdf_tables.h).
constexpr double kTables = 1e-3;

/// That all of `film` is `expected`, within the noise (at a significance of 0.001) and an error of each scattering.
void expectFurnace(const FilmSums& film, double expected, double systematic) {
    const ZTest test = zTest(film, expected);
    const double deviation = test.pictureMean - expected;
    const double noise = test.pictureZ == 0.0 ? 0.0 : std::abs(deviation / test.pictureZ);
    EXPECT_LT(std::abs(deviation), 3.3 * noise + systematic) << test.pictureMean << " +- " << noise;
    EXPECT_LT(noise, 4e-3);
}

/// Whatever is white is as bright as what it stands in. Convex, so that light is scattered once.
TEST(RoughMaterials, WhiteSurfacesAreInvisibleInAUniformField) {
    for (const float roughness : {0.0F, 0.25F, 0.6F, 1.0F}) {
        for (const float metalness : {0.0F, 0.5F, 1.0F}) {
            for (const LightSampling strategy : kStrategies) {
                Scene scene = sceneOf(sphereMesh(1.0F, 16), 1.0F, 0.0F);
                scene.materials[0].model = MaterialModel::MetallicRoughness;
                scene.materials[0].roughness = roughness;
                scene.materials[0].metalness = metalness;
                scene.environment.radiance = glm::vec3(1.0F);
                scene.integrator.lightSampling = strategy;
                lookAtOrigin(scene, {0.5, 0.8, 3.0}, 30.0);
                SCOPED_TRACE(testing::Message() << roughness << " " << metalness << " " << static_cast<int>(strategy));
                expectFurnace(render(scene, samplesOf(512)), 1.0, kTables);
            }
        }
    }
}

/// What enters rough glass leaves it, after whatever bounces, by next-event estimation or without. From a high index
/// light escapes after some twenty bounces, at each of which the tables are wrong by a third of their bound or less.
TEST(RoughMaterials, RoughGlassIsInvisibleInAUniformField) {
    for (const float ior : {1.1F, 1.5F, 4.0F}) {
        for (const float roughness : {0.15F, 0.5F, 1.0F}) {
            for (const LightSampling strategy : kStrategies) {
                Scene scene = sceneOf(boxMesh({0.6F, 0.7F, 0.5F}), 1.0F, 0.0F);
                scene.materials[0].model = MaterialModel::Dielectric;
                scene.materials[0].roughness = roughness;
                scene.materials[0].ior = ior;
                scene.environment.radiance = glm::vec3(1.0F);
                scene.integrator.lightSampling = strategy;
                lookAtOrigin(scene, {0.5, 0.8, 3.0}, 30.0);
                SCOPED_TRACE(testing::Message() << ior << " " << roughness << " " << static_cast<int>(strategy));
                expectFurnace(render(scene, samplesOf(1024)), 1.0, (ior > 2.0F ? 6.0 : 2.0) * kTables);
            }
        }
    }
}

/// Of n hits in a closed white box each adds what its wall emits.
TEST(RoughMaterials, WhiteBoxesAddUpWhatTheirWallsEmit) {
    for (const float roughness : {0.3F, 1.0F}) {
        for (const float metalness : {0.0F, 1.0F}) {
            for (const LightSampling strategy : kStrategies) {
                Scene scene = sceneOf(boxMesh(glm::vec3(1.0F)), 1.0F, 0.25F);
                scene.materials[0].model = MaterialModel::MetallicRoughness;
                scene.materials[0].roughness = roughness;
                scene.materials[0].metalness = metalness;
                scene.integrator.maxDepth = 4;
                scene.integrator.lightSampling = strategy;
                SCOPED_TRACE(testing::Message() << roughness << " " << metalness << " " << static_cast<int>(strategy));
                expectFurnace(render(scene, samplesOf(1024)), 4.0 * 0.25, 6.0 * 0.25 * kTables);
            }
        }
    }
}

/// The strategies agree on what is lit through and by rough glass: connections go to the transmitted side too.
TEST(RoughMaterials, StrategiesAgreeOnALampBehindRoughGlass) {
    Scene scene = sceneOf(boxMesh({4.0F, 4.0F, 0.1F}), 1.0F, 0.0F);
    scene.materials[0].model = MaterialModel::Dielectric;
    scene.materials[0].roughness = 0.5F;
    scene.materials[0].absorption = {0.0F, 1.0F, 4.0F};
    Mesh lamp = sphereMesh(0.5F, 12);
    lamp.material = 1;
    scene.meshes.push_back(lamp);
    MeshInstance placed{1};
    placed.worldFromMesh[3] = glm::dvec4(0.0, 0.0, -1.5, 1.0);
    scene.meshInstances.push_back(placed);
    Material light;
    light.albedo = glm::vec3(0.0F);
    light.emission = glm::vec3(10.0F);
    scene.materials.push_back(light);
    lookAtOrigin(scene, {0.0, 0.0, 3.0}, 40.0);
    scene.integrator.lightSampling = LightSampling::Bsdf;
    const FilmSums alone = render(scene, 16384);
    scene.integrator.lightSampling = LightSampling::Mis;
    const FilmSums both = render(scene, 16384);
    scene.integrator.lightSampling = LightSampling::Lights;
    const FilmSums lights = render(scene, 16384);
    for (std::size_t c = 0; c < 3; ++c) {
        const double expected = meanOf(alone, c);
        EXPECT_GT(expected, 0.05);
        EXPECT_NEAR(meanOf(both, c), expected, 0.03 * expected) << c;
        EXPECT_NEAR(meanOf(lights, c), expected, 0.05 * expected) << c;
    }
}

} // namespace
} // namespace aureole
