// Boxes around emissive voxels: which voxels each of them has, how tight they are, and how they are found again.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <numeric>
#include <random>

#include <gtest/gtest.h>
#include <omp.h>

#include "core/error.h"
#include "emissive_palette.h"
#include "emitter_tables.h"
#include "octree_copy.h"
#include "shared/surface/voxel_state.h"
#include "test_scene.h"
#include "voxel/build/build.h"
#include "voxel/build/voxel_material.h"
#include "voxel/tree/box_fit.h"
#include "voxel/tree/cell_code.h"
#include "voxel/tree/emitter_boxes.h"
#include "voxel/tree/voxel_shape.h"

namespace aureole::test {
namespace {

/// A closed plate of length 60 and width 40, turned so that no axis of the grid lies along it; or, where it has no
/// thickness, one side of it.
Scene plate(float thickness) {
    const glm::vec3 u = glm::normalize(glm::vec3(2.0F, 1.0F, 0.5F));
    const glm::vec3 v = glm::normalize(glm::cross(u, glm::vec3(0.3F, 1.0F, 0.0F)));
    const glm::vec3 w = glm::cross(u, v);
    Scene scene;
    scene.file = "scene.json";
    scene.materials.resize(1);
    scene.materials[0].emission = glm::vec3(2.0F);
    Mesh mesh;
    for (std::uint32_t i = 0; i < 8; ++i) {
        mesh.positions.push_back(u * ((i & 1U) != 0 ? 60.0F : 0.0F) + v * ((i & 2U) != 0 ? 40.0F : 0.0F) +
                                 w * ((i & 4U) != 0 ? thickness : 0.0F));
    }
    mesh.triangles = {{0, 2, 1}, {1, 2, 3}};
    if (thickness > 0.0F) {
        mesh.triangles.insert(mesh.triangles.end(), {{4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7}});
        mesh.triangles.insert(mesh.triangles.end(), {{0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}});
    }
    scene.meshes = {mesh};
    scene.meshInstances.resize(1);
    return scene;
}

Octree voxelizeLamps(const Scene& scene, SurfaceKind surface, std::uint32_t resolution = 100) {
    VoxelizeOptions options;
    options.resolution = resolution;
    options.surface = surface;
    return voxelizeScene(scene, options);
}

EmitterArrays boxesOf(const Octree& octree) {
    return makeEmitterBoxes(octree, collectEmissiveVoxels(octree));
}

/// A box's size in the world, the least first.
glm::vec3 sizeOf(const Octree& octree, const shared::EmitterBox& box) {
    const float voxels = std::ldexp(1.0F, 2 * static_cast<int>(octree.levels));
    glm::vec3 halves = 2.0F * box.halves * voxels * static_cast<float>(octree.grid.voxelSize);
    std::sort(&halves.x, &halves.x + 3);
    return halves;
}

/// Rows give each voxel of the grid its box, if it is emissive, and that holds what a ray may meet of it.
void expectFound(const Octree& octree, const EmitterArrays& arrays) {
    const shared::EmitterTables tables = tablesOf(arrays);
    const auto address = reinterpret_cast<std::uint64_t>(&tables);
    const float voxelSize = std::ldexp(1.0F, -2 * static_cast<int>(octree.levels));
    std::map<std::tuple<unsigned, unsigned, unsigned>, EmissiveVoxel> lit;
    for (const EmissiveVoxel& voxel : collectEmissiveVoxels(octree)) {
        lit[{voxel.voxel.x, voxel.voxel.y, voxel.voxel.z}] = voxel;
    }
    EXPECT_FALSE(lit.empty());
    for (std::uint32_t i = 0; i < octree.grid.size.x * octree.grid.size.y * octree.grid.size.z; ++i) {
        const glm::uvec3 voxel(i % octree.grid.size.x, i / octree.grid.size.x % octree.grid.size.y,
                               i / octree.grid.size.x / octree.grid.size.y);
        const shared::EmitterRow row = shared::emitterRow(address, voxel);
        const std::uint32_t found = row.box;
        const auto expected = lit.find({voxel.x, voxel.y, voxel.z});
        ASSERT_EQ(found != NO_BOX, expected != lit.end()) << voxel.x << ' ' << voxel.y << ' ' << voxel.z;
        if (found == NO_BOX) {
            continue;
        }
        const shared::EmitterBox& box = arrays.boxes[found];
        ASSERT_EQ(row.entry, expected->second.entry);
        ASSERT_EQ(box.material, octree.palette[row.entry].material);
        const VoxelShape shape = shapeOf(octree, expected->second);
        for (std::uint32_t k = 0; k < shape.count; ++k) {
            const glm::vec3 place =
                glm::abs(shared::intoBox(box, glm::vec3(1.0F) + shape.points[k] * voxelSize - box.middle));
            ASSERT_TRUE(glm::all(glm::lessThan(place, box.halves)));
        }
    }
}

/// A lamp that is flat, whichever way it is turned, is one box, as thin as its surface is.
TEST(EmitterBoxes, AreAsTightAsTheLamp) {
    struct Lamp {
        SurfaceKind surface;
        float thickness;
        glm::vec3 size;   ///< that is expected
        glm::vec3 within; ///< in voxels
    };
    for (const Lamp& lamp : {Lamp{SurfaceKind::Cubes, 0.0F, {0.0F, 40.0F, 60.0F}, {4.0F, 4.0F, 4.0F}},
                             Lamp{SurfaceKind::Planes, 0.0F, {0.0F, 40.0F, 60.0F}, {0.03F, 3.0F, 3.0F}},
                             Lamp{SurfaceKind::Field, 8.0F, {8.0F, 40.0F, 60.0F}, {1.8F, 1.8F, 1.8F}}}) {
        const Octree octree = voxelizeLamps(plate(lamp.thickness), lamp.surface);
        const EmitterArrays arrays = boxesOf(octree);
        ASSERT_EQ(arrays.boxes.size(), 1U);
        const auto voxel = static_cast<float>(octree.grid.voxelSize);
        const glm::vec3 wider = (sizeOf(octree, arrays.boxes[0]) - lamp.size) / voxel;
        for (int axis = 0; axis < 3; ++axis) {
            EXPECT_GT(wider[axis], -0.5F) << axis;
            EXPECT_LT(wider[axis], lamp.within[axis]) << axis;
        }
        // Its power is that of all its sides.
        const double expected = 2.0 * double{lamp.thickness * (40.0F + 60.0F) + 40.0F * 60.0F};
        EXPECT_NEAR(arrays.power() / 2.0 * double{voxel * voxel} / expected, 1.0,
                    lamp.surface == SurfaceKind::Cubes ? 0.3 : 0.12);
        expectFound(octree, arrays);
        ASSERT_TRUE(octree.lamps); // what the octree has ready, after its lamps were matched
        EXPECT_TRUE(identical(*octree.lamps, arrays));
    }
}

/// What would leave most of a box empty is more than one; what does not touch, too.
TEST(EmitterBoxes, PartWhatIsFarFromFilling) {
    Scene scene = pinnedScene(128.0F);
    Material lamp;
    lamp.emission = glm::vec3(2.0F);
    addRectangle(scene, {10.3F, 30.3F, 10.3F}, {80, 0, 0}, {0, 0, 5}, lamp); // two sides of a square
    addRectangle(scene, {10.3F, 30.3F, 15.3F}, {5, 0, 0}, {0, 0, 75}, lamp);
    addRectangle(scene, {100.3F, 30.3F, 10.3F}, {10, 0, 0}, {0, 0, 10}, lamp);
    const Octree octree = voxelizeLamps(scene, SurfaceKind::Planes);
    const EmitterArrays arrays = boxesOf(octree);
    EXPECT_EQ(arrays.boxes.size(), 3U);
    const double voxel = octree.grid.voxelSize;
    EXPECT_NEAR(arrays.power() / 2.0 * voxel * voxel, 2.0 * (80 * 5 + 75 * 5 + 100), 0.15 * 2.0 * 875.0);
    expectFound(octree, arrays);
}

/// Gives each emissive voxel the radiance that `of` says, by its place.
void setRadiances(Octree& octree, const std::vector<glm::vec3>& radiances,
                  const std::function<std::uint32_t(const glm::uvec3&)>& of) {
    const std::vector<EmissiveVoxel> voxels = collectEmissiveVoxels(octree);
    octree.palette = emissivePalette(radiances);
    octree.materialRuns = singleRun(octree.palette.size());
    for (const EmissiveVoxel& voxel : voxels) {
        shared::VoxelAttributes& attributes = octree.attributes[voxel.attributes];
        attributes.shading &= ~(ATTRIBUTE_MAX_MATERIAL << ATTRIBUTE_MATERIAL_SHIFT);
        attributes.shading |= (1U + of(voxel.voxel)) << ATTRIBUTE_MATERIAL_SHIFT;
    }
}

/// A texture makes no more boxes of a lamp, but where it is much brighter in some part.
TEST(EmitterBoxes, HoldWhatGlowsAboutAlike) {
    Octree octree = voxelizeLamps(plate(0.0F), SurfaceKind::Planes);
    setRadiances(octree, {glm::vec3(1.0F), glm::vec3(3.0F)},
                 [](const glm::uvec3& voxel) { return (voxel.x + voxel.y + voxel.z) % 2; });
    const EmitterArrays checkered = boxesOf(octree);
    ASSERT_EQ(checkered.boxes.size(), 1U);
    const shared::EmitterBox& box = checkered.boxes[0];
    const glm::vec3 size = 2.0F * box.halves * std::ldexp(1.0F, 2 * static_cast<int>(octree.levels));
    const float surface = 2.0F * (size.x * size.y + size.y * size.z + size.z * size.x);
    EXPECT_NEAR(box.power / (2.0F * surface), 1.0F, 0.05F);
    expectFound(octree, checkered);

    const glm::uvec3 bright = collectEmissiveVoxels(octree)[0].voxel;
    const auto isBright = [&](const glm::uvec3& voxel) {
        return glm::all(glm::lessThan(glm::abs(glm::ivec3(voxel) - glm::ivec3(bright)), glm::ivec3(6)));
    };
    setRadiances(octree, {glm::vec3(1.0F), glm::vec3(100.0F)},
                 [&](const glm::uvec3& voxel) { return isBright(voxel) ? 1U : 0U; });
    const EmitterArrays spotted = boxesOf(octree);
    EXPECT_GT(spotted.boxes.size(), 1U);
    EXPECT_LT(spotted.boxes.size(), 20U);
    const auto* const brightest =
        std::max_element(spotted.boxes.begin(), spotted.boxes.end(),
                         [](const shared::EmitterBox& a, const shared::EmitterBox& b) { return a.power < b.power; });
    const glm::vec3 extent = sizeOf(octree, *brightest) / static_cast<float>(octree.grid.voxelSize);
    EXPECT_LT(extent.y * extent.z, 4.0F * 12.0F * 12.0F);
    expectFound(octree, spotted);
}

/// What is large enough for its work to be shared out is parted as on one core.
TEST(EmitterBoxes, OfLargeLampsAreTheSameOnAnyNumberOfCores) {
    const Octree octree = voxelizeLamps(plate(20.0F), SurfaceKind::Cubes, 160);
    ASSERT_GT(collectEmissiveVoxels(octree).size(), 2 * kPartAtOnce);
    const EmitterArrays arrays = boxesOf(octree);
    const int threads = omp_get_max_threads();
    omp_set_num_threads(1);
    const EmitterArrays again = boxesOf(octree);
    omp_set_num_threads(threads);
    ASSERT_EQ(again.boxes.size(), arrays.boxes.size());
    EXPECT_EQ(std::memcmp(again.boxes.data(), arrays.boxes.data(), arrays.boxes.size() * sizeof(arrays.boxes[0])), 0);
    EXPECT_EQ(again.rows.size(), arrays.rows.size());
}

/// Those in some nodes are those of the octree that lie there.
TEST(EmissiveVoxels, InSomeNodes) {
    const Octree octree = voxelizeLamps(plate(20.0F), SurfaceKind::Cubes, 160);
    const std::vector<EmissiveVoxel> all = allEmissiveVoxels(octree);
    for (const std::uint32_t levels : {1U, 2U, octree.levels}) {
        const auto nodeOf = [&](const EmissiveVoxel& voxel) { return cellCode(voxel.voxel) >> (6U * levels); };
        std::vector<std::uint64_t> codes;
        std::vector<std::uint64_t> expected; // indices of attributes
        for (const EmissiveVoxel& voxel : all) {
            if (nodeOf(voxel) % 3 == 0) {
                expected.push_back(voxel.attributes);
                if (codes.empty() || codes.back() != nodeOf(voxel)) {
                    codes.push_back(nodeOf(voxel));
                }
            }
        }
        ASSERT_FALSE(codes.empty());
        std::vector<std::uint64_t> found;
        for (const EmissiveVoxel& voxel : allEmissiveVoxels(octree, codes, levels)) {
            found.push_back(voxel.attributes);
        }
        EXPECT_EQ(found, expected) << levels;
    }
    EXPECT_THROW(allEmissiveVoxels(octree, std::vector{~std::uint64_t{0} >> 20U}, 1), Error);
}

/// Of small pieces of three colours here and there, in any order.
TEST(EmitterBoxes, HoldEachVoxelOnce) {
    std::mt19937 random(5);
    for (const int pieces : {40, 600}) {
        Scene scene = pinnedScene(32.0F);
        std::uniform_real_distribution<float> place(1.0F, 30.0F);
        Material lamp;
        lamp.emission = glm::vec3(2.0F);
        for (int i = 0; i < pieces; ++i) {
            lamp.emission.y = static_cast<float>(i % 3);
            addRectangle(scene, {place(random), place(random), place(random)}, {1, 0.5F, 0}, {0, 0.5F, 1}, lamp);
            scene.meshes.back().material -= static_cast<std::uint32_t>(i - i % 3);
        }
        const Octree octree = voxelizeLamps(scene, SurfaceKind::Planes, 32);
        std::vector<EmissiveVoxel> voxels = collectEmissiveVoxels(octree);
        const EmitterArrays arrays = makeEmitterBoxes(octree, voxels);
        expectFound(octree, arrays);
        std::shuffle(voxels.begin(), voxels.end(), std::mt19937(3));
        const EmitterArrays shuffled = makeEmitterBoxes(octree, voxels);
        EXPECT_TRUE(identical(shuffled, arrays));
        ASSERT_TRUE(octree.lamps);
        EXPECT_TRUE(identical(*octree.lamps, arrays));
        const Octree cubes = voxelizeLamps(scene, SurfaceKind::Cubes, 16); // in which rays come to some no way
        EXPECT_TRUE(pieces < 600 || collectEmissiveVoxels(cubes).size() < allEmissiveVoxels(cubes).size());
        ASSERT_TRUE(cubes.lamps);
        EXPECT_TRUE(identical(*cubes.lamps, boxesOf(cubes)));
        double sum = 0.0;
        for (const shared::EmitterBox& box : arrays.boxes) {
            sum += double{box.power};
        }
        EXPECT_DOUBLE_EQ(arrays.power(), sum);
    }
}

} // namespace
} // namespace aureole::test
