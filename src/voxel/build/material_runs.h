#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "shared/octree/octree.h"
#include "voxel/build/voxel_material.h"

namespace aureole {

/// Numbers the materials of voxels within themselves: writes the numbers into their attributes, and returns the
/// materials but kPlainMaterial, whose number is 0, in the order of their first voxels, as many as a palette holds.
/// None where there are more, or all are plain.
std::vector<shared::VoxelMaterial> numberWithin(std::span<SurfaceVoxel> voxels);

/// The same of `count` voxels of which materialOf(i) is a material and attributesOf(i) are the attributes.
template <typename MaterialOf, typename AttributesOf>
std::vector<shared::VoxelMaterial> numberWithin(std::size_t count, const MaterialOf& materialOf,
                                                const AttributesOf& attributesOf) {
    std::vector<shared::VoxelMaterial> materials;
    shared::VoxelMaterial last = kPlainMaterial;
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (const shared::VoxelMaterial& own = materialOf(i); !SameMaterial()(own, last)) {
            last = own;
            const auto found = std::find_if(materials.begin(), materials.end(),
                                            [&](const auto& material) { return SameMaterial()(material, last); });
            number = isPlain(last) ? 0 : static_cast<std::uint32_t>(found - materials.begin()) + 1;
            if (number > materials.size()) {
                if (materials.size() == ATTRIBUTE_MAX_MATERIAL) {
                    return {};
                }
                materials.push_back(last);
            }
        }
        setMaterialNumber(attributesOf(i), number);
    }
    return materials;
}

/// Numbers the materials of voxels in few bits: voxels in order form runs, each with a palette of its own, and a new
/// run begins where the old one's palette would overflow.
class MaterialRuns {
public:
    /// Writes the numbers of the materials of some voxels, at most 64, into their attributes, the first of which is
    /// number `first`. In ascending order; voxels of kPlainMaterial may be left out.
    void assign(std::uint64_t first, std::span<SurfaceVoxel> voxels);

    /// What assign() comes to for all voxels with the materials that numberWithin has returned: what it has written, by
    /// those numbers. Empty, and nothing is done, where a run ends among the voxels, which assign() has to be told
    /// then.
    std::vector<std::uint32_t> add(std::span<const shared::VoxelMaterial> materials);

    /// The palettes one after the other behind kPlainMaterial, and the runs. The first of these begins at attributes 0;
    /// there is none where all voxels are plain.
    std::vector<shared::VoxelMaterial> takePalette() { return std::move(palette_); }
    std::vector<shared::MaterialRun> takeRuns() { return std::move(runs_); }

private:
    void number(const shared::VoxelMaterial& material);
    void prepareRun(std::uint64_t first, std::span<const SurfaceVoxel> voxels);
    std::uint32_t numberOf(const shared::VoxelMaterial& material);

    std::vector<shared::VoxelMaterial> palette_{kPlainMaterial};
    std::vector<shared::MaterialRun> runs_;
    std::unordered_map<shared::VoxelMaterial, std::uint32_t, MaterialHash, SameMaterial>
        numbers_;                                 ///< of the current run, from 1
    shared::VoxelMaterial last_ = kPlainMaterial; ///< the material of the voxel before, and its number
    std::uint32_t lastNumber_ = 0;
};

} // namespace aureole
