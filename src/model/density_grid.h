#pragma once

// Densities of smoke and clouds on a lattice of points, as files have them.

#include <cstdint>
#include <string>
#include <vector>

#include "core/math.h"

namespace aureole {

/// Densities where there are some, in blocks; 0 everywhere else, and interpolated between points.
struct DensityGrid {
    static constexpr std::int32_t kBlock = 8; ///< points a side
    static constexpr std::size_t kBlockPoints = 512;
    static constexpr std::int32_t kFarthest = 1 << 20; ///< from the origin to a block, in blocks

    std::string name;
    std::vector<glm::ivec3> blocks;    ///< in units of blocks, each once, ordered by z, then y, then x
    std::vector<std::uint32_t> values; ///< for each block, which kBlockPoints of `densities` are its; several may share
    std::vector<float> densities;      ///< x + 8 (y + 8 z) of a block's points; finite, not below 0
    glm::dmat4 worldFromPoint{1.0};    ///< affine; can be inverted

    /// Whether it is as the comments above say.
    bool isSound() const;
    /// The densities of a block, kBlockPoints of them.
    const float* at(std::size_t block) const { return &densities[kBlockPoints * values[block]]; }
};

/// What can be told of a grid without a tree of it.
struct DensitySummary {
    Bounds bounds;            ///< in the world, of all places with a density above 0
    double mean = 0.0;        ///< of the points with one
    std::uint64_t points = 0; ///< with a density above 0
};

DensitySummary summaryOf(const DensityGrid& grid);

} // namespace aureole
