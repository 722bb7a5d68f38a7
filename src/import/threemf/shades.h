#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include <glm/glm.hpp>

#include "import/threemf/document.h"

namespace aureole::threemf {

/// What triangles that share a material have in common: an entry of base materials, a texture, or neither.
struct Surface {
    ResourceId base{kNone, kNone};
    std::uint32_t entry = kNone;
    ResourceId texture{kNone, kNone};

    auto operator<=>(const Surface&) const = default;
};

/// What one corner of a triangle looks like. The colour is linear, and multiplies the texture; that of a base material
/// is its own.
struct Shade {
    Surface surface;
    glm::vec4 colour{1.0F}; ///< of a triangle without properties that of plain materials
    glm::vec2 uv{0.0F};
};

/// The shade of an entry of a group. Of layers the colours are laid over each other; a picture counts where nothing
/// opaque is above it. `user` is who names the group, for messages. Throws Error (BadInput) for what is not there.
Shade shadeOf(const Document& document, const std::string& package, ResourceId group, std::uint32_t entry,
              const Place& user);

} // namespace aureole::threemf
