#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/math.h"

namespace aureole {

/// A picture for the steps of the finishing chain: R, G, B and alpha together, row by row, the top row first.
struct FinishPixels {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::vector<glm::vec4> values;

    glm::dvec2 size() const { return {width, height}; }
    const glm::vec4& at(std::size_t x, std::size_t y) const { return values[y * width + x]; }
};

/// The centre of a pixel from the picture's middle, y down, where 1 is the distance of the corners.
inline glm::dvec2 fromMiddle(const glm::dvec2& place, const glm::dvec2& size) {
    return (place - 0.5 * size) / (0.5 * glm::length(size));
}

} // namespace aureole
