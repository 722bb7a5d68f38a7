#pragma once

#include <optional>
#include <string>

#include "model/heightmap.h"
#include "scene/json/scene_draft.h"

namespace aureole {

struct HeightmapAsset {
    Mesh mesh; ///< counted by takeMemory
    std::string hash;
};

/// "heightmap" of an asset; nothing, with problems noted, where it is wrong.
std::optional<HeightmapAsset> readHeightmap(const ValueReader& value, SceneDraft& draft);

} // namespace aureole
