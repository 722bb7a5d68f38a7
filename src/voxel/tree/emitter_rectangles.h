#pragma once

// The exposed faces of emissive voxels as lamps: merged to rectangles, with the tables to choose and find these by.

#include <array>
#include <cstdint>
#include <vector>

#include "shared/light/emitter_rectangles.h"
#include "voxel/tree/octree.h"

namespace aureole {

/// The arrays that EmitterTables points to.
struct EmitterArrays {
    std::vector<shared::EmitterRectangle> rectangles;
    std::vector<shared::AliasSlot> choice;
    std::vector<std::uint32_t> planes;
    std::vector<glm::uvec2> rows;
    std::array<shared::EmitterSide, 6> sides{};
    double power = 0.0; ///< sum of the faces' luminances
};

/// Merges the faces, as collectEmissiveFaces gives them for that octree, row by row: what follows in a row and is of
/// one palette entry is one piece, and pieces of neighbouring rows that begin and end alike are one rectangle. The
/// result is the same for every order of the faces and number of threads. Takes the time of sorting the faces; 8 bytes
/// for each row of a rectangle and 28 for each rectangle, so at most 36 for a face, and 24 for each plane of the grid.
EmitterArrays makeEmitterRectangles(const Octree& octree, const std::vector<EmissiveFace>& faces);

} // namespace aureole
