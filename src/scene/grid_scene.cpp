#include "scene/grid_scene.h"

#include <algorithm>
#include <map>
#include <set>

#include "scene/json/json_document.h"

namespace aureole {

namespace {

/// Numbers things anew in the order in which they are first used, and copies each once.
template <typename T>
class Chosen {
public:
    Chosen(const std::vector<T>& from, std::vector<T>& to)
        : from_(from)
        , to_(to) {}

    std::uint32_t take(std::uint32_t index) {
        const auto [found, isNew] = numbers_.try_emplace(index, static_cast<std::uint32_t>(to_.size()));
        if (isNew) {
            to_.push_back(from_.at(index));
        }
        return found->second;
    }

private:
    const std::vector<T>& from_;
    std::vector<T>& to_;
    std::map<std::uint32_t, std::uint32_t> numbers_;
};

std::set<std::uint32_t> usedMaterials(const Scene& part) {
    std::set<std::uint32_t> used;
    for (const MeshInstance& instance : part.meshInstances) {
        used.insert(instance.material != kNone ? instance.material : part.meshes[instance.mesh].material);
    }
    for (const VoxelModel& model : part.voxelModels) {
        used.insert(model.materials.begin(), model.materials.end());
    }
    return used;
}

/// Copies the textures of the materials that the part uses. Others keep their place, as materials name them by number.
void takeTextures(const Scene& scene, Scene& part) {
    part.textures.resize(scene.textures.size());
    std::set<std::uint32_t> wanted;
    for (const std::uint32_t number : usedMaterials(part)) {
        if (number >= part.materials.size()) {
            continue;
        }
        for (const auto slot : kTextureSlots) {
            wanted.insert((part.materials[number].*slot).texture);
        }
    }
    for (const std::uint32_t texture : wanted) {
        if (texture < scene.textures.size()) {
            part.textures[texture] = scene.textures[texture];
        }
    }
}

} // namespace

std::optional<std::filesystem::path> anyOctreeFile(const Scene& scene) {
    if (scene.octree) {
        return scene.octree->file;
    }
    const auto found = std::find_if(scene.grids.begin(), scene.grids.end(),
                                    [](const SceneGrid& grid) { return grid.octree.has_value(); });
    return found != scene.grids.end() ? std::optional(found->octree->file) : std::nullopt;
}

std::optional<std::filesystem::path> onlyOctreeFiles(const Scene& scene) {
    const bool all = std::all_of(scene.grids.begin(), scene.grids.end(),
                                 [](const SceneGrid& grid) { return grid.octree.has_value(); });
    return all ? anyOctreeFile(scene) : std::nullopt;
}

std::string placeOfVoxels(const Scene& scene, const std::string& key) {
    const auto& given = scene.voxels.given;
    const bool isOwn = !scene.asset.empty() && std::find(given.begin(), given.end(), key) != given.end();
    return (isOwn ? childPointer("/assets", scene.asset) : "") + "/voxels/" + key;
}

Scene sceneOfGrid(const Scene& scene, std::uint32_t grid) {
    const SceneGrid& from = scene.grids.at(grid);
    Scene part;
    part.file = scene.file;
    part.hash = scene.hash;
    part.surfaceHash = from.hash;
    part.outlined = scene.outlined;
    part.simulated = scene.simulated;
    part.materials = scene.materials;
    part.lightGroups = scene.lightGroups;
    part.voxels = from.voxels;
    part.asset = from.name;
    part.octree = from.octree;
    part.meshInstances = from.meshInstances;
    part.voxelInstances = from.voxelInstances;
    Chosen<Mesh> meshes(scene.meshes, part.meshes);
    for (MeshInstance& instance : part.meshInstances) {
        instance.mesh = meshes.take(instance.mesh);
    }
    Chosen<VoxelModel> models(scene.voxelModels, part.voxelModels);
    for (VoxelInstance& instance : part.voxelInstances) {
        instance.model = models.take(instance.model);
    }
    takeTextures(scene, part);
    return part;
}

} // namespace aureole
