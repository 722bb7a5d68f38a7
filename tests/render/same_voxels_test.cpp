#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "expectations.h"
#include "full_sweep.h"
#include "gpu_test/gpu_test.h"
#include "reference/reference_renderer.h"
#include "render/path_tracer.h"
#include "statistics.h"
#include "voxel/build/build.h"

namespace aureole {
namespace {

/// The device's voxels against the reference backend's boxes in Embree: the same geometry to the last face, so that the
/// pictures may differ by noise alone.
class SameVoxels : public gpu::GpuTest {
protected:
    static constexpr std::uint32_t kSide = 16;
    static constexpr std::uint32_t kSamples = 1024;

    /// A floor with a few blocks and a lamp; colour index 1 is the floor, 2 and 3 the blocks, 4 the lamp.
    void SetUp() override {
        GpuTest::SetUp();
        VoxelModel model;
        model.name = "blocks";
        model.size = glm::uvec3(kSide);
        model.cells.assign(std::size_t{kSide} * kSide * kSide, 0);
        model.materials.fill(0);
        for (std::uint32_t i = 1; i < 5; ++i) {
            model.materials[i] = i - 1;
        }
        fill(model, {0, 0, 0}, {16, 1, 16}, 1);
        fill(model, {2, 1, 3}, {6, 7, 7}, 2);
        fill(model, {9, 1, 8}, {14, 4, 12}, 3);
        fill(model, {10, 4, 9}, {11, 9, 10}, 3);
        fill(model, {7, 11, 6}, {10, 12, 9}, 4);
        scene.voxelModels = {model};
        scene.voxelInstances = {VoxelInstance{}};
        scene.materials.resize(4);
        scene.materials[0].albedo = {0.7F, 0.7F, 0.6F};
        scene.materials[1].albedo = {0.7F, 0.2F, 0.1F};
        scene.materials[2].albedo = {0.2F, 0.4F, 0.7F};
        scene.materials[3].albedo = {0.5F, 0.5F, 0.5F};
        scene.materials[3].emission = {9.0F, 8.0F, 6.0F};
        Camera camera;
        camera.position = {22.0, 17.0, 27.0};
        camera.target = {8.0, 4.0, 8.0};
        camera.verticalFov = 34.0;
        scene.cameras = {camera};
        scene.environment.radiance = {0.2F, 0.3F, 0.5F};
        PunctualLight lamp;
        lamp.position = {3.0, 12.5, 13.5};
        lamp.intensity = glm::vec3(30.0F);
        scene.lights = {lamp};
        scene.film.width = 32;
        scene.film.height = 24;
        scene.film.filter = PixelFilter::Box;
        scene.film.filterRadius = 0.5;
        scene.integrator.sampler = SamplerKind::Independent; // whose scatter tells their error
        scene.integrator.maxDepth = 8;
        scene.voxels.normals = VoxelNormals::Face;
    }

    static void fill(VoxelModel& model, glm::uvec3 low, glm::uvec3 high, std::uint8_t colour) {
        for (std::uint32_t z = low.z; z < high.z; ++z) {
            for (std::uint32_t y = low.y; y < high.y; ++y) {
                for (std::uint32_t x = low.x; x < high.x; ++x) {
                    model.cells[x + std::size_t{kSide} * (y + std::size_t{kSide} * z)] = colour;
                }
            }
        }
    }

    static FilmSums onDevice(const Scene& described, std::uint32_t samples = kSamples) {
        const Octree octree = voxelizeScene(described, kSide);
        const DeviceScene uploaded(device(), described, octree);
        PathTracer tracer(device(), uploaded, defaultView(described));
        EXPECT_EQ(tracer.render(0, samples, [](double) { return true; }), samples);
        return tracer.film();
    }

    /// With other random numbers: the backends shall be independent.
    static FilmSums byReference(Scene described, std::uint32_t samples = kSamples) {
        described.integrator.seed = 77;
        ReferenceRenderer renderer(described, defaultView(described));
        EXPECT_EQ(renderer.render(0, samples, [](double) { return true; }), samples);
        return renderer.film();
    }

    Scene scene;
};

/// And would not, if one of them had one percent more light.
TEST_F(SameVoxels, BackendsAgreeInEveryPixel) {
    const FilmSums device = onDevice(scene);
    const FilmSums reference = byReference(scene);
    const ZTest found = zTestOfTwo(device, reference);
    EXPECT_LT(found.worstPixel, found.pixelLimit);
    EXPECT_LT(std::abs(found.pictureZ), 3.3);
    EXPECT_GT(std::abs(zTestOfTwo(device, brightened(reference, 1.01)).pictureZ), 3.3);
}

/// Metal, plastic, mirrors and glass, with different ways of looking for light: two together, where time is short, as
/// each scene takes a pipeline. A point light would only reach diffuse surfaces by way of mirrors and clear glass in
/// fireflies that no z-test bears, hence none.
TEST_F(SameVoxels, BackendsAgreeOnEveryMaterial) {
    const auto model = [](MaterialModel kind, float roughness, float metalness) {
        Material material;
        material.model = kind;
        material.albedo = {0.9F, 0.8F, 0.6F};
        material.roughness = roughness;
        material.metalness = metalness;
        material.absorption = {0.02F, 0.1F, 0.3F};
        return material;
    };
    const Material metal = model(MaterialModel::MetallicRoughness, 0.3F, 1.0F);
    const Material plastic = model(MaterialModel::MetallicRoughness, 0.2F, 0.0F);
    const Material mirror = model(MaterialModel::Mirror, 0.0F, 0.0F);
    const Material glass = model(MaterialModel::Dielectric, 0.0F, 0.0F);
    const Material roughGlass = model(MaterialModel::Dielectric, 0.4F, 0.0F);
    const Material thinGlass = model(MaterialModel::ThinGlass, 0.0F, 0.0F);
    struct Pair {
        const char* name;
        Material first;
        Material second;
    };
    std::vector<Pair> pairs = {{"plastic, mirror", plastic, mirror}, {"rough, thin glass", roughGlass, thinGlass}};
    if (fullSweep()) {
        pairs = {
            {"metal", metal, metal}, {"plastic", plastic, plastic},           {"mirror", mirror, mirror},
            {"glass", glass, glass}, {"rough glass", roughGlass, roughGlass}, {"thin glass", thinGlass, thinGlass}};
    }
    constexpr std::array kStrategies = {LightSampling::Mis, LightSampling::Bsdf, LightSampling::Lights};
    scene.lights.clear();
    const std::uint32_t samples = quickOrFull(kSamples / 4, kSamples);
    std::size_t number = 0;
    for (const auto& [name, first, second] : pairs) {
        SCOPED_TRACE(name);
        scene.materials[1] = first;
        scene.materials[2] = second;
        scene.integrator.lightSampling = kStrategies[number % kStrategies.size()];
        ++number;
        const ZTest found = zTestOfTwo(onDevice(scene, samples), byReference(scene, samples));
        EXPECT_LT(found.worstPixel, found.pixelLimit);
        EXPECT_LT(std::abs(found.pictureZ), 3.3);
    }
}

/// However directions are drawn and light is found, glossy surfaces are the same. They are rough enough for pixels to
/// have a z: of smoother ones the worse strategies find the highlights too seldom.
TEST_F(SameVoxels, StrategiesConvergeOnGlossySurfaces) {
    for (std::size_t i = 0; i < 3; ++i) {
        scene.materials[i].model = MaterialModel::MetallicRoughness;
        scene.materials[i].roughness = 0.8F;
        scene.materials[i].metalness = 0.5F * static_cast<float>(i);
    }
    scene.lights.clear();
    scene.materials[3].emission = {1.0F, 0.9F, 0.7F};
    scene.film.width = 16;
    scene.film.height = 12;
    const FilmSums reference = byReference(scene, 4 * kSamples);
    std::vector<DirectionSampling> directions = {DirectionSampling::Bsdf, DirectionSampling::Uniform};
    if (fullSweep()) {
        directions.push_back(DirectionSampling::Cosine);
    }
    expectStrategiesConverge(
        scene, reference, [&] { return onDevice(scene); }, directions);
}

} // namespace
} // namespace aureole
