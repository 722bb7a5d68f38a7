#pragma once

#include <string>

namespace aureole::schematic {

/// The name that a block has today of the number `id` and the four bits of `data` that it had before version 1.13 of
/// the game, as "minecraft:red_wool". Of numbers beyond those of the game, "block_ID_DATA".
std::string nameOfId(unsigned id, unsigned data);

} // namespace aureole::schematic
