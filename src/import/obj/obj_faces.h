#pragma once

#include <cstddef>
#include <string>

#include "import/asset_reader.h"

namespace aureole::obj {

/// How long the byte order mark is that a file starts with, 0 where it has none: to assimp it would be part of the
/// first statement, which it then skips.
std::size_t byteOrderMark(const AssetReader& reader);

/// What assimp 5.2 would misread in a file.
struct Misread {
    bool uvs = false;           ///< of faces, in a file without any: one with normals would get them for others
    std::size_t barePoints = 0; ///< numbers as ".5", which it does not count among those of a vertex

    bool any() const { return uvs || barePoints > 0; }
};

/// Makes sure that an OBJ file, whose text begins at byte `start`, has vertices and that its faces name
/// some of them: assimp would refuse others without saying where. Throws Error (BadInput) naming the file, the line,
/// the index found and those expected. Texture coordinates and normals that are not there only get a warning, since
/// faces can do without.
Misread checkFaces(const AssetReader& reader, std::size_t start);

/// The text of such a file as assimp understands it: its faces without the indices of texture coordinates that are not
/// there, and its numbers with a digit before the point.
std::string textForAssimp(const AssetReader& reader, std::size_t start, const Misread& misread);

} // namespace aureole::obj
