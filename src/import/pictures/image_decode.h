#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "model/texture.h"

namespace aureole {

/// The decoder of decodeTexture for PNG; the signature is to be checked before. Same errors.
Texture decodePng(std::span<const std::byte> bytes, const std::string& name);

} // namespace aureole
