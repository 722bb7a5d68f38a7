#pragma once

// Codes of cells: the path to one from the root of an octree, six bits a level, each the cellBit of the node on the way
// to it. Nodes, voxels and attributes stand in the order of their codes.

#include <cstdint>

#include "core/math.h"

namespace aureole {

/// Moves each pair of bits of a 20-bit number, 2 i and 2 i + 1, to 6 i and 6 i + 1.
constexpr std::uint64_t spreadPairs(std::uint64_t value) {
    value = (value | (value << 32U)) & 0x000F00000000FFFFULL;
    value = (value | (value << 16U)) & 0x000F0000FF0000FFULL;
    value = (value | (value << 8U)) & 0x000F00F00F00F00FULL;
    value = (value | (value << 4U)) & 0x00C30C30C30C30C3ULL;
    return value;
}

/// The inverse of spreadPairs; other bits are ignored.
constexpr std::uint32_t gatherPairs(std::uint64_t value) {
    value &= 0x00C30C30C30C30C3ULL;
    value = (value | (value >> 4U)) & 0x000F00F00F00F00FULL;
    value = (value | (value >> 8U)) & 0x000F0000FF0000FFULL;
    value = (value | (value >> 16U)) & 0x000F00000000FFFFULL;
    value = (value | (value >> 32U)) & 0x00000000000FFFFFULL;
    return static_cast<std::uint32_t>(value);
}

/// The code of a cell; coordinates below 2^20.
inline std::uint64_t cellCode(const glm::uvec3& cell) {
    return spreadPairs(cell.x) | (spreadPairs(cell.y) << 2U) | (spreadPairs(cell.z) << 4U);
}

/// The cell of a code, the inverse of cellCode.
inline glm::uvec3 codeCell(std::uint64_t code) {
    return {gatherPairs(code), gatherPairs(code >> 2U), gatherPairs(code >> 4U)};
}

} // namespace aureole
