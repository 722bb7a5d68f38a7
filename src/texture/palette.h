#pragma once

#include <array>
#include <vector>

#include <glm/glm.hpp>

namespace aureole::texture {

/// Colours, linear, for values from 0 to 1.
struct Palette {
    /// From 0 to 1 at even distances, mixed in between. At least one, or empty for the cosines.
    std::vector<glm::vec3> colours{glm::vec3(0.0F), glm::vec3(1.0F)};
    /// a, b, c and d of a + b cos(2 pi (c t + d)), each component on its own; below 0 it is black. After Inigo Quilez,
    /// "Procedural color palette".
    std::array<glm::vec3, 4> cosine{glm::vec3(0.5F), glm::vec3(0.5F), glm::vec3(1.0F), glm::vec3(0.0F)};
};

/// The colour of a value; beyond 0 and 1, that of the end.
glm::vec3 paletteColour(const Palette& palette, float value);

} // namespace aureole::texture
