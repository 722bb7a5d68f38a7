#pragma once

// Scenes at the edges of what the format allows, for both backends.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "scene/scene.h"

namespace aureole {

/// What is changed, and the change to plainScene().
using SceneChange = std::pair<std::string, std::function<void(Scene&)>>;

/// A ball on a floor under an even sky, with a lamp: materials 1, 0 and 2. 10 x 8 pixels.
Scene plainScene();
std::vector<SceneChange> edgeChanges();
/// Those of them that are about places and brightness of lamps.
std::vector<SceneChange> lampChanges();

} // namespace aureole
