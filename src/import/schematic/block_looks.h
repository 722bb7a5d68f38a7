#pragma once

#include <string>
#include <string_view>

#include "model/material.h"

namespace aureole::schematic {

/// How a block looks.
struct BlockLook {
    bool isSolid = false; ///< else it is not there
    bool isKnown = true;  ///< whether any of its words has a colour
    Material material;    ///< named after the block: "oak_log", "redstone_lamp[lit=true]"
};

/// The look of a block by its state, "minecraft:redstone_lamp[lit=true]", from the words in its name
/// (block_colours.h, block_kinds.h). What fills less than an eighth of its place is nothing, all else fills it; what is
/// nothing and stands in water is water. Names that say nothing are grey.
BlockLook lookOf(std::string_view state);

} // namespace aureole::schematic
