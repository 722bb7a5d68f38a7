#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "scene/scene.h"
#include "settings/changes.h"

namespace aureole {

/// "/json/pointer" and the JSON text of its new value. Text that is no JSON counts as a string; null removes a key.
using SceneOverride = std::pair<std::string, std::string>;

/// Whether an override says what stands at a pointer, by itself or in what holds that.
bool givesValueOf(const SceneOverride& asked, const std::string& pointer);

class OutlineCache;

/// One thing that is wrong with a scene file.
struct SceneProblem {
    std::string pointer;  ///< JSON pointer of the place; "" is the whole file
    std::size_t line = 0; ///< from 1; 0 where the place is in no file (an override, a model's default scene)
    std::string message;  ///< what was found and what was expected
};

/// Loads a scene file (.json), or a model file (.glb, .obj, .vox...) with a camera framed on it, a sky and a floor.
/// Overrides go to the JSON before it is read; for a model file, to the JSON that stands for those defaults.
/// An override may add what the format knows (/integrator/seed), but reaches into named entries that exist only.
/// `changes` are those of options: see there for which of them are in the scene's hash.
/// With `outlines`, the scene is outlined where that cache knows the outline of one of its models: its voxels must come
/// from elsewhere (by its surfaceHash), or it must be loaded again without.
/// Throws Error (BadInput) with a line for each problem: file, line, JSON pointer, what was found and what was
/// expected; (Usage) where changes of the finish lack another.
Scene loadScene(const std::filesystem::path& file, const std::vector<SceneOverride>& overrides,
                const OutlineCache* outlines = nullptr, const SettingsChanges& changes = {});

/// "scene.json:12: /film/size: found ..., expected ...".
std::string describeProblem(const std::filesystem::path& file, const SceneProblem& problem);

} // namespace aureole
