#pragma once

#include "import/asset_reader.h"
#include "import/import.h"

namespace aureole {

/// Reads a model that is no octree, here and now: importModel without the names of files and their hash. Of the options
/// those count that say how a file is read. Throws as importModel does, and whatever libraries throw or do where a file
/// is made to harm them.
ImportedModel readModel(const AssetReader& reader, const ImportOptions& options);

} // namespace aureole
