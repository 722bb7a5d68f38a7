#pragma once

#include "core/math.h"
#include "model/texture.h"

namespace aureole {

/// The value of the sRGB curve's inverse at an 8-bit code, 0 to 1.
float srgbToLinear(std::uint8_t code);

/// The value of the sRGB curve's inverse at a value from 0 to 1; what lies outside is clamped.
float srgbToLinear(float value);

/// The colour of a texture, in [0, 1] but for light, at coordinates already transformed by the slot: wrapped, decoded,
/// then filtered bilinearly or taken from the nearest texel. RGBA from 0 to 1.
glm::vec4 sampleTexture(const Texture& texture, const TextureSlot& slot, const glm::vec2& uv);

} // namespace aureole
