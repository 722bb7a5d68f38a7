#include "octree_kinds.h"

#include <utility>

#include "plane_cells.h"
#include "test_scene.h"
#include "test_surfaces.h"
#include "voxel/build/build.h"
#include "voxel/build/gyroid.h"
#include "voxel/tree/dag.h"

namespace aureole::test {

namespace {

Octree emptyOctree() {
    Octree octree;
    octree.levels = 3;
    octree.grid.size = glm::uvec3(64);
    TreeEncoding tree;
    tree.nodes = std::vector<shared::OctreeNode>{{0, 0, 0, 0}};
    octree.encoding = std::move(tree);
    return octree;
}

Octree filledBox(const glm::ivec3& low, const glm::ivec3& high, int side) {
    std::vector<LatticeTriangle> triangles = boxSurface(low * 256, high * 256);
    VoxelizeOptions options;
    options.resolution = static_cast<std::uint32_t>(side);
    options.coverage = Coverage::Solid;
    return voxelizeScene(latticeScene(glm::ivec3(side), triangles), options);
}

Octree shapeOf(int side) {
    Scene scene = pinnedScene(static_cast<float>(side));
    VoxelizeOptions options;
    options.resolution = static_cast<std::uint32_t>(side);
    options.attributes = VoxelContent::None;
    return voxelizeScene(scene, options);
}

Octree tiltedSquare() {
    Scene scene = pinnedScene(250.0F);
    addRectangle(scene, {10.0F, 40.3F, 20.0F}, {0.0F, 9.1F, 200.0F}, {180.0F, 21.7F, 0.0F}, {});
    return voxelizePlanes(scene, 250);
}

} // namespace

void forEachOctreeKind(const std::function<void(const std::string& name, const Octree& octree)>& visit) {
    visit("empty", emptyOctree());
    visit("gyroid", makeGyroid(64));
    visit("DAG", toDag(makeGyroid(128)));
    visit("shape", shapeOf(250));
    visit("solid", filledBox(glm::ivec3(3, 5, 9), glm::ivec3(90, 83, 97), 100));
    visit("large solid", filledBox(glm::ivec3(3, 5, 9), glm::ivec3(210, 233, 197), 256));
    visit("full", filledBox(glm::ivec3(0), glm::ivec3(64), 64));
    visit("planes", tiltedSquare());
    visit("specks", voxelizeScene(pinnedScene(3000.0F), 3000));
}

} // namespace aureole::test
