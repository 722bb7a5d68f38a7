#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "core/input_file.h"
#include "model/texture.h"

namespace aureole {

/// The longest side of a texture, in pixels.
inline constexpr std::uint32_t kMaxTextureSide = 16384;

/// Decodes a picture held in memory, of a format of textures (image/image_file.h), recognised by its first bytes.
/// 16-bit channels are rounded to 8, grey and palette become RGB, missing alpha is opaque; gamma and colour profiles
/// are ignored, as glTF asks. `name` names the picture in messages. Throws Error (BadInput) for another format, damage
/// or more pixels a side than kMaxTextureSide.
Texture decodeTexture(std::span<const std::byte> bytes, const std::string& name);

/// decodeTexture of a file that is open, here and now: in no worker.
Texture decodeTexture(const InputFile& file);

/// decodeTexture of a file that resolveAsset gave, by a worker as sandbox/settings.h has it.
Texture loadTexture(const std::filesystem::path& file);

} // namespace aureole
