#pragma once

#include <optional>

#include <assimp/scene.h>

#include "core/math.h"
#include "model/camera.h"
#include "model/light.h"

namespace aureole {

/// A camera of assimp's, whose node stands at `world` in the scene.
Camera convertCamera(const aiCamera& source, const glm::dmat4& world);

/// A camera of a 3DS file, whose root has the transform `world`; none, with a warning, where assimp lost the target
/// that it looks at. Where its node has keys assimp moves it twice, it takes the lens for an angle, and up for +Y of
/// the file.
std::optional<Camera> convert3dsCamera(aiCamera source, const glm::dmat4& world);

/// Whether a light is one of those PunctualLight knows; ambient and area lights are not.
bool isPunctual(const aiLight& source);

/// A punctual light, whose node stands at `world`. Its colour counts as W/sr or W/m^2.
PunctualLight convertLight(const aiLight& source, const glm::dmat4& world);

} // namespace aureole
