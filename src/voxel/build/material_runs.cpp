#include "voxel/build/material_runs.h"

#include <algorithm>
#include <iterator>

#include "core/error.h"
#include "shared/octree/attributes.h"

namespace aureole {

std::vector<shared::VoxelMaterial> numberWithin(std::span<SurfaceVoxel> voxels) {
    return numberWithin(
        voxels.size(), [&](std::size_t i) -> const shared::VoxelMaterial& { return voxels[i].material; },
        [&](std::size_t i) -> shared::VoxelAttributes& { return voxels[i].attributes; });
}

std::vector<std::uint32_t> MaterialRuns::add(std::span<const shared::VoxelMaterial> materials) {
    std::vector<shared::VoxelMaterial> fresh;
    std::copy_if(materials.begin(), materials.end(), std::back_inserter(fresh),
                 [&](const shared::VoxelMaterial& material) { return !numbers_.contains(material); });
    if (materials.empty() || runs_.empty() || numbers_.size() + fresh.size() > ATTRIBUTE_MAX_MATERIAL) {
        return {};
    }
    for (const shared::VoxelMaterial& material : fresh) {
        number(material);
    }
    std::vector<std::uint32_t> numbers = {0};
    std::transform(materials.begin(), materials.end(), std::back_inserter(numbers),
                   [&](const shared::VoxelMaterial& material) { return numbers_.at(material); });
    return numbers;
}

/// Gives a material that the current run has not the next number.
void MaterialRuns::number(const shared::VoxelMaterial& material) {
    numbers_.emplace(material, static_cast<std::uint32_t>(numbers_.size() + 1));
    palette_.push_back(material);
    if (palette_.size() > std::size_t{1} << 31U) {
        fail(ExitCode::OutOfMemory,
             "the scene's voxels have more than 2^31 kinds of material and emission; lower the resolution");
    }
}

/// Sees to it that the current run has the materials of all voxels.
void MaterialRuns::prepareRun(std::uint64_t first, std::span<const SurfaceVoxel> voxels) {
    // 64 entries are fewer than a palette, so they never need two runs.
    std::vector<shared::VoxelMaterial> fresh;
    for (const SurfaceVoxel& voxel : voxels) {
        const shared::VoxelMaterial& material = voxel.material;
        const auto isSame = [&](const shared::VoxelMaterial& other) { return SameMaterial()(other, material); };
        if (!isPlain(material) && !numbers_.contains(material) && std::none_of(fresh.begin(), fresh.end(), isSame)) {
            fresh.push_back(material);
        }
    }
    if (runs_.empty() || numbers_.size() + fresh.size() > ATTRIBUTE_MAX_MATERIAL) {
        numbers_.clear();
        last_ = kPlainMaterial;
        lastNumber_ = 0;
        const auto before = static_cast<std::uint32_t>(palette_.size() - 1);
        runs_.push_back({runs_.empty() ? 0 : first, before, 0});
    }
    for (const SurfaceVoxel& voxel : voxels) { // of a new run, all are new
        if (!isPlain(voxel.material) && !numbers_.contains(voxel.material)) {
            number(voxel.material);
        }
    }
}

std::uint32_t MaterialRuns::numberOf(const shared::VoxelMaterial& material) {
    if (!SameMaterial()(material, last_)) {
        lastNumber_ = isPlain(material) ? 0 : numbers_.at(material);
        last_ = material;
    }
    return lastNumber_;
}

void MaterialRuns::assign(std::uint64_t first, std::span<SurfaceVoxel> voxels) {
    // Most blocks are of the material of the voxel before them.
    const auto isLast = [&](const SurfaceVoxel& voxel) { return SameMaterial()(voxel.material, last_); };
    if (runs_.empty() || !std::all_of(voxels.begin(), voxels.end(), isLast)) {
        prepareRun(first, voxels);
    }
    for (SurfaceVoxel& voxel : voxels) {
        setMaterialNumber(voxel.attributes, numberOf(voxel.material));
    }
}

} // namespace aureole
