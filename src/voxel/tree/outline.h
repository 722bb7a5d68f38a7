#pragma once

// How large voxels look from a side.

#include <span>

#include "core/math.h"
#include "voxel/tree/octree.h"

namespace aureole {

/// The area that the shapes of voxels (voxel_shape.h) cover, seen along `way`, of unit length, from afar: in squares of
/// a voxel's side, counted on a grid of points, of which a voxel has 16 where all of them are less than 64 voxels wide.
double outlineArea(const Octree& octree, std::span<const EmissiveVoxel> voxels, const glm::vec3& way);

} // namespace aureole
