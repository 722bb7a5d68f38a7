#pragma once

// Octrees for tests, made voxel by voxel, and rays at them.

#include <random>
#include <string>
#include <vector>

#include "shared/octree/attributes.h"
#include "stream/ray_caster.h"
#include "voxel/tree/octree.h"

namespace aureole {

/// An octree with exactly these voxels (in any order, repeats allowed), grey, normals up, on a grid of 4^levels a side
/// with its origin at 0 and voxels of length 1.
Octree octreeOf(std::uint32_t levels, const std::vector<glm::uvec3>& voxels);

/// Replaces the attributes of one voxel, which is solid.
void setSurface(Octree& octree, const glm::uvec3& voxel, const shared::VoxelSurface& surface);

/// An octree with the list of its voxels.
struct OctreeSample {
    std::string name;
    Octree octree;
    std::vector<glm::uvec3> voxels;
};

/// One octree of each kind: random (several densities), empty, full, single voxel, diagonal line.
std::vector<OctreeSample> sampleOctrees();

/// Planes fitted to a tilted square, whose cells merge, and to a small triangle above it.
Octree mergedPlanes(std::uint32_t resolution);

/// Rays of every kind: from inside and outside, from far away, along axes, through edges and corners of cells, in
/// cell-aligned planes, at solid voxels. `count` rays, about equally many of each kind.
std::vector<shared::GridRay> sampleRays(const OctreeSample& sample, std::size_t count, unsigned seed);

} // namespace aureole
