#pragma once

#include "import/asset_reader.h"
#include "import/import.h"

namespace aureole::vox {

/// Reads MagicaVoxel's .vox. Its Z axis becomes Y, its -Y axis becomes Z. Hidden nodes and layers are left out; all
/// frames of an animation are read, which steps from key to key. Cameras and light are those that were saved
/// (vox_look.h).
ImportedModel importVox(const AssetReader& reader);

} // namespace aureole::vox
