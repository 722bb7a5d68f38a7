#pragma once

// What lies behind loadScene and checkScene, with everything that reading finds out.

#include <filesystem>
#include <string>
#include <vector>

#include "scene/json/json_reader.h"
#include "scene/load.h"

namespace aureole {

struct SceneReading {
    Scene scene;   ///< whole only where there are no problems
    ReadLog log;   ///< problems in the order of the file
    Json document; ///< with the overrides applied; null where the text could not be parsed
};

/// Reads a scene or model file. Everything wrong with the input is in the log; other errors (out of memory) are thrown.
SceneReading readScene(const std::filesystem::path& file, const std::vector<SceneOverride>& overrides,
                       const OutlineCache* outlines = nullptr, const SettingsChanges& changes = {});

/// readScene of a text that stands for the scene file at `file`.
SceneReading readSceneText(const std::filesystem::path& file, const std::string& text);

} // namespace aureole
