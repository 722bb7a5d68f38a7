#pragma once

// Level sets as fields: their distances at the corners of voxels, wherever and however large the level set stands.
//
// A corner's distance is interpolated between the level set's points. Where the grid's corners are these points, as in
// the scene that is made for a level set alone, they are what the file has. Where voxels are so wide that their corners
// lie beyond the band of distances that the level set knows, the distance there is that to the nearest place where the
// surface goes through one of its cells.

#include "voxel/build/brick.h"

namespace aureole {

/// Gives a brick of a scene with level sets the distances of these, one for each voxel of its blocks; `ofOpaque` ones
/// know opaque level sets alone. Does nothing in other scenes.
void findLevelSetDistances(const Primitives& primitives, const BrickList& bricks, const Brick& brick,
                           BrickVoxels& voxels);

/// The distances to what is inside of either.
shared::CornerDistances unionOf(const shared::CornerDistances& a, const shared::CornerDistances& b);

} // namespace aureole
