#pragma once

#include "import/gltf/document.h"
#include "model/texture_library.h"

namespace aureole::gltf {

/// Reads a textureInfo object: which texture, its sampler, its coordinates and KHR_texture_transform. The slot's uvSet
/// is the number of a set of the file, TEXCOORD_n, up to 255.
TextureSlot readTextureSlot(const Document& document, const JsonValue& info, bool srgb, TextureLibrary& library);

/// Reads a textureInfo object of a texture whose red is a share: its rest, in the channel that a slot has metalness in.
TextureSlot readMaskSlot(const Document& document, const JsonValue& info, TextureLibrary& library);

} // namespace aureole::gltf
