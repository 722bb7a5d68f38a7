#pragma once

#include "import/asset_reader.h"
#include "import/import.h"

namespace aureole::schematic {

/// Reads builds of Minecraft: .schem (Sponge's format, versions 1 to 3), .schematic (MCEdit's, with numbers for
/// blocks), .litematic (Litematica's) and .nbt (the game's structures). A block is a cell of a metre, x to the east, y
/// up, z to the south; how each looks, lookOf says by its name. Entities and what blocks hold are left out. Throws
/// Error (BadInput) for what is none, or holds no block.
ImportedModel importSchematic(const AssetReader& reader);

} // namespace aureole::schematic
