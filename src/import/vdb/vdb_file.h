#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "import/vdb/volume_grid.h"

namespace aureole::vdb {

/// Reads the grid of that name, or the one that chooseGrid chooses, from a file of OpenVDB, versions 222 to 224 of its
/// format. Throws Error (BadInput) that names the file and the byte.
FileGrid readVdb(std::span<const std::byte> bytes, const std::string& name, const std::string& wanted);

} // namespace aureole::vdb
