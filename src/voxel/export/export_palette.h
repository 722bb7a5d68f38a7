#pragma once

#include "voxel/export/palette.h"
#include "voxel/tree/octree.h"

namespace aureole {

/// The palette of all voxels of an octree, with their paletteModel or without. Throws Error (Interrupted).
Palette gatherPalette(const Octree& octree, bool withModels);

/// What the palette needs to know of a material of the octree.
PaletteModel paletteModel(const Octree& octree, std::uint32_t material);

} // namespace aureole
