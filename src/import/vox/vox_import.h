#pragma once

#include <cstdint>
#include <span>

#include "import/asset_reader.h"
#include "import/import.h"

namespace aureole::vox {

/// Reads MagicaVoxel's .vox. Its Z axis becomes Y, its -Y axis becomes Z. Hidden nodes and layers are left out; all
/// frames of an animation are placed, which steps from key to key; voxels are read of the first and of `frames`.
/// Cameras and light are those that were saved (vox_look.h).
ImportedModel importVox(const AssetReader& reader, std::span<const std::uint32_t> frames = {});

} // namespace aureole::vox
