#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "import/vdb/volume_grid.h"

namespace aureole::vdb {

/// Reads the grids that chooseGrids chooses from a file of OpenVDB, versions 222 to 224 of its
/// format. Throws Error (BadInput) that names the file and the byte.
FileGrids readVdb(std::span<const std::byte> bytes, const std::string& name, const GridChoice& wanted);

} // namespace aureole::vdb
