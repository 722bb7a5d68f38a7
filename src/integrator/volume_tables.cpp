#include "integrator/volume_tables.h"

#include <algorithm>

#include "integrator/material_traits.h"

namespace aureole {

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
    volumes.reserve(scene.volumeInstances.size());
    for (const VolumeInstance& instance : scene.volumeInstances) {
        const DensityTree& tree = scene.volumes[instance.volume].tree;
        const glm::dmat4 worldFromCells = instance.worldFromVolume * tree.worldFromCells;
        const glm::dmat3 cellsFromSpace = glm::inverse(glm::dmat3(worldFromCells)) / space.scale;
        shared::Volume& volume = volumes.emplace_back();
        volume.cellX = cellsFromSpace[0];
        volume.cellY = cellsFromSpace[1];
        volume.cellZ = cellsFromSpace[2];
        const glm::dvec4 middle(glm::dvec3(0.5 * tree.side()), 1.0);
        volume.middle = space.point(glm::dvec3(worldFromCells * middle));
        volume.low = tree.low;
        volume.high = tree.high;
        volume.emission = scene.volumes[instance.volume].emission / static_cast<float>(space.scale);
        volume.nodes = addresses[instance.volume].nodes;
        volume.bricks = addresses[instance.volume].bricks;
        volume.levels = tree.levels;
        volume.material = first + instance.volume;
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
