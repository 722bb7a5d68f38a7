#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "voxel/surface/grid_level_set.h"
#include "voxel/surface/surface_sample.h"

namespace aureole {

/// Samples the surfaces of level sets in blocks of voxels. It remembers a block's distances, for all cells in it.
class LevelSetSurface {
public:
    /// The primitives outlive it.
    explicit LevelSetSurface(const Primitives& primitives)
        : primitives_(primitives) {}

    /// Appends a sample of a level set's cell for each voxel of `mask` whose corners are not all on one side of the
    /// level set: those are the voxels that have surface. `block` is the block's lower corner in voxels.
    void append(const CellId& id, const glm::ivec3& block, std::uint64_t mask, std::vector<SurfaceSample>& samples);

private:
    static constexpr int kSide = 5; ///< corners of a block's voxels

    /// A level set, and what of a block's corners is inside.
    struct Block {
        std::uint32_t instance;
        GridLevelSet levelSet;
        ColourSampler colours;
        glm::ivec3 corner{-1};
        std::array<bool, static_cast<std::size_t>(kSide) * kSide * kSide> inside{};
    };

    Block& blockOf(std::uint32_t instance, const glm::ivec3& corner);

    const Primitives& primitives_;
    std::vector<Block> blocks_; ///< one for each level set that was met
};

} // namespace aureole
