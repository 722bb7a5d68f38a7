#pragma once

// Emissive voxels as lamps: boxes around those that hang together, with the tables to choose and find
// these by.

#include <cstdint>
#include <vector>

#include "shared/light/emitter_boxes.h"
#include "voxel/tree/octree.h"

namespace aureole {

/// The arrays that EmitterTables points to.
struct EmitterArrays {
    std::vector<shared::EmitterBox> boxes;
    std::vector<glm::vec3> facings; ///< of each box: the one way that all its faces look which rays come to, or 0
    std::vector<std::uint32_t> slices;
    std::vector<shared::EmitterRow> rows;
    double power = 0.0; ///< sum of the boxes': luminance times the part of their sides that voxels cover, in voxels;
                        ///< of what looks one way that side alone
};

/// Makes lamps of the voxels, as collectEmissiveVoxels gives them for that octree. Those of one material that touch, if
/// only at a corner, are one lamp where most of what goes into its box meets a voxel of it, and these glow about alike:
/// else two, each of them again so. The result is the same for every order of the voxels and number of threads. Arrays
/// take 12 bytes for each row of voxels of one emission, and one where it ends, and 84 for each box.
EmitterArrays makeEmitterBoxes(const Octree& octree, std::vector<EmissiveVoxel> collected);

} // namespace aureole
