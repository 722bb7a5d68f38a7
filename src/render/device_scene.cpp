#include "render/device_scene.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <span>

#include "core/error.h"
#include "integrator/bsdf_tables.h"
#include "integrator/material_traits.h"
#include "integrator/path_params.h"

namespace aureole {

namespace {

Bounds gridBounds(const VoxelGrid& grid) {
    Bounds bounds;
    bounds.add(grid.origin);
    bounds.add(grid.origin + glm::dvec3(grid.size) * grid.voxelSize);
    return bounds;
}

/// An octree's materials as a scene has them, as far as makeMaterialTraits reads them. Light groups that the scene does
/// not have are its first.
std::vector<Material> materialsOf(const Octree& octree, const Scene& scene) {
    std::vector<Material> materials;
    for (const MaterialConstants& from : octree.materials) {
        Material& material = materials.emplace_back();
        static_cast<MaterialConstants&>(material) = from;
        material.roughness = from.rough != 0 ? 1.0F : 0.0F;
        material.lightGroup = from.lightGroup < scene.lightGroups.size() ? from.lightGroup : 0;
    }
    return materials;
}

/// Those that voxels are of, each once.
std::vector<Material> usedMaterials(const Octree& octree, const std::vector<Material>& materials) {
    std::set<std::uint32_t> numbers;
    for (const shared::VoxelMaterial& entry : octree.palette) {
        numbers.insert(entry.material);
    }
    std::vector<Material> used;
    used.reserve(numbers.size());
    for (const std::uint32_t number : numbers) {
        used.push_back(materials[number]);
    }
    return used;
}

/// The models that pipelines are made for: on a GPU those that the scene has. A CPU takes seconds to make a pipeline
/// with glass, so that there all scenes with glass share one, and those with several dielectrics another.
std::uint32_t modelsOfPipelines(std::uint32_t models, bool isCpu) {
    constexpr std::uint32_t kAllOfOne = (1U << MODEL_TWO_DIELECTRICS) - 1;
    return isCpu && (models & MODELS_OF_GLASS) != 0 ? models | kAllOfOne : models;
}

} // namespace

Space gridSpace(const Octree& octree) {
    Space space;
    space.scale = std::ldexp(1.0 / octree.grid.voxelSize, -2 * static_cast<int>(octree.levels));
    space.offset = glm::dvec3(1.0) - octree.grid.origin * space.scale;
    return space;
}

DeviceScene::DeviceScene(const gpu::Device& device, const Scene& scene, const Octree& octree)
    : scene_(&scene)
    , octree_(device, octree)
    , coarseCells_(device, octree)
    , space_(gridSpace(octree)) {
    const EmitterArrays emitters = uploadEmitters(device, octree);
    const auto voxelSize = std::ldexp(1.0F, -2 * static_cast<int>(octree.levels));
    const double voxelArea = octree.grid.voxelSize * octree.grid.voxelSize;
    lights_ = makeLightTables(scene, space_, gridBounds(octree.grid), emitters.power * kPi * voxelArea,
                              placedBoxes(emitters.boxes, double{voxelSize}));
    const std::vector<Material> materials = materialsOf(octree, scene);
    usedModels_ = modelsOf(usedMaterials(octree, materials));
    materialModels_ = modelsOfPipelines(usedModels_, device.info().isCpu);
    uploadLights(device, materials);
    base_.octree = octree_.view();
    base_.voxelSize = voxelSize;
    base_.smoothNormals = scene.voxels.normals == VoxelNormals::Smooth ? 1 : 0;
    base_.boxLow = glm::vec3(1.0F);
    base_.boxHigh = glm::vec3(1.0F) + glm::vec3(octree.grid.size) * voxelSize; // exact
}

template <typename T>
std::uint64_t DeviceScene::upload(const gpu::Device& device, const std::vector<T>& values, const char* name) {
    if (values.empty()) {
        return 0;
    }
    buffers_.push_back(device.createBufferWith(std::span<const T>(values), name));
    return buffers_.back().address();
}

EmitterArrays DeviceScene::uploadEmitters(const gpu::Device& device, const Octree& octree) {
    std::vector<EmissiveVoxel> voxels = collectEmissiveVoxels(octree);
    if (voxels.empty()) {
        return {};
    }
    // A shader takes the index of an array element as signed.
    constexpr std::size_t kMaxEmitters = std::numeric_limits<std::int32_t>::max() / 2;
    if (voxels.size() > kMaxEmitters) {
        fail(ExitCode::OutOfMemory, "{}: found {} emissive voxels, expected at most {}", scene_->file.string(),
             voxels.size(), kMaxEmitters);
    }
    EmitterArrays arrays = makeEmitterBoxes(octree, std::move(voxels));
    shared::EmitterTables tables{};
    tables.boxes = upload(device, arrays.boxes, "emitters");
    tables.slices = upload(device, arrays.slices, "emitter slices");
    tables.rows = upload(device, arrays.rows, "emitter rows");
    base_.emitters = upload(device, std::vector{tables}, "emitter tables");
    return arrays;
}

void DeviceScene::uploadLights(const gpu::Device& device, std::span<const Material> materials) {
    shared::LightParams& params = base_.path.lights;
    params = describeLights(lights_);
    params.lights = upload(device, lights_.lights, "lights");
    params.choice = upload(device, lights_.choice, "light choice");
    params.nodes = upload(device, lights_.tree.nodes, "light tree");
    params.trails = upload(device, lights_.tree.trails, "light trails");
    params.environment = upload(device, lights_.environment, "environment");
    params.environmentPick = upload(device, lights_.environmentPick, "environment choice");
    base_.path.materials = upload(device, makeMaterialTraits(materials, space_), "materials");
    base_.path.bsdfTables = upload(device, makeBsdfTables(materials), "BSDF tables");
    for (const gpu::Buffer& buffer : buffers_) {
        lightBytes_ += buffer.size();
    }
}

shared::VoxelParams DeviceScene::params(const View& view) const {
    shared::VoxelParams result = base_;
    result.path = makePathParams(*scene_, view, space_, lights_, usedModels_);
    result.path.lights = base_.path.lights;
    result.path.materials = base_.path.materials;
    result.path.bsdfTables = base_.path.bsdfTables;
    return result;
}

} // namespace aureole
