#pragma once

// What the readers of builds share.

#include <array>
#include <optional>

#include "import/schematic/nbt_reader.h"
#include "import/schematic/schematic_file.h"

namespace aureole::schematic {

inline constexpr std::size_t kMostBlocks = std::size_t{1} << 30U; ///< of a build

/// Three whole numbers, of which a file may give some, all or none.
using Numbers = std::array<std::optional<std::int64_t>, 3>;

inline bool isWhole(const Numbers& numbers) {
    return numbers[0] && numbers[1] && numbers[2];
}

/// Reads compounds as {"x": 1, "y": 2, "z": 3}.
Numbers readXyz(NbtReader& in, Tag tag);

/// Reads a list of three numbers.
Numbers readTriple(NbtReader& in, Tag tag);

/// The state of a block as text, "minecraft:oak_log[axis=y]", from a compound with Name and Properties.
std::string readState(NbtReader& in, Tag tag);

/// A size as one: each side is 1 to 65535, and there are at most kMostBlocks. Throws Error (BadInput) where not.
glm::uvec3 checkedSize(const NbtReader& in, const Numbers& size);

/// Throws Error (BadInput) for the name of a block, states included, that is too long.
void checkState(const NbtReader& in, const std::string& state);
/// Throws Error (BadInput) for more blocks than a Region can tell apart.
void checkPalette(const NbtReader& in, std::size_t blocks);

/// Where the block of an index is in a region of that size, for messages: "(1, 0, 2)".
std::string placeOf(const glm::uvec3& size, std::size_t index);

inline std::size_t blocksOf(const glm::uvec3& size) {
    return std::size_t{size.x} * size.y * size.z;
}

} // namespace aureole::schematic
