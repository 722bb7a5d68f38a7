#pragma once

#include "import/import.h"

namespace aureole {

/// The box around everything solid in a model and all its frames, in its coordinates.
Bounds modelBounds(const ImportedModel& model);

/// The area of a mesh's triangles where a matrix places them.
double areaOf(const Mesh& mesh, const glm::dmat4& worldFromMesh);

/// The corners of a box.
std::vector<glm::dvec3> cornersOf(const Bounds& box);

/// What stands for a model's surfaces where they are left out: its bounds, the side of its voxels and its area.
ModelOutline outlineOf(const ImportedModel& model);

} // namespace aureole
