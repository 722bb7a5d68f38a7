#include <array>
#include <cmath>
#include <iostream>

#include <gtest/gtest.h>

#include "full_sweep.h"
#include "gpu_test/gpu_test.h"
#include "renders.h"
#include "voxel/build/build.h"

namespace aureole {
namespace {

constexpr double kRadius = 0.8;
constexpr glm::dvec3 kLamp(0.013, 1.2, 0.021);
constexpr glm::dvec3 kSeen(0.5, 0.0, 0.0);

/// A ball of light over a floor of albedo 1/2, of which the camera sees a spot beside it.
Scene lampScene() {
    Scene scene;
    scene.file = "scene.json";
    scene.materials.resize(2);
    scene.materials[0].albedo = glm::vec3(0.5F);
    scene.materials[1].albedo = glm::vec3(0.0F);
    scene.materials[1].emission = glm::vec3(4.0F);
    scene.meshes = {boxMesh({-1.5F, -0.5F, -1.5F}, {1.5F, 0.0F, 1.5F}), ballMesh(64)};
    scene.meshes[1].material = 1;
    scene.meshInstances.resize(2);
    scene.meshInstances[1].mesh = 1;
    scene.meshInstances[1].worldFromMesh = glm::scale(glm::translate(glm::dmat4(1.0), kLamp), glm::dvec3(kRadius));
    Camera camera;
    camera.position = glm::dvec3(1.4, 0.3, 0.0);
    camera.target = kSeen;
    camera.verticalFov = 0.5;
    scene.cameras = {camera};
    scene.film.width = 4;
    scene.film.height = 4;
    scene.integrator.maxDepth = 2;
    scene.integrator.sampler = SamplerKind::Independent; // whose samples tell their error
    return scene;
}

/// What the floor sends out under a ball of even radiance L: that of a point in its middle, L (r/d)^2 cos.
double closedForm() {
    const glm::dvec3 way = kLamp - kSeen;
    const double square = glm::dot(way, way);
    return 0.5 * 4.0 * kRadius * kRadius / square * way.y / std::sqrt(square);
}

/// A share of the closed form, and the standard error of it.
struct Estimate {
    double share = 0.0;
    double error = 0.0;
};

struct Kind {
    const char* name;
    SurfaceKind surface;
    double within; ///< of the closed form, at 192 voxels
};

constexpr std::array kKinds = {Kind{"cubes", SurfaceKind::Cubes, 0.04}, Kind{"planes", SurfaceKind::Planes, 0.003},
                               Kind{"field", SurfaceKind::Field, 0.003}};

class Lamp : public gpu::GpuTest {
protected:
    Estimate measure(const Scene& scene, const Octree& octree, std::uint32_t samples) const {
        const FilmSums film = renderOnDevice(device(), scene, octree, samples);
        double sum = 0.0;
        double squares = 0.0;
        for (std::size_t i = 0; i < film.radiance.size(); i += 3) {
            sum += film.radiance[i];
            squares += film.squared[i];
        }
        const double count = static_cast<double>(film.pixelCount()) * samples;
        const double mean = sum / count;
        return {mean / closedForm(), std::sqrt((squares / count - mean * mean) / count) / closedForm()};
    }

    static Octree octreeOf(const Scene& scene, SurfaceKind surface, std::uint32_t resolution) {
        VoxelizeOptions options;
        options.resolution = resolution;
        options.surface = surface;
        return voxelizeScene(scene, options);
    }
};

/// Light sampling aims at the faces of voxels, whatever surface lies in them, and scattered rays meet that surface:
/// both have to count the same.
TEST_F(Lamp, StrategiesAgree) {
    Scene scene = lampScene();
    for (const Kind& kind : kKinds) {
        const Octree octree = octreeOf(scene, kind.surface, 48);
        std::vector<Estimate> found;
        for (const LightSampling strategy : {LightSampling::Bsdf, LightSampling::Lights, LightSampling::Mis}) {
            scene.integrator.lightSampling = strategy;
            const std::uint32_t samples = strategy == LightSampling::Bsdf ? 8192U : quickOrFull(1024U, 8192U);
            found.push_back(measure(scene, octree, samples));
            std::cout << "lamp: " << kind.name << ", strategy " << static_cast<int>(strategy) << ": "
                      << found.back().share << " +- " << found.back().error << '\n';
            EXPECT_LT(found.back().error, 0.02) << kind.name;
            EXPECT_NEAR(found.back().share, found[0].share, 3.3 * std::hypot(found.back().error, found[0].error))
                << kind.name;
        }
        EXPECT_NEAR(found[1].share, found[2].share, 3.3 * std::hypot(found[1].error, found[2].error)) << kind.name;
    }
}

/// Cubes are a voxel too large, planes and fields next to nothing.
TEST_F(Lamp, BallsTendToTheClosedForm) {
    const Scene scene = lampScene();
    for (const Kind& kind : kKinds) {
        const Estimate found = measure(scene, octreeOf(scene, kind.surface, 192), quickOrFull(4096U, 16384U));
        std::cout << "lamp: " << kind.name << ": " << found.share << " +- " << found.error << '\n';
        EXPECT_NEAR(found.share, 1.0, kind.within + 3.3 * found.error) << kind.name;
        EXPECT_LT(found.error, quickOrFull(0.006, 0.003)) << kind.name;
    }
}

} // namespace
} // namespace aureole
