#include <cmath>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "import/octree_header.h"
#include "test_surfaces.h"
#include "voxel/build/build.h"
#include "voxel/tree/dag.h"
#include "voxel/tree/level.h"
#include "voxel/tree/level_walk.h"
#include "voxel/tree/octree_check.h"

namespace aureole::test {
namespace {

using Voxel = std::tuple<int, int, int>;

VoxelSet coarsened(const VoxelSet& voxels, std::uint32_t level) {
    VoxelSet coarse;
    for (const auto& [x, y, z] : voxels) {
        coarse.insert({x >> level, y >> level, z >> level});
    }
    return coarse;
}

/// The radiance of every emissive voxel.
std::map<Voxel, glm::vec3> radiances(const Octree& octree) {
    std::map<Voxel, glm::vec3> found;
    for (const EmissiveVoxel& voxel : collectEmissiveVoxels(octree)) {
        found[{voxel.voxel.x, voxel.voxel.y, voxel.voxel.z}] = octree.palette[voxel.entry].emission;
    }
    return found;
}

/// One square in the middle of each voxel of the layer y = 5 of a grid of side^3, so that all hold the same area.
Scene mosaic(int side) {
    std::mt19937 engine(11);
    std::uniform_real_distribution<float> unit(0.0F, 1.0F);
    Scene scene = pinnedScene(static_cast<float>(side));
    for (int x = 0; x < side; ++x) {
        for (int z = 0; z < side; ++z) {
            Material material;
            material.albedo = {unit(engine), unit(engine), unit(engine)};
            material.roughness = unit(engine);
            material.metalness = unit(engine);
            if (x < side / 4) {
                material.emission = glm::vec3(unit(engine), 4.0F * unit(engine), 0.0F);
            }
            addRectangle(scene, {x, 5.5F, z}, {0, 0, 1}, {1, 0, 0}, material);
        }
    }
    return scene;
}

struct Mean {
    glm::dvec3 albedo{0.0};
    glm::dvec3 radiance{0.0};
    double roughness = 0.0;
    double metalness = 0.0;
    int voxels = 0;
};

std::map<Voxel, Mean> meansOf(const Octree& octree, std::uint32_t level, int side) {
    const std::map<Voxel, glm::vec3> light = radiances(octree);
    std::map<Voxel, Mean> means;
    for (int x = 0; x < side; ++x) {
        for (int z = 0; z < side; ++z) {
            const shared::VoxelSurface surface = surfaceAt(octree, {x, 5, z});
            Mean& mean = means[{x >> level, 5 >> level, z >> level}];
            mean.albedo += glm::dvec3(surface.albedo);
            mean.roughness += double{surface.roughness};
            mean.metalness += double{surface.metalness};
            const auto lit = light.find({x, 5, z});
            mean.radiance += lit == light.end() ? glm::dvec3(0.0) : glm::dvec3(lit->second);
            ++mean.voxels;
        }
    }
    return means;
}

TEST(Levels, AverageTheVoxelsBelow) {
    constexpr int kSide = 32;
    const Scene scene = mosaic(kSide);
    const Octree finest = voxelizeScene(scene, kSide);
    for (std::uint32_t level = 1; level <= 5; ++level) {
        const Octree coarse = takeLevel(voxelizeScene(scene, kSide), level);
        checkOctree("level", coarse);
        const std::map<Voxel, glm::vec3> light = radiances(coarse);
        // The pins in two corners are far smaller than a voxel's area, but count as a voxel at odd levels.
        for (const auto& [voxel, mean] : meansOf(finest, level, kSide)) {
            const auto [x, y, z] = voxel;
            const int last = (kSide >> level) - 1;
            if ((x == 0 && z == 0) || (x == last && z == last)) {
                continue;
            }
            const shared::VoxelSurface surface = surfaceAt(coarse, {x, y, z});
            const double n = mean.voxels;
            for (int axis = 0; axis < 3; ++axis) {
                ASSERT_NEAR(surface.albedo[axis], mean.albedo[axis] / n, 1.3e-3) << level;
            }
            ASSERT_NEAR(surface.roughness, mean.roughness / n, 0.034) << level;
            ASSERT_NEAR(surface.metalness, mean.metalness / n, 0.068) << level;
            ASSERT_EQ(surface.normal, glm::vec3(0, 1, 0)) << level;
            const auto lit = light.find(voxel);
            const glm::dvec3 radiance = lit == light.end() ? glm::dvec3(0.0) : glm::dvec3(lit->second);
            ASSERT_LT(glm::length(radiance - mean.radiance / n), 4.0 / 256.0) << level;
        }
        EXPECT_GT(light.size(), 0U);
    }
}

TEST(Levels, AnEmissionSharedByAllStaysExact) {
    Scene scene = pinnedScene(64);
    Material lamp;
    lamp.emission = {12.3F, 4.567F, 0.1F};
    addRectangle(scene, {20, 20.5F, 20}, {0, 0, 8}, {8, 0, 0}, lamp);
    const Octree coarse = takeLevel(voxelizeScene(scene, 64), 1);
    EXPECT_EQ(radiances(coarse).size(), 16U);
    for (const auto& [voxel, radiance] : radiances(coarse)) {
        EXPECT_EQ(radiance, lamp.emission);
    }
}

/// More radiances than one palette holds.
TEST(Levels, ManyEmissionsKeepTheirPlaces) {
    Scene scene = pinnedScene(64);
    for (int i = 0; i < 32; ++i) {
        for (int k = 0; k < 32; ++k) {
            Material lamp;
            lamp.emission = {static_cast<float>(1 + i), static_cast<float>(1 + k), 1.0F};
            addRectangle(scene, {2 * i, 20.5F, 2 * k}, {0, 0, 2}, {2, 0, 0}, lamp);
        }
    }
    const Octree coarse = takeLevel(voxelizeScene(scene, 64), 1);
    checkOctree("level", coarse);
    EXPECT_GT(coarse.materialRuns.size(), 3U);
    const std::map<Voxel, glm::vec3> light = radiances(coarse);
    for (int i = 0; i < 32; ++i) {
        for (int k = 0; k < 32; ++k) {
            const auto lit = light.find({i, 10, k});
            ASSERT_NE(lit, light.end());
            ASSERT_EQ(lit->second, glm::vec3(1 + i, 1 + k, 1)) << i << ' ' << k;
        }
    }
}

/// Voxels, grid and checks at every level down to a single voxel.
void expectLevels(const Scene& scene, const VoxelizeOptions& options) {
    const Octree finest = voxelizeScene(scene, options);
    const VoxelSet solid = solidVoxels(finest);
    VoxelSet surface;
    for (const auto& [x, y, z] : solid) {
        if (attributesAt(finest, {x, y, z})) {
            surface.insert({x, y, z});
        }
    }
    const std::uint32_t largest = largestLevel(finest.grid.size);
    for (std::uint32_t level = 0; level <= largest; ++level) {
        const Octree coarse = takeLevel(voxelizeScene(scene, options), level);
        checkOctree("level", coarse);
        const VoxelSet expected = coarsened(solid, level);
        ASSERT_TRUE(solidVoxels(coarse) == expected) << level;
        ASSERT_EQ(coarse.voxelCount(), expected.size()) << level;
        ASSERT_EQ(countVoxels(finest, level), expected.size()) << level;
        const VoxelSet exposed = coarsened(surface, level);
        for (const auto& [x, y, z] : expected) {
            ASSERT_EQ(attributesAt(coarse, {x, y, z}).has_value(), exposed.contains({x, y, z})) << level;
        }
        EXPECT_EQ(coarse.coverage, finest.coverage);
        if (level > 0) {
            EXPECT_TRUE(identical(takeLevel(toDag(voxelizeScene(scene, options)), level), coarse)) << level;
        }
        EXPECT_EQ(coarse.grid.origin, finest.grid.origin);
        EXPECT_EQ(coarse.grid.voxelSize, finest.grid.voxelSize * std::exp2(level));
        for (int axis = 0; axis < 3; ++axis) {
            EXPECT_EQ(coarse.grid.size[axis],
                      static_cast<unsigned>(std::ceil(finest.grid.size[axis] / std::exp2(level))));
        }
        EXPECT_EQ(level == largest, coarse.grid.size == glm::uvec3(1));
    }
}

TEST(Levels, AreTheVoxelsThatHoldFinerOnes) {
    std::vector<LatticeTriangle> triangles = closedSurface({50.3, 29.7, 27.1}, 48, 64, bumps);
    const Scene scene = latticeScene({100, 60, 56}, triangles);
    VoxelizeOptions options;
    options.resolution = 100;
    for (const Coverage coverage : {Coverage::Conservative, Coverage::Thin, Coverage::Solid}) {
        options.coverage = coverage;
        expectLevels(scene, options);
    }
    options.coverage = Coverage::Solid;
    options.resolution = 64;
    std::vector<LatticeTriangle> box = boxSurface(glm::ivec3(0), glm::ivec3(64) * 256);
    expectLevels(latticeScene(glm::ivec3(64), box), options);
}

TEST(Levels, BeyondTheLastAreRefused) {
    std::vector<LatticeTriangle> triangles = boxSurface(glm::ivec3(0), glm::ivec3(17) * 256);
    const Scene scene = latticeScene(glm::ivec3(17), triangles);
    EXPECT_EQ(takeLevel(voxelizeScene(scene, 17), 5).voxelCount(), 1U);
    const Caught caught = errorOf([&] { takeLevel(voxelizeScene(scene, 17), 6); });
    EXPECT_EQ(caught.code, ExitCode::BadInput);
    EXPECT_NE(caught.message.find("level 6, expected at most 5"), std::string::npos) << caught.message;
    Octree outside = voxelizeScene(scene, 64);
    outside.grid.size = glm::uvec3(17); // of as many octree levels
    EXPECT_EQ(errorOf([&] { takeLevel(std::move(outside), 1); }).code, ExitCode::BadInput);
}

TEST(OctreeWalk, BlocksAreThoseOfTheVoxels) {
    std::vector<LatticeTriangle> triangles = closedSurface({31.3, 29.7, 27.1}, 48, 64, bumps);
    VoxelizeOptions options;
    options.resolution = 64;
    options.coverage = Coverage::Solid;
    const Octree octree = voxelizeScene(latticeScene({64, 60, 56}, triangles), options);
    for (glm::ivec3 block(-1); block.z <= 16; ++block.z) {
        for (block.y = -1; block.y <= 16; ++block.y) {
            for (block.x = -1; block.x <= 16; ++block.x) {
                const std::uint64_t mask = solidMask(octree, block);
                for (std::uint32_t bit = 0; bit < 64; ++bit) {
                    const glm::ivec3 voxel = 4 * block + glm::ivec3(shared::bitCell(bit));
                    ASSERT_EQ((mask >> bit) & 1U, isSolid(octree, voxel) ? 1U : 0U);
                }
            }
        }
    }
}

} // namespace
} // namespace aureole::test
