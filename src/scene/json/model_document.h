#pragma once

#include <filesystem>
#include <vector>

#include "scene/json/scene_draft.h"
#include "scene/json/scene_reader.h"

namespace aureole {

/// Reads a model file, which the draft then has, and makes the document that stands for it (modelScene). What overrides
/// and changes ask for is not in it yet, but decides what is read of the file, and how it is shown. Throws Error
/// (BadInput) where the file is none of a model, (Usage) where its view shows nothing of it, and what importModel
/// throws.
void openModel(const std::filesystem::path& file, const std::vector<SceneOverride>& overrides,
               const SettingsChanges& changes, SceneReading& reading, SceneDraft& draft);

} // namespace aureole
