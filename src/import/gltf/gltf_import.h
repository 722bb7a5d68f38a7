#pragma once

#include "import/asset_reader.h"
#include "import/import.h"

namespace aureole::gltf {

/// Reads .gltf and .glb. assimp is not used: it drops emissive strengths and computes camera angles wrongly.
ImportedModel importGltf(const AssetReader& reader, bool normalGreenDown, const std::optional<ClipMoment>& moment);

} // namespace aureole::gltf
