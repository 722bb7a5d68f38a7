#include <cmath>
#include <iostream>

#include <gtest/gtest.h>

#include "gpu_test/gpu_test.h"
#include "renders.h"
#include "voxel/build.h"

namespace aureole {
namespace {

class Lamp : public gpu::GpuTest {};

/// A ball of light of radius `radius` at height `height` over a floor of albedo 1/2.
Scene lampScene(double radius, double height) {
    Scene scene;
    scene.file = "scene.json";
    scene.materials.resize(2);
    scene.materials[0].albedo = glm::vec3(0.5F);
    scene.materials[1].albedo = glm::vec3(0.0F);
    scene.materials[1].emission = glm::vec3(4.0F);
    scene.meshes = {boxMesh({-4.0F, -0.5F, -4.0F}, {4.0F, 0.0F, 4.0F}), ballMesh(64)};
    scene.meshes[1].material = 1;
    scene.meshInstances.resize(2);
    scene.meshInstances[1].mesh = 1;
    scene.meshInstances[1].worldFromMesh =
        glm::scale(glm::translate(glm::dmat4(1.0), glm::dvec3(0.013, height, 0.021)), glm::dvec3(radius));
    Camera camera; // sees the floor about a point beside the lamp
    camera.position = glm::dvec3(1.0, 1.5, 0.0);
    camera.target = glm::dvec3(1.0, 0.0, 0.0);
    camera.up = glm::dvec3(0.0, 0.0, 1.0);
    camera.verticalFov = 1.0;
    scene.cameras = {camera};
    scene.film.width = 4;
    scene.film.height = 4;
    scene.integrator.maxDepth = 2;
    return scene;
}

/// What a ball of light gives is that of a point at its middle: L (r/d)^2 cos, here over a floor of albedo 1/2. All
/// strategies estimate the same, and it converges to this.
TEST_F(Lamp, BallsGiveWhatTheClosedFormSays) {
    const double radius = 0.4;
    const double height = 1.2;
    Scene scene = lampScene(radius, height);
    const glm::dvec3 way = glm::dvec3(0.013, height, 0.021) - glm::dvec3(1.0, 0.0, 0.0);
    const double square = glm::dot(way, way);
    const double expected = 0.5 * 4.0 * radius * radius / square * way.y / std::sqrt(square);
    struct Kind {
        const char* name;
        SurfaceKind surface;
        double within; ///< at the last resolution
    };
    for (const Kind& kind : {Kind{"cubes", SurfaceKind::Cubes, 0.4}, Kind{"planes", SurfaceKind::Planes, 0.05},
                             Kind{"field", SurfaceKind::Field, 0.05}}) {
        for (const std::uint32_t resolution : {64U, 192U}) {
            VoxelizeOptions options;
            options.resolution = resolution;
            options.surface = kind.surface;
            const Octree octree = voxelizeScene(scene, options);
            std::vector<double> found;
            for (const LightSampling strategy : {LightSampling::Bsdf, LightSampling::Lights, LightSampling::Mis}) {
                scene.integrator.lightSampling = strategy;
                const std::uint32_t samples = strategy == LightSampling::Bsdf ? 16384 : 2048;
                found.push_back(meanRadiance(renderOnDevice(device(), scene, octree, samples)) / expected);
            }
            std::cout << "lamp: " << kind.name << ", " << resolution << ": bsdf " << found[0] << ", lights " << found[1]
                      << ", mis " << found[2] << '\n';
            EXPECT_NEAR(found[0] / found[2], 1.0, 0.05) << kind.name << ' ' << resolution;
            EXPECT_NEAR(found[1] / found[2], 1.0, 0.05) << kind.name << ' ' << resolution;
            if (resolution == 192) {
                EXPECT_NEAR(found[2], 1.0, kind.within) << kind.name;
            }
        }
    }
}

} // namespace
} // namespace aureole
