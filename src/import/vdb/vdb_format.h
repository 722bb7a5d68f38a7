#pragma once

// What is fixed in OpenVDB's file format, for its reader (vdb_file.cpp) and its writer (voxel/export/vdb_tree.cpp).

#include <cstddef>
#include <cstdint>

#include "core/math.h"

namespace aureole::vdb {

constexpr std::uint64_t kMagic = 0x56444220;
constexpr std::uint32_t kOldestVersion = 222; ///< the oldest that is read
constexpr std::uint32_t kNewestVersion = 224; ///< the newest that is read, and what is written

/// How a grid's values are packed.
constexpr std::uint32_t kZip = 1;
constexpr std::uint32_t kActiveOnly = 2;
constexpr std::uint32_t kBlosc = 4;

/// What stands for the values of a node that are not active, where only active ones are written.
enum class Inactive : std::int8_t {
    Background,
    MinusBackground,
    OneValue,
    MaskOfBackgrounds, ///< a bit for each: the background, or minus that
    MaskOfBackgroundAndValue,
    MaskOfTwoValues,
    AllWritten, ///< all are
};

constexpr unsigned kUpperBits = 5; ///< of 32 x 32 x 32 children
constexpr unsigned kLowerBits = 4;
constexpr unsigned kLeafBits = 3;

/// The child of a node that has that number in it, counted along each axis.
inline glm::ivec3 childAt(std::size_t place, unsigned bits) {
    const auto n = static_cast<int>(place);
    const int side = (1 << bits) - 1;
    return {n >> (2 * bits), (n >> bits) & side, n & side};
}

} // namespace aureole::vdb
