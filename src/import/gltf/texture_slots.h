#pragma once

#include "import/gltf/document.h"
#include "model/texture_library.h"

namespace aureole::gltf {

/// Reads a textureInfo object: which texture, its sampler, its coordinates and KHR_texture_transform. The slot's uvSet
/// is the number of a set of the file, TEXCOORD_n, up to 255.
TextureSlot readTextureSlot(const Document& document, const JsonValue& info, bool srgb, TextureLibrary& library);

} // namespace aureole::gltf
