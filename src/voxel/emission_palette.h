#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/math.h"

namespace aureole {

/// Rounds a radiance to nine bits for its largest component and the same step for the others, as RGB9E5 does (but for
/// any exponent), so that averaged values repeat and a palette stays small. Negative components become 0.
glm::vec3 quantiseEmission(const glm::vec3& emission);

/// The distinct radiances of an octree, in order of their first use; entry 0 is black.
class EmissionPalette {
public:
    /// The index of a radiance, added if new. Throws Error (BadInput) when the palette is full.
    std::uint32_t indexOf(const glm::vec3& emission);

    const std::vector<glm::vec3>& entries() const { return entries_; }
    std::vector<glm::vec3> take() { return std::move(entries_); }

private:
    struct Hash {
        std::size_t operator()(const glm::vec3& value) const;
    };

    std::vector<glm::vec3> entries_{glm::vec3(0.0F)};
    std::unordered_map<glm::vec3, std::uint32_t, Hash> indices_;
};

} // namespace aureole
