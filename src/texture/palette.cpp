#include "texture/palette.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace aureole::texture {

glm::vec3 paletteColour(const Palette& palette, float value) {
    // Written so that NaN becomes 0.
    const float t = value > 0.0F ? std::min(value, 1.0F) : 0.0F;
    if (palette.colours.empty()) {
        constexpr float kTurn = 2.0F * std::numbers::pi_v<float>;
        const auto& [a, b, c, d] = palette.cosine;
        return glm::max(a + b * glm::cos(kTurn * (c * t + d)), 0.0F);
    }
    const float place = t * static_cast<float>(palette.colours.size() - 1);
    const auto low = static_cast<std::size_t>(place);
    const std::size_t high = std::min(low + 1, palette.colours.size() - 1);
    return glm::mix(palette.colours[low], palette.colours[high], place - static_cast<float>(low));
}

} // namespace aureole::texture
