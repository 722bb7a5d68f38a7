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
shared::SurfaceSlab fitSlab(const glm::dvec3& normal, std::span<const glm::dvec3> corners, const CellBox& cell);

/// Half of a slab's thickness in voxels; without limit for kWholeCell.
double halfThickness(const shared::SurfaceSlab& slab, double side);

/// Which of the 64 parts of a cell, by cellBit, the slab's middle plane passes through by more than `depth` voxels: by
/// as much as the plane would have to be moved to pass them by, in the norm in which cubes are balls.
std::uint64_t partsAcross(const shared::SurfaceSlab& slab, double side, double depth);

/// Of the 64 parts of `box`, a cube within the slab's cell of that side, in voxels from its corner, those of `among`
/// that the surface in the slab may be in: that the slab passes through without what it is thicker by than it need be.
/// A surface between two parts is in the one of larger coordinates, as in coverage.h. Where rounding leaves none, the
/// nearest.
std::uint64_t partsMet(const shared::SurfaceSlab& slab, double side, const CellBox& box, std::uint64_t among);

} // namespace aureole
