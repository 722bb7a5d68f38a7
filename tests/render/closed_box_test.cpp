#include <algorithm>
#include <cmath>
#include <iostream>

#include <gtest/gtest.h>

#include "emissive_palette.h"
#include "full_sweep.h"
#include "gpu_test/gpu_test.h"
#include "octree_samples.h"
#include "render/path_tracer.h"
#include "renders.h"
#include "shared/octree/attributes.h"
#include "statistics.h"
#include "voxel/build/build.h"
#include "voxel/build/voxel_material.h"

namespace aureole {
namespace {

class ClosedBox : public gpu::GpuTest {};

constexpr std::uint32_t kRoomSide = 16;

/// A sealed box of voxels that emit and reflect alike.
Octree closedBox(float albedo, float emission) {
    std::vector<glm::uvec3> voxels;
    for (std::uint32_t i = 0; i < kRoomSide * kRoomSide * kRoomSide; ++i) {
        const glm::uvec3 v(i % kRoomSide, i / kRoomSide % kRoomSide, i / (kRoomSide * kRoomSide));
        if (glm::any(glm::equal(v, glm::uvec3(0))) || glm::any(glm::equal(v, glm::uvec3(kRoomSide - 1)))) {
            voxels.push_back(v);
        }
    }
    Octree octree = octreeOf(2, voxels);
    const shared::VoxelSurface wall{
        glm::vec3(albedo), glm::vec3(0, 1, 0), 1.0F, 0.0F, 1, glm::vec3(0, 1, 0), 0, 0, 0, 0.0F, 0};
    std::fill(octree.attributes.begin(), octree.attributes.end(), shared::packAttributes(wall));
    octree.palette = emissivePalette({glm::vec3(emission)});
    octree.materialRuns = singleRun(2);
    return octree;
}

FilmSums renderInside(const gpu::Device& device, const Octree& octree, LightSampling strategy, std::uint32_t samples) {
    Scene scene;
    scene.integrator.sampler = SamplerKind::Independent; // whose scatter tells their error
    Camera camera;
    camera.position = glm::dvec3(6.3, 7.1, 8.7);
    camera.target = glm::dvec3(12.0, 9.0, 3.0);
    camera.verticalFov = 70.0;
    scene.cameras = {camera};
    scene.film.width = 8;
    scene.film.height = 6;
    scene.voxels.normals = VoxelNormals::Face;
    scene.integrator.maxDepth = 0;
    scene.integrator.lightSampling = strategy;
    const DeviceScene onDevice(device, scene, octree);
    PathTracer tracer(device, onDevice, defaultView(scene));
    tracer.render(0, samples, [](double) { return true; });
    return tracer.film();
}

/// Radiance is Le / (1 - rho) everywhere, for every strategy.
TEST_F(ClosedBox, RadianceIsTheClosedForm) {
    const float emission = 0.75F;
    for (const float albedo : {0.0F, 0.5F, 0.8F}) {
        const Octree octree = closedBox(albedo, emission);
        for (const LightSampling strategy : {LightSampling::Bsdf, LightSampling::Mis, LightSampling::Lights}) {
            SCOPED_TRACE(::testing::Message() << "albedo " << albedo << ", strategy " << static_cast<int>(strategy));
            const double expected = static_cast<double>(emission) / (1.0 - static_cast<double>(albedo));
            if (albedo == 0.0F && strategy != LightSampling::Mis && !fullSweep()) {
                continue; // nothing scatters
            }
            const bool many = albedo == 0.5F && strategy != LightSampling::Lights;
            const std::uint32_t samples = quickOrFull(512U, many ? 65536U : 2048U);
            const ZTest test = zTest(renderInside(device(), octree, strategy, samples), expected);
            std::cout << "closed box: albedo " << albedo << ", strategy " << static_cast<int>(strategy) << ", "
                      << samples << " samples: " << test.pictureMean / expected << ", z " << test.pictureZ << '\n';
            if (strategy != LightSampling::Lights) {
                // Light sampling alone has no finite variance where walls meet, so its pixels have no z.
                EXPECT_LT(test.worstPixel, test.pixelLimit);
            }
            EXPECT_LT(std::abs(test.pictureZ), 3.3) << "mean " << test.pictureMean << ", expected " << expected;
        }
    }
}

/// The box as a voxel model of one material, with a path's first `depth` surface hits.
FilmSums renderModel(const gpu::Device& device, Material wall, std::uint32_t depth) {
    VoxelModel model;
    model.size = glm::uvec3(kRoomSide);
    model.materials.fill(0);
    for (std::uint32_t i = 0; i < kRoomSide * kRoomSide * kRoomSide; ++i) {
        const glm::uvec3 v(i % kRoomSide, i / kRoomSide % kRoomSide, i / (kRoomSide * kRoomSide));
        const bool isWall =
            glm::any(glm::equal(v, glm::uvec3(0))) || glm::any(glm::equal(v, glm::uvec3(kRoomSide - 1)));
        model.cells.push_back(isWall ? 1 : 0);
    }
    Scene scene;
    scene.integrator.sampler = SamplerKind::Independent; // whose scatter tells their error
    scene.voxelModels = {model};
    scene.voxelInstances = {VoxelInstance{}};
    wall.emission = glm::vec3(0.75F);
    scene.materials = {wall};
    Camera camera;
    camera.position = glm::dvec3(6.3, 7.1, 8.7);
    camera.target = glm::dvec3(12.0, 9.0, 3.0);
    scene.cameras = {camera};
    scene.film.width = 8;
    scene.film.height = 6;
    scene.voxels.normals = VoxelNormals::Face;
    scene.integrator.maxDepth = depth;
    return renderOnDevice(device, scene, voxelizeScene(scene, kRoomSide), quickOrFull(512U, 1024U));
}

/// A mirror of reflectance rho shows Le / (1 - rho) as well.
TEST_F(ClosedBox, MirrorsShowTheClosedForm) {
    Material mirror;
    mirror.model = MaterialModel::Mirror;
    mirror.albedo = glm::vec3(0.5F);
    const ZTest test = zTest(renderModel(device(), mirror, 0), 1.5);
    EXPECT_LT(test.worstPixel, test.pixelLimit);
    EXPECT_LT(std::abs(test.pictureZ), 3.3) << test.pictureMean;
}

/// Where nothing is lost radiance is Le times the hits of a path, whatever the walls scatter like. The tables of the
/// compensation for multiple scattering are good to 1 % a hit; in rough plastic, the diffuse part's too.
TEST_F(ClosedBox, LosslessWallsAddTheirEmissionAtEveryHit) {
    constexpr std::uint32_t kDepth = 4;
    const auto metal = [](float roughness, float metalness) {
        Material material;
        material.model = MaterialModel::MetallicRoughness;
        material.albedo = glm::vec3(1.0F);
        material.roughness = roughness;
        material.metalness = metalness;
        return material;
    };
    Material mirror;
    mirror.model = MaterialModel::Mirror;
    mirror.albedo = glm::vec3(1.0F);
    for (const Material& wall : {mirror, metal(0.0F, 1.0F), metal(0.3F, 1.0F), metal(1.0F, 1.0F), metal(0.4F, 0.0F)}) {
        SCOPED_TRACE(::testing::Message() << "roughness " << wall.roughness << ", metalness " << wall.metalness);
        EXPECT_NEAR(meanRadiance(renderModel(device(), wall, kDepth)), 0.75 * kDepth, 0.015 * 0.75 * kDepth);
    }
}

/// The z-test sees an error of one percent.
TEST_F(ClosedBox, TheTestWouldSeeOnePercent) {
    const FilmSums film = renderInside(device(), closedBox(0.5F, 0.75F), LightSampling::Bsdf, 2048);
    EXPECT_GT(std::abs(zTest(film, 1.5 * 1.01).pictureZ), 3.3);
}

} // namespace
} // namespace aureole
