#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/math.h"
#include "model/density_grid.h"
#include "shared/media/volume.h"

namespace aureole {

/// The densities of a grid as paths read them (shared/media/volume.h).
struct DensityTree {
    std::vector<shared::VolumeNode> nodes;
    std::vector<std::uint32_t> bricks; ///< VOLUME_BRICK_WORDS each
    std::uint32_t levels = 1;          ///< of nodes
    glm::ivec3 low{0};                 ///< the cells in use, from here to before `high`; cells are the tree's
    glm::ivec3 high{0};
    glm::dmat4 worldFromCells{1.0};

    /// The side of its cube, in cells.
    std::uint32_t side() const { return VOLUME_BRICK_CELLS << (2 * levels); }
    float most() const { return nodes.front().most; }
    std::size_t brickCount() const { return bricks.size() / VOLUME_BRICK_WORDS; }
};

/// Throws Error (BadInput), which begins with `place`, for a grid that reaches farther than a tree has room for, that
/// has no value above 0, or whose bricks take more than `mostBytes`: before they are taken.
DensityTree makeDensityTree(const DensityGrid& grid, const std::string& place,
                            std::uint64_t mostBytes = std::numeric_limits<std::uint64_t>::max());

/// The corners of the cells in use, in the space that `matrix` brings cells to.
Bounds boundsOf(const DensityTree& tree, const glm::dmat4& matrix);

} // namespace aureole
