#include "integrator/volume_tables.h"

#include <algorithm>

#include "integrator/material_traits.h"

namespace aureole {

namespace {

/// Densities, or temperatures, in a backend's space.
shared::Volume placedTree(const DensityTree& tree, const glm::dmat4& worldFromVolume, const Space& space,
                          const DensityAddresses& addresses) {
    const glm::dmat4 worldFromCells = worldFromVolume * tree.worldFromCells;
    const glm::dmat3 cellsFromSpace = glm::inverse(glm::dmat3(worldFromCells)) / space.scale;
    shared::Volume placed{};
    placed.cellX = cellsFromSpace[0];
    placed.cellY = cellsFromSpace[1];
    placed.cellZ = cellsFromSpace[2];
    placed.middle = space.point(glm::dvec3(worldFromCells * glm::dvec4(glm::dvec3(0.5 * tree.side()), 1.0)));
    placed.low = tree.low;
    placed.high = tree.high;
    placed.nodes = addresses.nodes;
    placed.bricks = addresses.bricks;
    placed.levels = tree.levels;
    return placed;
}

} // namespace

Bounds volumeBounds(const Scene& scene) {
    Bounds bounds;
    for (const VolumeInstance& instance : scene.volumeInstances) {
        const DensityTree& tree = scene.volumes[instance.volume].tree;
        bounds.add(boundsOf(tree, instance.worldFromVolume * tree.worldFromCells));
    }
    return bounds;
}

std::vector<shared::Volume> makeVolumes(const Scene& scene, const Space& space, std::size_t materials,
                                        std::span<const VolumeAddresses> addresses) {
    const std::uint32_t first = mediaTraits(materials, scene).firstVolume;
    std::vector<shared::Volume> volumes;
    for (const VolumeInstance& instance : scene.volumeInstances) {
        const Volume& volume = scene.volumes[instance.volume];
        shared::Volume& placed = volumes.emplace_back(
            placedTree(volume.tree, instance.worldFromVolume, space, addresses[instance.volume].densities));
        placed.emission = volume.emission / static_cast<float>(space.scale);
        placed.material = first + instance.volume;
    }
    for (std::size_t i = 0; i < scene.volumeInstances.size(); ++i) {
        const VolumeInstance& instance = scene.volumeInstances[i];
        const std::optional<VolumeHeat>& heat = scene.volumes[instance.volume].heat;
        if (!heat) {
            continue;
        }
        volumes[i].colours = addresses[instance.volume].colours;
        volumes[i].temperatures = static_cast<std::uint32_t>(volumes.size());
        volumes[i].hottest = heat->tree.most();
        volumes.push_back(
            placedTree(heat->tree, instance.worldFromVolume, space, addresses[instance.volume].temperatures));
    }
    return volumes;
}

void describeMedia(const Scene& scene, std::size_t materials, std::uint64_t volumes, shared::PathParams& params) {
    params.fog = scene.environment.fog ? mediaTraits(materials, scene).fog + 1 : MEDIUM_NONE;
    params.volumes = volumes;
    params.volumeCount = static_cast<std::uint32_t>(scene.volumeInstances.size());
    const bool act = std::any_of(scene.volumes.begin(), scene.volumes.end(), [](const Volume& volume) {
        return volume.scattering + volume.emission != glm::vec3(0.0F);
    });
    params.volumesAct = act ? 1 : 0;
}

} // namespace aureole
