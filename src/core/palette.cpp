#include "core/palette.h"

#include <algorithm>
#include <cmath>

namespace aureole {

namespace {

glm::dvec3 colourAt(const CosinePalette& palette, double t) {
    return palette.mean + palette.amplitude * glm::cos(2.0 * kPi * (palette.frequency * t + palette.phase));
}

glm::dvec3 colourAt(const ColourList& colours, double t) {
    const double place = t * static_cast<double>(colours.size() - 1);
    const auto first = static_cast<std::size_t>(place);
    const std::size_t second = std::min(first + 1, colours.size() - 1);
    return glm::mix(colours[first], colours[second], place - std::floor(place));
}

} // namespace

glm::dvec3 paletteColour(const ColourPalette& palette, double t) {
    const double inside = std::isnan(t) ? 0.0 : std::clamp(t, 0.0, 1.0);
    return glm::max(std::visit([&](const auto& kind) { return colourAt(kind, inside); }, palette), glm::dvec3(0.0));
}

} // namespace aureole
