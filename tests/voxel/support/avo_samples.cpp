#include "avo_samples.h"

#include "test_surfaces.h"
#include "voxel/build/build.h"
#include "voxel/tree/dag.h"

namespace aureole::test {

namespace {

/// Tiles in a row, each with a radiance of its own: more than one run of emissions.
Octree manyRuns() {
    Scene scene = pinnedScene(16);
    scene.meshes[0].positions = {{0, 0, 0}, {0.1F, 0, 0}, {0, 0.1F, 0}, {300, 8, 8}, {299.9F, 8, 8}, {300, 7.9F, 8}};
    for (int i = 0; i < 280; ++i) {
        Material lamp;
        lamp.emission = {1.0F + static_cast<float>(i), 0.25F, 3.0F};
        addRectangle(scene, {static_cast<float>(i + 10) + 0.2F, 2.5F, 2.2F}, {0.5F, 0, 0}, {0, 0, 0.5F}, lamp);
    }
    return voxelizeScene(scene, 300);
}

} // namespace

std::vector<OctreeSample> octreeSamples() {
    std::vector<OctreeSample> samples;
    std::vector<LatticeTriangle> lump =
        closedSurface({15.3, 14.7, 16.1}, 10, 14, [](const glm::dvec3& d) { return 11.0 + 2.0 * d.y; });
    Scene scene = latticeScene({32, 30, 33}, lump);
    VoxelizeOptions options;
    options.resolution = 33;
    samples.push_back({"conservative", voxelizeScene(scene, options)});
    options.coverage = Coverage::Thin;
    samples.push_back({"thin", voxelizeScene(scene, options)});
    scene.materials[0].emission = {1.0F, 2.0F, 3.0F};
    options.coverage = Coverage::Solid;
    samples.push_back({"solid and emissive", voxelizeScene(scene, options)});
    samples.push_back({"many runs", manyRuns()});
    samples.push_back({"dag", toDag(voxelizeScene(scene, options))});
    samples.push_back({"dag of many runs", toDag(manyRuns())});
    const shared::VoxelAttributes plain{};
    samples.push_back({"one voxel", buildOctree({glm::dvec3(0.0), 1.0, glm::uvec3(1)}, {{0, 1}}, {plain})});
    return samples;
}

} // namespace aureole::test
