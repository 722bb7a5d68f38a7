#pragma once

// Colours by one number.

#include <variant>
#include <vector>

#include "core/math.h"

namespace aureole {

/// mean + amplitude cos(2 pi (frequency t + phase)) in each of R, G, B: Quilez, "Palettes" (iquilezles.org), 1999.
struct CosinePalette {
    glm::dvec3 mean{0.5};
    glm::dvec3 amplitude{0.5};
    glm::dvec3 frequency{1.0};
    glm::dvec3 phase{0.0};
};

/// Linear Rec. 709 colours, evenly spaced from t = 0 to t = 1; at least one.
using ColourList = std::vector<glm::dvec3>;

using ColourPalette = std::variant<CosinePalette, ColourList>;

/// The colour at t, which is brought to [0, 1]. Components below 0 are 0.
glm::dvec3 paletteColour(const ColourPalette& palette, double t);

} // namespace aureole
