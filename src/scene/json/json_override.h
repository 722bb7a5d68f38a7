#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scene/json/json_document.h"

namespace aureole {

/// Applies overrides in their order and notes those that cannot be: a pointer that is none, an entry of a named
/// collection that does not exist, an array element out of range, a path through a number or string.
/// Objects on the way that are missing are made; whether the format knows the keys is for the readers to find.
/// Returns the pointers of what was set or made.
std::vector<std::string> applyOverrides(Json& document, const std::vector<SceneOverride>& overrides,
                                        std::vector<SceneProblem>& problems);

/// What the text of an override says: JSON, or itself where it is none.
Json valueOfOverride(const std::string& text);

/// What changes of options put into a document: the new values of what changes samples, by their pointers.
std::vector<std::pair<std::string, Json>> documentChanges(const SettingsChanges& changes);

/// Puts values to their pointers, as applyOverrides does.
std::vector<std::string> applyValues(Json& document, const std::vector<std::pair<std::string, Json>>& values,
                                     std::vector<SceneProblem>& problems);

/// Whether a problem at `pointer` stems from one of the places that applyOverrides returned.
bool isOverridden(std::string_view pointer, const std::vector<std::string>& overridden);

} // namespace aureole
