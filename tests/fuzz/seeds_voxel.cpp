#include "avo_samples.h"
#include "import_files.h"
#include "seeds.h"
#include "test_surfaces.h"
#include "voxel/build/build.h"
#include "voxel/export/export.h"
#include "voxel/file/octree_file.h"

namespace aureole::fuzz {

namespace {

/// A lump, of voxels of any kind.
Octree smallLump(SurfaceKind kind) {
    std::vector<test::LatticeTriangle> triangles =
        test::closedSurface({7.3, 8.7, 8.1}, 5, 7, [](const glm::dvec3& d) { return 5.0 + d.y; });
    VoxelizeOptions options;
    options.resolution = 16;
    options.surface = kind;
    return voxelizeScene(test::latticeScene({16, 16, 16}, triangles), options);
}

} // namespace

void addVoxelSeeds(const Seeds& seeds) {
    const test::TemporaryFolder folder;
    const auto add = [&](const std::string& name, const Octree& octree) {
        writeOctree(folder.path() / name, octree);
        seeds.addFile("avo", folder.path() / name);
    };
    for (const test::OctreeSample& sample : test::octreeSamples()) {
        add(sample.name + ".avo", sample.octree);
    }
    add("cubes.avo", smallLump(SurfaceKind::Cubes));
    add("planes.avo", smallLump(SurfaceKind::Planes));
    add("field.avo", smallLump(SurfaceKind::Field));
    exportVdb(folder.path() / "field.vdb", smallLump(SurfaceKind::Field));
    seeds.addFile("vdb", folder.path() / "field.vdb");
}

} // namespace aureole::fuzz
