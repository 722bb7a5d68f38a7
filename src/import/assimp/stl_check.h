#pragma once

#include "import/asset_reader.h"

namespace aureole {

/// Makes sure that a binary STL file is as long as its number of triangles asks for: of others assimp says no more than
/// that it does not know what they are. Throws Error (BadInput) naming the file, and what was found and expected. Files
/// that open with "solid", as text does, and those that are no STL files pass.
void checkStl(const AssetReader& reader);

} // namespace aureole
