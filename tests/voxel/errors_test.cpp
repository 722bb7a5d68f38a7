#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "test_scene.h"
#include "voxel/build/build.h"

namespace aureole::test {
namespace {

const std::array<glm::vec3, 3> kProper = {glm::vec3(0, 0, 0), glm::vec3(1, 0, 0), glm::vec3(0, 1, 0)};

void expectBadInput(const Scene& scene, std::uint32_t resolution, const std::vector<std::string>& parts) {
    const Caught caught = errorOf([&] { voxelizeScene(scene, resolution); });
    EXPECT_EQ(caught.code, ExitCode::BadInput);
    for (const std::string& part : parts) {
        EXPECT_NE(caught.message.find(part), std::string::npos) << caught.message << " lacks " << part;
    }
}

TEST(VoxelizeErrors, ResolutionOutsideItsRange) {
    for (const std::uint32_t resolution : {0U, 15U, 16385U, 1U << 20U}) {
        expectBadInput(sceneOf({kProper}), resolution, {"scene.json", std::to_string(resolution), "16 to 16384"});
    }
    EXPECT_GT(voxelizeScene(sceneOf({kProper}), 16).voxelCount(), 0U);
}

TEST(VoxelizeErrors, NothingInTheScene) {
    Scene scene;
    scene.file = "scene.json";
    expectBadInput(scene, 64, {"scene.json", "no mesh"});
    expectBadInput(sceneOf({}), 64, {"scene.json", "'soup'", "without a triangle"});
}

TEST(VoxelizeErrors, TrianglesOfZeroAreaOnly) {
    const glm::vec3 a(0.1F, 0.1F, 0.3F);
    const glm::vec3 b(0.7F, -0.2F, 1.0F);
    expectBadInput(sceneOf({{a, a, a}}), 64, {"'soup'", "zero area"});
    expectBadInput(sceneOf({{a, b, a}, {a, b, a + (b - a) * 0.3F}}), 64, {"'soup'", "zero area"});
    // A thin triangle beside them is enough.
    EXPECT_GT(voxelizeScene(sceneOf({{a, b, a}, {a, b, a + glm::vec3(1e-4F, 0, 0)}}), 64).voxelCount(), 0U);
    Scene flattened = sceneOf({kProper});
    flattened.meshInstances[0].worldFromMesh = glm::dmat4(0.0);
    flattened.meshInstances[0].worldFromMesh[3].w = 1.0;
    expectBadInput(flattened, 64, {"'soup'", "zero area"});
}

TEST(VoxelizeErrors, VerticesThatAreNotFinite) {
    for (const float value : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        Scene scene = sceneOf({kProper, kProper});
        scene.meshes[0].positions[4].y = value;
        expectBadInput(scene, 64, {"scene.json", "'soup'", "vertex 4", "triangle 1", "finite"});
    }
    Scene scene = sceneOf({kProper});
    scene.meshInstances[0].worldFromMesh[3].x = std::numeric_limits<double>::infinity();
    expectBadInput(scene, 64, {"'soup'", "finite"});
    // Nobody uses this vertex.
    scene = sceneOf({kProper});
    scene.meshes[0].positions.emplace_back(NAN);
    EXPECT_GT(voxelizeScene(scene, 64).voxelCount(), 0U);
}

TEST(VoxelizeErrors, TriangleWithAMissingVertex) {
    Scene scene = sceneOf({kProper});
    scene.meshes[0].triangles[0].z = 3;
    expectBadInput(scene, 64, {"'soup'", "triangle 0", "vertex 3"});
}

TEST(VoxelizeErrors, EverythingCutAwayByAlpha) {
    Scene scene = sceneOf({kProper});
    scene.materials[0].alphaMode = AlphaMode::Mask;
    scene.materials[0].alpha = 0.2F;
    expectBadInput(scene, 64, {"scene.json", "alpha"});
}

TEST(VoxelizeErrors, VoxelModels) {
    Scene scene;
    scene.file = "scene.json";
    VoxelModel model;
    model.name = "castle";
    model.size = {2, 2, 2};
    model.cells = {0, 0, 0, 0, 0, 0, 0, 0};
    scene.voxelModels.push_back(model);
    scene.voxelInstances.emplace_back();
    expectBadInput(scene, 64, {"no solid voxel"});
    scene.voxelModels[0].cells[3] = 1;
    scene.voxelInstances[0].worldFromModel[1] = glm::dvec4(0.0);
    expectBadInput(scene, 64, {"'castle'", "inverted"});
    scene.voxelInstances[0].worldFromModel = glm::dmat4(1.0);
    scene.voxelInstances[0].worldFromModel[3].y = std::numeric_limits<double>::quiet_NaN();
    expectBadInput(scene, 64, {"'castle'", "finite"});
    scene.voxelModels[0].cells.pop_back();
    expectBadInput(scene, 64, {"'castle'", "7 cells"});
}

} // namespace
} // namespace aureole::test
