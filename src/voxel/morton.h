#pragma once

// Morton (Z-order) codes of three coordinates, x in the lowest bit, so that a code's low six bits are a cellBit.

#include <cstdint>

#include "core/math.h"

namespace aureole {

/// Moves bit i of a 21-bit number to bit 3 i.
constexpr std::uint64_t spreadBits(std::uint64_t value) {
    value = (value | (value << 32U)) & 0x001F00000000FFFFULL;
    value = (value | (value << 16U)) & 0x001F0000FF0000FFULL;
    value = (value | (value << 8U)) & 0x100F00F00F00F00FULL;
    value = (value | (value << 4U)) & 0x10C30C30C30C30C3ULL;
    value = (value | (value << 2U)) & 0x1249249249249249ULL;
    return value;
}

/// The inverse of spreadBits; other bits are ignored.
constexpr std::uint32_t gatherBits(std::uint64_t value) {
    value &= 0x1249249249249249ULL;
    value = (value | (value >> 2U)) & 0x10C30C30C30C30C3ULL;
    value = (value | (value >> 4U)) & 0x100F00F00F00F00FULL;
    value = (value | (value >> 8U)) & 0x001F0000FF0000FFULL;
    value = (value | (value >> 16U)) & 0x001F00000000FFFFULL;
    value = (value | (value >> 32U)) & 0x00000000001FFFFFULL;
    return static_cast<std::uint32_t>(value);
}

/// The Morton code of a cell; coordinates below 2^21.
inline std::uint64_t mortonCode(const glm::uvec3& cell) {
    return spreadBits(cell.x) | (spreadBits(cell.y) << 1U) | (spreadBits(cell.z) << 2U);
}

inline glm::uvec3 mortonCell(std::uint64_t code) {
    return {gatherBits(code), gatherBits(code >> 1U), gatherBits(code >> 2U)};
}

} // namespace aureole
