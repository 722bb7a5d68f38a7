#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <glm/gtc/matrix_transform.hpp>
#include <gtest/gtest.h>

#include "grid_scenes.h"
#include "render/hull_points.h"
#include "renders.h"

namespace aureole {
namespace {

/// How far points reach along a way.
double reachOf(const std::vector<glm::dvec3>& points, const glm::dvec3& way) {
    double reach = -std::numeric_limits<double>::infinity();
    for (const glm::dvec3& point : points) {
        reach = std::max(reach, glm::dot(point, way));
    }
    return reach;
}

/// The corners of all solid voxels.
std::vector<glm::dvec3> allCorners(const Octree& octree) {
    std::vector<glm::dvec3> corners;
    const glm::uvec3 size = octree.grid.size;
    for (std::uint32_t i = 0; i < size.x * size.y * size.z; ++i) {
        const glm::uvec3 voxel(i % size.x, i / size.x % size.y, i / size.x / size.y);
        for (std::uint32_t corner = 0; corner < 8 && isSolid(octree, glm::ivec3(voxel)); ++corner) {
            const glm::uvec3 at = voxel + glm::uvec3(corner & 1U, (corner >> 1U) & 1U, corner >> 2U);
            corners.push_back(octree.grid.origin + octree.grid.voxelSize * glm::dvec3(at));
        }
    }
    return corners;
}

/// Whichever way one looks, no voxel reaches farther than the points, and these hardly farther than voxels.
TEST(HullPoints, HoldAllVoxels) {
    std::mt19937 random(3);
    std::normal_distribution<double> number;
    for (const SurfaceKind surface : {SurfaceKind::Cubes, SurfaceKind::Planes}) {
        for (const std::uint32_t resolution : {5U, 70U}) {
            Scene scene = mattScene(0.5F, 0.0F, 0.0F);
            addGrid(scene, ballMesh(12), 0, resolution, surface);
            const std::vector<Octree> octrees = octreesOf(scene);
            const Octree& octree = octrees.front();
            const std::vector<glm::dvec3> corners = allCorners(octree);
            const std::vector<glm::dvec3> hull = hullPoints(octree);
            EXPECT_LE(hull.size(), 400U);
            for (int i = 0; i < 200; ++i) {
                const glm::dvec3 way = glm::normalize(glm::dvec3(number(random), number(random), number(random)));
                const double reach = reachOf(corners, way);
                EXPECT_GE(reachOf(hull, way), reach - 1e-9) << resolution;
                EXPECT_LE(reachOf(hull, way), reach + (resolution == 5 ? 1e-9 : 0.25)) << resolution;
            }
        }
    }
}

TEST(HullPoints, OfNothingAreNone) {
    EXPECT_TRUE(hullPoints(Octree{}).empty());
}

} // namespace
} // namespace aureole
