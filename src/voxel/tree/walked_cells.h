#pragma once

// The cells of a block while a walk over an octree gathers them.

#include <array>
#include <cstddef>
#include <cstdint>

#include "shared/octree/attributes.h"
#include "voxel/surface/surface_sum.h"
#include "voxel/tree/level_walk.h"

namespace aureole {

class WalkedCells {
public:
    explicit WalkedCells(const Octree& octree)
        : octree_(octree) {}

    void addInside(std::uint64_t bit) { inside_ |= bit; }

    /// The next cell with attributes, in order of bits.
    void add(const shared::VoxelAttributes& attributes, const shared::VoxelMaterial& material) {
        attributes_[count_] = attributes;
        materials_[count_] = material;
        plain_ = plain_ && isPlain(material);
        ++count_;
    }

    /// Adds a cell that has the octree's attributes of that index.
    void addVoxel(std::uint64_t index) {
        const shared::VoxelAttributes& attributes = octree_.attributesOf(index);
        const std::uint32_t number = (attributes.shading >> ATTRIBUTE_MATERIAL_SHIFT) & ATTRIBUTE_MAX_MATERIAL;
        add(attributes, octree_.palette[paletteIndex(octree_, index, number)]);
    }

    /// Adds a cell that has the average of a leaf or node; `materials` may be empty.
    void addAverage(const shared::VoxelAttributes& average, const Array<AverageMaterial>& materials,
                    std::uint64_t index) {
        add(average, materials.empty()
                         ? kPlainMaterial
                         : shared::VoxelMaterial{unpackEmission(materials[index].emission), materials[index].material});
    }

    /// Hands the block over and starts the next.
    void emit(const WalkCalls& calls, std::uint64_t code, std::uint64_t mask) {
        calls.onBlock(
            {code, mask, inside_, {attributes_.data(), count_}, {materials_.data(), plain_ ? std::size_t{0} : count_}});
        count_ = 0;
        inside_ = 0;
        plain_ = true;
    }

private:
    const Octree& octree_;
    std::array<shared::VoxelAttributes, 64> attributes_{};
    std::array<shared::VoxelMaterial, 64> materials_{};
    std::size_t count_ = 0;
    std::uint64_t inside_ = 0;
    bool plain_ = true;
};

} // namespace aureole
