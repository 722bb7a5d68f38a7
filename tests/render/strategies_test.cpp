// However directions are drawn and light is looked for, the device's picture is the same, and its numbers are the
// host's.

#include <cmath>
#include <span>

#include <gtest/gtest.h>

#include "emissive_palette.h"
#include "expectations.h"
#include "full_sweep.h"
#include "gpu_test/gpu_test.h"
#include "octree_samples.h"
#include "render/path_tracer.h"
#include "shared/octree/attributes.h"
#include "statistics.h"
#include "test_render_shaders.h"
#include "voxel/build/voxel_material.h"

namespace aureole {
namespace {

class StrategiesTest : public gpu::GpuTest {
protected:
    /// A floor and a post under a lamp of a few voxels, a sky and a bulb.
    void SetUp() override {
        GpuTest::SetUp();
        scene.integrator.sampler = SamplerKind::Independent; // whose scatter tells their error
        std::vector<glm::uvec3> voxels;
        for (std::uint32_t i = 0; i < 256; ++i) {
            voxels.emplace_back(i % 16, 2, i / 16);
        }
        for (std::uint32_t y = 3; y < 9; ++y) {
            voxels.emplace_back(4, y, 6);
        }
        // Large: a pixel that a thousand chance hits find five times only has no z.
        std::vector<glm::uvec3> lamp;
        for (std::uint32_t i = 0; i < 36; ++i) {
            lamp.emplace_back(5 + i % 6, 11, 5 + i / 6);
        }
        voxels.insert(voxels.end(), lamp.begin(), lamp.end());
        octree = octreeOf(2, voxels);
        octree.palette = emissivePalette({glm::vec3(2.0F, 1.5F, 1.0F)});
        octree.materialRuns = singleRun(2);
        for (const glm::uvec3& voxel : lamp) {
            const glm::vec3 up(0.0F, 1.0F, 0.0F);
            setSurface(octree, voxel, {glm::vec3(0.2F), up, 1.0F, 0.0F, 1, up, 1, 0, 0, 0.0F, 0});
        }
        Camera camera;
        camera.position = glm::dvec3(20.0, 14.0, 26.0);
        camera.target = glm::dvec3(8.0, 4.0, 8.0);
        camera.verticalFov = 30.0;
        scene.cameras = {camera};
        scene.environment.radiance = glm::vec3(0.2F, 0.3F, 0.5F);
        PunctualLight bulb;
        bulb.position = glm::dvec3(12.0, 6.0, 12.0);
        bulb.intensity = glm::vec3(10.0F);
        scene.lights = {bulb};
        scene.film.width = 12;
        scene.film.height = 8;
        scene.voxels.normals = VoxelNormals::Face;
        scene.integrator.maxDepth = 4;
    }

    FilmSums render(std::uint32_t samples) const {
        const DeviceScene onDevice(device(), scene, octree);
        PathTracer tracer(device(), onDevice, defaultView(scene));
        EXPECT_EQ(tracer.render(0, samples, [](double) { return true; }), samples);
        return tracer.film();
    }

    Scene scene;
    Octree octree;
};

TEST_F(StrategiesTest, AllConvergeToOnePicture) {
    const std::uint32_t samples = quickOrFull(512U, 768U);
    const FilmSums reference = render(2 * samples);
    // Others are drawn on glossy surfaces too (same_voxels_test.cpp), each by kernels of its own.
    std::vector<DirectionSampling> directions = {DirectionSampling::Bsdf};
    if (fullSweep()) {
        directions.insert(directions.end(), {DirectionSampling::Cosine, DirectionSampling::Uniform});
    }
    expectStrategiesConverge(
        scene, reference, [&] { return render(samples); }, directions);
}

TEST_F(StrategiesTest, SobolConvergesToThatPictureToo) {
    const FilmSums reference = render(4096);
    scene.integrator.sampler = SamplerKind::Sobol;
    scene.integrator.seed = 9;
    const FilmSums sobol = render(512);
    double mean = 0.0;
    double gap = 0.0;
    for (std::size_t i = 0; i < sobol.radiance.size(); ++i) {
        mean += reference.radiance[i] / 4096.0;
        gap += sobol.radiance[i] / 512.0 - reference.radiance[i] / 4096.0;
    }
    EXPECT_LT(std::abs(gap), 0.005 * mean);
    EXPECT_NE(sobol.radiance, render(511).radiance);
}

TEST_F(StrategiesTest, CamerasOfEveryProjectionSeeTheScene) {
    Camera& camera = scene.cameras[0];
    const auto brightest = [&] {
        const FilmSums film = render(32);
        double most = 0.0;
        for (const double value : film.radiance) {
            most = std::max(most, value / 32.0);
        }
        return most;
    };
    // The lamp in the middle of the picture, and nothing above it but the sky.
    camera.target = glm::dvec3(8.0, 11.5, 8.0);
    camera.projection = Projection::Orthographic;
    camera.height = 1.0;
    EXPECT_NEAR(brightest(), 2.0, 0.1);
    camera.position = glm::dvec3(9.0, 20.0, 9.1);
    camera.target = glm::dvec3(9.0, 30.0, 9.0);
    EXPECT_NEAR(brightest(), 0.5, 1e-4);
    camera.projection = Projection::Equirectangular;
    camera.position = glm::dvec3(9.0, 8.0, 9.0);
    camera.target = glm::dvec3(9.0, 8.0, 0.0);
    EXPECT_NEAR(brightest(), 2.0, 0.5);
}

struct WordsPush {
    std::uint64_t words;
    std::uint32_t count;
    std::uint32_t seed;
};

/// The device draws the very words that the host does.
TEST_F(StrategiesTest, NumbersOnTheDeviceAreThoseOfTheHost) {
    constexpr std::uint32_t kCount = 4096;
    const gpu::Pipeline pipeline = device().createPipeline(
        {.name = "rng_words", .shader = shaders::rng_words(), .pushConstantBytes = sizeof(WordsPush)});
    std::vector<glm::uvec4> found(2 * kCount);
    const gpu::Buffer buffer =
        device().createBuffer(std::as_bytes(std::span(found)).size(), gpu::MemoryKind::Device, "words");
    gpu::CommandEncoder commands = device().encoder();
    commands.dispatch(pipeline, WordsPush{buffer.address(), kCount, 5}, kCount / 64);
    device().submit(std::move(commands)).wait();
    device().download(buffer, 0, std::as_writable_bytes(std::span(found)));
    for (std::uint32_t i = 0; i < kCount; ++i) {
        for (std::uint32_t kind = 0; kind < 2; ++kind) {
            shared::Rng rng{5, i % 61, i * 2654435761U, i % 7, kind};
            ASSERT_EQ(found[2 * i + kind], shared::rngNextBits(rng)) << i << ' ' << kind;
        }
    }
}

} // namespace
} // namespace aureole
