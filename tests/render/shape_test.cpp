// Octrees of a shape alone on the device.

#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "full_sweep.h"
#include "gpu_test/gpu_test.h"
#include "grid_scenes.h"
#include "renders.h"
#include "scene/grid_scene.h"
#include "voxel/build/build.h"
#include "voxel/tree/dag.h"

namespace aureole {
namespace {

class ShapeOnDevice : public gpu::GpuTest {};

Octree shapedOctree(const Scene& scene, VoxelContent content, SurfaceKind surface = SurfaceKind::Cubes) {
    VoxelizeOptions options;
    options.resolution = 24;
    options.attributes = content;
    options.surface = surface;
    return voxelizeScene(scene, options);
}

/// A ring of the second of two materials under a white sky, lit again by itself.
Scene ringScene() {
    Scene scene = mattScene(0.25F, 0.0F, 1.0F);
    scene.materials.push_back(scene.materials.front());
    scene.materials.back().albedo = {0.5F, 0.75F, 0.625F};
    scene.meshes = {ringMesh()};
    scene.meshes[0].material = 1;
    scene.meshInstances = {{0, glm::dmat4(1.0), kNone}};
    scene.cameras = {cameraAt({1.0, 2.0, 3.0}, glm::dvec3(0.0), 40.0)};
    return scene;
}

/// Two octrees, of one material each, shapes or not.
std::vector<Octree> twoOctrees(const Scene& scene, VoxelContent content) {
    std::vector<Octree> octrees;
    octrees.push_back(shapedOctree(sceneOfGrid(scene, 0), content));
    octrees.push_back(shapedOctree(sceneOfGrid(scene, 1), content));
    return octrees;
}

Scene twoGrids() {
    Scene scene = ringScene();
    scene.meshes.clear();
    scene.meshInstances.clear();
    const std::uint32_t box = addGrid(scene, boxMesh(glm::vec3(-1.0F), glm::vec3(1.0F)), 0, 24);
    const std::uint32_t ring = addGrid(scene, ringMesh(), 1, 24);
    placeGrid(scene, box, poseOf({0.0, -1.5, 0.0}, 10.0, {0.0, 1.0, 0.0}, glm::dvec3(1.0)));
    placeGrid(scene, ring, poseOf(glm::dvec3(0.0), 40.0, {1.0, 2.0, 0.0}, {1.0, 1.25, -0.75}));
    placeGrid(scene, ring, poseOf({0.5, 0.5, -1.0}, 70.0, {1.0, 0.0, 1.0}, glm::dvec3(0.5)));
    return scene;
}

/// With smooth normals asked for, a shape is what an octree is with the normals of faces: as a tree and as a DAG bit
/// for bit, beside other octrees too, and as a field, whose normals are its own. Other kernels than the first take
/// seconds to make on a software device.
TEST_F(ShapeOnDevice, IsTheOctreeWithTheNormalsOfFaces) {
    const Scene smooth = ringScene();
    Scene faces = smooth;
    faces.voxels.normals = VoxelNormals::Face;
    const FilmSums wanted = renderOnDevice(device(), faces, shapedOctree(faces, VoxelContent::All), 8);
    EXPECT_GT(meanRadiance(wanted), 0.1);
    expectSameSums(renderOnDevice(device(), smooth, shapedOctree(smooth, VoxelContent::None), 8), wanted);
    if (!fullSweep()) {
        return;
    }
    expectSameSums(renderOnDevice(device(), smooth, toDag(shapedOctree(smooth, VoxelContent::None)), 8), wanted);
    const auto meanOfField = [&](const Scene& scene, VoxelContent content) {
        return meanRadiance(renderOnDevice(device(), scene, shapedOctree(scene, content, SurfaceKind::Field), 16));
    };
    EXPECT_NEAR(meanOfField(smooth, VoxelContent::None) / meanOfField(faces, VoxelContent::All), 1.0, 1e-3);
    const Scene two = twoGrids();
    Scene twoFaces = two;
    twoFaces.voxels.normals = VoxelNormals::Face;
    expectSameSums(renderGrids(device(), two, twoOctrees(two, VoxelContent::None), 8),
                   renderGrids(device(), twoFaces, twoOctrees(twoFaces, VoxelContent::All), 8));
}

/// Each octree answers for its own materials: one of the cache has those of other assets as they were once.
TEST_F(ShapeOnDevice, MaterialsOfOtherOctreesAreNotTakenFromIt) {
    const Scene scene = twoGrids();
    std::vector<Octree> octrees = twoOctrees(scene, VoxelContent::All);
    const FilmSums wanted = renderGrids(device(), scene, octrees, 4);
    octrees[0].materials[1].model = MaterialModel::Mirror;
    octrees[1].materials[0].model = MaterialModel::Dielectric;
    expectSameSums(renderGrids(device(), scene, octrees, 4), wanted);
}

} // namespace
} // namespace aureole
