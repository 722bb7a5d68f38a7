#include <algorithm>
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "plane_cells.h"
#include "shared/voxelize/slab_fit.h"
#include "test_surfaces.h"
#include "voxel/surface/slab_fit.h"

namespace aureole::test {
namespace {

std::vector<LatticeTriangle> triangleSoup(const glm::ivec3& size, int count, unsigned seed) {
    Random random(seed);
    std::vector<LatticeTriangle> triangles;
    for (int i = 0; i < count; ++i) {
        const glm::ivec3 middle = random.point(glm::ivec3(0), size * 256 - 1);
        const int reach = i % 4 == 0 ? 20 * 256 : 3 * 256;
        const auto vertex = [&] {
            return glm::clamp(middle + random.point(glm::ivec3(-reach), glm::ivec3(reach)), glm::ivec3(0),
                              size * 256 - 1);
        };
        const glm::ivec3 first = vertex();
        const glm::ivec3 second = vertex();
        triangles.push_back({first, second, vertex()});
    }
    return triangles;
}

/// Every point of the surface lies within the slab of its cell, however triangles meet there.
TEST(Planes, SlabsHoldTheSurface) {
    const glm::ivec3 size(70, 66, 64);
    std::vector<std::vector<LatticeTriangle>> surfaces = {
        triangleSoup(size, 120, 1), closedSurface({33.3, 31.7, 30.2}, 14, 22, bumps),
        octahedron(glm::ivec3(32 * 256), 20 * 256),
        boxSurface({5 * 256, 6 * 256, 7 * 256}, {50 * 256 + 13, 40 * 256, 60 * 256 + 128})};
    for (std::vector<LatticeTriangle>& triangles : surfaces) {
        const Scene scene = latticeScene(size, triangles);
        for (const double error : {0.05, 0.25, 1.0}) {
            const Octree octree = voxelizePlanes(scene, 70, error);
            const CellMap cells(octree);
            std::size_t held = 0;
            std::size_t lost = 0;
            sampleTriangles(triangles, 4.0, 2, [&](const glm::dvec3& point) {
                const PlaneCell* const cell = cells.at(point);
                ASSERT_NE(cell, nullptr) << point.x << ' ' << point.y << ' ' << point.z;
                if (const auto plane = planeDistance(octree, *cell, point)) {
                    ++held;
                    lost += std::abs(plane->distance) > plane->reach ? 1 : 0;
                }
            });
            EXPECT_GT(held, 1000U);
            EXPECT_EQ(lost, 0U) << "error " << error;
        }
    }
}

/// Both ways: the surface from the plane, and the plane from the surface.
TEST(Planes, MergedCellsLieWithinTheErrorOfTheSurface) {
    std::vector<LatticeTriangle> triangles =
        closedSurface({62.3, 61.7, 60.2}, 14, 22, [](const glm::dvec3& d) { return 2.2 * bumps(d); });
    const Scene scene = latticeScene({128, 128, 128}, triangles);
    std::size_t mergedBefore = 0;
    for (const double error : {0.03, 0.25, 0.75}) {
        const Octree octree = voxelizePlanes(scene, 128, error);
        const CellMap cells(octree);
        double farthest = 0.0;
        sampleTriangles(triangles, 4.0, 3, [&](const glm::dvec3& point) {
            const PlaneCell* const cell = cells.at(point);
            if (cell != nullptr && cell->side > 1) {
                farthest = std::max(farthest, std::abs(planeDistance(octree, *cell, point)->distance));
            }
        });
        EXPECT_LE(farthest, error);
        std::mt19937 random(4);
        std::uniform_real_distribution<double> unit(0.0, 1.0);
        std::size_t merged = 0;
        std::size_t beyond = 0;
        std::size_t tried = 0;
        for (const PlaneCell& cell : cells.cells()) {
            if (cell.side == 1) {
                continue;
            }
            ++merged;
            if (merged % 5 != 0) {
                continue;
            }
            for (int i = 0; i < 200; ++i) {
                // A random point of the cell that lies about on its plane.
                const glm::dvec3 point = glm::dvec3(cell.low) + glm::dvec3(unit(random), unit(random), unit(random)) *
                                                                    static_cast<double>(cell.side);
                if (std::abs(planeDistance(octree, cell, point)->distance) < 0.02) {
                    ++tried;
                    beyond += surfaceDistance(triangles, point) > error + 0.03 ? 1 : 0;
                }
            }
        }
        EXPECT_GE(merged, std::max<std::size_t>(mergedBefore, 1));
        EXPECT_GT(tried, error < 0.1 ? 10U : 50U);
        EXPECT_LE(beyond, tried / 50) << "of " << tried << ", error " << error; // edges of the mesh within a voxel
        mergedBefore = merged;
    }
}

/// A sheet with a border of its own, and a hole narrower than two voxels: no cell's plane goes on far beyond.
TEST(Planes, BordersAndHolesStayWhereTheyAre) {
    const auto onPlane = [](double u, double v) {
        return glm::ivec3(glm::round(
            (glm::dvec3(7.3, 9.1, 20.2) + u * glm::dvec3(0.98, 0.1, 0.17) + v * glm::dvec3(-0.09, 0.97, 0.22)) *
            256.0));
    };
    std::vector<LatticeTriangle> triangles;
    const auto addQuad = [&](double u0, double u1, double v0, double v1) {
        triangles.push_back({onPlane(u0, v0), onPlane(u1, v0), onPlane(u1, v1)});
        triangles.push_back({onPlane(u0, v0), onPlane(u1, v1), onPlane(u0, v1)});
    };
    // A frame about a hole of 1.9 by 1.9.
    addQuad(0.0, 20.3, 0.0, 40.0);
    addQuad(22.2, 40.0, 0.0, 40.0);
    addQuad(20.3, 22.2, 0.0, 17.6);
    addQuad(20.3, 22.2, 19.5, 40.0);
    std::vector<LatticeTriangle> lattice = triangles;
    const Scene scene = latticeScene({64, 64, 64}, lattice);
    for (const double error : {0.05, 0.25, 2.0}) {
        const Octree octree = voxelizePlanes(scene, 64, error);
        std::size_t merged = 0;
        for (const PlaneCell& cell : planeCells(octree)) {
            if (cell.low == glm::ivec3(0) || cell.low.x > 62) {
                continue; // the points that pin the grid
            }
            merged += cell.side > 1 ? 1 : 0;
            for (int i = 0; i < 9 * 9 * 9; ++i) {
                const glm::dvec3 point = glm::dvec3(cell.low) +
                                         glm::dvec3(i % 9, i / 9 % 9, i / 81) * (static_cast<double>(cell.side) / 8.0);
                const auto plane = planeDistance(octree, cell, point);
                if (plane && std::abs(plane->distance) <= plane->reach) {
                    ASSERT_LT(surfaceDistance(triangles, point), 1.5) << "side " << cell.side << ", error " << error;
                }
            }
        }
        EXPECT_GT(merged, 10U);
    }
}

/// How far planes reach over a surface, by the height of a point over it.
double reachOver(const Octree& octree, double side, const std::function<double(const glm::dvec3&)>& heightOf) {
    double highest = 0.0;
    for (const PlaneCell& cell : planeCells(octree)) {
        if (cell.low == glm::ivec3(0) || cell.low.x > side - 2.0) {
            continue; // the points that pin the grid
        }
        const glm::dvec3 low(cell.low);
        const glm::dvec3 high = low + static_cast<double>(cell.side);
        for (int i = 0; i < 9 * 9 * 9; ++i) {
            glm::dvec3 point = low + glm::dvec3(i % 9, i / 9 % 9, i / 81) * (static_cast<double>(cell.side) / 8.0);
            const auto plane = planeDistance(octree, cell, point);
            if (!plane) {
                continue;
            }
            if (std::abs(plane->distance) > plane->reach) {
                point -= plane->distance * plane->normal;
            }
            if (glm::all(glm::greaterThanEqual(point, low)) && glm::all(glm::lessThanEqual(point, high))) {
                highest = std::max(highest, heightOf(point));
            }
        }
    }
    return highest;
}

/// Tips that touch the border between two blocks of voxels, or two parts of 16, or are a little above it: the plane of
/// the tip's voxel would be a plate over all else, were its block, or the part, one cell.
TEST(Planes, DoNotReachBeyondTipsOfCones) {
    const double slope = std::tan(glm::radians(20.0));
    for (const double height : {32.0, 36.0, 32.1}) {
        for (const double across : {32.0, 33.5}) {
            const glm::dvec3 tip(across, height, across);
            const auto rim = [&](int i) {
                const double angle = 2.0 * kPi * i / 24.0;
                return glm::ivec3(
                    glm::round((tip + 20.0 * glm::dvec3(std::cos(angle), -slope, std::sin(angle))) * 256.0));
            };
            std::vector<LatticeTriangle> triangles;
            for (int i = 0; i < 24; ++i) {
                triangles.push_back({glm::ivec3(glm::round(tip * 256.0)), rim(i + 1), rim(i)});
            }
            const Octree octree = voxelizePlanes(latticeScene({64, 64, 64}, triangles), 64);
            const double highest = reachOver(octree, 64.0, [&](const glm::dvec3& point) {
                return point.y - tip.y + slope * std::hypot(point.x - tip.x, point.z - tip.z);
            });
            EXPECT_GT(highest, 0.0);
            EXPECT_LT(highest, 0.6) << "tip at " << height << ", " << across; // a voxel's diagonal, at the slope
        }
    }
}

TEST(Planes, DoNotReachBeyondTipsOfBalls) {
    constexpr double kRadius = 12.0;
    for (const glm::dvec3& tip : {glm::dvec3(48, 48, 80), glm::dvec3(66, 66, 80.03), glm::dvec3(50, 50, 60.02)}) {
        const glm::dvec3 centre = tip - glm::dvec3(0.0, 0.0, kRadius);
        std::vector<LatticeTriangle> triangles =
            closedSurface(centre, 64, 64, [](const glm::dvec3&) { return kRadius; });
        const Octree octree = voxelizePlanes(latticeScene({96, 96, 96}, triangles), 96);
        const double highest =
            reachOver(octree, 96.0, [&](const glm::dvec3& point) { return glm::distance(point, centre) - kRadius; });
        EXPECT_GT(highest, 0.0);
        EXPECT_LT(highest, 0.4) << "tip at " << tip.x << ", " << tip.z;
    }
}

/// As an oracle the plane is known: flat squares of ever more voxels take ever fewer cells a voxel.
TEST(Planes, CellsFollowDetailNotResolution) {
    std::vector<std::size_t> cells;
    for (const int side : {64, 256}) {
        std::vector<LatticeTriangle> triangles = {
            {glm::ivec3(2, 3, 5) * side, glm::ivec3(250, 20, 40) * side, glm::ivec3(240, 245, 130) * side},
            {glm::ivec3(2, 3, 5) * side, glm::ivec3(240, 245, 130) * side, glm::ivec3(-8 + 10, 228, 95) * side}};
        for (LatticeTriangle& t : triangles) {
            for (glm::ivec3& v : t) {
                v = v / 1; // in units of 1/256 voxel: side voxels wide
            }
        }
        std::vector<LatticeTriangle> lattice = triangles;
        const Octree octree = voxelizePlanes(latticeScene(glm::ivec3(side), lattice), static_cast<std::uint32_t>(side));
        const auto& slabs = std::get<PlanesEncoding>(octree.encoding).slabs;
        cells.push_back(slabs.size());
        EXPECT_EQ(octree.voxels, slabs.size());
        EXPECT_EQ(octree.attributes.size(), slabs.size());
    }
    EXPECT_LT(cells[1], 6 * cells[0]); // a border four times as long, on sixteen times the voxels
}

TEST(Planes, EveryVoxelOfCubesIsInACell) {
    std::vector<LatticeTriangle> triangles = closedSurface({31.3, 29.7, 27.1}, 12, 20, bumps);
    const Scene scene = latticeScene({64, 60, 56}, triangles);
    const Octree planes = voxelizePlanes(scene, 64, 0.5);
    const VoxelSet cubes = solidVoxels(voxelizeScene(scene, 64));
    std::size_t missing = 0;
    for (const auto& [x, y, z] : cubes) {
        missing += isSolid(planes, {x, y, z}) ? 0 : 1;
    }
    EXPECT_EQ(missing, 0U);
    EXPECT_LT(planes.voxels, cubes.size());
}

TEST(SlabFit, HoldsPointsWithAMarginAndIsThin) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    std::normal_distribution<double> normal;
    for (int i = 0; i < 20000; ++i) {
        const CellBox cell = {glm::dvec3(unit(random), unit(random), unit(random)) * 1000.0, std::pow(4.0, i % 4)};
        const glm::dvec3 n = glm::normalize(glm::dvec3(normal(random), normal(random), normal(random)));
        const double thickness = i % 3 == 0 ? 0.0 : 0.2 * unit(random);
        const glm::dvec3 middle = cell.low + cell.side * glm::dvec3(unit(random), unit(random), unit(random));
        std::vector<glm::dvec3> points;
        for (int k = 0; k < 12; ++k) {
            glm::dvec3 p = cell.low + cell.side * glm::dvec3(unit(random), unit(random), unit(random));
            p -= n * (glm::dot(p - middle, n) - thickness * cell.side * (unit(random) - 0.5));
            points.push_back(p);
        }
        std::erase_if(points, [&](const glm::dvec3& p) {
            return glm::any(glm::lessThan(p, cell.low)) || glm::any(glm::greaterThan(p, cell.low + cell.side));
        });
        if (points.empty()) {
            continue;
        }
        const shared::SurfaceSlab slab = fitSlab(glm::vec3(n), points, cell);
        if (shared::slabIsWhole(slab) != 0) {
            continue;
        }
        const shared::SlabPlanes planes = shared::unpackSlab(slab);
        for (const glm::dvec3& p : points) {
            // As the traversal computes it, in floats.
            const float height = shared::slabPointHeight(planes.normal, glm::vec3((p - cell.low) / cell.side));
            ASSERT_GT(height, planes.low);
            ASSERT_LT(height, planes.high);
        }
        // The normal is rounded by less than 0.015 degrees, which lets a flat set grow by 0.0002 of the cell's side.
        const double half = 0.5 * double{planes.high - planes.low} / glm::length(glm::dvec3(planes.normal));
        EXPECT_LT(half, 0.5 * thickness + 0.0004);
        EXPECT_NE(shared::isSlabWithin(slab, cell.side, 1.0001 * half * cell.side), 0U);
        EXPECT_EQ(shared::isSlabWithin(slab, cell.side, 0.9999 * half * cell.side), 0U);
        EXPECT_LT(glm::length(glm::cross(glm::normalize(glm::dvec3(planes.normal)), n)), glm::radians(0.015));
    }
}

TEST(SlabFit, PartsAcrossAreThoseThatTheMiddlePlanePasses) {
    const CellBox cell = {glm::dvec3(0.0), 4.0};
    const std::vector<glm::dvec3> flat = {{0.0, 1.5, 0.0}, {4.0, 1.5, 0.0}, {0.0, 1.5, 4.0}};
    std::uint64_t expected = 0;
    for (std::uint32_t i = 0; i < 16; ++i) {
        expected |= std::uint64_t{1} << shared::cellBit(i % 4, 1, i / 4);
    }
    EXPECT_EQ(partsAcross(fitSlab({0, 1, 0}, flat, cell), 4.0, 0.25), expected);
    const std::vector<glm::dvec3> border = {{0.0, 2.1, 0.0}, {4.0, 2.1, 0.0}, {0.0, 2.1, 4.0}};
    EXPECT_EQ(partsAcross(fitSlab({0, 1, 0}, border, cell), 4.0, 0.25), 0U);
    EXPECT_NE(partsAcross(fitSlab({0, 1, 0}, border, cell), 4.0, 0.05), 0U);
}

} // namespace
} // namespace aureole::test
