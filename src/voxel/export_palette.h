#pragma once

#include "voxel/octree.h"
#include "voxel/palette.h"

namespace aureole {

/// The palette of all voxels of an octree. Throws Error (Interrupted).
Palette gatherPalette(const Octree& octree);

} // namespace aureole
