#pragma once

#include <cstdint>

#include "scene/scene.h"
#include "scene/view.h"

namespace aureole {

/// The material of the solid of glass that the camera of a view stands in, the inmost where it stands in several; kNone
/// where it stands in none, or only part of the picture is seen from within. Closed meshes are asked by their winding
/// numbers, cells of voxel models by what they are. Of octree files nothing is known here.
std::uint32_t cameraMedium(const Scene& scene, const View& view);

} // namespace aureole
