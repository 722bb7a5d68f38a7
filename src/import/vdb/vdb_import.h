#pragma once

#include <string>

#include "import/asset_reader.h"
#include "import/import.h"
#include "import/vdb/volume_grid.h"

namespace aureole::vdb {

/// Reads a level set, with its colours, or fog from a .vdb or .nvdb file: the grids that chooseGrids chooses. Other
/// kinds of grids are refused.
ImportedModel importVdb(const AssetReader& reader, const GridChoice& wanted);

} // namespace aureole::vdb
