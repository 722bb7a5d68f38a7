#pragma once

// What lattices of values in blocks have in common.

#include <cstdint>
#include <vector>

#include "core/math.h"

namespace aureole {

/// Whether each block stands once, in the order of blockBefore, within DensityGrid::kFarthest of the origin, and leads
/// to one of so many blocks of values.
bool areSoundBlocks(const std::vector<glm::ivec3>& blocks, const std::vector<std::uint32_t>& values,
                    std::size_t valueBlocks);

} // namespace aureole
