#pragma once

#include "import/asset_reader.h"
#include "import/import.h"

namespace aureole::off {

/// Reads a polygon mesh in the text form of Geomview's OFF (its manual, "OFF Files"): [ST][C][N]OFF, with normals,
/// texture coordinates and colours of vertices; those of faces are left out. Throws Error (BadInput) with the line for
/// other forms (4OFF, nOFF, BINARY), for counts that the file cannot hold, and for a vertex that is not there.
ImportedModel importOff(const AssetReader& reader);

} // namespace aureole::off
