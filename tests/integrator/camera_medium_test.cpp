// Which solid of glass a camera stands in.

#include <glm/gtc/matrix_transform.hpp>
#include <gtest/gtest.h>

#include "integrator/camera_medium.h"

namespace aureole {
namespace {

/// A cube about the origin, its triangles facing outwards.
Mesh cubeMesh() {
    Mesh mesh;
    for (std::uint32_t i = 0; i < 8; ++i) {
        mesh.positions.emplace_back((i & 1U) != 0 ? 1.0F : -1.0F, (i & 2U) != 0 ? 1.0F : -1.0F,
                                    (i & 4U) != 0 ? 1.0F : -1.0F);
    }
    mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                      {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    return mesh;
}

class CameraMedium : public ::testing::Test {
protected:
    /// Material 0 is matt, 1 and 2 are glass, 3 is a pane; 2 m of glass 1 about the origin.
    void SetUp() override {
        scene.materials.resize(4);
        scene.materials[1].model = scene.materials[2].model = MaterialModel::Dielectric;
        scene.materials[3].model = MaterialModel::ThinGlass;
        scene.meshes = {cubeMesh()};
        scene.cameras.emplace_back();
        add(1, glm::dmat4(1.0));
    }

    void add(std::uint32_t material, const glm::dmat4& pose) { scene.meshInstances.push_back({0, pose, material}); }

    std::uint32_t at(const glm::dvec3& position) {
        scene.cameras[0].position = position;
        scene.cameras[0].target = position + glm::dvec3(0.0, 0.0, -1.0);
        return cameraMedium(scene, defaultView(scene));
    }

    Scene scene;
};

TEST_F(CameraMedium, IsThatOfTheMeshAroundIt) {
    EXPECT_EQ(at({0.9, -0.9, 0.3}), 1U);
    EXPECT_EQ(at({0.9, -1.1, 0.3}), kNone);
    scene.meshInstances[0].worldFromMesh = glm::scale(glm::dmat4(1.0), glm::dvec3(-2.0, 0.5, 1.0)); // mirrored
    EXPECT_EQ(at({1.9, 0.4, 0.0}), 1U);
    EXPECT_EQ(at({1.9, 0.6, 0.0}), kNone);
    for (const std::uint32_t other : {0U, 3U}) {
        scene.meshInstances[0].material = other;
        EXPECT_EQ(at({0.0, 0.0, 0.0}), kNone) << other;
    }
}

TEST_F(CameraMedium, IsTheInmost) {
    add(2, glm::scale(glm::dmat4(1.0), glm::dvec3(0.5)));
    add(0, glm::scale(glm::dmat4(1.0), glm::dvec3(0.2)));
    EXPECT_EQ(at({0.4, 0.0, 0.0}), 2U);
    EXPECT_EQ(at({0.6, 0.0, 0.0}), 1U);
}

TEST_F(CameraMedium, IsNotKnownOfOpenMeshes) {
    scene.meshes[0].triangles.resize(10);
    EXPECT_EQ(at({0.0, 0.0, 0.0}), kNone);
}

TEST_F(CameraMedium, IsThatOfTheCell) {
    scene.meshInstances.clear();
    VoxelModel& model = scene.voxelModels.emplace_back();
    model.size = {2, 1, 1};
    model.cells = {1, 2};
    model.materials = {};
    model.materials[2] = 2;
    scene.voxelInstances.emplace_back().worldFromModel = glm::scale(glm::dmat4(1.0), glm::dvec3(0.1));
    EXPECT_EQ(at({0.15, 0.05, 0.05}), 2U);
    EXPECT_EQ(at({0.05, 0.05, 0.05}), kNone);
    EXPECT_EQ(at({0.25, 0.05, 0.05}), kNone);
}

/// Rays of a flat camera start all over its picture.
TEST_F(CameraMedium, IsThatOfThePicture) {
    scene.cameras[0].projection = Projection::Orthographic;
    scene.cameras[0].height = 0.5;
    EXPECT_EQ(at({0.0, 0.0, 0.0}), 1U);
    scene.cameras[0].height = 2.5;
    EXPECT_EQ(at({0.0, 0.0, 0.0}), kNone);
}

} // namespace
} // namespace aureole
