#include <cmath>

#include <gtest/gtest.h>

#include "full_sweep.h"
#include "reference/reference_renderer.h"
#include "render/support/statistics.h"
#include "scenes.h"

namespace aureole {
namespace {

TEST(Reference, ClosedBoxHasTheClosedFormRadiance) {
    for (const float albedo : {0.0F, 0.5F, 0.8F}) {
        for (const LightSampling strategy : {LightSampling::Bsdf, LightSampling::Mis, LightSampling::Lights}) {
            SCOPED_TRACE(testing::Message() << "albedo " << albedo << ", strategy " << static_cast<int>(strategy));
            Scene scene = sceneOf(boxMesh(glm::vec3(1.0F)), albedo, 0.75F);
            scene.integrator.lightSampling = strategy;
            const ZTest test =
                zTest(render(scene, quickOrFull(512U, 2048U)), 0.75 / (1.0 - static_cast<double>(albedo)));
            if (strategy != LightSampling::Lights) {
                // Light sampling alone has no finite variance where walls meet, so its pixels have no z.
                EXPECT_LT(test.worstPixel, test.pixelLimit);
            }
            EXPECT_LT(std::abs(test.pictureZ), 3.3) << test.pictureMean;
        }
    }
}

/// A floor of albedo rho that sees a whole sky of radiance 1 has radiance rho.
TEST(Reference, FloorUnderAWhiteSkyHasItsAlbedo) {
    Mesh floor;
    floor.positions = {{-50, 0, -50}, {50, 0, -50}, {50, 0, 50}, {-50, 0, 50}};
    floor.triangles = {{0, 2, 1}, {0, 3, 2}};
    Scene scene = sceneOf(floor, 0.6F, 0.0F);
    scene.cameras[0].position = {0.0, 10.0, 0.1};
    scene.cameras[0].target = {0.0, 0.0, 0.0};
    scene.cameras[0].verticalFov = 20.0;
    scene.environment.radiance = glm::vec3(1.0F);
    for (const LightSampling strategy : {LightSampling::Bsdf, LightSampling::Mis, LightSampling::Lights}) {
        scene.integrator.lightSampling = strategy;
        EXPECT_NEAR(meanOf(render(scene, 512)), 0.6, 0.005) << static_cast<int>(strategy);
    }
}

/// Irradiance I / d^2 under a point light, E under a directional one and under a sun; radiance is albedo * E / pi.
TEST(Reference, PunctualLightsHaveTheirIrradiance) {
    Mesh floor;
    floor.positions = {{-50, 0, -50}, {50, 0, -50}, {50, 0, 50}, {-50, 0, 50}};
    floor.triangles = {{0, 2, 1}, {0, 3, 2}};
    Scene scene = sceneOf(floor, 0.5F, 0.0F);
    scene.cameras[0].position = {0.0, 4.0, 0.001};
    scene.cameras[0].target = {0.0, 0.0, 0.0};
    scene.cameras[0].verticalFov = 0.5;
    const double perIrradiance = 0.5 / kPi;
    PunctualLight point;
    point.position = {0.0, 3.0, 0.0};
    point.intensity = glm::vec3(18.0F);
    scene.lights = {point};
    EXPECT_NEAR(meanOf(render(scene, 64)), 2.0 * perIrradiance, 1e-3);

    PunctualLight directional;
    directional.type = LightType::Directional;
    directional.direction = glm::normalize(glm::dvec3(1.0, -1.0, 0.0));
    directional.intensity = glm::vec3(5.0F);
    scene.lights = {directional};
    EXPECT_NEAR(meanOf(render(scene, 64)), 5.0 / std::sqrt(2.0) * perIrradiance, 1e-3);

    scene.lights.clear();
    scene.environment.sun = Sun{glm::dvec3(0, 1, 0), 4.0, glm::vec3(7.0F)};
    EXPECT_NEAR(meanOf(render(scene, 256)), 7.0 * perIrradiance, 2e-3);
}

/// A floor lit by nothing but a square of side 2 above it, which goes from the x of `left` to 1.
Scene floorUnderSquare(float left) {
    Mesh floor;
    floor.positions = {{-50, 0, -50}, {50, 0, -50}, {50, 0, 50}, {-50, 0, 50}};
    floor.triangles = {{0, 2, 1}, {0, 3, 2}};
    Scene scene = sceneOf(floor, 0.5F, 0.0F);
    Mesh square;
    square.positions = {{left, 1, -1}, {1, 1, -1}, {1, 1, 1}, {left, 1, 1}};
    square.triangles = {{0, 1, 2}, {0, 2, 3}};
    square.material = 1;
    scene.meshes.push_back(square);
    scene.meshInstances.push_back(MeshInstance{1});
    Material light;
    light.emission = glm::vec3(4.0F);
    scene.materials.push_back(light);
    scene.cameras[0].position = {0.0, 0.5, 0.001};
    scene.cameras[0].target = {0.0, 0.0, 0.0};
    scene.cameras[0].verticalFov = 2.0;
    return scene;
}

TEST(Reference, EmittersThatAlphaCutsAwayLightNothing) {
    Scene scene = floorUnderSquare(-1.0F);
    for (const LightSampling strategy : {LightSampling::Bsdf, LightSampling::Mis, LightSampling::Lights}) {
        scene.integrator.lightSampling = strategy;
        scene.materials[1].alphaMode = AlphaMode::Opaque;
        EXPECT_GT(meanOf(render(scene, 32)), 0.1);
        scene.materials[1].alphaMode = AlphaMode::Mask;
        scene.materials[1].alpha = 0.25F;
        EXPECT_EQ(meanOf(render(scene, 32)), 0.0) << static_cast<int>(strategy);
    }
}

/// A square whose alpha runs from 0 to 1 is half a square.
TEST(Reference, EmittersThatAlphaCutsInHalfLightAsTheOtherHalf) {
    Scene half = floorUnderSquare(0.0F);
    half.integrator.lightSampling = LightSampling::Lights;
    const double expected = meanOf(render(half, 2048));
    Scene cut = floorUnderSquare(-1.0F);
    cut.meshes[1].colours = {{1, 1, 1, 0}, {1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 0}};
    cut.materials[1].alphaMode = AlphaMode::Mask;
    for (const LightSampling strategy : {LightSampling::Bsdf, LightSampling::Mis, LightSampling::Lights}) {
        cut.integrator.lightSampling = strategy;
        EXPECT_NEAR(meanOf(render(cut, 2048)), expected, 0.03 * expected) << static_cast<int>(strategy);
    }
}

/// A model of 3 x 3 x 3 cells of two materials, all solid but the middle one.
Scene hollowModel(float albedo, float emission) {
    Scene scene = sceneOf(Mesh{}, albedo, emission);
    scene.meshes.clear();
    scene.meshInstances.clear();
    scene.materials.push_back(scene.materials[0]);
    VoxelModel model;
    model.size = glm::uvec3(3);
    model.cells.assign(27, 1);
    model.cells[0] = 2;
    model.cells[13] = 0;
    model.materials.fill(kNone);
    model.materials[1] = 0;
    model.materials[2] = 1;
    scene.voxelModels = {model};
    glm::dmat4 world(2.0); // the hollow from -1 to 1
    world[3] = glm::dvec4(-3.0, -3.0, -3.0, 1.0);
    scene.voxelInstances = {{0, world}};
    return scene;
}

TEST(Reference, CellsOfVoxelModelsAreCubes) {
    const Scene scene = hollowModel(0.5F, 0.75F);
    // Nine faces on each side, and those of the hollow.
    EXPECT_EQ(ReferenceRenderer(scene, defaultView(scene)).triangleCount(), 2U * (6U * 9U + 6U));
    const ZTest inside = zTest(render(scene, 1024), 1.5);
    EXPECT_LT(inside.worstPixel, inside.pixelLimit);
    EXPECT_LT(std::abs(inside.pictureZ), 3.3) << inside.pictureMean;
}

/// From outside a model looks as a box of its size does.
TEST(Reference, AVoxelModelLooksAsItsBox) {
    Scene model = hollowModel(0.6F, 0.0F);
    Scene box = sceneOf(boxMesh(glm::vec3(3.0F)), 0.6F, 0.0F);
    for (Scene* scene : {&model, &box}) {
        scene->cameras[0].position = {7.0, 6.0, 9.0};
        scene->cameras[0].target = {0.0, 0.0, 0.0};
        scene->environment.type = EnvironmentType::Gradient;
        scene->environment.zenith = glm::vec3(1.0F, 0.2F, 0.5F);
        scene->environment.horizon = glm::vec3(0.3F);
    }
    const FilmSums ofModel = render(model, 256);
    const FilmSums ofBox = render(box, 256);
    for (std::size_t i = 0; i < ofBox.radiance.size(); ++i) {
        EXPECT_NEAR(ofModel.radiance[i], ofBox.radiance[i], 0.02 * ofBox.radiance[i]) << i;
    }
}

} // namespace
} // namespace aureole
