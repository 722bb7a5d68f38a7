// Octrees of a shape alone: voxels without attributes of their own.

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "octree_copy.h"
#include "octree_file_fixture.h"
#include "shared/octree/attributes.h"
#include "test_scene.h"
#include "voxel/build/build.h"
#include "voxel/file/octree_file.h"
#include "voxel/tree/dag.h"
#include "voxel/tree/level.h"

namespace aureole::test {
namespace {

/// A bumpy ball of one material, which is not the first.
Scene bumpyBall() {
    std::vector<LatticeTriangle> triangles =
        closedSurface({35.3, 33.1, 34.2}, 16, 20, [](const glm::dvec3& d) { return 29.0 + 3.0 * d.y; });
    Scene scene = latticeScene(glm::ivec3(70), triangles);
    Material red;
    red.name = "red";
    red.albedo = {0.75F, 0.25F, 0.125F};
    red.roughness = 0.5F;
    scene.materials.push_back(red);
    scene.meshes[0].material = 1;
    return scene;
}

VoxelizeOptions optionsFor(VoxelContent content, SurfaceKind surface = SurfaceKind::Cubes,
                           Coverage coverage = Coverage::Conservative) {
    VoxelizeOptions options;
    options.resolution = 70;
    options.attributes = content;
    options.surface = surface;
    options.coverage = coverage;
    return options;
}

Octree shapeOctree(Coverage coverage = Coverage::Conservative) {
    return voxelizeScene(bumpyBall(), optionsFor(VoxelContent::None, SurfaceKind::Cubes, coverage));
}

/// What shaders read of every solid voxel, by the functions that they read it with.
void expectOneAttribute(const Octree& shape) {
    const shared::OctreeView view = makeView(shape);
    const auto address = reinterpret_cast<std::uint64_t>(&view);
    for (const auto& [x, y, z] : solidVoxels(shape)) {
        const glm::ivec3 voxel(x, y, z);
        std::uint32_t shift = 0;
        const std::uint64_t index = shared::octreeCellAttributes(address, glm::uvec3(voxel), shift);
        if (index == OCTREE_NO_ATTRIBUTES) {
            continue; // in a full node
        }
        const shared::VoxelSurface surface = shared::unpackAttributes(shared::octreeAttributes(address, index));
        ASSERT_EQ(surface.albedo, glm::vec3(0.75F, 0.25F, 0.125F));
        ASSERT_EQ(surface.crease, 1U);
        ASSERT_EQ(shared::isEdge(surface), 0U) << "nothing is known of its sheets, so it has the normals of its faces";
        const std::uint32_t entry = shared::octreePaletteIndex(address, index, surface.material);
        ASSERT_EQ(shape.palette[entry].material, 1U);
    }
}

TEST(Shape, HasTheVoxelsOfAnOctreeAndOneAttribute) {
    for (const Coverage coverage : {Coverage::Conservative, Coverage::Thin, Coverage::Solid}) {
        const Octree shape = shapeOctree(coverage);
        const Octree whole = voxelizeScene(bumpyBall(), optionsFor(VoxelContent::All, SurfaceKind::Cubes, coverage));
        ASSERT_TRUE(shape.isShape);
        EXPECT_EQ(shape.voxels, whole.voxels);
        EXPECT_EQ(shape.coverage, whole.coverage);
        EXPECT_TRUE(
            sameBytes(std::get<TreeEncoding>(shape.encoding).nodes, std::get<TreeEncoding>(whole.encoding).nodes));
        EXPECT_TRUE(
            sameBytes(std::get<TreeEncoding>(shape.encoding).leaves, std::get<TreeEncoding>(whole.encoding).leaves));
        EXPECT_EQ(shape.attributes.size(), 1U);
        EXPECT_EQ(shape.bytes() - shape.occupancyBytes(), sizeof(shared::VoxelAttributes) + shape.palette.bytes() +
                                                              shape.materialRuns.bytes() + shape.materials.bytes());
        expectOneAttribute(shape);
    }
}

TEST(Shape, OfAFieldKeepsItsDistances) {
    const Octree shape = voxelizeScene(bumpyBall(), optionsFor(VoxelContent::None, SurfaceKind::Field));
    const Octree whole = voxelizeScene(bumpyBall(), optionsFor(VoxelContent::All, SurfaceKind::Field));
    const auto& field = std::get<FieldEncoding>(shape.encoding);
    EXPECT_TRUE(sameBytes(field.distances, std::get<FieldEncoding>(whole.encoding).distances));
    EXPECT_TRUE(sameBytes(field.tree.leafOffsets, std::get<FieldEncoding>(whole.encoding).tree.leafOffsets));
    for (const auto& [x, y, z] : solidVoxels(shape)) {
        const glm::ivec3 voxel(x, y, z);
        ASSERT_EQ(attributeIndexAt(shape, voxel), attributeIndexAt(whole, voxel)) << "where its distances stand";
    }
    expectOneAttribute(shape);
}

TEST(Shape, AsADagHasTheSameVoxelsInFewerWords) {
    for (const Coverage coverage : {Coverage::Conservative, Coverage::Solid}) {
        const Octree shape = shapeOctree(coverage);
        const VoxelSet voxels = solidVoxels(shape);
        const Octree whole =
            toDag(voxelizeScene(bumpyBall(), optionsFor(VoxelContent::All, SurfaceKind::Cubes, coverage)));
        const Octree dag = toDag(shapeOctree(coverage));
        EXPECT_TRUE(dag.isShape);
        EXPECT_EQ(solidVoxels(dag), voxels);
        EXPECT_LT(dag.occupancyBytes(), whole.occupancyBytes());
        expectOneAttribute(dag);
    }
}

/// A level of a shape is a shape, of the voxels that a level of the whole has.
TEST(Shape, LevelsAreThoseOfTheWhole) {
    for (const Coverage coverage : {Coverage::Conservative, Coverage::Solid}) {
        for (const std::uint32_t level : {1U, 2U, 3U, 6U}) {
            const Octree coarse = takeLevel(shapeOctree(coverage), level);
            const Octree whole = takeLevel(
                voxelizeScene(bumpyBall(), optionsFor(VoxelContent::All, SurfaceKind::Cubes, coverage)), level);
            EXPECT_TRUE(coarse.isShape);
            EXPECT_EQ(solidVoxels(coarse), solidVoxels(whole)) << level;
            EXPECT_EQ(countVoxels(shapeOctree(coverage), level), coarse.voxels);
            expectOneAttribute(coarse);
        }
    }
}

class ShapeFile : public OctreeFileTest {};

TEST_F(ShapeFile, ComesBack) {
    const auto comesBack = [&](Octree octree) {
        keep(std::move(octree));
        const Octree loaded = loadOctree(file_);
        EXPECT_TRUE(loaded.isShape);
        EXPECT_TRUE(identical(loaded, octree_));
    };
    comesBack(shapeOctree());
    comesBack(toDag(shapeOctree(Coverage::Solid)));
    comesBack(voxelizeScene(bumpyBall(), optionsFor(VoxelContent::None, SurfaceKind::Field)));
}

/// What cannot be a shape, or is more than one.
TEST_F(ShapeFile, WrongOnesAreRefused) {
    keep(shapeOctree());
    expectContains(malformed([](Octree& octree) { octree.materials[1].model = MaterialModel::Dielectric; }),
                   "is of glass");
    expectContains(malformed([](Octree& octree) { octree.palette[1].emission = glm::vec3(1.0F); }), "emits light");
    expectContains(malformed([](Octree& octree) { octree.isShape = false; }), "lines of leaves");
    expectContains(malformed([](Octree& octree) { octree.leafAverages = std::vector<shared::VoxelAttributes>(1); }),
                   "averages of leaves");
    expectContains(malformed([](Octree& octree) { octree.attributes = std::vector<shared::VoxelAttributes>(2); }),
                   "attributes");
    keep(toDag(shapeOctree()));
    expectContains(malformed([](Octree& octree) { octree.isShape = false; }), "bits in entries");
    keep(toDag(voxelizeScene(bumpyBall(), optionsFor(VoxelContent::All))));
    expectContains(malformed([](Octree& octree) {
                       octree.isShape = true;
                       octree.attributes = std::vector<shared::VoxelAttributes>(1);
                   }),
                   "of a shape");
}

/// What a shape alone cannot show.
TEST(Shape, ScenesThatNeedAttributesAreTold) {
    const auto messageOf = [](const std::function<void(Scene&)>& change, SurfaceKind surface = SurfaceKind::Cubes) {
        Scene scene = bumpyBall();
        change(scene);
        const Caught caught = errorOf([&] { voxelizeScene(scene, optionsFor(VoxelContent::None, surface)); });
        EXPECT_EQ(caught.code, ExitCode::BadInput);
        expectContains(caught.message, "scene.json: ");
        return caught.message;
    };
    expectContains(messageOf([](Scene&) {}, SurfaceKind::Planes), "'planes'");
    expectContains(messageOf([](Scene& scene) { scene.materials[1].emission.y = 1.0F; }), "emission");
    expectContains(messageOf([](Scene& scene) { scene.materials[1].model = MaterialModel::ThinGlass; }), "glass");
    expectContains(messageOf([](Scene& scene) {
                       scene.textures.emplace_back();
                       scene.materials[1].albedoTexture.texture = 0;
                   }),
                   "a texture");
    expectContains(messageOf([](Scene& scene) {
                       scene.meshes[0].colours.assign(scene.meshes[0].positions.size(), glm::vec4(1.0F));
                   }),
                   "colours of vertices, expected a mesh without");
    expectContains(messageOf([](Scene& scene) {
                       addRectangle(scene, {4, 5, 6}, {20, 3, 0}, {0, 4, 18}, Material());
                   }),
                   "beside 'red'");
}

} // namespace
} // namespace aureole::test
