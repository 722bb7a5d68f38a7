#pragma once

// How far the corners of voxels are from the surface: Euclidean distances to the nearest triangle, as snapped.
//
// A distance depends on the corner and the triangles alone: it is the least over all triangles within FIELD_REACH, and
// every step of its computation starts from differences that are exact. So all voxels that share a corner have the same
// bits there, whichever brick they are in and whatever order triangles come in.

#include <vector>

#include "shared/octree/field.h"
#include "voxel/build/brick.h"

namespace aureole {

/// Gives the voxels of a brick's blocks the distances at their corners, all of them above 0. No corner of them is
/// farther than sqrt(3) voxels from a triangle. Those that are `ofOpaque` know opaque triangles alone: their surface is
/// that of these (BlockSampler).
void findDistances(const Primitives& primitives, const BrickList& bricks, const Brick& brick, BrickVoxels& voxels);

/// The triangles that come within FIELD_REACH of a brick's corners, each once, in ascending order: such a triangle
/// touches the brick or one of its neighbours.
std::vector<std::uint32_t> trianglesNear(const Primitives& primitives, const BrickList& bricks, const Brick& brick);

/// Puts the codes of the eight corners together.
shared::CornerDistances packCorners(const std::array<std::uint32_t, 8>& codes);

} // namespace aureole
