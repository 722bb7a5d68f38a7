#pragma once

#include <string>

#include "import/asset_reader.h"
#include "import/import.h"

namespace aureole::vdb {

/// Reads a level set or fog from a .vdb or .nvdb file: the grid of that name, or where it is empty the first of these.
/// Other kinds of grids are refused.
ImportedModel importVdb(const AssetReader& reader, const std::string& grid);

} // namespace aureole::vdb
