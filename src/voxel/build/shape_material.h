#pragma once

// The one material of a scene whose voxels keep their shape alone.

#include <vector>

#include "scene/scene_conflicts.h"
#include "shared/octree/octree.h"

namespace aureole {

/// The first reason why a shape alone cannot show the scene, with the name of the mesh or voxel model; none where it
/// can. Such are planes, whose sides attributes tell; more than one material; and glass, emission, textures, patterns
/// and colours of vertices.
std::vector<SceneConflict> findShapeConflicts(const Scene& scene, SurfaceKind surface);

/// The attributes that all voxels have: creases of which nothing is known, so that they are cubes with the normals of
/// their faces. Of a scene without shape conflicts.
shared::VoxelAttributes shapeAttributes(const Scene& scene);

/// The palette that these attributes number.
std::vector<shared::VoxelMaterial> shapePalette(const Scene& scene);

} // namespace aureole
