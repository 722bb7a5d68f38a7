#pragma once

#include <string>

#include "import/asset_reader.h"

namespace aureole::obj {

/// Makes sure that the faces of an OBJ file name vertices that it has: assimp would refuse them without saying where.
/// Throws Error (BadInput) naming the file, the line, the index found and those expected. Texture coordinates and
/// normals that are not there only get a warning, since faces can do without. Returns whether faces name texture
/// coordinates although the file has none at all.
bool checkFaces(const AssetReader& reader);

/// The text of such a file without the indices of texture coordinates in its faces: in a file with normals assimp 5.2
/// would take them for others.
std::string textWithoutUvs(const AssetReader& reader);

} // namespace aureole::obj
