#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <string>

#include <glm/glm.hpp>

#include "import/threemf/document.h"

namespace aureole::threemf {

/// Of what has no properties: a material's albedo unless told.
inline constexpr glm::vec4 kPlainColour{0.8F, 0.8F, 0.8F, 1.0F};

/// What triangles that share a material have in common: an entry of base materials, a texture, or neither.
struct Surface {
    ResourceId base{kNone, kNone};
    std::uint32_t entry = kNone;
    ResourceId texture{kNone, kNone};

    auto operator<=>(const Surface&) const = default; // NOLINT(modernize-use-nullptr): no pointer is compared
};

/// What one corner of a triangle looks like. The colour is linear, and multiplies the texture; that of a base material
/// is its own.
struct Shade {
    Surface surface;
    glm::vec4 colour{1.0F};
    glm::vec2 uv{0.0F};
};

/// The shade of an entry of a group. Of layers the colours are laid over each other; a picture counts where nothing
/// opaque is above it. What is not there is told to `tell`, and plain.
Shade shadeOf(const Document& document, ResourceId group, std::uint32_t entry,
              const std::function<void(const std::string& problem)>& tell);

} // namespace aureole::threemf
