#include <gtest/gtest.h>

#include "gpu_test/gpu_test.h"
#include "render/path_tracer.h"
#include "voxel/build.h"

namespace aureole {
namespace {

class LightLeak : public gpu::GpuTest {};

/// A sealed room around the origin, seen from within, under a white sky outside. `bend` tilts the vertex normals from
/// the walls' own towards those of the corners: 0 none, 1 wholly.
Scene sealedRoom(float bend, const glm::dvec3& rotation) {
    Mesh mesh;
    for (int axis = 0; axis < 3; ++axis) {
        for (const float side : {-1.0F, 1.0F}) {
            const auto first = static_cast<std::uint32_t>(mesh.positions.size());
            for (const glm::vec2 corner : {glm::vec2(-1, -1), glm::vec2(1, -1), glm::vec2(1, 1), glm::vec2(-1, 1)}) {
                glm::vec3 position(side);
                position[(axis + 1) % 3] = corner.x;
                position[(axis + 2) % 3] = corner.y;
                glm::vec3 wall(0.0F);
                wall[axis] = -side;
                mesh.positions.push_back(position);
                mesh.normals.push_back(glm::normalize(glm::mix(wall, -glm::normalize(position), bend)));
            }
            mesh.triangles.emplace_back(first, first + 1, first + 2);
            mesh.triangles.emplace_back(first, first + 2, first + 3);
        }
    }
    Scene scene;
    scene.meshes = {mesh};
    scene.materials.resize(1);
    scene.materials[0].albedo = glm::vec3(0.5F);
    MeshInstance instance;
    instance.worldFromMesh = glm::mat4_cast(glm::dquat(glm::radians(rotation)));
    scene.meshInstances = {instance};
    Camera camera;
    camera.position = {0.3, 0.1, 0.2};
    camera.target = {-0.4, -0.5, -0.2};
    camera.verticalFov = 110.0;
    scene.cameras = {camera};
    scene.environment.radiance = glm::vec3(1.0F);
    scene.film.width = 24;
    scene.film.height = 24;
    return scene;
}

double leakedRadiance(const gpu::Device& device, const Scene& scene) {
    const Octree octree = voxelizeScene(scene, 64);
    const DeviceScene onDevice(device, scene, octree);
    PathTracer tracer(device, onDevice, defaultView(scene));
    tracer.render(0, 64, [](double) { return true; });
    const FilmSums film = tracer.film();
    double sum = 0.0;
    for (const double value : film.radiance) {
        sum += value;
    }
    return sum / (static_cast<double>(film.radiance.size()) * 64.0);
}

/// What is left, some rays in a thousand at 64 voxels, grazes a wall within its own voxels and passes under the foot of
/// the next one: a strip along the edges that thins out with the square of the resolution.
TEST_F(LightLeak, HardlyAnyLightEntersASealedRoom) {
    for (const glm::dvec3 rotation : {glm::dvec3(0.0), glm::dvec3(30.0, 40.0, 10.0)}) {
        for (const float bend : {0.0F, 0.5F, 1.0F}) {
            EXPECT_LT(leakedRadiance(device(), sealedRoom(bend, rotation)), rotation.x == 0.0 ? 1e-5 : 1e-3)
                << "bend " << bend << ", rotation " << rotation.x;
        }
    }
}

} // namespace
} // namespace aureole
