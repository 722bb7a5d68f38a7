#pragma once

#include <vector>

#include "core/math.h"
#include "model/reaction_texture.h"

namespace aureole {

/// How far from each cell of the texture's plane what it shows is taken from, in cells, row by row; empty where nothing
/// moves. A function of the texture alone.
std::vector<glm::vec2> warpOffsets(const ReactionTexture& texture);

} // namespace aureole
