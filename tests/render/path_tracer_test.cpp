#include <algorithm>
#include <cmath>
#include <tuple>

#include <gtest/gtest.h>

#include "gpu_test/gpu_test.h"
#include "octree_samples.h"
#include "render/path_tracer.h"
#include "shared/attributes.h"

namespace aureole {
namespace {

class PathTracerTest : public gpu::GpuTest {
protected:
    /// A few emissive and grey voxels under a sky, a sun and a point light.
    void SetUp() override {
        GpuTest::SetUp();
        octree = octreeOf(2, {{3, 3, 3}, {4, 3, 3}, {5, 3, 4}, {8, 8, 8}, {9, 2, 9}, {4, 12, 5}});
        octree.emissions.emplace_back(4.0F, 2.0F, 1.0F);
        octree.attributes[3].metalnessEmission |= 1U << 8U;
        Camera camera;
        camera.position = glm::dvec3(24.0, 20.0, 30.0);
        camera.target = glm::dvec3(6.0, 6.0, 6.0);
        camera.apertureRadius = 0.3;
        camera.verticalFov = 25.0;
        scene.cameras = {camera};
        scene.environment.radiance = glm::vec3(0.3F, 0.4F, 0.6F);
        scene.environment.sun = Sun{glm::normalize(glm::dvec3(1, 2, 1)), 2.0, glm::vec3(3.0F)};
        PunctualLight lamp;
        lamp.position = glm::dvec3(12.0, 12.0, 12.0);
        lamp.intensity = glm::vec3(20.0F);
        scene.lights = {lamp};
        scene.film.width = 37;
        scene.film.height = 21;
        scene.voxels.normals = VoxelNormals::Face;
    }

    FilmSums render(const SampleRanges& ranges, const PathTracerOptions& options = {},
                    const View* view = nullptr) const {
        const DeviceScene onDevice(device(), scene, octree);
        PathTracer tracer(device(), onDevice, view != nullptr ? *view : defaultView(scene), options);
        for (const auto& [first, end] : ranges) {
            EXPECT_EQ(tracer.render(first, end, [](double) { return true; }), end);
        }
        return tracer.film();
    }

    Scene scene;
    Octree octree;
};

TEST_F(PathTracerTest, SameSeedGivesTheSameBytes) {
    const FilmSums a = render({{0, 20}});
    const FilmSums b = render({{0, 20}});
    EXPECT_EQ(a.radiance, b.radiance);
    EXPECT_EQ(a.squared, b.squared);
    scene.integrator.seed = 1;
    EXPECT_NE(render({{0, 20}}).radiance, a.radiance);
}

/// However dispatches are cut: lanes, rounds and steps do not show in the picture, and no path is lost.
TEST_F(PathTracerTest, CuttingDispatchesShortChangesNothing) {
    const FilmSums whole = render({{0, 16}});
    for (const auto& [workgroups, steps, rounds] :
         {std::tuple{1U, 32U, 40U}, std::tuple{3U, 7U, 11U}, std::tuple{40U, 4U, 200U}}) {
        const FilmSums cut = render({{0, 16}}, {workgroups, steps, rounds});
        EXPECT_EQ(cut.radiance, whole.radiance) << workgroups << " " << steps << " " << rounds;
    }
}

TEST_F(PathTracerTest, ResumedRunGivesTheBytesOfAnUnbrokenOne) {
    EXPECT_EQ(render({{0, 8}, {8, 24}}).radiance, render({{0, 24}}).radiance);
}

TEST_F(PathTracerTest, TwoRangesMergedEqualOne) {
    const Image whole = filmImage(render({{0, 21}}), true);
    const std::vector<Image> parts = {filmImage(render({{13, 21}}), true), filmImage(render({{0, 13}}), true)};
    const Image merged = mergeParts(parts, {"b", "a"});
    for (std::size_t c = 0; c < 6; ++c) {
        for (std::size_t i = 0; i < whole.pixelCount(); ++i) {
            ASSERT_NEAR(merged.channels[c].values[i], whole.channels[c].values[i],
                        1e-6 * std::max(1.0F, std::abs(whole.channels[c].values[i])));
        }
    }
    EXPECT_EQ(merged.attributes.at("aureole.samples"), "0:21");
}

TEST_F(PathTracerTest, CropIsThatPartOfTheWholePicture) {
    const FilmSums whole = render({{0, 8}});
    View view = defaultView(scene);
    view.cropOrigin = {10, 5};
    view.cropSize = {13, 9};
    const FilmSums crop = render({{0, 8}}, {}, &view);
    for (std::size_t y = 0; y < 9; ++y) {
        for (std::size_t x = 0; x < 13 * 3; ++x) {
            ASSERT_EQ(crop.radiance[y * 39 + x], whole.radiance[(y + 5) * 37 * 3 + 30 + x]);
        }
    }
}

/// All strategies estimate the same picture. (Point lights are found by light sampling alone, so they are left out.)
TEST_F(PathTracerTest, StrategiesAgreeInTheMean) {
    scene.lights.clear();
    const auto meanOf = [&](LightSampling strategy, double& error) {
        scene.integrator.lightSampling = strategy;
        const FilmSums film = render({{0, 512}});
        double sum = 0.0;
        double variance = 0.0;
        const double n = 512.0;
        for (std::size_t i = 0; i < film.radiance.size(); ++i) {
            const double mean = film.radiance[i] / n;
            sum += mean;
            variance += (film.squared[i] / n - mean * mean) / n;
        }
        error = std::sqrt(3.0 * variance) / static_cast<double>(film.radiance.size());
        return sum / static_cast<double>(film.radiance.size());
    };
    double bsdfError = 0.0;
    double misError = 0.0;
    double lightsError = 0.0;
    const double bsdf = meanOf(LightSampling::Bsdf, bsdfError);
    const double mis = meanOf(LightSampling::Mis, misError);
    const double lights = meanOf(LightSampling::Lights, lightsError);
    EXPECT_NEAR(bsdf, mis, 3.5 * (bsdfError + misError));
    EXPECT_NEAR(lights, mis, 3.5 * (lightsError + misError));
    EXPECT_LT(misError, bsdfError);
}

} // namespace
} // namespace aureole
