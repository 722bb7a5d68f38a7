#include "render/device_scene.h"

#include <algorithm>
#include <cmath>
#include <future>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include <glm/gtc/matrix_transform.hpp>

#include "core/divide_up.h"
#include "core/error.h"
#include "core/threads/loop_threads.h"
#include "core/trace.h"
#include "integrator/bsdf_tables.h"
#include "integrator/material_traits.h"
#include "integrator/path_params.h"
#include "integrator/volume_tables.h"
#include "render/grid_instances.h"
#include "voxel/tree/octree_starts.h"

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

/// The materials that voxels of an octree of a scene number. One octree counts material 0 in any case: the kernels made
/// ahead do.
std::set<std::uint32_t> numbersOf(const Octree& octree, const Scene& scene) {
    std::set<std::uint32_t> numbers;
    const bool countsPlain = !scene.hasGrids() || usesPlainMaterial(octree);
    for (std::size_t i = countsPlain ? 0 : 1; i < octree.palette.size(); ++i) {
        numbers.insert(octree.palette[i].material);
    }
    return numbers;
}

SceneMaterials materialsOf(std::span<const Octree> octrees, const Scene& scene) {
    SceneMaterials materials;
    std::optional<std::uint32_t> shared;
    for (std::size_t i = 0; i < octrees.size(); ++i) {
        const bool ofFile = scene.hasGrids() && scene.grids.at(i).octree;
        const auto next = static_cast<std::uint32_t>(materials.all.size());
        const std::vector<Material> own = materialsOf(octrees[i], scene);
        if (ofFile || !shared) {
            materials.all.insert(materials.all.end(), own.begin(), own.end());
        }
        shared = ofFile || shared ? shared : next;
        const std::uint32_t first = ofFile ? next : *shared;
        materials.firstOfScene = shared.value_or(0);
        materials.first.push_back(first);
        std::vector<std::uint32_t>& used = materials.used.emplace_back();
        for (const std::uint32_t number : numbersOf(octrees[i], scene)) {
            // An octree of the cache knows its own materials; those of other assets may have changed since.
            materials.all.at(first + number) = own.at(number);
            used.push_back(first + number);
        }
    }
    return materials;
}

std::vector<Material> usedOf(const SceneMaterials& materials) {
    std::set<std::uint32_t> numbers;
    for (const std::vector<std::uint32_t>& used : materials.used) {
        numbers.insert(used.begin(), used.end());
    }
    std::vector<Material> result;
    result.reserve(numbers.size());
    for (const std::uint32_t number : numbers) {
        result.push_back(materials.all.at(number));
    }
    return result;
}

/// The bounds in the world of all that is placed, wherever it gets in an animation.
Bounds boundsOf(const Scene& scene, std::span<const GridPlacement> placements, std::span<const GridShape> shapes) {
    Bounds bounds = volumeBounds(scene);
    for (const GridPlacement& placement : placements) {
        const Bounds own = shapes[placement.grid].bounds();
        bounds.add(placement.motion == kNone ? transformed(own, placement.worldFromGrid)
                                             : boundsOfMotion(scene.motions.at(placement.motion), own));
    }
    return bounds;
}

/// Has an octree without a voxel fill the bounds of the volumes beside it: it makes the scene no larger, and they may
/// be of any size.
glm::dmat4 placeOfNothing(const Octree& octree, const Bounds& volumes) {
    const Bounds own = GridShape{octree.grid, octree.levels}.bounds();
    return glm::translate(glm::dmat4(1.0), volumes.min) * glm::scale(glm::dmat4(1.0), volumes.extent() / own.extent()) *
           glm::translate(glm::dmat4(1.0), -own.min);
}

} // namespace

Space gridSpace(const Octree& octree) {
    Space space;
    space.scale = std::ldexp(1.0 / octree.grid.voxelSize, -2 * static_cast<int>(octree.levels));
    space.offset = glm::dvec3(1.0) - octree.grid.origin * space.scale;
    return space;
}

std::vector<GridPlacement> placementsOf(const Scene& scene, std::span<const Octree> octrees) {
    if (scene.hasGrids()) {
        return scene.gridPlacements;
    }
    const std::uint32_t models = modelsOf(usedOf(materialsOf(octrees, scene)), scene);
    if (!hasMedia(models)) {
        return {};
    }
    GridPlacement whole;
    if (octrees.front().voxelCount() == 0 && !scene.volumeInstances.empty()) {
        whole.worldFromGrid = placeOfNothing(octrees.front(), volumeBounds(scene));
    }
    return {whole};
}

namespace {

Space spaceOf(const Scene& scene, std::span<const GridPlacement> placements, std::span<const Octree> octrees) {
    if (placements.empty()) {
        return gridSpace(octrees.front());
    }
    const Bounds bounds = boundsOf(scene, placements, shapesOf(octrees));
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

} // namespace

Space sceneSpace(const Scene& scene, std::span<const Octree> octrees) {
    return spaceOf(scene, placementsOf(scene, octrees), octrees);
}

std::uint32_t modelsOfKernels(std::uint32_t models, bool isCpu) {
    constexpr std::uint32_t kOpaque = (1U << MODEL_DIELECTRIC) - 1;
    constexpr std::uint32_t kAll = (1U << MODEL_TRAITS) - 1;
    const bool onlyMatt = (models & kAll) == 1U << MODEL_LAMBERT;
    models |= isCpu && hasMedia(models) ? 1U << MODEL_VOLUME : 0U;
    return !isCpu || onlyMatt ? models : models | ((models & MODELS_OF_GLASS) != 0 ? kAll : kOpaque);
}

DeviceScene::DeviceScene(const gpu::Device& device, const Scene& scene, const Octree& octree)
    : DeviceScene(device, scene, std::span(&octree, 1)) {}

DeviceScene::DeviceScene(const gpu::Device& device, const Scene& scene, std::span<const Octree> octrees,
                         const ComingLamps& lamps)
    : scene_(&scene)
    , placements_(placementsOf(scene, octrees))
    , space_(spaceOf(scene, placements_, octrees)) {
    shapes_ = shapesOf(octrees);
    BufferPool pool(device);
    pool_ = hasGrids() ? &pool : nullptr;
    const SceneMaterials materials = materialsOf(octrees, scene);
    for (std::size_t i = 0; i < octrees.size(); ++i) {
        addOctree(device, octrees[i], materials.first[i], lamps);
    }
    firstMaterial_ = materials.firstOfScene;
    usedModels_ = modelsOf(usedOf(materials), scene);
    materialModels_ = modelsOfKernels(usedModels_, device.info().isCpu);
    uploadMaterials(device, materials);
    uploadVolumes(device, materials.all.size());
    if (hasGrids()) {
        makeLights(uploadInstances(device, std::nullopt, std::nullopt), std::nullopt);
    } else {
        const TraceSpan span("lights");
        const Octree& octree = octrees.front();
        coarseCells_ = CoarseCells(device, octree);
        const EmitterArrays& emitters = emitters_.front();
        const double voxelArea = octree.grid.voxelSize * octree.grid.voxelSize;
        lights_ = makeLightTables(scene, space_, gridBounds(octree.grid), emitters.power() * kPi * voxelArea,
                                  placedBoxes(emitters.boxes, emitters.facings, double{base_.front().voxelSize}));
    }
    uploadLights(device);
    for (gpu::Buffer& buffer : pool.take()) {
        buffers_.push_back(std::move(buffer));
    }
    pool_ = nullptr;
    if (scene.motions.empty()) {
        emitters_.clear();
    }
    for (const gpu::Buffer& buffer : buffers_) {
        bufferBytes_ += buffer.size();
    }
}

void DeviceScene::addOctree(const gpu::Device& device, const Octree& octree, std::uint32_t firstMaterial,
                            ComingLamps lamps) {
    if (!octree.lamps && !lamps.valid()) {
        // Half of the cores make lamps while the other half fills the device's memory.
        lamps = std::async(std::launch::async, [&] {
                    const LoopThreads some(std::max(loopThreads() / 2, 1U));
                    return makeEmitters(octree);
                }).share();
    }
    shared::VoxelParams params{};
    const std::uint32_t startBits = pool_ != nullptr ? startBitsThatPay(octree) : OCTREE_START_BITS;
    params.octree = octrees_.emplace_back(device, octree, SharedOctree{pool_, firstMaterial, startBits}).view();
    params.voxelSize = std::ldexp(1.0F, -2 * static_cast<int>(octree.levels));
    params.smoothNormals = scene_->voxels.normals == VoxelNormals::Smooth ? 1 : 0;
    params.boxLow = glm::vec3(1.0F);
    params.boxHigh = glm::vec3(1.0F) + glm::vec3(octree.grid.size) * params.voxelSize; // exact
    const EmitterArrays& made = octree.lamps ? *octree.lamps : lamps.get();
    emitters_.push_back(uploadEmitters(device, made, firstMaterial, params));
    base_.push_back(params);
}

const DeviceScene& DeviceScene::moveTo(const gpu::Device& device, const View& view) {
    const std::optional<PoseTimes> times = poseTimes(view);
    if (!times && (scene_->motions.empty() || moment_ == view.moment)) {
        return *this;
    }
    const TraceSpan span("instances move");
    BufferPool pool(device);
    pool_ = &pool;
    if (!scene_->motions.empty()) {
        const std::optional<ShutterTimes> shutter = shutterTimes(*scene_, view);
        const GridInstances placed =
            uploadInstances(device, shutter ? std::optional(shutter->open) : std::nullopt, times);
        if (movesLights()) { // else those of the first placing hold
            makeLights(placed, shutter ? std::optional(shutter->middle()) : std::nullopt);
            uploadLights(device);
        }
    }
    if (times && blursCamera(*scene_)) {
        path_.cameraPoses = upload(device, makeCameraPoses(*scene_, view, *times, space_), "poses of the camera");
    }
    path_.motionSteps = times ? times->steps : 0;
    for (const gpu::Buffer& buffer : movedBuffers_) {
        bufferBytes_ -= buffer.size();
    }
    movedBuffers_ = pool.take();
    for (const gpu::Buffer& buffer : movedBuffers_) {
        bufferBytes_ += buffer.size();
    }
    pool_ = nullptr;
    moment_ = view.moment;
    return *this;
}

bool DeviceScene::movesLights() const {
    return std::any_of(placements_.begin(), placements_.end(),
                       [&](const GridPlacement& placement) {
                           return placement.motion != kNone && !emitters_[placement.grid].boxes.empty();
                       }) ||
           std::any_of(scene_->lights.begin(), scene_->lights.end(),
                       [](const PunctualLight& light) { return light.motion != kNone; });
}

void DeviceScene::makeLights(const GridInstances& placed, std::optional<double> moment) {
    lights_ =
        makeLightTables(*scene_, space_, boundsOf(*scene_, placements_, shapes_), placed.power, placed.placed, moment);
}

std::optional<PoseTimes> DeviceScene::poseTimes(const View& view) const {
    if (!scene_->film.blurs() || (scene_->motions.empty() && !blursCamera(*scene_))) {
        return std::nullopt;
    }
    const std::optional<ShutterTimes> shutter = shutterTimes(*scene_, view);
    if (!shutter) {
        return PoseTimes{}; // of what stands
    }
    std::vector<PoseOverTime> moving;
    for (const GridPlacement& placement : placements_) {
        if (placement.motion != kNone) {
            moving.push_back(motionOf(*scene_, placement, view.moment));
        }
    }
    if (blursCamera(*scene_)) {
        moving.push_back(cameraMotion(*scene_, view));
    }
    return poseTimesFor(moving, *shutter, 1.0 / space_.scale);
}

GridInstances DeviceScene::uploadInstances(const gpu::Device& device, std::optional<double> moment,
                                           const std::optional<PoseTimes>& times) {
    GridInstances made = makeGridInstances(*scene_, placementsAt(*scene_, placements_, space_, shapes_, moment), space_,
                                           shapes_, emitters_, times, moment);
    for (shared::GridInstance& instance : made.instances) {
        const shared::OctreeView& view = base_[instance.grid].octree;
        instance.boxHigh = base_[instance.grid].boxHigh;
        instance.octree = {view.nodes[0], view.leaves[0], view.starts, view.levels, view.startBits};
    }
    const std::uint64_t moving = upload(device, made.moving, "instances that move");
    const std::uint64_t poses = upload(device, made.poses, "poses of instances");
    const std::uint64_t instances = upload(device, made.instances, "instances");
    const std::uint64_t nodes = upload(device, made.nodes, "tree of instances");
    const std::uint64_t lamps = upload(device, made.lamps, "lamps of instances");
    for (shared::VoxelParams& params : base_) {
        params.instances = instances;
        params.instanceNodes = nodes;
        params.lamps = lamps;
        params.moving = poses != 0 ? moving : 0;
        params.poses = poses;
    }
    return made;
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
    std::uint64_t bytes = coarseCells_.cells.size() + bufferBytes_;
    for (const DeviceOctree& one : octrees_) {
        bytes += one.bytes();
    }
    return bytes;
}

template <typename Values>
std::uint64_t DeviceScene::upload(const gpu::Device& device, const Values& values, const char* name) {
    const std::span elements(values.data(), values.size());
    if (elements.empty()) {
        return 0;
    }
    if (pool_ != nullptr) {
        return pool_->add(std::as_bytes(elements), name);
    }
    buffers_.push_back(device.createBufferWith(elements, name));
    return buffers_.back().address();
}

EmitterArrays DeviceScene::makeEmitters(const Octree& octree) const {
    const TraceSpan span("emitters");
    std::vector<EmissiveVoxel> voxels = collectEmissiveVoxels(octree);
    if (voxels.empty()) {
        return {};
    }
    if (voxels.size() > kMostEmitters) {
        fail(ExitCode::OutOfMemory, "{}: found {} emissive voxels, expected at most {}", scene_->file.string(),
             voxels.size(), kMostEmitters);
    }
    return makeEmitterBoxes(octree, std::move(voxels));
}

EmitterArrays DeviceScene::uploadEmitters(const gpu::Device& device, const EmitterArrays& arrays,
                                          std::uint32_t firstMaterial, shared::VoxelParams& params) {
    if (arrays.boxes.empty()) {
        return {};
    }
    std::vector<shared::EmitterBox> boxes(arrays.boxes.begin(), arrays.boxes.end());
    for (shared::EmitterBox& box : boxes) {
        box.material += firstMaterial;
    }
    shared::EmitterTables tables{};
    tables.boxes = upload(device, boxes, "emitters");
    tables.slices = upload(device, arrays.slices, "emitter slices");
    tables.rows = upload(device, arrays.rows, "emitter rows");
    params.emitters = upload(device, std::vector{tables}, "emitter tables");
    EmitterArrays placed;
    placed.boxes = std::move(boxes);
    placed.facings = std::vector<glm::vec3>(arrays.facings.begin(), arrays.facings.end());
    return placed;
}

void DeviceScene::uploadMaterials(const gpu::Device& device, const SceneMaterials& materials) {
    path_.materials = upload(
        device, makeMaterialTraits(materials.all, space_, scene_->environment.fog, scene_->volumes), "materials");
    path_.bsdfTables = upload(device, makeBsdfTables(materials.all), "BSDF tables");
    if (hasGrids() && (usedModels_ & 1U << MODEL_DIELECTRIC) != 0) {
        uploadOwnGlass(device, materials);
    }
}

void DeviceScene::uploadVolumes(const gpu::Device& device, std::size_t materials) {
    const auto uploadTree = [&](const DensityTree& tree) {
        return DensityAddresses{upload(device, tree.nodes, "volume nodes"),
                                upload(device, tree.bricks, "volume bricks")};
    };
    std::vector<VolumeAddresses> addresses;
    for (const Volume& volume : scene_->volumes) {
        VolumeAddresses& own = addresses.emplace_back();
        own.densities = uploadTree(volume.tree);
        if (volume.heat) {
            own.temperatures = uploadTree(volume.heat->tree);
            own.colours = upload(device, volume.heat->colours, "volume colours");
        }
    }
    const std::uint64_t address = upload(device, makeVolumes(*scene_, space_, materials, addresses), "volumes");
    describeMedia(*scene_, materials, address, path_);
}

void DeviceScene::uploadOwnGlass(const gpu::Device& device, const SceneMaterials& materials) {
    constexpr std::size_t kNoGlass = std::numeric_limits<std::size_t>::max();
    const std::size_t wordsOfOne = divideUp(materials.all.size(), std::size_t{32});
    std::vector<std::uint32_t> words;
    std::vector<std::size_t> places(base_.size(), kNoGlass);
    for (std::size_t i = 0; i < base_.size(); ++i) {
        for (const std::uint32_t number : materials.used[i]) {
            if (materials.all[number].model != MaterialModel::Dielectric) {
                continue;
            }
            if (places[i] == kNoGlass) {
                places[i] = words.size();
                words.resize(words.size() + wordsOfOne);
            }
            words[places[i] + number / 32] |= 1U << number % 32;
        }
    }
    const std::uint64_t address = upload(device, words, "glass of octrees");
    for (std::size_t i = 0; i < base_.size(); ++i) {
        base_[i].ownGlass = places[i] != kNoGlass ? address + places[i] * sizeof(std::uint32_t) : 0;
    }
}

void DeviceScene::uploadLights(const gpu::Device& device) {
    shared::LightParams params = describeLights(lights_);
    params.lights = upload(device, lights_.lights, "lights");
    params.choice = upload(device, lights_.choice, "light choice");
    params.nodes = upload(device, lights_.tree.nodes, "light tree");
    params.trails = upload(device, lights_.tree.trails, "light trails");
    params.environment = upload(device, lights_.environment, "environment");
    params.environmentPick = upload(device, lights_.environmentPick, "environment choice");
    path_.lights = params;
}

std::vector<shared::VoxelParams> DeviceScene::allParams(const View& view) const {
    shared::PathParams path = path_;
    setPathView(*scene_, view, space_, usedModels_, path);
    path.cameraMedium += path.cameraMedium != MEDIUM_NONE ? firstMaterial_ : 0;
    std::vector<shared::VoxelParams> result = base_;
    for (shared::VoxelParams& params : result) {
        params.path = path;
    }
    return result;
}

} // namespace aureole
