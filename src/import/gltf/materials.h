#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "import/gltf/document.h"
#include "model/material.h"
#include "model/texture_library.h"

namespace aureole::gltf {

/// Which of a file's sets of texture coordinates, TEXCOORD_n, a mesh has as its own two.
using UvSets = std::array<std::uint32_t, 2>;
inline constexpr UvSets kUsualUvSets = {0, 1};

struct MaterialList {
    std::vector<Material> materials;
    std::vector<UvSets> uvSets; ///< of each material: those that its textures use
};

/// Reads the materials of a glTF document and adds the textures that they use to the library.
MaterialList readMaterials(const Document& document, TextureLibrary& library, bool normalGreenDown);

/// The material of primitives that name none.
Material defaultMaterial();

} // namespace aureole::gltf
