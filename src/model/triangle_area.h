#pragma once

#include <array>

#include "core/math.h"

namespace aureole {

/// Whether a triangle has an area beyond rounding: its corners are not collinear within the precision of float
/// vertices. Relative to the square of the longest side, so that neither units nor scales matter; false for corners
/// that are not finite.
bool hasArea(const std::array<glm::dvec3, 3>& corners);

} // namespace aureole
