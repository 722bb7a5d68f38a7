#pragma once

#include <assimp/scene.h>

#include "import/asset_reader.h"
#include "import/pictures/picture_finder.h"
#include "model/material.h"
#include "model/texture_library.h"

namespace aureole {

/// What assimp says of a material of FBX, DAE, 3DS and the like. `pictures` finds its textures, `scene` holds the
/// embedded ones; it must outlive the library's decoding.
Material convertMaterial(const aiScene& scene, const aiMaterial& source, const AssetReader& reader,
                         bool normalGreenDown, PictureFinder& pictures, TextureLibrary& library);

} // namespace aureole
