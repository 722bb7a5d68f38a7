// Cameras and light of exports, read again by the reader of .vox files.

#include <filesystem>

#include <gtest/gtest.h>
#include <unistd.h>

#include "import/import.h"
#include "test_surfaces.h"
#include "voxel/build/build.h"
#include "voxel/export/export.h"

namespace aureole::test {
namespace {

/// What an octree's file has of a scene's look; the octree has 16 cells a side, half a metre wide, from (3, 2, 1) on.
ImportedModel exported(const Scene& look, const Material& material = {}) {
    Scene scene;
    scene.file = "cell.json";
    VoxelModel& model = scene.voxelModels.emplace_back();
    model.size = glm::uvec3(16);
    model.cells.assign(4096, 1);
    model.materials.fill(kNone);
    model.materials[1] = 0;
    scene.materials.push_back(material);
    glm::dmat4 world(0.5);
    world[3] = glm::dvec4(3.0, 2.0, 1.0, 1.0);
    scene.voxelInstances.push_back({0, world});
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("aureole_look_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    exportVox(folder / "a.vox", voxelizeScene(scene, 16), &look);
    ImportedModel read = importModel(folder / "a.vox", {.sceneFolder = folder});
    std::filesystem::remove_all(folder);
    return read;
}

Camera cameraAt(const glm::dvec3& position, const glm::dvec3& target, const glm::dvec3& up) {
    Camera camera;
    camera.position = position;
    camera.target = target;
    camera.up = up;
    camera.verticalFov = 35.0;
    return camera;
}

/// A cloud and milk, in cells of half a metre.
TEST(ExportLook, MediaScatterTheSame) {
    Scene look;
    look.cameras.emplace_back();
    Material cloud;
    cloud.model = MaterialModel::Dielectric;
    cloud.ior = 1.0F;
    cloud.albedo = glm::vec3(1.0F);
    cloud.scattering = glm::vec3(0.9F, 0.6F, 0.3F);
    cloud.absorption = glm::vec3(0.1F, 0.4F, 0.7F);
    cloud.anisotropy = 0.4F;
    Material milk = cloud;
    milk.ior = 1.33F;
    milk.anisotropy = 0.0F;
    for (const Material& material : {cloud, milk}) {
        const ImportedModel read = exported(look, material);
        const Material& again = read.materials.at(0);
        EXPECT_EQ(again.model, MaterialModel::Dielectric);
        EXPECT_NEAR(again.ior, material.ior, 1e-4F);
        EXPECT_NEAR(again.anisotropy, material.anisotropy, 1.0F / 14.0F);
        const glm::vec3 extinction = again.scattering + again.absorption; // of a cell
        EXPECT_NEAR(extinction.x, 0.5F, 0.05F);
        EXPECT_LT(glm::distance(again.scattering / extinction, material.scattering), 0.01F);
    }
}

/// From thin fog in small cells to what is nearly solid; none of them a whole number of the palette's steps.
TEST(ExportLook, DensitiesAreRightToNinePercent) {
    Scene look;
    look.cameras.emplace_back();
    for (const float density : {3e-6F, 5e-4F, 0.0337F, 0.603F, 7.1F, 930.0F}) { // of a cell of half a metre
        Material fog;
        fog.model = MaterialModel::Dielectric;
        fog.ior = 1.0F;
        fog.scattering = glm::vec3(2.0F * density);
        const Material again = exported(look, fog).materials.at(0);
        EXPECT_NEAR((again.scattering.x + again.absorption.x) / density, 1.0F, 0.0906F) << density;
    }
}

TEST(ExportLook, CamerasSeeTheSame) {
    Scene look;
    look.film.exposure = 0.0;
    look.cameras = {cameraAt({6.0, 5.0, 4.0}, {3.0, 2.0, 1.0}, {0.0, 1.0, 0.0}),
                    cameraAt({-6.0, 1.0, 4.0}, {3.0, 2.0, 1.5}, {0.3, 1.0, 0.1}),
                    cameraAt({3.0, 9.0, 1.0}, {3.0, 2.0, 1.0}, {1.0, 0.0, -1.0}),
                    cameraAt({3.0, -9.0, 1.0}, {3.0, 2.0, 1.0}, {1.0, 0.0, 0.5})};
    look.cameras[1].projection = Projection::Orthographic;
    look.cameras[1].height = 3.0;
    const ImportedModel read = exported(look);
    ASSERT_EQ(read.cameras.size(), look.cameras.size());
    for (std::size_t i = 0; i < look.cameras.size(); ++i) {
        const Camera& was = look.cameras[i];
        const Camera& is = read.cameras[i];
        // Two voxels a metre: those of a file are a metre each.
        EXPECT_LT(glm::distance(is.position, 2.0 * was.position), 1e-6) << i;
        EXPECT_LT(glm::distance(is.target, 2.0 * was.target), 1e-6) << i;
        const glm::dvec3 right = glm::normalize(glm::cross(was.target - was.position, was.up));
        EXPECT_LT(glm::distance(glm::normalize(glm::cross(is.target - is.position, is.up)), right), 1e-6) << i;
        EXPECT_EQ(is.projection, was.projection);
    }
    EXPECT_NEAR(read.cameras[0].verticalFov, 35.0, 1e-6);
    EXPECT_NEAR(read.cameras[1].height, 6.0, 1e-6);
}

TEST(ExportLook, LightIsTheSame) {
    Scene look;
    look.cameras.emplace_back();
    look.film.exposure = 1.5;
    look.environment.type = EnvironmentType::Gradient;
    look.environment.zenith = look.environment.horizon = glm::vec3(0.25F, 0.5F, 1.0F);
    look.environment.sun = Sun{glm::normalize(glm::dvec3(1.0, 2.0, -3.0)), 5.0, glm::vec3(6.0F, 3.0F, 1.5F), 0};
    const glm::vec3 lit = look.environment.zenith + look.environment.sun->irradiance *
                                                        static_cast<float>(look.environment.sun->direction.y / kPi);
    look.environment.ground = 0.4F * lit;
    const ImportedModel read = exported(look);
    ASSERT_TRUE(read.daylight);
    const Daylight& light = *read.daylight;
    EXPECT_LT(glm::distance(light.sunDirection, look.environment.sun->direction), 1e-6);
    EXPECT_NEAR(light.sunDiameter, 5.0, 1e-6);
    EXPECT_NEAR(light.exposure, 1.5, 1e-6);
    const auto isNear = [](const glm::vec3& is, const glm::vec3& was) { // colours are of 8 bits
        return glm::all(glm::lessThan(glm::abs(is - was), 0.01F * glm::vec3(was.x + was.y + was.z)));
    };
    EXPECT_TRUE(isNear(light.sunIrradiance, look.environment.sun->irradiance));
    EXPECT_TRUE(isNear(light.skyRadiance, look.environment.zenith));
    EXPECT_TRUE(isNear(light.groundAlbedo, glm::vec3(0.4F)));
}

} // namespace
} // namespace aureole::test
