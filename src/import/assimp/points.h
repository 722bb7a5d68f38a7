#pragma once

#include "import/import.h"

namespace aureole {

/// How far apart the points of a cloud are: the side of cells of which those that hold points hold six on average, so
/// that few between them are empty. 0 where all points are at one place. The positions are finite.
double spacingOf(const std::vector<glm::vec3>& points);

/// Makes a cloud of a mesh that has vertices alone: each becomes a triangle about it that is far smaller than any voxel
/// and faces along its normal, so that a voxel shows the average of the points within it. Voxels can show that; the
/// reference backend, which traces the triangles themselves, cannot.
PointCloud makePoints(Mesh& mesh);

} // namespace aureole
