#pragma once

#include "import/asset_reader.h"
#include "import/import.h"

namespace aureole {

/// Reads OBJ, PLY, STL, FBX, DAE, 3DS and a few more through assimp, without its post-processing, which would take
/// several hundred bytes a triangle. OBJ materials come from the MTL files themselves.
ImportedModel importWithAssimp(const AssetReader& reader, bool normalGreenDown);

} // namespace aureole
