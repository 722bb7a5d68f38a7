// Scenes of several octrees: which asset has one of its own, and what they are.

#include <algorithm>

#include <fmt/format.h>

#include "scene/json/json_fields.h"
#include "scene/json/scene_draft.h"
#include "scene/view_resolution.h"

namespace aureole {

namespace {

/// A host has the materials of the scene with each of them.
constexpr std::size_t kMostGrids = 16384;

/// The least resolution that the cameras may choose for a part of a model that is rendered by itself.
constexpr std::uint32_t kLeastOfPart = 256;

/// Whether a transform is what an octree may have that is the whole scene, whose voxels are those of its file then.
bool keepsAxes(const glm::dmat4& transform) {
    return transform[0][0] > 0.0 && glm::dmat3(transform) == glm::dmat3(transform[0][0]);
}

/// Adds the grid of an octree file at a level, unless it is there.
std::uint32_t gridOfOctree(const PlacedOctree& placed, SceneDraft& draft) {
    const std::string key = fmt::format("{}\n{}", placed.asset, placed.octree.level);
    const auto number = static_cast<std::uint32_t>(draft.scene.grids.size());
    const auto [found, isNew] = draft.grids.numbers.try_emplace(key, number);
    if (isNew) {
        SceneGrid& grid = draft.scene.grids.emplace_back();
        grid.name = placed.asset;
        grid.octree = placed.octree;
    }
    return found->second;
}

template <typename T>
void addAll(std::vector<T>& to, const std::vector<T>& from) {
    to.insert(to.end(), from.begin(), from.end());
}

} // namespace

VoxelSettings readAssetVoxels(const ValueReader& value) {
    VoxelSettings voxels;
    value.readObject([&](ObjectReader& in) {
        for (const auto& field : kVoxelFields) {
            if (isOfOctrees(field.key)) {
                readSetting(in, field, [&](const SettingValue& read) {
                    field.put(voxels, read);
                    voxels.given.emplace_back(field.key);
                });
            }
        }
    });
    return voxels;
}

void finishGrids(SceneDraft& draft) {
    Scene& scene = draft.scene;
    DraftGrids& grids = draft.grids;
    if (grids.octrees.size() == 1 && !grids.hasRest && scene.grids.empty() &&
        grids.octrees.front().placement.motion == kNone && keepsAxes(grids.octrees.front().placement.worldFromGrid)) {
        const glm::dmat4& transform = grids.octrees.front().placement.worldFromGrid;
        scene.octree = grids.octrees.front().octree;
        scene.octree->scale = transform[0][0];
        scene.octree->translation = glm::dvec3(transform[3]);
        return;
    }
    for (const PlacedOctree& placed : grids.octrees) {
        const std::uint32_t grid = gridOfOctree(placed, draft);
        scene.gridPlacements.push_back(placed.placement);
        scene.gridPlacements.back().grid = grid;
    }
    if (scene.gridPlacements.empty()) {
        return;
    }
    if (grids.hasRest) {
        const auto placement = static_cast<std::uint32_t>(scene.gridPlacements.size());
        for (MeshInstance& instance : scene.meshInstances) {
            instance.placement = placement;
        }
        for (VoxelInstance& instance : scene.voxelInstances) {
            instance.placement = placement;
        }
        SceneGrid rest;
        rest.meshInstances = scene.meshInstances;
        rest.voxelInstances = scene.voxelInstances;
        scene.gridPlacements.push_back({static_cast<std::uint32_t>(scene.grids.size()), glm::dmat4(1.0), ""});
        scene.grids.push_back(std::move(rest));
    }
    addAll(scene.meshInstances, grids.meshInstances);
    addAll(scene.voxelInstances, grids.voxelInstances);
}

bool choosesByView(const Json& document) {
    const auto asks = [](const Json& object) {
        const auto isView = [](const Json& voxels) {
            return voxels.is_object() && voxels.contains("resolution") && voxels["resolution"] == "view";
        };
        return object.is_object() && object.contains("voxels") && isView(object["voxels"]);
    };
    bool found = asks(document);
    if (document.contains("assets") && document["assets"].is_object()) {
        for (const auto& [unused, asset] : document["assets"].items()) {
            found = found || asks(asset);
        }
    }
    return found;
}

void chooseByView(SceneDraft& draft) {
    Scene& scene = draft.scene;
    const auto isAsked = [](const VoxelSettings& voxels) { return voxels.resolution == kCountWord; };
    std::map<std::uint32_t, std::vector<SeenAsset>> seen; // by grid
    for (const SeenInstance& instance : draft.seen) {
        const PlacedAsset& asset = *instance.asset;
        const std::string name = asset.part.empty() ? asset.name : asset.name + "/" + asset.part;
        seen[instance.grid].push_back({name, asset.bounds, asset.area, instance.worldFromAsset});
    }
    std::vector<SeenOctree> octrees;
    std::vector<VoxelSettings*> settings;
    const auto ask = [&](VoxelSettings& voxels, std::uint32_t grid, const std::string& name) {
        const bool isPart = grid != kNone && !scene.grids[grid].part.empty();
        const std::uint32_t least = isPart ? std::min(draft.leastByView, kLeastOfPart) : draft.leastByView;
        octrees.push_back({name, voxels, !name.empty(), std::move(seen[grid]), least});
        settings.push_back(&voxels);
    };
    for (std::uint32_t i = 0; i < scene.grids.size(); ++i) {
        SceneGrid& grid = scene.grids[i];
        if (!grid.octree && isAsked(grid.voxels)) {
            ask(grid.voxels, grid.name.empty() ? kNone : i, labelOf(grid));
        }
    }
    if (!scene.hasGrids() && isAsked(scene.voxels)) {
        ask(scene.voxels, kNone, "");
    }
    scene.viewResolutions = chooseResolutions(scene, octrees);
    for (std::size_t i = 0; i < settings.size(); ++i) {
        settings[i]->resolution = scene.viewResolutions[i].resolution;
    }
    if (isAsked(scene.voxels)) { // of several octrees: who makes one of them all has it
        SeenOctree all{"", scene.voxels, false, {}, draft.leastByView};
        for (const SeenInstance& instance : draft.seen) {
            const PlacedAsset& asset = *instance.asset;
            all.assets.push_back({asset.name, asset.bounds, asset.area, instance.worldFromAsset});
        }
        scene.voxels.resolution = chooseResolutions(scene, {all}).front().resolution;
    }
}

void settleGridVoxels(ObjectReader& root, SceneDraft& draft) {
    Scene& scene = draft.scene;
    if (scene.grids.size() > kMostGrids) {
        root.log().add("/assets", fmt::format("found {} octrees, of assets and of their materials by instances, "
                                              "expected at most {}",
                                              scene.grids.size(), kMostGrids));
    }
    for (SceneGrid& grid : scene.grids) {
        const VoxelSettings own = grid.voxels;
        grid.voxels = scene.voxels;
        if (grid.name.empty()) {
            continue;
        }
        grid.voxels.given = own.given;
        for (const auto& field : kVoxelFields) {
            const std::optional<SettingValue> value = field.in(own);
            if (value && std::find(own.given.begin(), own.given.end(), field.key) != own.given.end()) {
                field.put(grid.voxels, *value);
            }
        }
        const bool isGiven = std::find(own.given.begin(), own.given.end(), "resolution") != own.given.end();
        if (grid.cells > 0 && !isGiven) {
            grid.voxels.resolution = grid.cells;
        }
    }
}

} // namespace aureole
