#pragma once

#include <cstddef>
#include <string>

#include "import/asset_reader.h"

namespace aureole::obj {

/// How long the byte order mark is that a file starts with, 0 where it has none: to assimp it would be part of the
/// first statement, which it then skips.
std::size_t byteOrderMark(const AssetReader& reader);

/// Makes sure that an OBJ file, whose text begins at byte `start`, has vertices and that its faces name
/// some of them: assimp would refuse others without saying where. Throws Error (BadInput) naming the file, the line,
/// the index found and those expected. Texture coordinates and normals that are not there only get a warning, since
/// faces can do without. Returns whether faces name texture coordinates although the file has none at all.
bool checkFaces(const AssetReader& reader, std::size_t start);

/// The text of such a file without the indices of texture coordinates in its faces: in a file with normals assimp 5.2
/// would take them for others.
std::string textWithoutUvs(const AssetReader& reader, std::size_t start);

} // namespace aureole::obj
