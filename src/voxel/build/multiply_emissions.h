#pragma once

#include <span>

#include "voxel/tree/octree.h"

namespace aureole {

/// Multiplies the emission of each of an octree's emissive voxels, all of them in ascending order of attributes, by the
/// factor of the same index: gives the octree new palettes, and those voxels new numbers. What emissions come to is
/// quantised (quantiseEmission).
void multiplyEmissions(Octree& octree, std::span<const EmissiveVoxel> voxels, std::span<const float> factors);

} // namespace aureole
