// "instances": assets placed in the scene, with materials of their own.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "import/octree_header.h"
#include "scene/json/json_volume.h"
#include "scene/json/scene_draft.h"
#include "scene/scene_memory.h"
#include "scene/value_keys.h"

namespace aureole {

namespace {

template <typename Value>
Names namesIn(const std::map<std::string, Value>& map) {
    Names names;
    for (const auto& [name, unused] : map) {
        names.add(name);
    }
    return names;
}

/// The asset that `value` names; null with a problem noted where there is none.
PlacedAsset* findAssetNamed(const ValueReader& value, SceneDraft& draft) {
    std::string name;
    if (!value.read(name)) {
        return nullptr;
    }
    const auto found = draft.assets.find(name);
    if (found == draft.assets.end()) {
        readReference(value, "asset", namesIn(draft.assets)); // says so; not for each that is right, there may be many
        return nullptr;
    }
    found->second.used = true;
    return &found->second;
}

/// Which materials an instance is made of.
struct MaterialChoice {
    std::uint32_t all = kNone;                     ///< "material"
    std::map<std::uint32_t, std::uint32_t> single; ///< "materials": from the asset's own

    bool none() const { return all == kNone && single.empty(); }

    /// The override of a material of the asset, or kNone.
    std::uint32_t overrideOf(std::uint32_t own) const {
        const auto found = single.find(own);
        return found != single.end() ? found->second : all;
    }
};

/// How an instance shows its asset.
struct InstanceLook {
    MaterialChoice materials;
    std::uint32_t frame = 0; ///< of an animation
    bool lights = true;
    std::uint32_t motion = kNone; ///< index into Scene::motions

    /// Whether the asset gets an octree of its own, in its own space.
    bool ownsGrid(const PlacedAsset& asset) const { return asset.voxels || motion != kNone; }
};

/// The voxel models of an asset at a frame, which is the first or one that was noted (noteFrames).
const std::vector<VoxelInstance>& voxelsAt(const PlacedAsset& asset, std::uint32_t frame) {
    const auto found = std::find_if(asset.laterFrames.begin(), asset.laterFrames.end(),
                                    [&](const ModelFrame& later) { return later.number == frame; });
    return found == asset.laterFrames.end() ? asset.voxelInstances : found->voxelInstances;
}

/// What tells an asset with these materials at this frame from others, and from itself with others.
std::string gridKey(const PlacedAsset& asset, const InstanceLook& look) {
    const MaterialChoice& choice = look.materials;
    std::string key = fmt::format("{}\n{}\n{}", asset.name, look.frame, choice.all);
    key += asset.partKey.empty() ? "" : "\n" + asset.partKey;
    for (const auto& [own, other] : choice.single) {
        key += fmt::format(" {}:{}", own, other);
    }
    return key;
}

MaterialChoice readMaterialChoice(ObjectReader& in, const PlacedAsset* asset, const SceneDraft& draft) {
    MaterialChoice choice;
    if (const auto value = in.find("material")) {
        if (const auto index = readReference(*value, "material", draft.materialNames)) {
            choice.all = static_cast<std::uint32_t>(*index);
        }
    }
    const auto map = in.find("materials");
    if (!map || asset == nullptr) {
        return choice;
    }
    if (!map->json().is_object()) {
        map->expected("an object: for materials of the asset, materials of the scene");
        return choice;
    }
    for (const auto& [ownName, target] : map->json().items()) {
        const ValueReader entry(target, childPointer(map->pointer(), ownName), in.log());
        const auto index = readReference(entry, "material", draft.materialNames);
        const auto own = asset->materials.find(ownName);
        if (own == asset->materials.end()) {
            const Json name = ownName;
            readReference(ValueReader(name, entry.pointer(), in.log()), "material of the asset",
                          namesIn(asset->materials));
            continue;
        }
        for (const std::uint32_t material : own->second) { // of one name all are meant
            choice.single[material] = index ? static_cast<std::uint32_t>(*index) : kNone;
        }
    }
    return choice;
}

/// A voxel model with other materials; instances cannot say that themselves, so it is a copy.
std::uint32_t variantOf(Scene& scene, std::uint32_t model, const MaterialChoice& choice) {
    if (choice.none()) {
        return model;
    }
    VoxelModel variant = scene.voxelModels[model];
    for (std::uint32_t& material : variant.materials) {
        const std::uint32_t chosen = material == kNone ? kNone : choice.overrideOf(material);
        material = chosen == kNone ? material : chosen;
    }
    scene.voxelModels.push_back(std::move(variant));
    return static_cast<std::uint32_t>(scene.voxelModels.size() - 1);
}

/// The number of the grid of an asset that has an octree of its own here; none for others, and before it was made.
std::optional<std::uint32_t> findGrid(const PlacedAsset& asset, const InstanceLook& look, const SceneDraft& draft) {
    const auto found = draft.grids.numbers.find(gridKey(asset, look));
    return look.ownsGrid(asset) && found != draft.grids.numbers.end() ? std::optional(found->second) : std::nullopt;
}

/// What placing an asset takes: its instances, their part of voxelisation, and copies of voxel models. Instances share
/// their meshes, and voxel models of the same materials. (What the cells of these take is known once they are looked
/// at, by voxelisation.)
std::uint64_t bytesOfPlacing(const PlacedAsset& asset, const InstanceLook& look, const SceneDraft& draft) {
    const Scene& scene = draft.scene;
    const std::vector<VoxelInstance>& models = voxelsAt(asset, look.frame);
    const std::uint64_t lights = look.lights ? asset.lights.size() * sizeof(PunctualLight) : 0;
    std::uint64_t bytes = asset.meshInstances.size() * sizeof(MeshInstance);
    if (findGrid(asset, look, draft)) { // which is voxelised once
        return bytes + models.size() * sizeof(VoxelInstance) + sizeof(GridPlacement) + lights;
    }
    bytes += kPlacedBytes * asset.triangles;
    for (const VoxelInstance& instance : models) {
        bytes += sizeof(VoxelInstance) + (look.materials.none() ? 0 : bytesOf(scene.voxelModels[instance.model]));
    }
    return bytes + lights;
}

/// What placing an asset takes whose parts are shared: voxelisation has each once.
std::uint64_t bytesOfSharing(const PlacedAsset& asset, const InstanceLook& look, SceneDraft& draft) {
    const AssetParts& parts = partsOfAsset(asset, look.frame, voxelsAt(asset, look.frame), draft);
    std::uint64_t bytes = bytesOfPlacing(parts.rest, look, draft);
    bytes += look.lights ? asset.lights.size() * sizeof(PunctualLight) : 0;
    for (const AssetPart& part : parts.shared) {
        const std::uint64_t each = part.asset.meshInstances.size() * sizeof(MeshInstance) +
                                   part.asset.voxelInstances.size() * sizeof(VoxelInstance) + sizeof(GridPlacement);
        bytes += bytesOfPlacing(part.asset, look, draft) + part.placements.size() * each;
    }
    return bytes;
}

/// Whether an instance shows an asset whose clip moves parts of it, as these can move: as poses, which an instance that
/// stretches by different factors is none of.
bool movesParts(const PlacedAsset& asset, const glm::dmat4& transform, const InstanceLook& look) {
    return !asset.clipParts.empty() && look.motion == kNone && evenPoseOf(transform).has_value();
}

/// What placing an asset takes whose clip moves parts of it.
std::uint64_t bytesOfMoving(const PlacedAsset& asset, const InstanceLook& look, SceneDraft& draft) {
    const MovingParts& moving = movingPartsOf(asset, draft);
    InstanceLook own = look;
    own.motion = 0;
    std::uint64_t bytes = look.lights ? asset.lights.size() * sizeof(PunctualLight) : 0;
    for (const MovingParts::Part& part : moving.parts) {
        bytes += bytesOfPlacing(part.asset, own, draft) + sizeof(InstanceMotion) + sizeof(GridPlacement);
    }
    return bytes +
           (moving.rest.shares ? bytesOfSharing(moving.rest, look, draft) : bytesOfPlacing(moving.rest, look, draft));
}

std::uint64_t bytesOf(const PlacedAsset& asset, const glm::dmat4& transform, const InstanceLook& look,
                      SceneDraft& draft) {
    if (movesParts(asset, transform, look)) {
        return bytesOfMoving(asset, look, draft);
    }
    return asset.shares && look.motion == kNone ? bytesOfSharing(asset, look, draft)
                                                : bytesOfPlacing(asset, look, draft);
}

/// Adds an asset's instances, placed, to those of the scene or of one of its grids.
void placeGeometry(const PlacedAsset& asset, const glm::dmat4& transform, const InstanceLook& look, Scene& scene,
                   std::vector<MeshInstance>& meshes, std::vector<VoxelInstance>& models) {
    for (MeshInstance instance : asset.meshInstances) {
        const std::uint32_t own = instance.material != kNone ? instance.material : scene.meshes[instance.mesh].material;
        const std::uint32_t chosen = look.materials.overrideOf(own);
        instance.worldFromMesh = transform * instance.worldFromMesh;
        instance.material = chosen != kNone ? chosen : instance.material;
        instance.motion = kNone; // of a part of the asset, which is posed here
        meshes.push_back(instance);
    }
    for (VoxelInstance instance : voxelsAt(asset, look.frame)) {
        instance.worldFromModel = transform * instance.worldFromModel;
        instance.model = variantOf(scene, instance.model, look.materials);
        models.push_back(instance);
    }
}

/// The octree of an asset that has one of its own: one for all instances of the same materials.
std::uint32_t gridOf(const PlacedAsset& asset, const InstanceLook& look, SceneDraft& draft) {
    if (const std::optional<std::uint32_t> found = findGrid(asset, look, draft)) {
        return *found;
    }
    Scene& scene = draft.scene;
    const auto number = static_cast<std::uint32_t>(scene.grids.size());
    draft.grids.numbers[gridKey(asset, look)] = number;
    SceneGrid grid;
    grid.name = asset.name;
    grid.part = asset.part;
    grid.cells = asset.cells;
    grid.isRigid = asset.isRigid;
    grid.voxels = asset.voxels.value_or(VoxelSettings{});
    grid.hash = gridKey(asset, look);
    placeGeometry(asset, glm::dmat4(1.0), look, scene, grid.meshInstances, grid.voxelInstances);
    scene.grids.push_back(std::move(grid));
    return number;
}

/// Notes where the cameras may see an instance, where they choose how fine it is: of one that moves, all the way from
/// its first key to its last. `placement` as SeenInstance has it.
void noteSeen(const PlacedAsset& asset, std::uint32_t grid, const glm::dmat4& transform, std::uint32_t motion,
              std::uint32_t placement, SceneDraft& draft) {
    if (!draft.choosesByView) {
        return;
    }
    draft.seen.push_back({&asset, grid, transform, placement});
    if (motion == kNone) {
        return;
    }
    constexpr std::uint32_t kPlaces = 32;
    const InstanceMotion& moves = draft.scene.motions[motion];
    const double way = moves.lastFrame() - moves.firstFrame();
    const auto note = [&](double moment) {
        draft.seen.push_back({&asset, grid, poseAt(moves, moment).matrix(), placement});
    };
    for (std::uint32_t i = 0; i <= kPlaces; ++i) {
        note(moves.firstFrame() + way * i / kPlaces);
    }
    for (const PoseKey& key : moves.keys) { // where it may be nearest for a frame alone
        note(key.frame);
    }
}

/// Places one of the scene's octrees, which is that of `asset`.
void placeGrid(std::uint32_t grid, const PlacedAsset& asset, const std::string& name, const glm::dmat4& transform,
               const InstanceLook& look, SceneDraft& draft) {
    Scene& scene = draft.scene;
    const auto placement = static_cast<std::uint32_t>(scene.gridPlacements.size());
    for (MeshInstance instance : scene.grids[grid].meshInstances) {
        instance.worldFromMesh = transform * instance.worldFromMesh;
        instance.motion = look.motion;
        instance.placement = placement;
        draft.grids.meshInstances.push_back(instance);
    }
    for (VoxelInstance instance : scene.grids[grid].voxelInstances) {
        instance.worldFromModel = transform * instance.worldFromModel;
        instance.motion = look.motion;
        instance.placement = placement;
        draft.grids.voxelInstances.push_back(instance);
    }
    scene.gridPlacements.push_back({grid, transform, name, look.motion});
    noteSeen(asset, grid, transform, look.motion, placement, draft);
}

/// Places an asset that has no octree of its own.
void placeRest(const PlacedAsset& asset, const glm::dmat4& transform, const InstanceLook& look, SceneDraft& draft) {
    placeGeometry(asset, transform, look, draft.scene, draft.scene.meshInstances, draft.scene.voxelInstances);
    draft.grids.hasRest = draft.grids.hasRest || asset.isSolid;
    noteSeen(asset, kNone, transform, kNone, kNone, draft);
}

/// Places an asset whose parts are octrees of their own, as often as it has them.
void placeShared(const PlacedAsset& asset, const std::string& name, const glm::dmat4& transform,
                 const InstanceLook& look, SceneDraft& draft) {
    const AssetParts& parts = partsOfAsset(asset, look.frame, voxelsAt(asset, look.frame), draft);
    InstanceLook still = look; // a part that moves is the same part
    still.frame = 0;
    for (const AssetPart& part : parts.shared) {
        const std::uint32_t grid = gridOf(part.asset, still, draft);
        for (const glm::dmat4& placement : part.placements) {
            placeGrid(grid, part.asset, name, transform * placement, still, draft);
        }
    }
    if (!parts.rest.isSolid) {
        return;
    }
    if (asset.voxels) {
        placeGrid(gridOf(parts.rest, look, draft), parts.rest, name, transform, look, draft);
    } else {
        placeRest(parts.rest, transform, still, draft);
    }
}

/// Places an asset that has no parts which move.
void placeWhole(const PlacedAsset& asset, const std::string& name, const glm::dmat4& transform,
                const InstanceLook& look, SceneDraft& draft) {
    if (asset.shares && look.motion == kNone) { // what moves is one octree
        placeShared(asset, name, transform, look, draft);
    } else if (look.ownsGrid(asset)) {
        placeGrid(gridOf(asset, look, draft), asset, name, transform, look, draft);
    } else {
        placeRest(asset, transform, look, draft);
    }
}

/// Places an asset whose clip moves parts of it, as octrees that move, and what stands. Returns the motions of the
/// parts, indices into Scene::motions.
std::vector<std::uint32_t> placeMoving(const PlacedAsset& asset, const std::string& name, const glm::dmat4& transform,
                                       const InstanceLook& look, SceneDraft& draft) {
    const MovingParts& moving = movingPartsOf(asset, draft);
    const AssetClip& clip = draft.clips.at(asset.name);
    std::vector<std::uint32_t> motions;
    for (const MovingParts::Part& part : moving.parts) {
        InstanceMotion motion{name, {}, {}, {}};
        motion.clip = {part.poses, *evenPoseOf(transform), clip.start, clip.framesPerSecond, clip.loops};
        motion.still = poseAt(motion, draft.frame.value_or(0));
        InstanceLook own = look;
        own.motion = static_cast<std::uint32_t>(draft.scene.motions.size());
        motions.push_back(own.motion);
        draft.scene.motions.push_back(std::move(motion));
        if (part.asset.isSolid) {
            const glm::dmat4 still = draft.scene.motions.back().still.matrix();
            placeGrid(gridOf(part.asset, own, draft), part.asset, name, still, own, draft);
        }
    }
    if (moving.rest.isSolid) {
        placeWhole(moving.rest, name, transform, look, draft);
    }
    return motions;
}

/// `motions`: of the asset's parts; else it moves by `motion`.
void placeLights(const PlacedAsset& asset, const std::string& instance, const glm::dmat4& transform,
                 std::uint32_t motion, const std::vector<std::uint32_t>& motions, Scene& scene) {
    for (PunctualLight light : asset.lights) {
        light.name = instance + "/" + light.name;
        light.position = transform * glm::dvec4(light.position, 1.0);
        light.direction = glm::normalize(glm::dmat3(transform) * light.direction);
        light.motion = light.motion != kNone && !motions.empty() ? motions[light.motion] : motion;
        scene.lights.push_back(std::move(light));
    }
}

/// The level of detail, which only octrees have.
std::uint32_t readLevel(ObjectReader& in, const PlacedAsset* asset) {
    std::uint32_t level = 0;
    if (!in.integer("level", level, 0, largestLevel(glm::uvec3(kMaximumResolution))) || asset == nullptr) {
        return 0;
    }
    const std::uint32_t largest = asset->octree ? asset->octree->largestLevel : 0;
    if (level <= largest) {
        return level;
    }
    in.find("level")->expected(asset->octree
                                   ? fmt::format("a level from 0 to {}, where a single voxel is left", largest)
                                   : "0: only octrees (.avo) have levels of detail");
    return 0;
}

/// An octree has materials of its own.
void placeOctree(const PlacedAsset& asset, const GridPlacement& placement, std::uint32_t level, bool material,
                 ObjectReader& in, SceneDraft& draft) {
    if (material) {
        in.problem("found materials for an octree (.avo), expected none: its voxels have their own");
    }
    PlacedOctree placed{asset.name, placement, *asset.octree};
    placed.octree.level = level;
    draft.grids.octrees.push_back(std::move(placed));
}

/// A volume has no surfaces, so that it takes no materials.
void placeVolume(const PlacedAsset& asset, const glm::dmat4& transform, bool material, ObjectReader& in,
                 SceneDraft& draft) {
    if (in.has("keys")) {
        in.problem("keys", "found keys for a volume, expected none: volumes stand still");
    }
    if (material) {
        in.problem("found materials for a volume, expected none: its asset says what it is like");
    }
    checkPlacedVolume(draft.scene.volumes[asset.volume], transform, in);
    draft.scene.volumeInstances.push_back({asset.volume, transform});
}

/// The length of a matrix as a vector, which no factor that it stretches by exceeds.
double lengthOf(const glm::dmat3& matrix) {
    return std::sqrt(glm::dot(matrix[0], matrix[0]) + glm::dot(matrix[1], matrix[1]) + glm::dot(matrix[2], matrix[2]));
}

/// Notes where a transform takes an asset farther than numbers of scenes go, or makes an octree of its own too thin for
/// the way back into it.
void checkPlacement(const PlacedAsset& asset, const glm::dmat4& transform, bool ownsGrid, ObjectReader& in) {
    constexpr double kFarthest = 10.0 * kMaximumNumber;
    constexpr double kThinnest = 1e12;
    const glm::dmat3 axes(transform);
    const double reach = glm::length(glm::dvec3(transform[3])) + lengthOf(axes) * asset.reach;
    if (!(reach <= kFarthest)) {
        in.problem(fmt::format("found asset '{}' to reach some {:g} m from the origin, expected at most {:g} m",
                               asset.name, reach, kFarthest));
        return;
    }
    const double thinness = lengthOf(axes) * lengthOf(glm::inverse(axes));
    if (ownsGrid && glm::determinant(axes) != 0.0 && !(thinness <= kThinnest)) {
        in.problem(fmt::format("found a placement that makes asset '{}' some {:g} times as thin in one direction as it "
                               "stretches it in another, expected at most {:g} times",
                               asset.name, thinness, kThinnest));
    }
}

void readInstance(const std::string& name, ObjectReader& in, const Json& document, SceneDraft& draft) {
    PlacedAsset* asset = nullptr;
    if (const auto value = in.require("asset")) {
        asset = findAssetNamed(*value, draft);
    }
    const glm::dmat4 transform = readTransform(in);
    InstanceLook look;
    look.materials = readMaterialChoice(in, asset, draft);
    look.frame = readFrame(name, in, asset, document, draft);
    in.boolean("lights", look.lights);
    look.motion = readMotion(name, in, draft);
    const std::uint32_t level = readLevel(in, asset);
    if (asset == nullptr) {
        return;
    }
    if (asset->volume == kNone) {
        const bool ownsGrid = asset->octree || look.ownsGrid(*asset);
        checkPlacement(*asset, transform, ownsGrid, in);
        if (look.motion != kNone) {
            for (const PoseKey& key : draft.scene.motions[look.motion].keys) {
                checkPlacement(*asset, poseOf(key).matrix(), ownsGrid, in);
            }
        }
    }
    const bool ownMaterials = !look.materials.none();
    takeMemory(in.value(), bytesOf(*asset, transform, look, draft), draft);
    std::vector<std::uint32_t> motions;
    if (asset->volume != kNone) {
        placeVolume(*asset, transform, ownMaterials, in, draft);
    } else if (asset->octree) {
        placeOctree(*asset, {0, transform, name, look.motion}, level, ownMaterials, in, draft);
    } else if (movesParts(*asset, transform, look)) {
        motions = placeMoving(*asset, name, transform, look, draft);
    } else {
        placeWhole(*asset, name, transform, look, draft);
    }
    if (const auto clip = draft.clips.find(asset->name);
        clip != draft.clips.end() && (motions.empty() || clip->second.poses)) {
        draft.posed.insert(asset->name);
    }
    if (asset->isOutlined) {
        draft.outlined.push_back({asset, kNone, transform});
    }
    if (look.lights) {
        placeLights(*asset, name, transform, look.motion, motions, draft.scene);
    }
}

} // namespace

void readInstances(ObjectReader& root, SceneDraft& draft) {
    const Json& document = root.value().json();
    root.named("instances",
               [&](const std::string& name, ObjectReader& in) { readInstance(name, in, document, draft); });
    finishGrids(draft);
}

} // namespace aureole
