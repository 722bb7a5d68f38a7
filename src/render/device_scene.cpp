#include "render/device_scene.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <span>
#include <utility>

#include "core/error.h"
#include "core/trace.h"
#include "integrator/bsdf_tables.h"
#include "integrator/material_traits.h"
#include "integrator/path_params.h"
#include "render/grid_instances.h"

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

/// The bounds of all that is placed, in the world.
Bounds sceneBounds(const Scene& scene, std::span<const Octree> octrees) {
    Bounds bounds;
    for (const GridPlacement& placement : scene.gridPlacements) {
        bounds.add(placedBounds(octrees[placement.grid], placement.worldFromGrid));
    }
    return bounds;
}

/// A ray in glass does not know yet of other octrees what it is in.
void refuseGlass(const Scene& scene, std::uint32_t models) {
    if ((models & MODELS_OF_GLASS) != 0) {
        fail(ExitCode::BadInput,
             "{}: found a material of glass (dielectric or thinGlass) in a scene of several octrees, expected none: "
             "leave out assets/NAME/voxels, which makes several",
             scene.file.string());
    }
}

} // namespace

Space gridSpace(const Octree& octree) {
    Space space;
    space.scale = std::ldexp(1.0 / octree.grid.voxelSize, -2 * static_cast<int>(octree.levels));
    space.offset = glm::dvec3(1.0) - octree.grid.origin * space.scale;
    return space;
}

Space sceneSpace(const Scene& scene, std::span<const Octree> octrees) {
    if (!scene.hasGrids()) {
        return gridSpace(octrees.front());
    }
    const Bounds bounds = sceneBounds(scene, octrees);
    const glm::dvec3 extent = bounds.extent();
    Space space;
    space.scale = 1.0 / std::max({extent.x, extent.y, extent.z});
    if (bounds.empty() || !std::isnormal(space.scale)) {
        fail(ExitCode::BadInput, "{}: found instances that reach over {:g} x {:g} x {:g} m, expected finite sizes",
             scene.file.string(), extent.x, extent.y, extent.z);
    }
    space.offset = -bounds.centre() * space.scale;
    return space;
}

std::uint32_t modelsOfKernels(std::uint32_t models, bool isCpu) {
    constexpr std::uint32_t kAllOfOne = (1U << MODEL_TWO_DIELECTRICS) - 1;
    return isCpu && (models & MODELS_OF_GLASS) != 0 ? models | kAllOfOne : models;
}

DeviceScene::DeviceScene(const gpu::Device& device, const Scene& scene, const Octree& octree)
    : DeviceScene(device, scene, std::span(&octree, 1)) {}

DeviceScene::DeviceScene(const gpu::Device& device, const Scene& scene, std::span<const Octree> octrees)
    : scene_(&scene)
    , space_(sceneSpace(scene, octrees)) {
    std::vector<Material> used;
    for (const Octree& octree : octrees) {
        addOctree(device, octree);
        const std::vector<Material> own = usedMaterials(octree, materialsOf(octree, scene));
        used.insert(used.end(), own.begin(), own.end());
    }
    usedModels_ = modelsOf(used);
    materialModels_ = modelsOfKernels(usedModels_, device.info().isCpu);
    if (scene.hasGrids()) {
        refuseGlass(scene, usedModels_);
        uploadInstances(device, octrees);
    } else {
        const TraceSpan span("lights");
        const Octree& octree = octrees.front();
        coarseCells_ = CoarseCells(device, octree);
        const EmitterArrays& emitters = emitters_.front();
        const double voxelArea = octree.grid.voxelSize * octree.grid.voxelSize;
        lights_ = makeLightTables(scene, space_, gridBounds(octree.grid), emitters.power * kPi * voxelArea,
                                  placedBoxes(emitters.boxes, double{base_.front().voxelSize}));
    }
    emitters_.clear();
    uploadLights(device);
}

void DeviceScene::addOctree(const gpu::Device& device, const Octree& octree) {
    shared::VoxelParams params{};
    params.octree = octrees_.emplace_back(device, octree).view();
    params.voxelSize = std::ldexp(1.0F, -2 * static_cast<int>(octree.levels));
    params.smoothNormals = scene_->voxels.normals == VoxelNormals::Smooth ? 1 : 0;
    params.boxLow = glm::vec3(1.0F);
    params.boxHigh = glm::vec3(1.0F) + glm::vec3(octree.grid.size) * params.voxelSize; // exact
    emitters_.push_back(uploadEmitters(device, octree, params));
    uploadMaterials(device, octree, params);
    base_.push_back(params);
}

void DeviceScene::uploadInstances(const gpu::Device& device, std::span<const Octree> octrees) {
    const GridInstances made = makeGridInstances(*scene_, space_, octrees, emitters_);
    const std::uint64_t instances = upload(device, made.instances, "instances");
    const std::uint64_t nodes = upload(device, made.nodes, "tree of instances");
    const std::uint64_t lamps = upload(device, made.lamps, "lamps of instances");
    for (shared::VoxelParams& params : base_) {
        params.instances = instances;
        params.instanceNodes = nodes;
        params.lamps = lamps;
    }
    lights_ = makeLightTables(*scene_, space_, sceneBounds(*scene_, octrees), made.power, made.placed);
}

std::uint32_t DeviceScene::encoding() const {
    const std::uint32_t first = octree().view().encoding;
    const bool alike = std::all_of(octrees_.begin(), octrees_.end(),
                                   [&](const DeviceOctree& other) { return other.view().encoding == first; });
    return alike ? first : OCTREE_MIXED;
}

std::uint32_t DeviceScene::levels() const {
    const std::uint32_t first = octree().view().levels;
    const bool alike = std::all_of(octrees_.begin(), octrees_.end(),
                                   [&](const DeviceOctree& other) { return other.view().levels == first; });
    return alike ? first : 0;
}

bool DeviceScene::isOneChunk() const {
    return std::all_of(octrees_.begin(), octrees_.end(), [](const DeviceOctree& one) { return one.isOneChunk(); });
}

std::uint64_t DeviceScene::bytes() const {
    std::uint64_t bytes = coarseCells_.cells.size() + lightBytes_;
    for (const DeviceOctree& one : octrees_) {
        bytes += one.bytes();
    }
    return bytes;
}

template <typename T>
std::uint64_t DeviceScene::upload(const gpu::Device& device, const std::vector<T>& values, const char* name) {
    if (values.empty()) {
        return 0;
    }
    buffers_.push_back(device.createBufferWith(std::span<const T>(values), name));
    return buffers_.back().address();
}

EmitterArrays DeviceScene::uploadEmitters(const gpu::Device& device, const Octree& octree,
                                          shared::VoxelParams& params) {
    const TraceSpan span("emitters");
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
    params.emitters = upload(device, std::vector{tables}, "emitter tables");
    return arrays;
}

void DeviceScene::uploadMaterials(const gpu::Device& device, const Octree& octree, shared::VoxelParams& params) {
    const std::vector<Material> materials = materialsOf(octree, *scene_);
    params.path.materials = upload(device, makeMaterialTraits(materials, space_), "materials");
    params.path.bsdfTables = upload(device, makeBsdfTables(materials), "BSDF tables");
}

void DeviceScene::uploadLights(const gpu::Device& device) {
    shared::LightParams params = describeLights(lights_);
    params.lights = upload(device, lights_.lights, "lights");
    params.choice = upload(device, lights_.choice, "light choice");
    params.nodes = upload(device, lights_.tree.nodes, "light tree");
    params.trails = upload(device, lights_.tree.trails, "light trails");
    params.environment = upload(device, lights_.environment, "environment");
    params.environmentPick = upload(device, lights_.environmentPick, "environment choice");
    for (shared::VoxelParams& base : base_) {
        base.path.lights = params;
    }
    for (const gpu::Buffer& buffer : buffers_) {
        lightBytes_ += buffer.size();
    }
}

std::vector<shared::VoxelParams> DeviceScene::allParams(const View& view) const {
    const shared::PathParams path = makePathParams(*scene_, view, space_, lights_, usedModels_);
    std::vector<shared::VoxelParams> result = base_;
    for (shared::VoxelParams& params : result) {
        const shared::PathParams own = params.path;
        params.path = path;
        params.path.lights = own.lights;
        params.path.materials = own.materials;
        params.path.bsdfTables = own.bsdfTables;
    }
    return result;
}

} // namespace aureole
