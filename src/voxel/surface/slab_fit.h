#pragma once

// Slabs around surfaces (shared/octree/slab.h): built so that they hold every point of the surface, however it is
// rounded.

#include <cstdint>
#include <span>

#include "core/math.h"
#include "shared/octree/slab.h"

namespace aureole {

/// A cube of the grid, in voxels from any origin.
struct CellBox {
    glm::dvec3 low{0.0};
    double side = 1.0;
};

/// A cell in which no plane fits: all of it counts as surface.
inline constexpr shared::SurfaceSlab kWholeCell = {0, SLAB_WHOLE, 0};

/// The thinnest slab across `normal`, of any length above 0, rounded, that holds the part in `cell` of the convex hull
/// of all `corners`, and a margin of 2^-17 of the cell's side for what rays are rounded by. kWholeCell where that is
/// all of the cell.
shared::SurfaceSlab fitSlab(const glm::vec3& normal, std::span<const glm::dvec3> corners, const CellBox& cell);

/// Which of the 64 parts of a cell, by cellBit, the slab's middle plane passes through by more than `depth` voxels
/// (shared/voxelize/slab_fit.h), as the next.
std::uint64_t partsAcross(const shared::SurfaceSlab& slab, double side, double depth);

/// Of the 64 parts of `box`, a cube within the slab's cell of that side, in voxels from its corner, those of `among`
/// that the surface in the slab may be in.
std::uint64_t partsMet(const shared::SurfaceSlab& slab, double side, const CellBox& box, std::uint64_t among);

} // namespace aureole
