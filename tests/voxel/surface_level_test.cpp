// Octrees of planes and fields as voxels: levels of detail and exports.

#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>

#include <gtest/gtest.h>
#include <unistd.h>

#include "import/import.h"
#include "import/octree_header.h"
#include "plane_cells.h"
#include "test_surfaces.h"
#include "voxel/export/export.h"
#include "voxel/tree/level.h"
#include "voxel/tree/level_walk.h"
#include "voxel/tree/octree_check.h"

namespace aureole::test {
namespace {

namespace fs = std::filesystem;

/// The voxels of a walk, each met once and also found by solidMask.
VoxelSet walkedVoxels(const Octree& octree) {
    VoxelSet voxels;
    std::uint64_t before = 0;
    walkOctree(octree, 0,
               {[&](const WalkedBlock& block) {
                    EXPECT_TRUE(voxels.empty() || block.code > before);
                    before = block.code;
                    glm::ivec3 place(0);
                    for (unsigned digit = 0; digit < 24; ++digit) { // of two bits
                        place[static_cast<int>(digit % 3)] |= static_cast<int>((block.code >> (2 * digit)) & 3U)
                                                              << (2 * (digit / 3));
                    }
                    EXPECT_EQ(solidMask(octree, place), block.mask);
                    EXPECT_EQ(block.attributes.size(), static_cast<std::size_t>(std::popcount(block.mask)));
                    for (std::uint32_t bit = 0; bit < 64; ++bit) {
                        if (((block.mask >> bit) & 1U) != 0) {
                            const glm::ivec3 voxel = 4 * place + glm::ivec3(shared::bitCell(bit));
                            voxels.insert({voxel.x, voxel.y, voxel.z});
                        }
                    }
                },
                [](std::uint64_t, std::uint32_t) { FAIL() << "no surface is full"; }});
    return voxels;
}

VoxelSet coarsened(const VoxelSet& voxels, std::uint32_t level) {
    VoxelSet coarse;
    for (const auto& [x, y, z] : voxels) {
        coarse.insert({x >> level, y >> level, z >> level});
    }
    return coarse;
}

/// How many voxels have none of the others within one voxel of them.
std::size_t farFrom(const VoxelSet& others, const VoxelSet& voxels) {
    std::size_t far = 0;
    for (const auto& [x, y, z] : voxels) {
        bool found = others.contains({x, y, z});
        for (int i = 0; i < 27 && !found; ++i) {
            found = others.contains({x + i % 3 - 1, y + i / 3 % 3 - 1, z + i / 9 - 1});
        }
        far += found ? 0 : 1;
    }
    return far;
}

/// The radiance of every emissive voxel.
std::map<std::tuple<int, int, int>, glm::vec3> radiances(const Octree& octree) {
    std::map<std::tuple<int, int, int>, glm::vec3> found;
    for (const EmissiveVoxel& voxel : collectEmissiveVoxels(octree)) {
        found[{voxel.voxel.x, voxel.voxel.y, voxel.voxel.z}] = octree.palette[voxel.entry].emission;
    }
    return found;
}

Octree field(const Scene& scene, std::uint32_t resolution) {
    VoxelizeOptions options;
    options.resolution = resolution;
    options.surface = SurfaceKind::Field;
    return voxelizeScene(scene, options);
}

/// Large enough to merge nodes of 16 voxels a side, and cut by the grid's end where these would go on.
std::vector<LatticeTriangle> boulder() {
    return closedSurface({73.3, 71.7, 68.2}, 6, 9, [](const glm::dvec3& d) { return 2.4 * bumps(d); });
}
constexpr glm::ivec3 kBoulder(134, 131, 127);

/// By the packed bits and the corners of voxels.
TEST(PlaneLevels, VoxelsAreThoseThatSlabsPassThrough) {
    std::vector<LatticeTriangle> triangles = boulder();
    const Scene scene = latticeScene(kBoulder, triangles);
    for (const double error : {0.05, 0.5}) {
        const Octree octree = voxelizePlanes(scene, 134, error);
        const VoxelSet voxels = walkedVoxels(octree);
        std::size_t large = 0;
        std::size_t open = 0;
        std::size_t seen = 0;
        for (const PlaneCell& cell : planeCells(octree)) {
            large += cell.side == 16 ? 1 : 0;
            for (int i = 0; i < cell.side * cell.side * cell.side; ++i) {
                const glm::ivec3 voxel =
                    cell.low + glm::ivec3(i % cell.side, i / cell.side % cell.side, i / (cell.side * cell.side));
                const bool found = voxels.contains({voxel.x, voxel.y, voxel.z});
                seen += found ? 1 : 0;
                if (cell.side <= 4 || !isSolid(octree, voxel) ||
                    glm::any(glm::greaterThanEqual(glm::uvec3(voxel), octree.grid.size))) {
                    const bool inside = cell.side <= 4 && isSolid(octree, voxel);
                    ASSERT_EQ(found, inside) << voxel.x << ' ' << voxel.y << ' ' << voxel.z;
                    continue;
                }
                double low = 1e9;
                double high = -1e9;
                double reach = 0.0;
                for (int corner = 0; corner < 8; ++corner) {
                    const glm::ivec3 at = voxel + glm::ivec3(corner & 1, (corner >> 1) & 1, corner >> 2);
                    const PlaneDistance plane = planeDistance(octree, cell, glm::dvec3(at)).value();
                    low = std::min(low, plane.distance);
                    high = std::max(high, plane.distance);
                    reach = plane.reach;
                }
                const double apart = std::max(low - reach, -reach - high);
                open += std::abs(apart) < 0.01 ? 1 : 0;
                if (std::abs(apart) >= 0.01) {
                    ASSERT_EQ(found, apart < 0.0) << voxel.x << ' ' << voxel.y << ' ' << voxel.z << ' ' << apart;
                }
            }
        }
        EXPECT_EQ(seen, voxels.size());
        EXPECT_LT(open, voxels.size() / 50);
        EXPECT_GT(large, error < 0.1 ? 0U : 10U);
    }
}

TEST(PlaneLevels, AreThoseOfCubesWithinTheError) {
    std::vector<LatticeTriangle> triangles = boulder();
    const Scene scene = latticeScene(kBoulder, triangles);
    const VoxelSet cubes = solidVoxels(voxelizeScene(scene, 134));
    for (const double error : {0.05, 0.5}) {
        const Octree finest = voxelizePlanes(scene, 134, error);
        const VoxelSet voxels = walkedVoxels(finest);
        EXPECT_EQ(farFrom(cubes, voxels), 0U);
        EXPECT_LT(static_cast<double>(voxels.size()), (1.05 + 0.8 * error) * static_cast<double>(cubes.size()));
        std::size_t lost = 0;
        sampleTriangles(triangles, 4.0, 2, [&](const glm::dvec3& point) {
            const glm::ivec3 voxel(glm::floor(point));
            const glm::dvec3 within = point - glm::dvec3(voxel);
            const double depth = std::min({within.x, within.y, within.z, 1 - within.x, 1 - within.y, 1 - within.z});
            lost += depth > 1.0 / 128.0 && !voxels.contains({voxel.x, voxel.y, voxel.z}) ? 1 : 0;
        });
        EXPECT_EQ(lost, 0U);
        for (std::uint32_t level = 1; level <= largestLevel(finest.grid.size); ++level) {
            const Octree coarse = takeLevel(voxelizePlanes(scene, 134, error), level);
            checkOctree("level", coarse);
            EXPECT_EQ(coarse.encodingKind(), OctreeEncoding::Tree);
            const VoxelSet expected = coarsened(voxels, level);
            ASSERT_TRUE(solidVoxels(coarse) == expected) << level;
            ASSERT_EQ(countVoxels(finest, level), expected.size()) << level;
            EXPECT_EQ(farFrom(coarsened(cubes, level), expected), 0U) << level;
        }
    }
}

/// Sheets on the faces of voxels and between them.
TEST(PlaneLevels, SheetsAlongTheGridAreThoseOfCubes) {
    Scene scene = pinnedScene(256);
    Material material;
    material.albedo = {0.25F, 0.5F, 0.75F};
    for (const float y : {7.0F, 33.0F, 70.5F, 128.0F, 255.0F / 256.0F + 200.0F}) {
        addRectangle(scene, {0, y, 0}, {0, 0, 256}, {256, 0, 0}, material);
        addRectangle(scene, {8, y + 8.0F, 8}, {11, 0, 0}, {0, 0, 117}, material);
    }
    addRectangle(scene, {0, 210, 65}, {256, 0, 0}, {0, 46, 0}, material);
    const Octree planes = voxelizePlanes(scene, 256);
    std::size_t largest = 0;
    for (const PlaneCell& cell : planeCells(planes)) {
        largest += cell.side == 16 ? 1 : 0;
    }
    EXPECT_GT(largest, 3U);
    const Octree cubes = voxelizeScene(scene, 256);
    EXPECT_TRUE(walkedVoxels(planes) == walkedVoxels(cubes));
    EXPECT_EQ(countVoxels(planes, 0), cubes.voxelCount());
    for (const std::uint32_t level : {1U, 4U}) {
        const Octree coarse = takeLevel(voxelizePlanes(scene, 256), level);
        const Octree expected = takeLevel(voxelizeScene(scene, 256), level);
        ASSERT_EQ(coarse.voxelCount(), expected.voxelCount());
        std::size_t voxel = 0;
        for (const auto& [x, y, z] : solidVoxels(expected)) {
            if (++voxel % 7 == 0) {
                ASSERT_TRUE(isSolid(coarse, {x, y, z}));
                const glm::vec3 albedo = surfaceAt(coarse, {x, y, z}).albedo;
                ASSERT_LT(glm::length(albedo - surfaceAt(expected, {x, y, z}).albedo), 2e-3F) << level;
            }
        }
    }
}

TEST(PlaneLevels, KeepEmission) {
    Scene scene = pinnedScene(64);
    Material lamp;
    lamp.emission = {12.3F, 4.567F, 0.1F};
    addRectangle(scene, {20, 20.5F, 20}, {0, 0, 9}, {9, 0, 0}, lamp);
    addRectangle(scene, {2, 41, 2}, {0, 0, 55}, {55, 0, 0}, Material{});
    lamp.emission = {1.0F, 2.0F, 3.0F};
    addRectangle(scene, {40, 24.5F, 4}, {0, 0, 6}, {7, 0, 0}, lamp);
    ASSERT_LT(voxelizePlanes(scene, 64).voxels, voxelizeScene(scene, 64).voxelCount());
    for (std::uint32_t level = 0; level <= 5; ++level) {
        const auto light = radiances(takeLevel(voxelizePlanes(scene, 64), level));
        EXPECT_GT(light.size(), 1U);
        EXPECT_TRUE(light == radiances(takeLevel(voxelizeScene(scene, 64), level))) << level;
    }
}

TEST(FieldLevels, AreThoseOfCubesWithoutDistances) {
    std::vector<LatticeTriangle> triangles = closedSurface({31.3, 29.7, 27.1}, 24, 32, bumps);
    const Scene scene = latticeScene({64, 60, 56}, triangles);
    const Octree finest = field(scene, 64);
    EXPECT_EQ(countVoxels(finest, 0), finest.voxelCount());
    const Octree same = takeLevel(field(scene, 64), 0);
    EXPECT_EQ(same.encodingKind(), OctreeEncoding::Field);
    EXPECT_EQ(same.detailBytes(), finest.detailBytes());
    for (std::uint32_t level = 1; level <= largestLevel(finest.grid.size); ++level) {
        const Octree coarse = takeLevel(field(scene, 64), level);
        checkOctree("level", coarse);
        EXPECT_EQ(coarse.encodingKind(), OctreeEncoding::Tree);
        EXPECT_EQ(coarse.detailBytes(), 0U);
        EXPECT_TRUE(identical(coarse, takeLevel(voxelizeScene(scene, 64), level))) << level;
    }
}

class SurfaceExportTest : public testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / ("aureole_surface_export_" + std::to_string(::getpid()));
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }
    fs::path path(const std::string& name) const { return folder_ / name; }
    ImportedModel import(const std::string& name) const { return importModel(path(name), {.sceneFolder = folder_}); }
    std::string contents(const std::string& name) const {
        std::ifstream stream(path(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }

private:
    fs::path folder_;
};

/// The solid cells of models, by their places in the world.
VoxelSet importedCells(const ImportedModel& model) {
    VoxelSet cells;
    for (const VoxelInstance& instance : model.voxelInstances) {
        const VoxelModel& grid = model.voxelModels[instance.model];
        for (std::size_t i = 0; i < grid.cells.size(); ++i) {
            const glm::dvec3 middle = 0.5 + glm::dvec3(glm::u64vec3(i % grid.size.x, i / grid.size.x % grid.size.y,
                                                                    i / (std::size_t{grid.size.x} * grid.size.y)));
            const glm::ivec3 at(glm::floor(glm::dvec3(instance.worldFromModel * glm::dvec4(middle, 1.0))));
            if (grid.cells[i] != 0) {
                cells.insert({at.x, at.y, at.z});
            }
        }
    }
    return cells;
}

TEST_F(SurfaceExportTest, PlanesAreWrittenAsTheirVoxels) {
    std::vector<LatticeTriangle> triangles = boulder();
    const Octree octree = voxelizePlanes(latticeScene(kBoulder, triangles), 134);
    const VoxelSet voxels = walkedVoxels(octree);
    EXPECT_EQ(finestVoxLevel(octree), 0U);
    exportVox(path("a.vox"), octree);
    EXPECT_TRUE(importedCells(import("a.vox")) == voxels);
    std::uint64_t faces = 0;
    for (const auto& [x, y, z] : voxels) {
        for (int n = 0; n < 6; ++n) {
            glm::ivec3 next(x, y, z);
            next[n / 2] += n % 2 == 0 ? 1 : -1;
            faces += voxels.contains({next.x, next.y, next.z}) ? 0 : 1;
        }
    }
    EXPECT_EQ(exportPly(path("a.ply"), octree).faces, faces);
    EXPECT_EQ(exportObj(path("a.obj"), octree).faces, faces);
    double volume = 0.0; // by the divergence theorem: every face in its place
    const ImportedModel imported = import("a.ply");
    for (const Mesh& mesh : imported.meshes) {
        for (const glm::uvec3& t : mesh.triangles) {
            volume += glm::dot(glm::dvec3(mesh.positions[t.x]),
                               glm::cross(glm::dvec3(mesh.positions[t.y]), glm::dvec3(mesh.positions[t.z]))) /
                      6.0;
        }
    }
    EXPECT_NEAR(volume, static_cast<double>(voxels.size()), static_cast<double>(faces) / 256.0);
}

TEST_F(SurfaceExportTest, FieldsAreWrittenAsTheirVoxels) {
    std::vector<LatticeTriangle> triangles = closedSurface({31.3, 29.7, 27.1}, 24, 32, bumps);
    const Scene scene = latticeScene({64, 60, 56}, triangles);
    exportVox(path("field.vox"), field(scene, 64));
    exportVox(path("cubes.vox"), voxelizeScene(scene, 64));
    EXPECT_EQ(contents("field.vox"), contents("cubes.vox"));
    exportPly(path("field.ply"), field(scene, 64));
    exportPly(path("cubes.ply"), voxelizeScene(scene, 64));
    EXPECT_EQ(contents("field.ply"), contents("cubes.ply"));
}

} // namespace
} // namespace aureole::test
