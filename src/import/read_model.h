#pragma once

#include "import/asset_reader.h"
#include "import/import.h"

namespace aureole {

/// Reads a model that is no octree, here and now: importModel without the names of files and their hash. Throws as that
/// does, and whatever libraries throw or do where a file is made to harm them.
ImportedModel readModel(const AssetReader& reader, bool normalGreenDown);

} // namespace aureole
