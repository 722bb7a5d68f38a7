#pragma once

// Level sets: signed distances to a surface on a lattice of points, kept where the surface is near.

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "core/math.h"

namespace aureole {

/// Distances are in sides of the lattice's cells, above 0 outside. Cell (x, y, z) has the points (x, y, z) to (x + 1,
/// y + 1, z + 1) at its corners. Points that are in no block are as far from the surface as `farthest` says: inside or
/// outside as the last point before them in their row along x is, and outside where there is none.
struct LevelSet {
    static constexpr std::int32_t kBlock = 8; ///< points a side
    static constexpr std::size_t kBlockPoints = 512;

    glm::ivec3 offset{0};           ///< point p is in block (p + offset) / 8; from 0 to 7
    std::vector<glm::ivec3> blocks; ///< in units of blocks, each once, ordered by z, then y, then x
    std::vector<float> distances;   ///< kBlockPoints for each block: x + 8 (y + 8 z) of its points; finite
    float farthest = 3.0F;          ///< above 0

    bool empty() const { return blocks.empty(); }
    /// Whether it is as the comments above say.
    bool isSound() const;
};

/// The order of LevelSet::blocks.
inline bool blockBefore(const glm::ivec3& a, const glm::ivec3& b) {
    return a.z != b.z ? a.z < b.z : a.y != b.y ? a.y < b.y : a.x < b.x;
}

/// Looks distances up. It remembers the last block, so each thread has one of its own.
class LevelSetSampler {
public:
    /// Keeps a reference.
    explicit LevelSetSampler(const LevelSet& levelSet)
        : levelSet_(levelSet) {}

    float at(const glm::ivec3& place) const;
    /// Between points by trilinear interpolation. What is within a millionth of a point is there.
    float at(const glm::dvec3& point) const;
    /// At a cell's corners: x + 2 y + 4 z.
    std::array<float, 8> corners(const glm::ivec3& cell) const;

private:
    const LevelSet& levelSet_;
    mutable glm::ivec3 lastBlock_{std::numeric_limits<std::int32_t>::max()};
    mutable std::size_t last_ = 0; ///< the first block that does not come before that one
};

/// Whether the surface goes through a cell with these distances at its corners.
bool isCrossed(const std::array<float, 8>& corners);

/// The cells that the surface goes through, in the order of blocks.
std::vector<glm::ivec3> crossedCells(const LevelSet& levelSet);

/// The gradient in the middle of a cell with these distances at its corners; not of unit length, and maybe 0.
glm::vec3 middleGradient(const std::array<float, 8>& corners);

} // namespace aureole
