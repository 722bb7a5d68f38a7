// Parts of assets that are shared: what a model file places several times, as octrees of their own.

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/hash.h"
#include "import/model_outline.h"
#include "import/model_parts.h"
#include "scene/json/scene_draft.h"
#include "settings/limits.h"

namespace aureole {

namespace {

/// The name that the file has for a part: that of its first mesh, or of that mesh's first primitive.
std::string nameOfPart(const ModelPart& part, const Scene& scene) {
    if (part.meshInstances.empty()) {
        return scene.voxelModels[part.voxelInstances.front().model].name;
    }
    std::string name = scene.meshes[part.meshInstances.front().mesh].name;
    const std::string_view first = "/0";
    if (part.meshInstances.size() > 1 && name.ends_with(first)) {
        name.resize(name.size() - first.size());
    }
    return name;
}

void addTransform(const glm::dmat4& matrix, Hasher& hasher) {
    hasher.add(&matrix, sizeof(matrix));
}

/// What tells a part from others, whatever stands beside the asset in the scene.
std::string keyOfPart(const ModelPart& part, const PlacedAsset& asset) {
    Hasher hasher;
    const auto firstOf = [](const auto& instances, auto member) {
        std::uint32_t first = kNone;
        for (const auto& instance : instances) {
            first = std::min(first, instance.*member);
        }
        return first;
    };
    const std::uint32_t firstMesh = firstOf(asset.meshInstances, &MeshInstance::mesh);
    for (const MeshInstance& instance : part.meshInstances) {
        hasher.add(fmt::format("mesh {} {}", instance.mesh - firstMesh,
                               instance.material == kNone ? kNone : instance.material - asset.firstMaterial));
        addTransform(instance.worldFromMesh, hasher);
    }
    std::uint32_t firstModel = firstOf(asset.voxelInstances, &VoxelInstance::model);
    for (const ModelFrame& frame : asset.laterFrames) {
        firstModel = std::min(firstModel, firstOf(frame.voxelInstances, &VoxelInstance::model));
    }
    for (const VoxelInstance& instance : part.voxelInstances) {
        hasher.add(fmt::format("model {}", instance.model - firstModel));
        addTransform(instance.worldFromModel, hasher);
    }
    return hasher.hex();
}

/// The box and the area of what an asset or a part consists of, and whether any of it is solid.
void measure(const Scene& scene, PlacedAsset& asset) {
    asset.isSolid = false;
    for (const MeshInstance& instance : asset.meshInstances) {
        const Mesh& mesh = scene.meshes[instance.mesh];
        asset.triangles += mesh.triangles.size();
        asset.area += areaOf(mesh, instance.worldFromMesh);
        asset.isSolid = asset.isSolid || anyTriangleHasArea(mesh, instance.worldFromMesh);
        for (const glm::vec3& position : mesh.positions) {
            asset.bounds.add(glm::dvec3(instance.worldFromMesh * glm::dvec4(position, 1.0)));
        }
    }
    for (const VoxelInstance& instance : asset.voxelInstances) {
        const VoxelModel& model = scene.voxelModels[instance.model];
        const double volume = std::abs(glm::determinant(glm::dmat3(instance.worldFromModel)));
        const std::size_t cells = solidCells(model);
        asset.area += static_cast<double>(cells) * std::pow(volume, 2.0 / 3.0);
        asset.isSolid = asset.isSolid || cells > 0;
        asset.bounds.add(transformed(solidBounds(model), instance.worldFromModel));
    }
}

/// How many cells of voxel models a part is long, in as many voxels as an octree has at least; 0 where it is none of
/// these alone, or one whose cells do not lie in rows.
std::uint32_t cellsAlong(const PlacedAsset& part) {
    if (!part.meshInstances.empty() || part.voxelInstances.size() != 1 || part.bounds.empty()) {
        return 0;
    }
    const glm::dvec3 extent = part.bounds.extent();
    const double cells = std::round(std::max({extent.x, extent.y, extent.z})); // cells of a voxel model are 1 wide
    const double times = std::ceil(std::max(kMinimumResolution / cells, 1.0));
    return cells * times <= kMaximumResolution ? static_cast<std::uint32_t>(cells * times) : 0;
}

AssetParts takeApart(const PlacedAsset& asset, const std::vector<VoxelInstance>& models, const Scene& scene) {
    ModelParts parts = partsOf(scene.meshes, scene.voxelModels, asset.meshInstances, models);
    AssetParts made;
    for (ModelPart& part : parts.shared) {
        PlacedAsset& own = made.shared.emplace_back().asset;
        own.name = asset.name;
        own.part = nameOfPart(part, scene);
        own.partKey = keyOfPart(part, asset);
        own.voxels = asset.voxels.value_or(VoxelSettings{});
        own.meshInstances = std::move(part.meshInstances);
        own.voxelInstances = std::move(part.voxelInstances);
        measure(scene, own);
        own.cells = cellsAlong(own);
        made.shared.back().placements = std::move(part.placements);
    }
    made.rest.name = asset.name;
    made.rest.partKey = "rest";
    made.rest.voxels = asset.voxels;
    made.rest.meshInstances = std::move(parts.meshInstances);
    made.rest.voxelInstances = std::move(parts.voxelInstances);
    measure(scene, made.rest);
    return made;
}

/// What a clip moves on one node: parts of the same meshes have one octree.
PlacedAsset movingPart(const PlacedAsset& asset, const ClipPart& part, const Scene& scene) {
    PlacedAsset own;
    own.name = asset.name;
    own.part = part.name;
    own.partKey = "moving " + keyOfPart({part.meshInstances, {}, {}}, asset);
    own.isRigid = true;
    own.voxels = asset.voxels.value_or(VoxelSettings{});
    own.meshInstances = part.meshInstances;
    measure(scene, own);
    return own;
}

MovingParts takeMoving(const PlacedAsset& asset, const Scene& scene) {
    MovingParts made;
    for (const ClipPart& part : asset.clipParts) {
        made.parts.push_back({movingPart(asset, part, scene), std::make_shared<std::vector<ClipPose>>(part.poses)});
    }
    made.rest.name = asset.name;
    made.rest.partKey = "standing";
    made.rest.voxels = asset.voxels;
    made.rest.shares = asset.shares;
    std::copy_if(asset.meshInstances.begin(), asset.meshInstances.end(), std::back_inserter(made.rest.meshInstances),
                 [](const MeshInstance& instance) { return instance.motion == kNone; });
    made.rest.voxelInstances = asset.voxelInstances;
    measure(scene, made.rest);
    return made;
}

} // namespace

const MovingParts& movingPartsOf(const PlacedAsset& asset, SceneDraft& draft) {
    const auto [found, isNew] = draft.moving.try_emplace(asset.name);
    if (isNew) {
        found->second = takeMoving(asset, draft.scene);
    }
    return found->second;
}

const AssetParts& partsOfAsset(const PlacedAsset& asset, std::uint32_t frame, const std::vector<VoxelInstance>& models,
                               SceneDraft& draft) {
    const auto [found, isNew] = draft.parts.try_emplace({asset.name + "\n" + asset.partKey, frame});
    if (isNew) {
        found->second = takeApart(asset, models, draft.scene);
    }
    return found->second;
}

} // namespace aureole
