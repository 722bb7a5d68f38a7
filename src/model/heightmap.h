#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/math.h"
#include "model/mesh.h"

namespace aureole {

/// Heights on a grid, at the centres of a picture's pixels, and the place that they take.
struct Heightmap {
    std::uint32_t width = 0;    ///< of the grid: at least 2
    std::uint32_t depth = 0;    ///< of the grid: at least 2
    std::vector<float> heights; ///< in metres; row by row, the first at the least Z
    glm::dvec2 size{1.0};       ///< in metres along X and Z, from the first centre to the last
    std::optional<double> base; ///< below all heights: where a closed solid ends
};

/// A surface through the heights about the Y axis, two triangles between four of them, with smooth normals. With a base
/// it is a closed solid with walls and an underside. Textures lie on it as the picture of heights does.
Mesh makeHeightmap(const Heightmap& map);

/// Bytes of that mesh's arrays.
std::uint64_t heightmapBytes(std::uint32_t width, std::uint32_t depth, bool closed);

} // namespace aureole
