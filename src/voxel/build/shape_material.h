#pragma once

// The one material of a scene whose voxels keep their shape alone.

#include <vector>

#include "scene/scene.h"
#include "shared/octree/octree.h"

namespace aureole {

/// Throws Error (Usage), with the name of the mesh or voxel model, where a shape alone cannot show the scene: for
/// planes, whose sides attributes tell; for more than one material; and for glass, emission, textures, patterns and
/// colours of vertices.
void checkShapeMaterial(const Scene& scene, SurfaceKind surface);

/// The attributes that all voxels have: creases of which nothing is known, so that they are cubes with the normals of
/// their faces. To be called after checkShapeMaterial.
shared::VoxelAttributes shapeAttributes(const Scene& scene);

/// The palette that these attributes number.
std::vector<shared::VoxelMaterial> shapePalette(const Scene& scene);

} // namespace aureole
