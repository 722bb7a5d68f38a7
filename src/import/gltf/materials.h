#pragma once

#include <vector>

#include "import/gltf/document.h"
#include "model/material.h"
#include "model/texture_library.h"

namespace aureole::gltf {

/// Reads the materials of a glTF document and adds the textures that they use to the library.
std::vector<Material> readMaterials(const Document& document, TextureLibrary& library, bool normalGreenDown);

/// The material of primitives that name none.
Material defaultMaterial();

} // namespace aureole::gltf
