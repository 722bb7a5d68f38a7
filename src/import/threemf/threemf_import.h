#pragma once

#include "import/asset_reader.h"
#include "import/import.h"

namespace aureole::threemf {

/// Reads a 3MF package: what it builds, in metres, Y up, with colours of triangles and of their corners, base
/// materials and pictures. Throws Error (BadInput) that names the file, the part and the line.
ImportedModel importThreemf(const AssetReader& reader);

} // namespace aureole::threemf
