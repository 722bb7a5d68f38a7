// Octrees that the device has made, held against those of the CPU.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "full_sweep.h"
#include "gpu_test/gpu_test.h"
#include "model/primitives.h"
#include "octree_copy.h"
#include "same_octrees.h"
#include "shapes.h"
#include "test_scene.h"
#include "voxel/build/build.h"
#include "voxelizer/device_bricks.h"

namespace aureole::voxelizer {
namespace {

class DeviceBricksTest : public gpu::GpuTest {
protected:
    /// Makes the octree on both, expects them to agree, and returns how the device did it.
    static BatchFigures expectAgreement(const Scene& scene, VoxelizeOptions options, const std::string& what,
                                        const BatchLimits& limits = kSmall) {
        DeviceBricks maker(device(), limits);
        const Octree cpu = voxelizeScene(scene, options);
        options.maker = &maker;
        test::expectSame(voxelizeScene(scene, options), cpu, what);
        return maker.figures();
    }

    /// A software device takes hours for what takes a GPU minutes.
    static bool isFull() { return fullSweep() && !device().info().isCpu; }

    static constexpr BatchLimits kSmall{1U << 14U, 1U << 16U, 1U << 14U, 1U << 17U};
};

VoxelizeOptions at(std::uint32_t resolution, Coverage coverage = Coverage::Conservative) {
    VoxelizeOptions options;
    options.resolution = resolution;
    options.coverage = coverage;
    return options;
}

/// Cuts the mesh of a scene in as many instances as there are materials, which differ in all that a material says.
void dealMaterials(Scene& scene, const std::vector<Material>& materials) {
    const Mesh whole = scene.meshes.front();
    const MeshInstance instance = scene.meshInstances.front();
    scene.meshes.clear();
    scene.meshInstances.clear();
    scene.materials = materials;
    for (std::uint32_t m = 0; m < materials.size(); ++m) {
        Mesh part = whole;
        part.triangles.clear();
        part.material = m;
        for (std::size_t i = m; i < whole.triangles.size(); i += materials.size()) {
            part.triangles.push_back(whole.triangles[i]);
        }
        scene.meshes.push_back(part);
        MeshInstance placed = instance;
        placed.mesh = m;
        scene.meshInstances.push_back(placed);
    }
}

Material materialWith(const glm::vec3& albedo, const glm::vec3& emission, float roughness) {
    Material material;
    material.albedo = albedo;
    material.emission = emission;
    material.roughness = roughness;
    return material;
}

VoxelizeOptions planesAt(std::uint32_t resolution, double error = kDefaultSurfaceError) {
    VoxelizeOptions options = at(resolution);
    options.surface = SurfaceKind::Planes;
    options.error = error;
    return options;
}

VoxelizeOptions fieldAt(std::uint32_t resolution) {
    VoxelizeOptions options = at(resolution);
    options.surface = SurfaceKind::Field;
    return options;
}

/// What the device makes: cubes in all modes, planes, and fields.
std::vector<VoxelizeOptions> kindsAt(std::uint32_t resolution, bool closed) {
    std::vector<VoxelizeOptions> kinds = {at(resolution), at(resolution, Coverage::Thin), planesAt(resolution)};
    if (closed) {
        kinds = {at(resolution, Coverage::Solid), fieldAt(resolution), planesAt(resolution, 0.7)};
    }
    return kinds;
}

/// How many tests the soups are dealt to, which may run side by side in exhaustive sweeps.
int shares() {
    return quickOrFull(1, 64);
}

/// One of the shares of the soups: of a GPU's 10,000 in exhaustive sweeps.
class SoupTest : public DeviceBricksTest, public testing::WithParamInterface<int> {};

TEST_P(SoupTest, IsAsTheCpuMakesIt) {
    const int soups = isFull() ? 10000 : 4 * shares();
    for (int seed = GetParam(); seed < soups; seed += shares()) {
        const bool closed = seed % 2 != 0;
        const auto number = static_cast<unsigned>(seed);
        const Scene scene = closed ? test::closedSoup(number, 20) : test::soup(number, 60);
        const std::uint32_t resolution = 16 + number * 37 % 80;
        for (const VoxelizeOptions& options : kindsAt(resolution, closed)) {
            const std::string what = fmt::format("soup {}, {} voxels", seed, resolution);
            EXPECT_GT(expectAgreement(scene, options, what).batches, 0U) << what;
            ASSERT_FALSE(HasFailure());
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Shares, SoupTest, testing::Range(0, shares()));

TEST_F(DeviceBricksTest, GyroidsAgree) {
    const std::uint32_t resolution = isFull() ? 1000 : 40;
    const Scene scene = test::gyroidBlock(glm::ivec3(2), isFull() ? 40 : 3);
    for (const bool closed : {false, true}) {
        for (const VoxelizeOptions& options : kindsAt(resolution, closed)) {
            EXPECT_GT(expectAgreement(scene, options, "gyroid", isFull() ? BatchLimits{} : kSmall).batches, 0U);
        }
    }
}

// Of bricks of three levels, the last ones far from the origin.
TEST_F(DeviceBricksTest, LongGridsAgree) {
    const int metres = isFull() ? 64 : 16;
    const Scene scene = test::gyroidBlock({metres, 1, 1}, isFull() ? 24 : 3);
    const VoxelizeOptions options = at(isFull() ? 16384 : 320);
    EXPECT_EQ(expectAgreement(scene, options, "bar", isFull() ? BatchLimits{} : kSmall).onCpu, 0U);
}

// Above 256 voxels bricks are of three levels instead of two.
TEST_F(DeviceBricksTest, LargeGridsAgree) {
    const BatchFigures figures = expectAgreement(test::soup(77, 40), at(quickOrFull(300U, 1500U)), "large",
                                                 {1U << 10U, 1U << 13U, 1U << 11U, 1U << 15U});
    EXPECT_GT(figures.batches, 1U);
    EXPECT_EQ(figures.onCpu, 0U);
}

TEST_F(DeviceBricksTest, MaterialsAndEmissionAgree) {
    Scene scene = test::soup(5, 150);
    dealMaterials(scene, {materialWith({0.1F, 0.5F, 0.9F}, glm::vec3(0.0F), 0.3F),
                          materialWith({0.9F, 0.2F, 0.2F}, {40.0F, 22.0F, 8.0F}, 0.6F),
                          materialWith({0.2F, 0.2F, 0.2F}, {0.3F, 0.7F, 5.1F}, 1.0F),
                          materialWith({0.7F, 0.7F, 0.1F}, glm::vec3(0.0F), 0.05F)});
    expectAgreement(scene, at(48), "materials");
}

// What emits comes back only with batches that have some of it: others are not to show that of the batch before.
TEST_F(DeviceBricksTest, BatchesThatEmitNothingAgree) {
    Scene scene = test::sceneOf({});
    scene.meshes.front() = makeSphere(glm::dvec3(0.5), 0.5, 2);
    scene.materials = {materialWith({0.1F, 0.5F, 0.9F}, glm::vec3(0.0F), 0.3F),
                       materialWith({0.9F, 0.2F, 0.2F}, {40.0F, 22.0F, 8.0F}, 0.6F)};
    MeshInstance& matt = scene.meshInstances.front();
    MeshInstance lamp = matt;
    lamp.material = 1;
    matt.material = 0;
    lamp.worldFromMesh[3] = {1.3, 0.2, 0.1, 1.0};
    MeshInstance behind = matt;
    behind.worldFromMesh[3] = {2.6, 0.3, 0.2, 1.0};
    scene.meshInstances.push_back(lamp);
    scene.meshInstances.push_back(behind);
    const BatchFigures figures = expectAgreement(scene, at(200), "lamp between", {512, 2048, 1024, 16384});
    EXPECT_GT(figures.emitting, 0U);
    EXPECT_GT(figures.batches, figures.emitting + 2);
    scene.materials.erase(scene.materials.begin()); // one material, and all emit
    for (MeshInstance& instance : scene.meshInstances) {
        instance.material = 0;
    }
    const BatchFigures all = expectAgreement(scene, at(100), "lamps", {512, 2048, 1024, 16384});
    EXPECT_EQ(all.batches, all.emitting);
}

/// The nodes of each level that are one plane, from blocks up.
std::array<std::size_t, 3> mergedOf(const Octree& octree) {
    std::array<std::size_t, 3> merged{};
    const Array<shared::OctreeNode>& nodes = std::get<PlanesEncoding>(octree.encoding).nodes;
    const auto visit = [&](const auto& self, std::size_t node, std::uint32_t height) -> void {
        if ((nodes[node].flags & OCTREE_NODE_TERMINAL) != 0) {
            ++merged.at(height);
        } else if (height > 0) {
            for (std::uint32_t i = 0; i < shared::maskCount({nodes[node].maskLow, nodes[node].maskHigh}); ++i) {
                self(self, nodes[node].firstChild + i, height - 1);
            }
        }
    };
    visit(visit, 0, octree.levels - 1);
    return merged;
}

// Nodes of 4, 16 and 64 voxels a side become planes.
TEST_F(DeviceBricksTest, MergedPlanesAgree) {
    const Scene scene = test::sheetOverWaves();
    for (const double error : {0.25, 1.0}) {
        const VoxelizeOptions options = planesAt(quickOrFull(300U, 1100U), error);
        const std::array<std::size_t, 3> merged = mergedOf(voxelizeScene(scene, options));
        EXPECT_GT(merged[0], 20U);
        EXPECT_GT(merged[1], 20U);
        EXPECT_GT(merged[2], 2U);
        const BatchFigures figures = expectAgreement(scene, options, fmt::format("planes within {}", error));
        EXPECT_EQ(figures.onCpu, 0U);
    }
    // Where a brick has so many points that the CPU would merge no more of it, it is the CPU's.
    BatchLimits limits = kSmall;
    limits.points = 2000;
    EXPECT_GT(expectAgreement(scene, planesAt(70), "planes of many points", limits).onCpu, 0U);
}

// The larger the error, the farther voxels are searched around; a software device ends loops that go on for long.
TEST_F(DeviceBricksTest, PlanesOfLargeErrorsAgree) {
    for (const std::uint32_t side : {16U, 64U}) {
        const Scene scene = test::steppedSheet(side, 7.8F);
        const VoxelizeOptions options = planesAt(5 * side, 4.0);
        EXPECT_EQ(mergedOf(voxelizeScene(scene, options)).at(side == 16 ? 1 : 2), 4U);
        EXPECT_EQ(expectAgreement(scene, options, fmt::format("parts of {}", side)).onCpu, 0U);
    }
}

// A tip that touches one voxel of a part of 4 or of 16 would have the part's plane over all else.
TEST_F(DeviceBricksTest, TipsAgree) {
    for (const glm::dvec3& tip : {glm::dvec3(48, 48, 80), glm::dvec3(66, 66, 80.03), glm::dvec3(50, 50, 60.02)}) {
        auto triangles =
            test::closedSurface(tip - glm::dvec3(0.0, 0.0, 12.0), 32, 12, [](const glm::dvec3&) { return 12.0; });
        const Scene scene = test::latticeScene({96, 96, 96}, triangles);
        EXPECT_EQ(expectAgreement(scene, planesAt(96), fmt::format("tip at {}, {}", tip.x, tip.z)).onCpu, 0U);
    }
}

TEST_F(DeviceBricksTest, PlanesOfLampsAndMaterialsAgree) {
    Scene scene = test::sceneOf({});
    scene.meshes.front() = makeBox(glm::dvec3(0.0), glm::dvec3(1.0, 0.3, 1.0));
    scene.meshes.push_back(makeBox(glm::dvec3(0.31, 0.2, 0.3), glm::dvec3(0.7, 0.3, 0.71))); // let into the other
    scene.materials = {materialWith({0.1F, 0.5F, 0.9F}, glm::vec3(0.0F), 0.3F),
                       materialWith({0.9F, 0.2F, 0.2F}, {40.0F, 22.0F, 8.0F}, 0.6F),
                       materialWith({0.1F, 0.52F, 0.9F}, glm::vec3(0.0F), 0.31F)};
    MeshInstance lamp = scene.meshInstances.front();
    lamp.mesh = 1;
    lamp.material = 1;
    MeshInstance other = scene.meshInstances.front();
    other.material = 2;
    other.worldFromMesh[3] = {1.0, 0.01, 0.0, 1.0};
    scene.meshInstances.front().material = 0;
    scene.meshInstances.push_back(lamp);
    scene.meshInstances.push_back(other);
    const VoxelizeOptions options = planesAt(90);
    const Octree octree = voxelizeScene(scene, options);
    std::size_t borders = 0;
    for (std::size_t i = 0; i < octree.attributes.size(); ++i) {
        const bool isWhole = shared::slabIsWhole(std::get<PlanesEncoding>(octree.encoding).slabs[i]) != 0;
        borders += !isWhole && shared::unpackAttributes(octree.attributes[i]).crease != 0 ? 1 : 0;
    }
    EXPECT_GT(borders, 20U);
    EXPECT_EQ(expectAgreement(scene, options, "lamp let in").onCpu, 0U);
    Scene soup = test::soup(5, 150);
    dealMaterials(soup, scene.materials);
    expectAgreement(soup, planesAt(48), "materials");
}

// Normals of vertices go through the transforms of instances.
TEST_F(DeviceBricksTest, SmoothNormalsAndInstancesAgree) {
    Scene scene = test::sceneOf({});
    scene.meshes.front() = makeSphere(glm::dvec3(0.5), 0.5, 2);
    ASSERT_FALSE(scene.meshes.front().normals.empty());
    MeshInstance second = scene.meshInstances.front();
    second.worldFromMesh[0] = {-0.4, 0.1, 0.3, 0.0};
    second.worldFromMesh[1] = {0.2, 0.9, 0.0, 0.0};
    second.worldFromMesh[3] = {0.7, 0.6, 0.2, 1.0};
    scene.meshInstances.push_back(second);
    for (const Coverage coverage : {Coverage::Conservative, Coverage::Thin, Coverage::Solid}) {
        expectAgreement(scene, at(70, coverage), "spheres");
    }
    expectAgreement(scene, fieldAt(40), "field");
    expectAgreement(scene, planesAt(120), "planes");
}

// What is nearest to a corner may be in another brick, and in another batch.
TEST_F(DeviceBricksTest, FieldsOfManyBatchesAgree) {
    const Scene scene = test::gyroidBlock(glm::ivec3(1), 4);
    const BatchFigures figures =
        expectAgreement(scene, fieldAt(90), "field", {1U << 9U, 1U << 11U, 1U << 10U, 1U << 14U});
    EXPECT_GT(figures.batches, 10U);
    EXPECT_EQ(figures.onCpu, 0U);
    BatchLimits limits = kSmall;
    limits.nearBlock = 20; // of which bricks of the device are beside those of the CPU
    const BatchFigures mixed = expectAgreement(scene, fieldAt(90), "field of both", limits);
    EXPECT_GT(mixed.onCpu, 0U);
    EXPECT_GT(mixed.batches, 0U);
}

TEST_F(DeviceBricksTest, EdgesAgree) {
    Scene scene = test::sceneOf({});
    scene.meshes.front() = makeBox(glm::dvec3(0.0), glm::dvec3(1.0));
    glm::dmat4& placed = scene.meshInstances.front().worldFromMesh; // turned, lest edges run along voxels
    placed[0] = {0.8, 0.48, 0.36, 0.0};
    placed[1] = {-0.6, 0.64, 0.48, 0.0};
    placed[2] = {0.0, -0.6, 0.8, 0.0};
    const Octree octree = voxelizeScene(scene, 50);
    std::size_t edges = 0;
    for (const shared::VoxelAttributes& attributes : octree.attributes) {
        edges += shared::isEdge(shared::unpackAttributes(attributes));
    }
    EXPECT_GT(edges, 200U);
    expectAgreement(scene, at(50), "box");
    expectAgreement(scene, planesAt(50), "box of planes");
}

// What has no room in a batch is cut into smaller ones; a brick that has none by itself is the CPU's.
TEST_F(DeviceBricksTest, LittleRoomMakesTheSame) {
    const Scene scene = test::soup(9, 120);
    const BatchFigures few = expectAgreement(scene, at(64), "room for few", {512, 2048, 1024, 16384});
    EXPECT_GT(few.batches, 2U);
    const BatchFigures fewest = expectAgreement(scene, at(64), "room for fewest", {48, 64, 40, 600});
    EXPECT_GT(fewest.onCpu, 0U);
    EXPECT_GT(fewest.batches, 0U);
    EXPECT_GT(expectAgreement(scene, planesAt(64), "room for few planes", {512, 2048, 1024, 16384}).batches, 2U);
}

// Bricks of a batch are counted too: where they are nearly empty, the next batch is not to be larger for that.
TEST_F(DeviceBricksTest, DenseBricksBehindSparseOnesAreNotTriedInVain) {
    std::vector<std::array<glm::vec3, 3>> triangles;
    for (int i = 0; i < 800; ++i) { // far from each other, then close together
        const int dense = std::max(0, i - 200);
        const glm::vec3 a(std::min(i, 200) / 4, dense % 20, dense / 20);
        triangles.push_back({a, a + glm::vec3(0.9F, 0.1F, 0.0F), a + glm::vec3(0.0F, 0.8F, 0.3F)});
    }
    BatchLimits limits{256, 160, 256, 4096};
    limits.bricks = 4;
    const BatchFigures figures = expectAgreement(test::sceneOf(triangles), at(200), "sparse, then dense", limits);
    EXPECT_GT(figures.batches, 10U);
    EXPECT_EQ(figures.inVain, 0U);
}

// Each voxel of a block goes through all triangles of the block, so that a brick with more is the CPU's.
TEST_F(DeviceBricksTest, BlocksOfManyTrianglesAreTheCpus) {
    Scene scene = test::soup(4, 2000);
    BatchLimits limits = kSmall;
    limits.ofBlock = 20;
    EXPECT_GT(expectAgreement(scene, at(16), "soup in few voxels", limits).onCpu, 0U);
    std::vector<Material> materials(60);
    for (std::size_t i = 0; i < materials.size(); ++i) {
        materials[i].albedo = glm::vec3(static_cast<float>(i) / 60.0F);
        materials[i].emission = glm::vec3(static_cast<float>(i % 7));
    }
    dealMaterials(scene, materials);
    expectAgreement(scene, at(20), "of sixty materials"); // its bricks have branches
}

// A software device may end the loops of neighbouring invocations once these have gone round often enough together.
TEST_F(DeviceBricksTest, NeighboursWithManySamplesAgree) {
    const Scene scene = test::sheetsInTurn(18);
    EXPECT_GT(mergedOf(voxelizeScene(scene, planesAt(64)))[0], 7U);
    EXPECT_EQ(expectAgreement(scene, planesAt(64), "sheets in turn").onCpu, 0U);
}

/// So many triangles, each of which all sides of the same voxel cut, in as many materials.
Scene knotOf(int count, bool emits) {
    std::vector<std::array<glm::vec3, 3>> triangles;
    std::vector<Material> materials;
    for (int i = 0; i < count; ++i) {
        const auto number = static_cast<float>(i);
        const glm::vec3 diagonal(i % 4 == 1 ? -1.0F : 1.0F, i % 4 == 2 ? -1.0F : 1.0F, i % 4 == 3 ? -1.0F : 1.0F);
        const glm::vec3 across = glm::normalize(diagonal + 0.1F * glm::vec3(std::sin(number), std::cos(number), 0.0F));
        const glm::vec3 first = glm::normalize(glm::cross(across, glm::vec3(0.3F, 1.0F, -0.5F)));
        const glm::vec3 second = glm::cross(across, first);
        const auto corner = [&](float turn) {
            const float angle = 1.7F * number + turn;
            return glm::vec3(9.5F) + 1.3F * (std::cos(angle) * first + std::sin(angle) * second);
        };
        triangles.push_back({corner(0.0F), corner(2.1F), corner(4.2F)});
        materials.push_back(
            materialWith(glm::vec3(0.03F * number), emits && i > 0 ? glm::vec3(1.0F + number) : glm::vec3(0.0F), 0.5F));
    }
    triangles.push_back({glm::vec3(0.0F), glm::vec3(0.2F, 0.0F, 0.0F), glm::vec3(0.0F, 0.2F, 0.2F)});
    triangles.push_back({glm::vec3(16.0F), glm::vec3(15.8F, 16.0F, 16.0F), glm::vec3(16.0F, 15.8F, 15.8F)});
    materials.push_back(materialWith(glm::vec3(0.5F), glm::vec3(0.0F), 0.5F));
    materials.push_back(materials.back());
    Scene scene = test::sceneOf(triangles);
    dealMaterials(scene, materials);
    return scene;
}

TEST_F(DeviceBricksTest, VoxelsOfManyMaterialsAgree) {
    for (const int count : {16, 24, 32}) {
        expectAgreement(knotOf(count, false), at(16), fmt::format("{} materials", count));
        expectAgreement(knotOf(count, true), planesAt(16), fmt::format("{} lamps", count));
    }
}

TEST_F(DeviceBricksTest, WhatItCannotDoIsTheCpus) {
    const Scene plain = test::soup(1, 30);
    DeviceBricks maker(device(), kSmall);
    EXPECT_EQ(maker.whyNot(plain, at(32)), "");
    EXPECT_EQ(maker.whyNot(plain, planesAt(32)), "");
    VoxelizeOptions limited = at(32);
    limited.memory = 1U << 30U;
    EXPECT_EQ(maker.whyNot(plain, limited), "memory is limited");
    Scene glass = plain;
    glass.materials.front().model = MaterialModel::Dielectric;
    EXPECT_EQ(maker.whyNot(glass, at(32)), "glass on mesh 'soup'");
    Scene cut = plain;
    cut.materials.front().alphaMode = AlphaMode::Mask;
    EXPECT_EQ(maker.whyNot(cut, at(32)), "an alpha that is tested on mesh 'soup'");
    Scene coloured = plain;
    coloured.meshes.front().colours.resize(coloured.meshes.front().positions.size());
    EXPECT_EQ(maker.whyNot(coloured, at(32)), "colours of vertices on mesh 'soup'");
    Scene textured = plain;
    textured.materials.front().albedoTexture.texture = 0;
    EXPECT_EQ(maker.whyNot(textured, at(32)), "textures or a pattern on mesh 'soup'");
    VoxelizeOptions asked = at(32);
    asked.maker = &maker;
    EXPECT_TRUE(test::identical(voxelizeScene(glass, asked), voxelizeScene(glass, at(32))));
}

} // namespace
} // namespace aureole::voxelizer
