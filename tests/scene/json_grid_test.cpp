// Level sets of .vdb and .nvdb files: as models by themselves, and as assets of scenes.

#include <algorithm>

#include "import/outline_cache.h"
#include "json_test_util.h"
#include "volume_files.h"

namespace aureole {
namespace {

class JsonGrid : public SceneJsonTest {
protected:
    void SetUp() override {
        SceneJsonTest::SetUp();
        write("ball.nvdb", test::makeNvdb({{0, 0, 0}}, [](const glm::dvec3& point) {
                  return 0.5 * std::min(glm::distance(point, glm::dvec3(4.2, 3.9, 4.4)) - 2.5, 3.0);
              }));
    }
};

TEST_F(JsonGrid, ALevelSetByItselfIsAFieldOfItsOwnPoints) {
    const OutlineCache cache(folder / "cache");
    const Scene plain = loadScene(folder / "ball.nvdb", {});
    EXPECT_EQ(plain.voxels.surface, SurfaceKind::Field);
    ASSERT_EQ(plain.voxelInstances.size(), 1U);
    const VoxelModel& model = plain.voxelModels.at(0);
    // Of the file's transform: half a metre, from (1, 2, 3) on.
    const glm::dvec3 corner(plain.voxelInstances[0].worldFromModel[3]);
    EXPECT_EQ(corner, glm::dvec3(1.0, 2.0, 3.0) + 0.5 * glm::dvec3(1.0, 1.0, 1.0));
    // The floor is a slab with the grid's corner at its own, so that voxels are cells.
    Bounds floor;
    for (const MeshInstance& instance : plain.meshInstances) {
        floor.add(boundsOf(plain.meshes[instance.mesh]));
    }
    EXPECT_GT(floor.extent().y, 0.0);
    const double voxel = std::max(floor.extent().x, floor.extent().z) / plain.voxels.resolution;
    const glm::dvec3 apart = (corner - floor.min) / voxel;
    EXPECT_LT(glm::distance(apart, glm::round(apart)), 1e-9);
    EXPECT_LT(std::abs(0.5 / voxel - std::round(0.5 / voxel)), 1e-9);
    EXPECT_EQ(model.size, glm::uvec3(6));
    for (int i = 0; i < 2; ++i) { // from the cache the second time
        const Scene outlined = loadScene(folder / "ball.nvdb", {}, &cache);
        EXPECT_EQ(outlined.outlined, i == 1);
        EXPECT_EQ(outlined.voxels.surface, SurfaceKind::Field);
        EXPECT_EQ(outlined.voxels.resolution, plain.voxels.resolution);
        EXPECT_EQ(outlined.surfaceHash, plain.surfaceHash);
    }
}

TEST_F(JsonGrid, AssetsNameTheirGrid) {
    const auto problemOf = [&](const std::string& asset) {
        const auto found = problems(
            R"({ "version": 1, "cameras": { "main": { "position": [0, 0, 5], "target": [0, 0, 0] } }, "assets": { "a": )" +
            asset + R"( }, "instances": { "a": { "asset": "a" } } })");
        return found.empty() ? std::string() : found.at(0).pointer + " " + found.at(0).message;
    };
    EXPECT_EQ(problemOf(R"({ "file": "ball.nvdb", "grid": "ball" })"), "");
    EXPECT_NE(problemOf(R"({ "file": "ball.nvdb", "grid": "bal" })").find("found no grid 'bal'"), std::string::npos);
    EXPECT_EQ(problemOf(R"({ "file": "ball.nvdb", "grid": "" })"),
              "/assets/a/grid found '', expected the name of a grid");
    write("plain.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    EXPECT_EQ(problemOf(R"({ "file": "plain.obj", "grid": "ball" })"),
              "/assets/a/grid found 'ball', expected none, as only .vdb and .nvdb files have grids");
    EXPECT_THROW(loadScene(folder / "ball.nvdb", {{"/assets/model/grid", "\"b\""}}), Error);
}

} // namespace
} // namespace aureole
