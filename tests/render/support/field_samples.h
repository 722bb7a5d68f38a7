#pragma once

// Fields for tests, made from functions of space.

#include <functional>

#include "octree_samples.h"

namespace aureole {

/// A field on a grid of 4^levels voxels a side, of length 1: the voxels within reach of where `distance` is 0, grey,
/// and its values, positive outside, at their corners. The distance is in voxels. Voxels are sought in a cube of `side`
/// about the grid's middle.
Octree fieldOf(std::uint32_t levels, const std::function<double(const glm::dvec3&)>& distance, std::uint32_t side = 64);

/// Random voxels of a sample with random bits for distances: no surface that could be.
Octree randomField(const OctreeSample& sample, unsigned seed);

/// The distance at a point of a voxel (0 to 1 on each axis), in voxels, by a formula of its own.
double trilinear(const shared::CornerDistances& corners, const glm::dvec3& point);

} // namespace aureole
