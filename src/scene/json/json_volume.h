#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scene/json/scene_draft.h"

namespace aureole {

/// Imports the grid of that name, or where it is empty the first one, from a file.
using ImportGrid = std::function<ImportedModel(const std::filesystem::path& file, const std::string& grid)>;

/// The grids that "volume" of an asset has imported, one after the other.
std::vector<std::string> gridsOfVolume(ObjectReader& in);

/// "volume" of an asset; nothing, with problems noted, where it is wrong.
std::optional<PlacedAsset> readVolume(const std::string& name, const ValueReader& value, const ImportGrid& import,
                                      SceneDraft& draft);

/// Notes a problem with an instance that places a volume so that it has no width, or is so dense that rays, which stop
/// at every collision that may be one, hardly come to an end.
void checkPlacedVolume(const Volume& volume, const glm::dmat4& transform, const ObjectReader& in);

} // namespace aureole
