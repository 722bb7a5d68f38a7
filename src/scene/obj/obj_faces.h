#pragma once

#include "scene/asset_reader.h"

namespace aureole::obj {

/// Makes sure that the faces of an OBJ file name vertices that it has: assimp would refuse them without saying where.
/// Throws Error (BadInput) naming the file, the line, the index found and those expected. Texture coordinates and
/// normals that are not there only get a warning, since faces can do without.
void checkFaces(const AssetReader& reader);

} // namespace aureole::obj
