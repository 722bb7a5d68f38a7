#pragma once

#include "import/assimp/ply_header.h"

namespace aureole {

/// Walks the data of a PLY file and makes sure that each list fits into what is left of the file. Throws Error
/// (BadInput) naming the file, the place, the length found and the largest that fits.
void checkPlyLists(const PlyHeader& header, const AssetReader& reader);

} // namespace aureole
