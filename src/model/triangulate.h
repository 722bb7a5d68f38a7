#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/math.h"

namespace aureole {

/// Appends the triangles of a simple polygon, convex or not, given by indices into `positions` (all in range), in the
/// polygon's winding; n corners give n - 2 triangles. Polygons of fewer than 3 corners give none. Ear clipping, on the
/// polygon projected along its dominant axis; where the polygon crosses itself the rest is a fan.
void triangulatePolygon(std::span<const std::uint32_t> corners, const std::vector<glm::vec3>& positions,
                        std::vector<glm::uvec3>& triangles);

} // namespace aureole
