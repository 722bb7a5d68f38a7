// Octrees as .vdb files, read back.

#include <algorithm>
#include <fstream>
#include <iterator>
#include <span>

#include <gtest/gtest.h>

#include "import/import.h"
#include "import/vdb/vdb_file.h"
#include "import_files.h"
#include "shared/octree/attributes.h"
#include "test_scene.h"
#include "voxel/build/build.h"
#include "voxel/export/export.h"

namespace aureole::test {
namespace {

Octree octreeOf(const Scene& scene, SurfaceKind surface, Coverage coverage = Coverage::Conservative) {
    VoxelizeOptions options;
    options.resolution = 40;
    options.surface = surface;
    options.coverage = coverage;
    return voxelizeScene(scene, options);
}

const glm::dvec3 kStarCentre(20.0, 18.0, 21.0);

double starRadius(const glm::dvec3& direction) {
    return 13.0 + 4.0 * direction.x * direction.y;
}

Scene starScene() {
    auto triangles = closedSurface(kStarCentre, 16, 24, starRadius);
    return latticeScene({40, 40, 40}, triangles);
}

/// A file's level set, placed where it was, on the same grid.
Octree readAgain(const std::filesystem::path& file) {
    ImportedModel model = importModel(file, {});
    Scene scene;
    scene.file = "again.json";
    scene.materials = std::move(model.materials);
    scene.voxelModels = std::move(model.voxelModels);
    scene.voxelInstances = std::move(model.voxelInstances);
    EXPECT_EQ(scene.voxelModels.at(0).name, "surface");
    VoxelizeOptions options;
    options.surface = SurfaceKind::Field;
    const glm::uvec3 size = scene.voxelModels[0].size;
    options.resolution = std::max({size.x, size.y, size.z});
    return voxelizeScene(scene, options);
}

TEST(ExportVdb, AFieldComesBackAsItIs) {
    const TemporaryFolder folder;
    const Octree octree = octreeOf(starScene(), SurfaceKind::Field);
    const std::filesystem::path file = folder.path() / "star.vdb";
    EXPECT_EQ(exportVdb(file, octree).grids, 2U);
    const Octree again = readAgain(file);
    ASSERT_EQ(again.grid.voxelSize, octree.grid.voxelSize);
    const glm::ivec3 moved(glm::round((again.grid.origin - octree.grid.origin) / octree.grid.voxelSize));
    const auto distancesAt = [](const Octree& of, const glm::ivec3& voxel) -> const shared::CornerDistances& {
        return std::get<FieldEncoding>(of.encoding).distances[*attributeIndexAt(of, voxel)];
    };
    std::size_t kept = 0;
    for (const auto& [x, y, z] : solidVoxels(octree)) {
        const glm::ivec3 voxel(x, y, z);
        const shared::CornerDistances& before = distancesAt(octree, voxel);
        std::size_t inside = 0;
        for (std::uint32_t corner = 0; corner < 8; ++corner) {
            inside += shared::fieldValue(before, corner) < 0.0F ? 1 : 0;
        }
        const bool hasSurface = inside != 0 && inside != 8; // of a voxel that a triangle merely touches not
        ASSERT_EQ(attributeIndexAt(again, voxel - moved).has_value(), hasSurface);
        if (hasSurface) {
            ++kept;
            const shared::CornerDistances& after = distancesAt(again, voxel - moved);
            ASSERT_TRUE(after.low == before.low && after.middle == before.middle && after.high == before.high);
        }
    }
    EXPECT_GT(kept, 1000U);
    EXPECT_EQ(again.voxelCount(), kept);
}

TEST(ExportVdb, ColoursOfAFieldComeBack) {
    const TemporaryFolder folder;
    Scene scene = starScene();
    scene.materials.at(0).pattern = Pattern{.kind = PatternKind::Noise, .size = 7.0};
    scene.materials.at(0).pattern->colours = {glm::vec3(1.0F, 0.1F, 0.0F), glm::vec3(0.0F, 0.9F, 1.0F)};
    const Octree octree = octreeOf(scene, SurfaceKind::Field);
    const std::filesystem::path file = folder.path() / "star.vdb";
    EXPECT_EQ(exportVdb(file, octree).grids, 2U);
    const Octree again = readAgain(file);
    const glm::ivec3 moved(glm::round((again.grid.origin - octree.grid.origin) / octree.grid.voxelSize));
    const auto albedoAt = [](const Octree& of, const glm::ivec3& voxel) {
        return shared::unpackAttributes(of.attributes[*attributeIndexAt(of, voxel)]).albedo;
    };
    std::size_t differing = 0;
    glm::vec3 least(1.0F);
    glm::vec3 most(0.0F);
    for (const auto& [x, y, z] : solidVoxels(again)) {
        const glm::vec3 albedo = albedoAt(again, {x, y, z});
        differing += albedo != albedoAt(octree, glm::ivec3(x, y, z) + moved) ? 1 : 0;
        least = glm::min(least, albedo);
        most = glm::max(most, albedo);
    }
    EXPECT_GT(again.voxelCount(), 1000U);
    EXPECT_EQ(differing, 0U);
    EXPECT_TRUE(glm::all(glm::greaterThan(most - least, glm::vec3(0.15F))));
}

/// What stands beyond a field's voxels too: other programs want to know the inside.
TEST(ExportVdb, PointsWithoutADistanceKnowTheirSide) {
    const TemporaryFolder folder;
    const Octree octree = octreeOf(starScene(), SurfaceKind::Field);
    const std::filesystem::path file = folder.path() / "star.vdb";
    exportVdb(file, octree);
    std::ifstream stream(file, std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(stream), {});
    const vdb::FileGrid grid = vdb::readVdb(std::as_bytes(std::span(bytes)), "star.vdb", {}).grid;
    std::size_t inside = 0;
    std::size_t outside = 0;
    for (const vdb::Leaf& leaf : grid.leaves) {
        for (std::size_t i = 0; i < leaf.values.size(); ++i) {
            const glm::ivec3 point = leaf.origin + glm::ivec3(i / 64, i / 8 % 8, i % 8);
            const glm::dvec3 away = glm::dvec3(point) - kStarCentre;
            const double beyond = glm::length(away) - starRadius(glm::normalize(away));
            if (std::abs(beyond) < 3.0 || std::abs(leaf.values[i]) < grid.background) {
                continue; // its distance is known; the scene has two points as well, in far corners
            }
            ASSERT_EQ(leaf.values[i], beyond < 0.0 ? -grid.background : grid.background)
                << point.x << ' ' << point.y << ' ' << point.z;
            (beyond < 0.0 ? inside : outside) += 1;
        }
    }
    EXPECT_GT(inside, 300U);
    EXPECT_GT(outside, 300U);
}

/// Those that fill whole leaves are tiles.
TEST(ExportVdb, SolidVoxelsAreADensity) {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "star.vdb";
    const Octree octree = octreeOf(starScene(), SurfaceKind::Cubes, Coverage::Solid);
    EXPECT_EQ(exportVdb(file, octree).grids, 2U);
    const ImportedModel model = importModel(file, {});
    ASSERT_TRUE(model.volume && model.volume->isSound());
    const DensityGrid& fog = *model.volume;
    EXPECT_LT(fog.densities.size(), fog.blocks.size() * DensityGrid::kBlockPoints * 2);
    const VoxelSet voxels = solidVoxels(octree);
    std::size_t solid = 0;
    for (std::size_t block = 0; block < fog.blocks.size(); ++block) {
        for (int i = 0; i < 512; ++i) {
            const glm::ivec3 point = 8 * fog.blocks[block] + glm::ivec3(i & 7, i >> 3 & 7, i >> 6);
            const bool isSolid = voxels.contains({point.x, point.y, point.z});
            ASSERT_EQ(fog.at(block)[i], isSolid ? 1.0F : 0.0F) << point.x << ' ' << point.y << ' ' << point.z;
            solid += isSolid ? 1 : 0;
        }
    }
    EXPECT_EQ(solid, voxels.size());
}

} // namespace
} // namespace aureole::test
