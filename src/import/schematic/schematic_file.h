#pragma once

// Files of Minecraft builds as they stand: boxes of blocks, by the names of these.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/math.h"

namespace aureole::schematic {

struct Region {
    static constexpr std::uint16_t kNoBlock = 0xffff; ///< where the file says nothing of a place

    std::string name;
    glm::uvec3 size{0};
    glm::ivec3 origin{0};              ///< of its least corner
    std::vector<std::string> palette;  ///< "minecraft:oak_log[axis=y]"
    std::vector<std::uint16_t> blocks; ///< indices into the palette; x + size.x * (z + size.z * y)
};

/// Sponge's .schem of the versions 1 to 3, and MCEdit's .schematic, whose numbers get the names that they have today:
/// each is known by what it holds; nothing where a file is neither. Throws Error (BadInput) as NbtReader does, and for
/// a missing entry, more than 2^30 blocks, other than all blocks, a block that the palette does not have.
std::optional<std::vector<Region>> readSchematic(std::span<const std::byte> bytes, const std::string& name);

/// Litematica's .litematic, likewise.
std::optional<std::vector<Region>> readLitematic(std::span<const std::byte> bytes, const std::string& name);

/// The game's own .nbt of structures, likewise.
std::optional<std::vector<Region>> readStructure(std::span<const std::byte> bytes, const std::string& name);

} // namespace aureole::schematic
