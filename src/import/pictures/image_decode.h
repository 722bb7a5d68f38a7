#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "model/texture.h"

namespace aureole {

/// The decoders behind decodeTexture; each expects the signature to have been checked. Same errors.
Texture decodePng(std::span<const std::byte> bytes, const std::string& name);
Texture decodeJpeg(std::span<const std::byte> bytes, const std::string& name);

/// Throws Error (BadInput) for a picture without pixels or with more than kMaxTextureSide a side.
void checkTextureSize(std::size_t width, std::size_t height, const std::string& name);

} // namespace aureole
