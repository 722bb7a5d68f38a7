#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "scene/scene.h"

namespace aureole {

/// "/json/pointer" and the JSON text of its new value (text that is no JSON counts as a string).
using SceneOverride = std::pair<std::string, std::string>;

/// Loads a scene file (.json), or a model file (.glb, .obj, .vox...) with a camera framed on it, a sky and a floor.
/// Overrides go to the JSON before it is read; for a model file, to the JSON that stands for those defaults.
/// Throws Error (BadInput) naming file, JSON pointer, line, what was found and what was expected.
Scene loadScene(const std::filesystem::path& file, const std::vector<SceneOverride>& overrides);

} // namespace aureole
