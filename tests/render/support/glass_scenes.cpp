#include "glass_scenes.h"

#include "full_sweep.h"
#include "reference/reference_renderer.h"
#include "render/path_tracer.h"
#include "voxel/build/build.h"

namespace aureole {

const std::vector<GlassKind>& glassKinds() {
    static const std::vector<GlassKind> most = {{"cubes with faces", SurfaceKind::Cubes, VoxelNormals::Face},
                                                {"planes", SurfaceKind::Planes, VoxelNormals::Smooth},
                                                {"field", SurfaceKind::Field, VoxelNormals::Smooth}};
    static const std::vector<GlassKind> all = {most[0], smoothCubes(), most[1], most[2]};
    return fullSweep() ? all : most;
}

const GlassKind& smoothCubes() {
    static const GlassKind kind = {"cubes", SurfaceKind::Cubes, VoxelNormals::Smooth};
    return kind;
}

Material clearGlass() {
    Material material;
    material.model = MaterialModel::Dielectric;
    material.albedo = glm::vec3(1.0F);
    material.roughness = 0.0F;
    material.ior = 1.5F;
    return material;
}

Scene glassScene(const Mesh& mesh, const Material& material) {
    Scene scene;
    scene.integrator.sampler = SamplerKind::Independent; // whose scatter tells their error
    scene.file = "scene.json";
    scene.materials = {material};
    scene.meshes = {mesh};
    scene.meshInstances.emplace_back();
    Camera camera;
    camera.position = glm::dvec3(2.1, 1.3, 3.7);
    camera.verticalFov = 34.0;
    scene.cameras = {camera};
    scene.film.width = 16;
    scene.film.height = 16;
    scene.integrator.maxDepth = 0;
    scene.environment.radiance = glm::vec3(1.0F);
    return scene;
}

Scene colouredGlassScene(const Mesh& mesh) {
    Scene scene = glassScene(mesh, clearGlass());
    scene.materials[0].absorption = glm::vec3(0.2F, 0.5F, 1.0F);
    scene.environment.type = EnvironmentType::Gradient;
    scene.environment.horizon = glm::vec3(1.0F, 0.8F, 0.6F);
    scene.environment.zenith = glm::vec3(0.1F, 0.3F, 0.9F);
    scene.environment.ground = glm::vec3(0.02F);
    return scene;
}

Octree voxelizeAs(Scene& scene, const GlassKind& kind, std::uint32_t resolution) {
    scene.voxels.normals = kind.normals;
    VoxelizeOptions options;
    options.resolution = resolution;
    options.surface = kind.surface;
    return voxelizeScene(scene, options);
}

FilmSums renderReference(const Scene& scene, std::uint32_t samples) {
    ReferenceRenderer renderer(scene, defaultView(scene));
    renderer.render(0, samples, [](double) { return true; });
    return renderer.film();
}

} // namespace aureole
