#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "import/vdb/volume_grid.h"

namespace aureole::vdb {

/// Reads the grids that chooseGrids chooses from a file of NanoVDB, version 32 of its format.
/// Throws Error (BadInput) that names the file and the byte.
FileGrids readNvdb(std::span<const std::byte> bytes, const std::string& name, const GridChoice& wanted);

} // namespace aureole::vdb
