#include "voxel/export/export_palette.h"

#include <bit>
#include <limits>

#include "shared/bsdf/material.h"
#include "voxel/export/export_stream.h"
#include "voxel/tree/level.h"
#include "voxel/tree/level_walk.h"

namespace aureole {

PaletteModel paletteModel(const Octree& octree, std::uint32_t material) {
    const MaterialConstants& found = octree.materials[material];
    const bool isGlass = found.model == MaterialModel::Dielectric || found.model == MaterialModel::ThinGlass;
    PaletteModel model;
    model.ior = isGlass ? found.ior : 0.0F;
    model.mirror = found.model == MaterialModel::Mirror;
    const glm::vec3 extinction = found.scattering + found.absorption;
    if (isGlass && found.scattering != glm::vec3(0.0F)) {
        model.density = static_cast<float>(octree.grid.voxelSize) * (extinction.x + extinction.y + extinction.z) / 3.0F;
        model.scattered = found.scattering / glm::max(extinction, glm::vec3(std::numeric_limits<float>::min()));
        model.anisotropy = found.anisotropy;
    } else if (isGlass && found.absorption != glm::vec3(0.0F)) {
        model.transmitted = glm::exp(-static_cast<float>(octree.grid.voxelSize) * found.absorption);
    }
    return model;
}

Palette gatherPalette(const Octree& octree, bool withModels) {
    PaletteBuilder builder;
    ExportProgress progress("colours", countVoxels(octree, 0));
    walkOctree(octree, 0,
               {[&](const WalkedBlock& block) {
                    for (std::size_t i = 0; i < block.attributes.size(); ++i) {
                        const shared::VoxelMaterial material = block.material(i);
                        builder.add(block.attributes[i], material.emission,
                                    withModels ? paletteModel(octree, material.material) : PaletteModel());
                    }
                    progress.add(static_cast<std::uint64_t>(std::popcount(block.mask)));
                },
                [&](std::uint64_t, std::uint32_t cubeLevels) { progress.add(std::uint64_t{1} << (6U * cubeLevels)); }});
    return builder.finish();
}

} // namespace aureole
