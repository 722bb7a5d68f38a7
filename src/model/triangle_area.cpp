#include "model/triangle_area.h"

#include <algorithm>

namespace aureole {

bool hasArea(const std::array<glm::dvec3, 3>& corners) {
    constexpr double kZeroArea = 1e-7;
    const glm::dvec3 e = corners[1] - corners[0];
    const glm::dvec3 f = corners[2] - corners[0];
    const glm::dvec3 g = corners[2] - corners[1];
    const double longest = std::max({glm::dot(e, e), glm::dot(f, f), glm::dot(g, g)});
    return longest > 0.0 && glm::length(glm::cross(e, f)) > kZeroArea * longest;
}

} // namespace aureole
