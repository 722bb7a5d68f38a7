#pragma once

#include "import/asset_reader.h"
#include "import/import.h"

namespace aureole::binvox {

/// Reads the voxels of a .binvox file (Patrick Min's format, version 1) as cells of one material, where they stand by
/// its 'translate' and 'scale'. Throws Error (BadInput) with the line or byte for a head that is none, more cells than
/// a side of 4096 or 2^31 in all, and runs that give other than all cells.
ImportedModel importBinvox(const AssetReader& reader);

} // namespace aureole::binvox
