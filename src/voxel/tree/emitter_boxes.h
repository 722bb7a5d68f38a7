#pragma once

// Emissive voxels as lamps: boxes around those that hang together, with the tables to choose and find
// these by.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "voxel/tree/emitter_arrays.h"
#include "voxel/tree/octree.h"

namespace aureole {

/// What shaders can count of them: they take the index of an array element as signed.
inline constexpr std::size_t kMostEmitters = std::numeric_limits<std::int32_t>::max() / 2;

/// Makes lamps of the voxels, as collectEmissiveVoxels gives them for that octree. Those of one material that touch, if
/// only at a corner, are one lamp where most of what goes into its box meets a voxel of it, and these glow about alike:
/// else two, each of them again so. The result is the same for every order of the voxels and number of threads. Arrays
/// take 12 bytes for each row of voxels of one emission, and one where it ends, and 84 for each box.
EmitterArrays makeEmitterBoxes(const Octree& octree, std::vector<EmissiveVoxel> collected);

} // namespace aureole
