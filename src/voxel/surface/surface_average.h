#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "shared/voxelize/average.h"
#include "voxel/surface/block_sampler.h"

namespace aureole {

/// A voxel's surface before packing (shared/voxelize/average.h).
struct AverageSurface : shared::SurfaceAverage {
    AverageSurface()
        : shared::SurfaceAverage(shared::noAverage()) {}

    bool ofCells = false; ///< cells of a voxel model are in it, of which no area is known
};

/// What it is made of and emits.
inline shared::VoxelMaterial materialOf(const AverageSurface& average) {
    return {average.emission + 0.0F, average.material}; // -0 and 0 are equal and must hash alike
}

/// The material with the mean emission of all surface in the voxel.
shared::VoxelMaterial meanMaterialOf(const AverageSurface& average);

/// How much surface of a voxel emits, where one does.
struct EmittingArea {
    float area = 0.0F;  ///< in squares of the voxel's side; below 0: not known
    float share = 1.0F; ///< of all surface in the voxel
};

EmittingArea emittingAreaOf(const AverageSurface& average);

/// The averages of a block's samples for each voxel that has one, in order of bits, weighted by area; returns the mask
/// of these voxels. Normals of opposing sheets do not cancel: those more than 120 degrees from that of the heaviest
/// sample are turned about, and the result faces the side of the larger area. Every sample, however small, counts for
/// the crease flag, `spread` and the like; a crease is where geometric normals differ widely, also where opposing ones
/// bound a gap or an acute angle and are not the two sides of a thin wall. An emission that all samples of a voxel that
/// emit share exactly, and no texture made, stays exact; others are quantised (quantiseEmission). The material is the
/// one with the largest share of the area, of equal shares the one with the lower number.
std::uint64_t averageSamples(std::span<const SurfaceSample> samples, std::vector<AverageSurface>& surfaces);

} // namespace aureole
