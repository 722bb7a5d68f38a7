#pragma once

#include <cstddef>
#include <cstdint>

#include "core/math.h"

namespace aureole {

/// The bits of a component of a rounded radiance, beside its exponent, as in the format RGB9E5.
inline constexpr int kRadianceBits = 9;

/// Rounds a radiance to nine bits for its largest component and the same step for the others, as RGB9E5 does (but for
/// any exponent), so that averaged values repeat and a palette stays small. Negative components become 0.
glm::vec3 quantiseEmission(const glm::vec3& emission);

/// A hash of radiances. They must not have components of -0, which would be equal to 0 with another hash.
struct RadianceHash {
    std::size_t operator()(const glm::vec3& value) const;
};

} // namespace aureole
