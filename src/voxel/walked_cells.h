#pragma once

// The cells of a block while a walk over an octree gathers them.

#include <array>
#include <cstddef>
#include <cstdint>

#include "shared/attributes.h"
#include "voxel/level_walk.h"
#include "voxel/surface_sum.h"

namespace aureole {

class WalkedCells {
public:
    explicit WalkedCells(const Octree& octree)
        : octree_(octree) {}

    void addInside(std::uint64_t bit) { inside_ |= bit; }

    /// The next cell with attributes, in order of bits.
    void add(const shared::VoxelAttributes& attributes, const glm::vec3& radiance) {
        attributes_[count_] = attributes;
        radiances_[count_] = radiance;
        emits_ = emits_ || radiance != glm::vec3(0.0F);
        ++count_;
    }

    /// The same, with the octree's attributes of an index.
    void addVoxel(std::uint64_t index) {
        const shared::VoxelAttributes& attributes = octree_.attributes[index];
        const std::uint32_t number = (attributes.shading >> ATTRIBUTE_EMISSION_SHIFT) & ATTRIBUTE_MAX_EMISSION;
        add(attributes, octree_.emissions[emissionIndex(octree_, index, number)]);
    }

    /// The same, with the average of a leaf or node; `emissions` may be empty.
    void addAverage(const shared::VoxelAttributes& average, const Array<std::uint32_t>& emissions,
                    std::uint64_t index) {
        add(average, emissions.empty() ? glm::vec3(0.0F) : unpackEmission(emissions[index]));
    }

    /// Hands the block over and starts the next.
    void emit(const WalkCalls& calls, std::uint64_t code, std::uint64_t mask) {
        calls.onBlock(
            {code, mask, inside_, {attributes_.data(), count_}, {radiances_.data(), emits_ ? count_ : std::size_t{0}}});
        count_ = 0;
        inside_ = 0;
        emits_ = false;
    }

private:
    const Octree& octree_;
    std::array<shared::VoxelAttributes, 64> attributes_{};
    std::array<glm::vec3, 64> radiances_{};
    std::size_t count_ = 0;
    std::uint64_t inside_ = 0;
    bool emits_ = false;
};

} // namespace aureole
