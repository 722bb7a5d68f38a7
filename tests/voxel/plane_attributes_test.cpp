#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <tuple>
#include <utility>

#include <gtest/gtest.h>
#include <omp.h>

#include "plane_cells.h"
#include "shared/octree/slab_bend.h"
#include "test_surfaces.h"
#include "voxel/surface/plane_brick.h"

namespace aureole::test {
namespace {

Material coloured(float red, float green, float blue) {
    Material material;
    material.albedo = {red, green, blue};
    return material;
}

/// Two halves of one flat square in different colours: every voxel shows what it would as a cube, to the tolerance.
TEST(PlaneAttributes, EdgesBetweenColoursAreNotMergedAway) {
    Scene scene = pinnedScene(64.0F);
    const glm::vec3 u(20.3F, 2.0F, 3.1F);
    const glm::vec3 v(-2.0F, 40.0F, 11.0F);
    addRectangle(scene, {10, 8, 12}, u, v, coloured(0.8F, 0.3F, 0.01F));
    addRectangle(scene, glm::vec3(10, 8, 12) + u, u, v, coloured(0.2F, 0.35F, 0.02F));
    const Octree cubes = voxelizeScene(scene, 64);
    const Octree planes = voxelizePlanes(scene, 64);
    float farthest = 0.0F;
    std::size_t seen = 0;
    for (const auto& [x, y, z] : solidVoxels(cubes)) {
        const glm::vec3 expected = surfaceAt(cubes, {x, y, z}).albedo;
        const glm::vec3 found = surfaceAt(planes, {x, y, z}).albedo;
        farthest = std::max({farthest, std::abs(found.x - expected.x), std::abs(found.y - expected.y)});
        EXPECT_LE(std::abs(found.z - expected.z), found.z / 8.0F + 1.0F / 256.0F + 0.002F); // dark: by its share
        ++seen;
    }
    EXPECT_GT(seen, 2000U);
    EXPECT_LE(farthest, 1.0F / 32.0F + 0.002F);
    EXPECT_LT(planes.voxels, seen / 3); // and yet it is mostly merged
}

TEST(PlaneAttributes, NormalsOfACurvedSurfaceStayNear) {
    std::vector<LatticeTriangle> triangles =
        closedSurface({62.3, 61.7, 60.2}, 48, 96, [](const glm::dvec3&) { return 55.0; });
    Scene scene = latticeScene({128, 128, 128}, triangles);
    Mesh& mesh = scene.meshes[0];
    for (const glm::vec3& p : mesh.positions) {
        mesh.normals.push_back(glm::normalize(p - glm::vec3(62.3F, 61.7F, 60.2F)));
    }
    const Octree cubes = voxelizeScene(scene, 128);
    const Octree planes = voxelizePlanes(scene, 128, 1.0);
    const CellMap cells(planes);
    double widest = 0.0; // by the normals in the cells' middles alone
    for (const auto& [x, y, z] : solidVoxels(cubes)) {
        const glm::dvec3 expected(surfaceAt(cubes, {x, y, z}).normal);
        const glm::dvec3 middle = glm::dvec3(x, y, z) + 0.5;
        const PlaneCell& cell = *cells.at(middle);
        const glm::vec3 flat = surfaceAt(planes, {x, y, z}).normal;
        const glm::dvec3 found(
            shared::slabShadingNormal(std::get<PlanesEncoding>(planes.encoding).slabs[cell.index], flat,
                                      glm::vec3((middle - glm::dvec3(cell.low)) / double(cell.side))));
        EXPECT_LT(degreesBetween(expected, found), 1.5); // a voxel's own turn, and what packing does to both
        widest = std::max(widest, degreesBetween(expected, glm::dvec3(flat)));
    }
    EXPECT_GT(widest, 4.0);
    EXPECT_LT(planes.voxels, cubes.attributes.size() / 2);
}

/// Light sampling aims at the faces of emissive voxels: they stay voxels, and cubes.
TEST(PlaneAttributes, EmissiveVoxelsStayCubes) {
    Scene scene = pinnedScene(64.0F);
    Material lamp = coloured(0.5F, 0.5F, 0.5F);
    lamp.emission = {1.0F, 2.0F, 3.0F};
    addRectangle(scene, {10, 30.3F, 12}, {30, 0, 0}, {0, 0, 30}, lamp);
    addRectangle(scene, {10, 20.3F, 12}, {40, 0, 0}, {0, 0, 40}, coloured(0.5F, 0.5F, 0.5F));
    const Octree cubes = voxelizeScene(scene, 64);
    const Octree planes = voxelizePlanes(scene, 64);
    const auto lit = [](const Octree& octree) {
        std::set<std::tuple<unsigned, unsigned, unsigned, float>> set;
        for (const EmissiveVoxel& voxel : collectEmissiveVoxels(octree)) {
            set.emplace(voxel.voxel.x, voxel.voxel.y, voxel.voxel.z, octree.palette[voxel.entry].emission.y);
        }
        return set;
    };
    EXPECT_EQ(lit(cubes).size(), 900U);
    EXPECT_EQ(lit(planes), lit(cubes));
    std::size_t emissive = 0;
    std::size_t wholeLamps = 0;
    for (const PlaneCell& cell : planeCells(planes)) {
        const std::uint32_t number = shared::unpackAttributes(planes.attributes[cell.index]).material;
        const bool emits = planes.palette[paletteIndex(planes, cell.index, number)].emission != glm::vec3(0.0F);
        const bool isWhole = !planeDistance(planes, cell, glm::dvec3(0.0));
        EXPECT_FALSE(emits && cell.side > 1);
        emissive += emits ? 1 : 0;
        wholeLamps += emits && isWhole ? 1 : 0;
    }
    EXPECT_GT(emissive, 800U);
    EXPECT_LT(wholeLamps, emissive / 8);                       // at edges
    EXPECT_LT(planes.voxels, cubes.attributes.size() * 3 / 4); // the other square is merged
}

/// Where sheets of different directions meet, there is no plane.
TEST(PlaneAttributes, CreasesHaveNoPlane) {
    std::vector<LatticeTriangle> triangles = boxSurface(glm::ivec3(10 * 256 + 77), glm::ivec3(50 * 256 + 33));
    const Octree octree = voxelizePlanes(latticeScene(glm::ivec3(64), triangles), 64);
    std::size_t creases = 0;
    for (const PlaneCell& cell : planeCells(octree)) {
        if (shared::unpackAttributes(octree.attributes[cell.index]).crease != 0) {
            ++creases;
            EXPECT_EQ(cell.side, 1);
            EXPECT_FALSE(planeDistance(octree, cell, glm::dvec3(0.0)).has_value());
        }
    }
    EXPECT_GE(creases, 12U * 38U);
}

/// A plate thinner than a voxel has planes everywhere but at its rim, also where the diagonals of its faces graze
/// voxels, of which rounding leaves no part of a triangle.
TEST(PlaneAttributes, ThinPlatesArePlanes) {
    const glm::ivec3 low(0, 7 * 256, 0);
    const glm::ivec3 high(8191, 7 * 256 + 82, 8191);
    for (int turn = 0; turn < 3; ++turn) { // which corners come first decides how parts are rounded
        std::vector<LatticeTriangle> plate = boxSurface(low, high);
        std::reverse(plate.begin(), plate.end()); // all are held against the upper face's
        for (LatticeTriangle& triangle : plate) {
            std::rotate(triangle.begin(), triangle.begin() + turn, triangle.end());
            const bool isLower = std::max({triangle[0].y, triangle[1].y, triangle[2].y}) == low.y;
            if (isLower) { // looks down
                std::swap(triangle[1], triangle[2]);
            }
        }
        const Octree octree = voxelizePlanes(latticeScene(glm::ivec3(32), plate), 32);
        std::size_t planes = 0;
        for (const PlaneCell& cell : planeCells(octree)) {
            const glm::ivec3 last = cell.low + cell.side;
            if (std::min(cell.low.x, cell.low.z) > 0 && std::max(last.x, last.z) < 32) {
                const bool isPlane = planeDistance(octree, cell, glm::dvec3(0.0)).has_value();
                EXPECT_TRUE(isPlane) << turn << ": " << cell.low.x << " " << cell.low.z;
                planes += isPlane ? 1 : 0;
            }
        }
        EXPECT_GT(planes, 30U);
    }
}

/// A lamp that is let into a ceiling and flush with it has nothing before it: its border is no higher than its plane,
/// though the hole's walls end there. Where a wall goes through the plane, the border has none.
TEST(PlaneAttributes, LampsInCeilingsAreFlush) {
    constexpr float kPlane = 30.3F;
    for (const auto& [wall, free] :
         {std::pair(std::pair(0.0F, 5.0F), -1.0), {{-5.0F, 0.0F}, 1.0}, {{-0.2F, 0.2F}, 0.0}}) {
        Scene scene = pinnedScene(64.0F);
        const Material white = coloured(0.5F, 0.5F, 0.5F);
        Material lamp = white;
        lamp.emission = {1.0F, 2.0F, 3.0F};
        addRectangle(scene, {10.4F, kPlane, 10}, {0, 0, 30}, {20, 0, 0}, lamp);
        addRectangle(scene, {30.4F, kPlane, 10}, {0, 0, 30}, {20, 0, 0}, white);
        addRectangle(scene, {30.4F, kPlane + wall.first, 10}, {0, 0, 30}, {0, wall.second - wall.first, 0}, white);
        const Octree octree = voxelizePlanes(scene, 64);
        std::size_t flush = 0;
        std::size_t whole = 0;
        for (const PlaneCell& cell : planeCells(octree)) {
            if (cell.low.x == 30 && cell.low.y == 30 && cell.low.z >= 12 && cell.low.z < 37) {
                const glm::dvec3 before(30.9, double{kPlane} + 0.05 * free, 20.0);
                const std::optional<PlaneDistance> found = planeDistance(octree, cell, before);
                flush += found && std::abs(found->distance) > found->reach ? 1 : 0;
                whole += found ? 0 : 1;
            }
        }
        EXPECT_EQ(flush, free != 0.0 ? 25U : 0U) << free;
        EXPECT_EQ(whole, free != 0.0 ? 0U : 25U) << free;
    }
}

TEST(PlaneAttributes, SameBytesForAnyThreadsAndMemory) {
    std::vector<LatticeTriangle> triangles =
        closedSurface({152.3, 147.7, 151.2}, 30, 50, [](const glm::dvec3& d) { return 5.5 * bumps(d); });
    const Scene scene = latticeScene({300, 300, 300}, triangles);
    const int threads = omp_get_max_threads();
    omp_set_num_threads(1);
    const Octree expected = voxelizePlanes(scene, 300);
    omp_set_num_threads(3);
    VoxelizeOptions options;
    options.resolution = 300;
    options.surface = SurfaceKind::Planes;
    options.memory = std::uint64_t{34} << 20U;
    options.spillFolder = std::filesystem::temp_directory_path();
    EXPECT_TRUE(identical(voxelizeScene(scene, options), expected));
    omp_set_num_threads(threads);
    std::set<int> sides;
    for (const PlaneCell& cell : planeCells(expected)) {
        sides.insert(cell.side);
    }
    EXPECT_EQ(sides.count(1) + sides.count(4), 2U);
}

} // namespace
} // namespace aureole::test
