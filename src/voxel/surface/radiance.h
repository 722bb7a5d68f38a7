#pragma once

#include <cstddef>
#include <cstdint>

#include "core/math.h"

namespace aureole {

/// Rounds a radiance to nine bits for its largest component and the same step for the others, as RGB9E5 does (but for
/// any exponent), so that averaged values repeat and a palette stays small. Negative components become 0.
glm::vec3 quantiseEmission(const glm::vec3& emission);

/// Of radiances without -0.
struct RadianceHash {
    std::size_t operator()(const glm::vec3& value) const;
};

} // namespace aureole
