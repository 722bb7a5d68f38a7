#pragma once

// The cells of octrees of planes, found by a walk of their own, and the surface as points.

#include <functional>
#include <map>
#include <random>
#include <tuple>
#include <vector>

#include "shared/octree/slab.h"
#include "test_scene.h"
#include "voxel/build/build.h"

namespace aureole::test {

struct PlaneCell {
    glm::ivec3 low{0}; ///< in voxels
    int side = 1;
    std::size_t index = 0; ///< of its attributes and slab
};

std::vector<PlaneCell> planeCells(const Octree& octree);

/// The cell that a voxel belongs to, for all voxels of all cells.
class CellMap {
public:
    explicit CellMap(const Octree& octree);
    /// Null where there is none.
    const PlaneCell* at(const glm::dvec3& point) const;
    const std::vector<PlaneCell>& cells() const { return cells_; }

private:
    std::vector<PlaneCell> cells_;
    std::map<std::tuple<int, int, int, int>, std::size_t> bySideAndCorner_;
};

/// The signed distance of a point from a cell's middle plane and half the slab's thickness, both in voxels, and the
/// plane's unit normal, from the packed bits alone; none where no plane fits.
struct PlaneDistance {
    double distance = 0.0;
    double reach = 0.0;
    glm::dvec3 normal{0.0};
};
std::optional<PlaneDistance> planeDistance(const Octree& octree, const PlaneCell& cell, const glm::dvec3& point);

/// Calls visit with random points of triangles, in voxels, about `density` in a square voxel.
void sampleTriangles(const std::vector<LatticeTriangle>& triangles, double density, unsigned seed,
                     const std::function<void(const glm::dvec3&)>& visit);

/// The distance from a point to the nearest of the triangles, in voxels.
double surfaceDistance(const std::vector<LatticeTriangle>& triangles, const glm::dvec3& point);

/// The angle between two directions.
double degreesBetween(const glm::dvec3& a, const glm::dvec3& b);

Octree voxelizePlanes(const Scene& scene, std::uint32_t resolution, double error = 0.25);

} // namespace aureole::test
