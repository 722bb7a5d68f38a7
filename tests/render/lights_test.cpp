// Lights on a floor of voxels against closed forms, and scenes at the edges of what the format allows.

#include <cmath>

#include <gtest/gtest.h>

#include "gpu_test/gpu_test.h"
#include "octree_samples.h"
#include "render/path_tracer.h"
#include "sky/sky_model.h"

namespace aureole {
namespace {

class LightsOnVoxels : public gpu::GpuTest {
protected:
    /// A floor 64 voxels wide whose top is at height 1.
    void SetUp() override {
        GpuTest::SetUp();
        std::vector<glm::uvec3> floor;
        for (std::uint32_t i = 0; i < 64 * 64; ++i) {
            floor.emplace_back(i % 64, 0, i / 64);
        }
        octree = octreeOf(3, floor);
    }

    /// Seen from above at (x, 1, 32), so narrowly that it is evenly lit.
    static Scene sceneAt(double x) {
        Scene scene;
        scene.integrator.sampler = SamplerKind::Independent; // whose scatter tells their error
        Camera camera;
        camera.position = glm::dvec3(x, 1.5, 32.31);
        camera.target = glm::dvec3(x, 1.0, 32.3);
        camera.verticalFov = 0.5;
        scene.cameras = {camera};
        scene.film.width = 8;
        scene.film.height = 4;
        scene.film.filter = PixelFilter::Box;
        scene.film.filterRadius = 0.5;
        return scene;
    }

    FilmSums render(const Scene& scene, std::uint32_t samples) const {
        const DeviceScene onDevice(device(), scene, octree);
        PathTracer tracer(device(), onDevice, defaultView(scene));
        EXPECT_EQ(tracer.render(0, samples, [](double) { return true; }), samples);
        return tracer.film();
    }

    struct Mean {
        double value;
        double error;
    };
    Mean mean(const Scene& scene, std::uint32_t samples) const {
        const FilmSums film = render(scene, samples);
        double sum = 0.0;
        double squares = 0.0;
        for (std::size_t i = 0; i < film.radiance.size(); ++i) {
            sum += film.radiance[i];
            squares += film.squared[i];
        }
        const double n = static_cast<double>(film.radiance.size()) * samples;
        sum /= n;
        return {sum, std::sqrt(std::max(squares / n - sum * sum, 0.0) * 3.0 / n)}; // three equal channels
    }

    /// What the floor shows under an irradiance of 1: its albedo as stored, over pi.
    double unit() const {
        Scene scene = sceneAt(32.3);
        PunctualLight light;
        light.type = LightType::Directional;
        scene.lights = {light};
        return mean(scene, 4).value;
    }

    void expectIrradiance(const Scene& scene, std::uint32_t samples, double expected, double share) const {
        const Mean found = mean(scene, samples);
        const double one = unit();
        EXPECT_NEAR(found.value / one, expected, 4.0 * found.error / one + share * expected);
    }

    Octree octree;
};

TEST_F(LightsOnVoxels, UnitIrradianceShowsTheAlbedo) {
    EXPECT_NEAR(unit(), 0.5 / kPi, 0.01 * 0.5 / kPi);
}

/// In metres, though the tracer's unit is another.
TEST_F(LightsOnVoxels, PointLightFallsOffBySquares) {
    for (const double height : {2.0, 8.0, 30.0}) {
        for (const double x : {0.0, 10.0}) {
            Scene scene = sceneAt(32.3 + x);
            PunctualLight light;
            light.position = glm::dvec3(32.3, 1.0 + height, 32.3);
            light.intensity = glm::vec3(100.0F);
            scene.lights = {light};
            const double squared = height * height + x * x;
            expectIrradiance(scene, 4, 100.0 / squared * height / std::sqrt(squared), 5e-3);
        }
    }
}

TEST_F(LightsOnVoxels, SpotLightFadesBetweenItsCones) {
    for (const double angle : {0.0, 15.0, 24.0, 28.0, 33.0}) {
        Scene scene = sceneAt(32.3 + 20.0 * std::tan(glm::radians(angle)));
        PunctualLight light;
        light.type = LightType::Spot;
        light.position = glm::dvec3(32.3, 21.0, 32.3);
        light.intensity = glm::vec3(500.0F);
        light.innerConeAngle = 20.0;
        light.outerConeAngle = 30.0;
        scene.lights = {light};
        const double cosine = std::cos(glm::radians(angle));
        const double inner = std::cos(glm::radians(20.0));
        const double outer = std::cos(glm::radians(30.0));
        const double way = glm::clamp((cosine - outer) / (inner - outer), 0.0, 1.0);
        expectIrradiance(scene, 4, 500.0 / 400.0 * cosine * cosine * cosine * way * way, 0.02);
    }
}

TEST_F(LightsOnVoxels, SunAndSkies) {
    Scene scene = sceneAt(32.3);
    scene.environment.sun = Sun{skyDirection(35.0, 20.0), 0.53, glm::vec3(4.0F)};
    expectIrradiance(scene, 64, 4.0 * std::sin(glm::radians(35.0)), 1e-3);
    scene.environment.sun.reset();
    scene.environment.radiance = glm::vec3(2.0F);
    expectIrradiance(scene, 512, 2.0 * kPi, 1e-3);
    scene.environment.type = EnvironmentType::Gradient;
    scene.environment.zenith = glm::vec3(3.0F);
    scene.environment.horizon = glm::vec3(1.0F);
    // As in the reference backend's test.
    expectIrradiance(scene, 512, 2.0 * kPi * (0.5 + 2.0 * 0.4), 3e-3);
}

/// An image's bright texel over black: the alias table finds it on the device as on the host.
TEST_F(LightsOnVoxels, OneBrightTexel) {
    Scene scene = sceneAt(32.3);
    scene.environment.type = EnvironmentType::Image;
    scene.environment.image = makeImage(64, 32, {"R", "G", "B"});
    for (Channel& channel : scene.environment.image.channels) {
        channel.values[64 * 8 + 40] = 1000.0F;
    }
    // A bilinear tent over the texel's middle, by numerical integration.
    double expected = 0.0;
    for (int i = 0; i < 200; ++i) {
        for (int j = 0; j < 200; ++j) {
            const double u = (i + 0.5) / 100.0 - 1.0; // texels from the middle
            const double v = (j + 0.5) / 100.0 - 1.0;
            const double angle = (8.5 + v) / 32.0 * kPi;
            expected += 1000.0 * (1.0 - std::abs(u)) * (1.0 - std::abs(v)) * std::cos(angle) * std::sin(angle) *
                        (kPi / 3200.0) * (2.0 * kPi / 6400.0);
        }
    }
    expectIrradiance(scene, 2048, expected, 2e-3);
}

} // namespace
} // namespace aureole
