// Level sets as fields, against the closed form of a sphere.

#include <cmath>
#include <functional>
#include <map>

#include <glm/gtc/matrix_transform.hpp>
#include <gtest/gtest.h>

#include "shared/octree/attributes.h"
#include "shared/octree/field.h"
#include "test_scene.h"
#include "voxel/build/build.h"

namespace aureole::test {
namespace {

struct LevelBall {
    glm::dvec3 centre{0.0}; ///< in cells
    double radius = 1.0;

    double distance(const glm::dvec3& point) const { return glm::distance(point, centre) - radius; }
};

/// The level set of a ball with a band of `width` cells on each side, and its model.
VoxelModel levelSetOf(const LevelBall& ball, double width) {
    VoxelModel model;
    model.name = "ball";
    model.materials.fill(kNone);
    model.materials[1] = 0;
    model.size = glm::uvec3(glm::ceil(ball.centre + ball.radius));
    LevelSet& levelSet = model.levelSet;
    levelSet.farthest = static_cast<float>(width);
    levelSet.offset = {3, 0, 7};
    const int blocks = static_cast<int>(std::max({model.size.x, model.size.y, model.size.z})) / 8 + 2;
    for (int i = 0; i < blocks * blocks * blocks; ++i) {
        const glm::ivec3 block(i % blocks, i / blocks % blocks, i / blocks / blocks);
        std::vector<float> values;
        bool near = false;
        for (int p = 0; p < 512; ++p) {
            const glm::ivec3 point = block * 8 + glm::ivec3(p % 8, p / 8 % 8, p / 64) - levelSet.offset;
            const double distance = ball.distance(point);
            near = near || std::abs(distance) < width;
            values.push_back(static_cast<float>(std::clamp(distance, -width, width)));
        }
        if (near) {
            levelSet.blocks.push_back(block);
            levelSet.distances.insert(levelSet.distances.end(), values.begin(), values.end());
        }
    }
    return model;
}

Scene levelSetScene(VoxelModel model, const glm::dmat4& worldFromModel) {
    Scene scene;
    scene.file = "scene.json";
    scene.materials.resize(2);
    scene.voxelModels.push_back(std::move(model));
    scene.voxelInstances.push_back({0, worldFromModel});
    return scene;
}

Octree levelSetField(const Scene& scene, std::uint32_t resolution) {
    VoxelizeOptions options;
    options.resolution = resolution;
    options.surface = SurfaceKind::Field;
    return voxelizeScene(scene, options);
}

/// What the corners of an octree's voxels have, and whether all voxels agree.
std::map<std::tuple<int, int, int>, std::uint32_t> levelSetCodes(const Octree& octree) {
    std::map<std::tuple<int, int, int>, std::uint32_t> codes;
    std::size_t differing = 0;
    for (const auto& [x, y, z] : solidVoxels(octree)) {
        const auto index = attributeIndexAt(octree, {x, y, z});
        const shared::CornerDistances& corners = std::get<FieldEncoding>(octree.encoding).distances[*index];
        for (std::uint32_t i = 0; i < 8; ++i) {
            const std::tuple at(x + static_cast<int>(i & 1U), y + static_cast<int>((i >> 1U) & 1U),
                                z + static_cast<int>(i >> 2U));
            const std::uint32_t code = shared::fieldCode(corners, i);
            differing += codes.emplace(at, code).first->second == code ? 0 : 1;
        }
    }
    EXPECT_EQ(differing, 0U) << "voxels that share a corner have the same distance there";
    return codes;
}

double levelSetDistance(std::uint32_t code) {
    return (code - 2047.5) / 2047.5 * 1.75;
}

/// Compares the distances with those of a ball in voxels of the grid, to `within` voxels where it is so near that it
/// decides where the surface is, and signs everywhere.
void expectLevelBall(const Octree& octree, const LevelBall& inGrid, double within) {
    const auto codes = levelSetCodes(octree);
    EXPECT_GT(codes.size(), 100U);
    for (const auto& [place, code] : codes) {
        const glm::dvec3 point(std::get<0>(place), std::get<1>(place), std::get<2>(place));
        const double expected = inGrid.distance(point);
        // What is far decides less where the surface is, and comes from the end of the band.
        ASSERT_NEAR(levelSetDistance(code), expected, within * std::max(1.0, 4.0 * std::abs(expected)))
            << point.x << ' ' << point.y << ' ' << point.z;
    }
}

TEST(LevelSet, PointsOfTheGridKeepTheirDistances) {
    const LevelBall ball{{9.3, 8.6, 9.9}, 7.2};
    const VoxelModel model = levelSetOf(ball, 3.0);
    const std::vector<glm::ivec3> cells = crossedCells(model.levelSet);
    // The grid is that of the model's cells.
    const Octree octree = levelSetField(levelSetScene(model, glm::dmat4(1.0)), model.size.z);
    ASSERT_EQ(octree.grid.voxelSize, 1.0);
    EXPECT_EQ(octree.voxelCount(), cells.size()) << "a voxel for each cell that the surface goes through";
    expectLevelBall(octree, ball, 0.5 * 1.75 / 2047.5 + 1e-6);
}

/// The model turned, scaled and moved, beside what its ball becomes.
TEST(LevelSet, StandsTurnedAndScaled) {
    const LevelBall ball{{13.3, 12.6, 13.9}, 11.2};
    glm::dmat4 place = glm::mat4_cast(glm::dquat(glm::dvec3(0.3, -1.1, 2.0)));
    for (int axis = 0; axis < 3; ++axis) {
        place[axis] *= 0.25;
    }
    place[3] = {4.0, -2.0, 1.0, 1.0};
    const Scene scene = levelSetScene(levelSetOf(ball, 3.0), place);
    for (const std::uint32_t resolution : {60U, 24U}) { // finer than the cells, and coarser
        SCOPED_TRACE(resolution);
        const Octree octree = levelSetField(scene, resolution);
        const glm::dvec3 centre(place * glm::dvec4(ball.centre, 1.0));
        const double width = octree.grid.voxelSize;
        expectLevelBall(octree, {(centre - octree.grid.origin) / width, ball.radius * 0.25 / width}, 0.05);
    }
}

TEST(LevelSet, VoxelsWiderThanItsBandFindTheSurface) {
    const LevelBall ball{{41.3, 40.6, 41.9}, 38.4};
    const Scene scene = levelSetScene(levelSetOf(ball, 2.0), glm::dmat4(1.0));
    const Octree octree = levelSetField(scene, 16); // of 5 cells
    const double width = octree.grid.voxelSize;
    ASSERT_GT(width, 4.5);
    expectLevelBall(octree, {(ball.centre - octree.grid.origin) / width, ball.radius / width}, 0.1);
}

TEST(LevelSet, MeetsWhatElseIsThere) {
    const LevelBall ball{{9.3, 8.6, 9.9}, 7.2};
    Scene scene = levelSetScene(levelSetOf(ball, 3.0), glm::dmat4(1.0));
    scene.voxelInstances.push_back(scene.voxelInstances.front());
    scene.voxelInstances.back().worldFromModel[3] = {6.0, 1.5, 0.25, 1.0};
    const Octree octree = levelSetField(scene, 40);
    const double width = octree.grid.voxelSize;
    std::size_t within = 0;
    for (const auto& [place, code] : levelSetCodes(octree)) {
        const glm::dvec3 point =
            octree.grid.origin + width * glm::dvec3(std::get<0>(place), std::get<1>(place), std::get<2>(place));
        const double expected =
            std::min(ball.distance(point), ball.distance(point - glm::dvec3(6.0, 1.5, 0.25))) / width;
        ASSERT_NEAR(levelSetDistance(code), std::max(expected, -1.75), 0.08 * std::max(1.0, 2.0 * std::abs(expected)));
        within += expected < -1.75 ? 1 : 0;
    }
    EXPECT_GT(within, 20U) << "the surface of one inside the other is no surface";
}

/// Colours on points of half a cell's width, moved by a third, at places where `has` says so: x, y and z over 24.
ColourGrid colourRamp(const std::function<bool(const glm::dvec3&)>& has) {
    ColourGrid grid;
    grid.pointFromModel = glm::scale(glm::translate(glm::dmat4(1.0), glm::dvec3(1.0 / 3.0)), glm::dvec3(2.0));
    const glm::dmat4 modelFromPoint = glm::inverse(grid.pointFromModel);
    for (int i = 0; i < 6 * 6 * 6; ++i) {
        const glm::ivec3 block(i % 6, i / 6 % 6, i / 36);
        grid.values.push_back(static_cast<std::uint32_t>(grid.blocks.size()));
        grid.blocks.push_back(block);
        for (int p = 0; p < 512; ++p) {
            const glm::dvec3 point(block * 8 + glm::ivec3(p % 8, p / 8 % 8, p / 64));
            const glm::dvec3 place(modelFromPoint * glm::dvec4(point, 1.0));
            grid.colours.push_back(has(place) ? glm::clamp(glm::vec3(place / 24.0), 0.0F, 1.0F)
                                              : ColourGrid::kNoColour);
        }
    }
    return grid;
}

TEST(LevelSet, ColoursAreThoseAtItsPlaces) {
    VoxelModel model = levelSetOf({{11.3, 10.6, 11.9}, 9.7}, 3.0);
    model.colours = colourRamp([](const glm::dvec3& place) { return place.y < 9.0; });
    ASSERT_TRUE(model.colours.isSound());
    Scene scene = levelSetScene(model, glm::dmat4(1.0));
    scene.materials[0].albedo = glm::vec3(0.3F, 0.6F, 0.9F);
    scene.materials[0].roughness = 0.25F;
    for (const std::uint32_t resolution : {model.size.z, 16U, 40U}) { // as its cells, coarser, and finer
        SCOPED_TRACE(resolution);
        const Octree octree = levelSetField(scene, resolution);
        std::size_t coloured = 0;
        std::size_t plain = 0;
        for (const auto& [x, y, z] : solidVoxels(octree)) {
            const glm::ivec3 voxel(x, y, z);
            const glm::dvec3 middle = octree.grid.origin + (glm::dvec3(voxel) + 0.5) * octree.grid.voxelSize;
            const shared::VoxelSurface surface =
                shared::unpackAttributes(octree.attributes[*attributeIndexAt(octree, voxel)]);
            EXPECT_NEAR(surface.roughness, 0.25F, 0.01F);
            const double far = 1.0 + octree.grid.voxelSize;
            if (middle.y > 9.0 + far) {
                EXPECT_LT(glm::distance(surface.albedo, scene.materials[0].albedo), 0.03F);
                ++plain;
            } else if (middle.y < 9.0 - far) {
                // The mean over the cells in a wide voxel is at most half a voxel off.
                const double off = 0.02 + std::max(octree.grid.voxelSize - 1.0, 0.0) / 24.0;
                EXPECT_LT(glm::distance(glm::dvec3(surface.albedo), middle / 24.0), off) << x << ' ' << y << ' ' << z;
                ++coloured;
            }
        }
        EXPECT_GT(coloured, 30U);
        EXPECT_GT(plain, 30U);
    }
}

TEST(LevelSet, ColoursAreInterpolatedAmongThoseThatThereAre) {
    ColourGrid grid;
    grid.blocks = {{-1, 0, 0}, {0, 0, 0}};
    grid.values = {0, 0}; // shared, as those of tiles are
    grid.colours.assign(ColourGrid::kBlockPoints, ColourGrid::kNoColour);
    grid.colours[0] = glm::vec3(1.0F, 0.0F, 0.5F); // at (-8, 0, 0) and at the origin
    grid.colours[1] = glm::vec3(0.0F, 1.0F, 0.5F);
    const ColourSampler sampler(grid);
    EXPECT_EQ(sampler.at(glm::dvec3(0.0)), glm::vec3(1.0F, 0.0F, 0.5F));
    EXPECT_EQ(sampler.at(glm::dvec3(0.25, 0.0, 0.0)), glm::vec3(0.75F, 0.25F, 0.5F));
    EXPECT_EQ(sampler.at(glm::dvec3(-7.75, 0.5, 0.0)), glm::vec3(0.75F, 0.25F, 0.5F)) << "what is beside has none";
    EXPECT_FALSE(sampler.at(glm::dvec3(2.0, 0.0, 0.0)));
    EXPECT_FALSE(sampler.at(glm::dvec3(1e20)));
    grid.colours[1].y = 1.5F;
    EXPECT_FALSE(grid.isSound());
}

TEST(LevelSet, SaysWhatCannotShowIt) {
    Scene scene = levelSetScene(levelSetOf({{5.5, 5.5, 5.5}, 4.0}, 3.0), glm::dmat4(1.0));
    VoxelizeOptions options;
    options.resolution = 16;
    EXPECT_EQ(errorOf([&] { voxelizeScene(scene, options); }).message,
              "scene.json: found surface 'cubes' with the level set 'ball', expected 'field'");
    options.surface = SurfaceKind::Field;
    scene.materials[0].alphaMode = AlphaMode::Mask;
    EXPECT_EQ(errorOf([&] { voxelizeScene(scene, options); }).message,
              "scene.json: found level set 'ball', whose material may have holes, with surface 'field', expected an "
              "opaque one");
}

TEST(LevelSet, AShapeHasNoColours) {
    VoxelModel model = levelSetOf({{5.5, 5.5, 5.5}, 4.0}, 3.0);
    model.colours = colourRamp([](const glm::dvec3&) { return true; });
    Scene scene = levelSetScene(model, glm::dmat4(1.0));
    VoxelizeOptions options;
    options.resolution = 16;
    options.surface = SurfaceKind::Field;
    options.attributes = VoxelContent::None;
    EXPECT_EQ(errorOf([&] { voxelizeScene(scene, options); }).message,
              "scene.json: found 'none' with level set 'ball', which has colours of its own, expected none: "
              "\"colourGrid\": \"\" of its asset leaves them out");
    scene.voxelModels[0].colours = {};
    EXPECT_TRUE(voxelizeScene(scene, options).isShape);
}

} // namespace
} // namespace aureole::test
