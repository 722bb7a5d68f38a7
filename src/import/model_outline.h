#pragma once

#include <cstddef>
#include <vector>

#include "import/import.h"

namespace aureole {

/// The box around everything solid in a model and all its frames, in its coordinates.
Bounds modelBounds(const ImportedModel& model);

/// The area of a mesh's triangles where a matrix places them.
double areaOf(const Mesh& mesh, const glm::dmat4& worldFromMesh);

/// Whether a mesh has a triangle with an area where a matrix places it.
bool anyTriangleHasArea(const Mesh& mesh, const glm::dmat4& worldFromMesh);

/// How many of a voxel model's cells are solid, or crossed by the surface of a level set.
std::size_t solidCells(const VoxelModel& model);

/// The box around a voxel model's solid cells, in its own coordinates; none of a level set.
Bounds solidBounds(const VoxelModel& voxels);

/// The corners of a box.
std::vector<glm::dvec3> cornersOf(const Bounds& box);

/// What stands for a model's surfaces where they are left out: its bounds, the side of its voxels and its area.
ModelOutline outlineOf(const ImportedModel& model);

} // namespace aureole
