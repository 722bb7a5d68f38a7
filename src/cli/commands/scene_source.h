#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scene/load.h"

namespace aureole::cli {

/// A scene whose bloom or finish an image gets, in place of what options say.
struct SceneSource {
    std::string file; ///< empty: none, as the options say it
    std::vector<SceneOverride> overrides;
};

/// The scene; none where there is none. `instead` are the options given that say it themselves. Throws Error (Usage)
/// where there are such beside a scene, or overrides without one, and what loadScene throws.
std::optional<Scene> loadSource(const SceneSource& source, const std::vector<std::string>& instead);

} // namespace aureole::cli
