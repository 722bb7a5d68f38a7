#pragma once

#include <optional>
#include <string_view>

#include "core/math.h"

namespace aureole {

/// "#rrggbb" in sRGB, as linear Rec. 709; none of another text.
std::optional<glm::vec3> colourFromHex(std::string_view text);

} // namespace aureole
