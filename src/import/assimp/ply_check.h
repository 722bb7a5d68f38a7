#pragma once

#include "import/asset_reader.h"

namespace aureole {

/// Makes sure that a PLY file is large enough for the elements that its header announces, and for the lists in its
/// data: assimp makes room for all of them before it looks for what they hold. Throws Error (BadInput) naming the file,
/// the place, and what was found and expected; also for a malformed header (readPlyHeader). Files that do not open with
/// "ply" pass.
void checkPly(const AssetReader& reader);

} // namespace aureole
