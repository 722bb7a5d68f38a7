#pragma once

#include "scene/scene.h"

namespace aureole {

/// The scene with its voxel models turned into meshes, one for each model and material: the exposed faces of their
/// cells, facing outwards. Without voxel models it comes back as it is.
Scene withCubes(Scene scene);

} // namespace aureole
