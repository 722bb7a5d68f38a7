#pragma once

#include <span>
#include <vector>

#include "voxel/surface/surface_average.h"
#include "voxel/tree/octree.h"

namespace aureole {

/// Gives lamps of voxels the light of their triangles. Conservative voxels show more surface than is in them: at a
/// lamp's border, and of cubes wherever it bends. So the radiance of a lamp, which is what emits and touches, is
/// multiplied by the area that emits over the area that its voxels show, by at most 2; of a closed body also by no more
/// than the outlines of its surface over those of its voxels. Where a lamp has other voxels, those go dark of which
/// most surface does not emit, or, unless it is such a body, that only touch it: they would stick out of it. Of a body
/// whose sides lie on those of voxels, they stand before it on three sides.
///
/// `voxels` are all emissive voxels, in the order of attributes, and `areas` are theirs. A lamp with voxels of unknown
/// area stays as it is, and so does one that surrounds the whole scene, since seen from within its radiance alone
/// counts, unless the octree `isAsset`, which instances place: that is seen from outside. So does what is `unlit` (by
/// the number of its material), which is seen for its colour: where it went dark it would be black. The octree gets new
/// palettes and runs, so that the voxels' entries are those of before. Takes some 60 bytes for each emissive voxel
/// meanwhile. Throws Error (Internal) where the areas are not as many.
void matchLamps(Octree& octree, std::span<const EmissiveVoxel> voxels, std::span<const EmittingArea> areas,
                const std::vector<bool>& unlit, bool isAsset);

} // namespace aureole
