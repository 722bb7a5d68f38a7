#pragma once

// The points that say how far an octree reaches, however it is turned.

#include <vector>

#include "core/math.h"
#include "voxel/tree/octree.h"

namespace aureole {

/// Points in the octree's own space, some hundred at most: all that is in its voxels lies in their convex hull, and
/// they in the bounds of the part in use. They are corners of coarse cells; none for an empty octree.
std::vector<glm::dvec3> hullPoints(const Octree& octree);

} // namespace aureole
