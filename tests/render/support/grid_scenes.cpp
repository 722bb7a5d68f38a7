#include "grid_scenes.h"

#include <cmath>
#include <utility>

#include <glm/gtc/matrix_transform.hpp>

#include "render/path_tracer.h"
#include "scene/grid_scene.h"
#include "voxel/build/build.h"

namespace aureole {

Scene mattScene(float albedo, float emission, float sky) {
    Scene scene;
    scene.integrator.sampler = SamplerKind::Independent; // whose scatter tells their error
    scene.integrator.maxDepth = 0;
    Material material;
    material.albedo = glm::vec3(albedo);
    material.emission = glm::vec3(emission);
    scene.materials = {material};
    scene.environment.radiance = glm::vec3(sky);
    scene.film.width = 8;
    scene.film.height = 6;
    return scene;
}

Camera cameraAt(const glm::dvec3& position, const glm::dvec3& target, double fov) {
    Camera camera;
    camera.position = position;
    camera.target = target;
    camera.verticalFov = fov;
    const glm::dvec3 forward = glm::normalize(target - position);
    camera.up = std::abs(forward.y) < 0.9 ? glm::dvec3(0.0, 1.0, 0.0) : glm::dvec3(1.0, 0.0, 0.0);
    return camera;
}

std::uint32_t addGrid(Scene& scene, Mesh mesh, std::uint32_t material, std::uint32_t resolution, SurfaceKind surface) {
    mesh.material = material;
    SceneGrid& grid = scene.grids.emplace_back();
    grid.name = "grid";
    grid.voxels.resolution = resolution;
    grid.voxels.surface = surface;
    grid.meshInstances = {{static_cast<std::uint32_t>(scene.meshes.size()), glm::dmat4(1.0), kNone}};
    scene.meshes.push_back(std::move(mesh));
    return static_cast<std::uint32_t>(scene.grids.size() - 1);
}

void placeGrid(Scene& scene, std::uint32_t grid, const glm::dmat4& transform) {
    scene.gridPlacements.push_back({grid, transform, "placed"});
    for (MeshInstance instance : scene.grids[grid].meshInstances) {
        instance.worldFromMesh = transform * instance.worldFromMesh;
        scene.meshInstances.push_back(instance);
    }
}

void placeMoving(Scene& scene, std::uint32_t grid, const PoseKey& still, const std::vector<PoseKey>& keys) {
    const auto motion = static_cast<std::uint32_t>(scene.motions.size());
    scene.motions.push_back({"moving", poseOf(still), keys, {}});
    placeGrid(scene, grid, aureole::poseOf(still).matrix());
    scene.gridPlacements.back().motion = motion;
    for (std::size_t i = scene.meshInstances.size() - scene.grids[grid].meshInstances.size();
         i < scene.meshInstances.size(); ++i) {
        scene.meshInstances[i].motion = motion;
    }
}

glm::dmat4 poseOf(const glm::dvec3& translation, double degrees, const glm::dvec3& axis, const glm::dvec3& scale) {
    return glm::translate(glm::dmat4(1.0), translation) *
           glm::rotate(glm::dmat4(1.0), glm::radians(degrees), glm::normalize(axis)) *
           glm::scale(glm::dmat4(1.0), scale);
}

std::vector<Octree> octreesOf(const Scene& scene) {
    std::vector<Octree> octrees;
    for (std::uint32_t i = 0; i < scene.grids.size(); ++i) {
        const Scene part = sceneOfGrid(scene, i);
        VoxelizeOptions options;
        options.resolution = part.voxels.resolution;
        options.surface = part.voxels.surface;
        octrees.push_back(voxelizeScene(part, options));
    }
    return octrees;
}

FilmSums renderGrids(const gpu::Device& device, const Scene& scene, std::uint32_t samples) {
    return renderGrids(device, scene, octreesOf(scene), samples);
}

FilmSums renderGrids(const gpu::Device& device, const Scene& scene, const std::vector<Octree>& octrees,
                     std::uint32_t samples) {
    const DeviceScene onDevice(device, scene, octrees);
    PathTracer tracer(device, onDevice, defaultView(scene));
    tracer.render(0, samples, [](double) { return true; });
    return tracer.film();
}

FilmSums renderFrame(const gpu::Device& device, const Scene& scene, const std::vector<Octree>& octrees, double moment,
                     std::uint32_t samples) {
    View view = defaultView(scene);
    view.moment = moment;
    DeviceScene onDevice(device, scene, octrees);
    PathTracer tracer(device, onDevice.moveTo(device, view), view);
    tracer.render(0, samples, [](double) { return true; });
    return tracer.film();
}

} // namespace aureole
