#pragma once

// Which meshes have to be closed for a surface of voxels, and what becomes of those that are not.

#include <string>
#include <vector>

#include "scene/scene_conflicts.h"
#include "voxel/build/closed_meshes.h"
#include "voxel/build/coverage.h"

namespace aureole {

/// What is closed of the meshes whose inside counts; none where that is of none. Warns of open glass, in words that
/// `fault` becomes; "" where there is none. Throws ConflictError where the surface cannot show the scene.
std::vector<Closure> findClosures(const Primitives& primitives, SurfaceKind surface, Coverage coverage,
                                  std::string& fault);

/// What voxelisation for a render of the scene would find so, warnings and all, without any voxel. Throws what fitGrid
/// throws.
std::vector<SceneConflict> findMeshConflicts(const Scene& scene);

} // namespace aureole
