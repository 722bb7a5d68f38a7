#pragma once

// Pictures on surfaces, as model files hold them.

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/math.h"

namespace aureole {

inline constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

enum class Wrap { Repeat, Mirror, Clamp };

/// An 8-bit RGBA picture as the file holds it, the top row first. One of linear light, which may go beyond 1, has that
/// beside its bytes, which are the same from 0 to 1.
struct Texture {
    std::string name; ///< for messages
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::vector<std::uint8_t> rgba;
    std::vector<glm::vec3> light{}; ///< none below 0; empty: the bytes are all
};

/// A use of a texture: which one, with which coordinates.
struct TextureSlot {
    std::uint32_t texture = kNone;
    std::uint32_t uvSet = 0;                                 ///< 0 or 1
    glm::mat3 transform{1.0F};                               ///< applied to (u, v, 1); glTF's convention, v downwards
    std::array<Wrap, 2> wrap = {Wrap::Repeat, Wrap::Repeat}; ///< along u and v
    bool nearest = false;                                    ///< nearest instead of bilinear
    bool srgb = false;                                       ///< decode the sRGB curve of RGB (never of alpha)
    bool triplanar = false; ///< laid over space (sampleTriplanar) instead of by the mesh's coordinates
    double tile = 1.0;      ///< metres that the picture spans there; above 0

    bool used() const { return texture != kNone; }
};

} // namespace aureole
