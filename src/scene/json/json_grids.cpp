// Scenes of several octrees: which asset has one of its own, and what they are.

#include <algorithm>
#include <utility>

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

void checkGridCount(ObjectReader& root, const SceneDraft& draft) {
    const std::size_t count = draft.scene.grids.size();
    if (count > kMostGrids) {
        root.log().add("/assets",
                       fmt::format("found {} octrees, of assets, of their materials by instances and of their levels, "
                                   "expected at most {}",
                                   count, kMostGrids));
    }
}

/// The grid of another level of one: the same in other voxels.
std::uint32_t addLevel(std::uint32_t grid, ObjectReader& root, SceneDraft& draft) {
    std::vector<SceneGrid>& grids = draft.scene.grids;
    takeMemory(root.value(),
               grids[grid].meshInstances.size() * sizeof(MeshInstance) +
                   grids[grid].voxelInstances.size() * sizeof(VoxelInstance),
               draft);
    SceneGrid level = grids[grid];
    grids.push_back(std::move(level));
    return static_cast<std::uint32_t>(grids.size() - 1);
}

/// Gives grids the resolutions that the cameras chose, and instances the grids of their levels. `gridOf`: of each
/// octree that was asked for; kNone: all is one.
void takeChosen(const std::vector<ChosenResolution>& chosen, const std::vector<std::uint32_t>& gridOf,
                ObjectReader& root, SceneDraft& draft) {
    Scene& scene = draft.scene;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const bool isFirst = i == 0 || chosen[i].octree != chosen[i - 1].octree;
        const std::uint32_t own = gridOf[chosen[i].octree];
        const std::uint32_t grid = own == kNone || isFirst ? own : addLevel(own, root, draft);
        (grid == kNone ? scene.voxels : scene.grids[grid].voxels).resolution = chosen[i].view.resolution;
        for (const std::uint32_t placement : chosen[i].instances) {
            scene.gridPlacements[placement].grid = grid;
        }
        scene.viewResolutions.push_back(chosen[i].view);
    }
    checkGridCount(root, draft);
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
            return voxels.is_object() &&
                   (voxels.value("resolution", Json()) == "view" || voxels.value("levels", Json()) == true);
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

void chooseByView(ObjectReader& root, SceneDraft& draft) {
    Scene& scene = draft.scene;
    std::vector<std::vector<SeenAsset>> seen(scene.grids.size());
    SeenOctree all{"", scene.voxels, false, {}, draft.leastByView};
    all.voxels.levels = false;
    SeenOctree rest = all;
    for (const SeenInstance& instance : draft.seen) {
        const PlacedAsset& asset = *instance.asset;
        const std::string name = asset.part.empty() ? asset.name : asset.name + "/" + asset.part;
        auto& of = instance.grid == kNone ? rest.assets : seen[instance.grid];
        of.push_back({name, instance.placement, asset.bounds, asset.area, instance.worldFromAsset});
    }
    std::vector<SeenOctree> octrees;
    std::vector<std::uint32_t> grids; // index into Scene::grids; kNone: all is one octree
    for (std::uint32_t i = 0; i < scene.grids.size(); ++i) {
        const SceneGrid& grid = scene.grids[i];
        if (grid.octree || (grid.voxels.resolution != kCountWord && (grid.name.empty() || !grid.voxels.levels))) {
            continue;
        }
        grids.push_back(i);
        if (grid.name.empty()) {
            octrees.push_back(rest);
        } else {
            const std::uint32_t least =
                grid.part.empty() ? draft.leastByView : std::min(draft.leastByView, kLeastOfPart);
            octrees.push_back({labelOf(grid), grid.voxels, true, std::move(seen[i]), least});
        }
    }
    if (!scene.hasGrids() && scene.voxels.resolution == kCountWord) {
        grids.push_back(kNone);
        octrees.push_back(rest);
    }
    takeChosen(chooseResolutions(scene, octrees), grids, root, draft);
    if (scene.voxels.resolution == kCountWord) { // of several octrees: who makes one of them all has it
        for (const SeenInstance& instance : draft.seen) {
            const PlacedAsset& asset = *instance.asset;
            all.assets.push_back({asset.name, kNone, asset.bounds, asset.area, instance.worldFromAsset});
        }
        scene.voxels.resolution = chooseResolutions(scene, {all}).front().view.resolution;
    }
}

void settleGridVoxels(ObjectReader& root, SceneDraft& draft) {
    Scene& scene = draft.scene;
    checkGridCount(root, draft);
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
