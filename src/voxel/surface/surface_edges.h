#pragma once

#include <cstdint>
#include <span>

#include "voxel/surface/surface_average.h"

namespace aureole {

/// Finds the edges among the creases of a block: the voxels of `among` in which two sheets are, and no more, each of
/// which lies on one side of the other and one of which ends in the other's plane, so that a path knows which side of
/// both it is on. `surfaces` are those of the block's voxels of `mask`, in order of bits, as averageSamples made them
/// of samples that have all of `samples` in those of `among`; they get both sheets' normals (AverageSurface::edge).
/// `corners` are all of the triangles in these voxels; voxels that hold anything else are not to be in `among`.
void findEdges(std::span<const SurfaceSample> samples, std::span<const SurfaceCorner> corners, std::uint64_t mask,
               std::uint64_t among, std::span<AverageSurface> surfaces);

/// The voxels of a block that are creases. Arguments as above.
std::uint64_t creases(std::uint64_t mask, std::span<const AverageSurface> surfaces);

} // namespace aureole
