#pragma once

#include <vector>

#include "voxel/build/voxel_material.h"

namespace aureole {

/// A palette for octrees that are built by hand: behind the plain entry, material 0 with each of some radiances.
inline std::vector<shared::VoxelMaterial> emissivePalette(const std::vector<glm::vec3>& radiances) {
    std::vector<shared::VoxelMaterial> palette = {kPlainMaterial};
    for (const glm::vec3& radiance : radiances) {
        palette.push_back({radiance, 0});
    }
    return palette;
}

} // namespace aureole
