#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "scene/json/scene_draft.h"

namespace aureole {

/// Imports the grid of that name, or where it is empty the first one, from a file.
using ImportGrid = std::function<ImportedModel(const std::filesystem::path& file, const std::string& grid)>;

/// "volume" of an asset; nothing, with problems noted, where it is wrong.
std::optional<PlacedAsset> readVolume(const std::string& name, const ValueReader& value, const ImportGrid& import,
                                      SceneDraft& draft);

} // namespace aureole
