#pragma once

#include <random>
#include <vector>

#include "test_scene.h"

namespace aureole::test {

class Random {
public:
    explicit Random(unsigned seed)
        : engine_(seed) {}
    int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine_); }
    glm::ivec3 point(const glm::ivec3& low, const glm::ivec3& high) {
        return {integer(low.x, high.x), integer(low.y, high.y), integer(low.z, high.z)};
    }

private:
    std::mt19937 engine_;
};

std::vector<LatticeTriangle> boxSurface(const glm::ivec3& low, const glm::ivec3& high);

/// An octahedron with all corners on voxel corners: its faces run through lattice points and diagonals.
std::vector<LatticeTriangle> octahedron(const glm::ivec3& centre, int radius);

/// A radius between 15 and 25 for closedSurface.
double bumps(const glm::dvec3& d);

enum class Steps {
    Faces, ///< to the six neighbours that share a face
    Any,   ///< to all 26
};

/// Whether steps through empty voxels lead from outside the grid to a voxel.
bool leaks(Steps steps, const Octree& octree, const glm::ivec3& target);

} // namespace aureole::test
