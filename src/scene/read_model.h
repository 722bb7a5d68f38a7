#pragma once

#include "scene/asset_reader.h"
#include "scene/import.h"

namespace aureole {

/// Reads a model that is no octree, here and now: importModel without the names of files and their hash. Throws as that
/// does, and whatever libraries throw or do where a file is made to harm them.
ImportedModel readModel(const AssetReader& reader, bool normalGreenDown);

} // namespace aureole
