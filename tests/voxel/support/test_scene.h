#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "core/error.h"
#include "coverage_oracle.h"
#include "octree_copy.h"
#include "scene/scene.h"
#include "shared/octree/attributes.h"
#include "voxel/tree/octree.h"

namespace aureole::test {

/// A scene of one mesh and instance with a grey material, named "scene.json" and "soup".
Scene sceneOf(const std::vector<std::array<glm::vec3, 3>>& triangles);

/// A scene whose grid is `size` voxels of one metre from the origin, and whose triangles have exactly these vertices.
/// Two triangles that are points pin the bounds; `lattice` gets all triangles as the voxeliser should see them.
Scene latticeScene(const glm::ivec3& size, std::vector<LatticeTriangle>& lattice);

/// A scene whose grid is side^3 voxels of one metre from the origin: tiny triangles in two far corners pin it.
Scene pinnedScene(float side);

/// Appends a rectangle with corners a, a + u, a + u + v, a + v in a material of its own.
void addRectangle(Scene& scene, glm::vec3 a, glm::vec3 u, glm::vec3 v, const Material& material);

/// A closed star-shaped surface about `centre` with a radius that varies with direction, on the lattice.
std::vector<LatticeTriangle> closedSurface(const glm::dvec3& centre, int rings, int sectors,
                                           const std::function<double(const glm::dvec3&)>& radius);

/// All solid voxels of the octree, found by asking for each voxel of the grid and a margin around.
VoxelSet solidVoxels(const Octree& octree);

/// The attributes of a voxel, unpacked. Fails the test where it is empty.
shared::VoxelSurface surfaceAt(const Octree& octree, const glm::ivec3& voxel);

/// The Error that an action throws; fails the test if it throws none.
struct Caught {
    ExitCode code = ExitCode::Done;
    std::string message;
};
Caught errorOf(const std::function<void()>& action);

} // namespace aureole::test
