// Level sets of .vdb and .nvdb files: as models by themselves, and as assets of scenes.

#include <algorithm>
#include <cmath>
#include <set>

#include "import/outline_cache.h"
#include "import_files.h"
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

TEST_F(JsonGrid, ColoursOfALevelSetAreAGridToo) {
    const std::string ball = test::makeNvdb({{0, 0, 0}}, [](const glm::dvec3& point) {
        return 0.5 * (glm::distance(point, glm::dvec3(4.2, 3.9, 4.4)) - 2.5);
    });
    const auto grid = [](const std::string& name, const glm::vec3& colour) {
        return test::makeNvdbColours(name, {{0, 0, 0}}, [&](const glm::dvec3&) { return colour; });
    };
    const glm::vec3 red(0.75F, 0.25F, 0.125F);
    const glm::vec3 blue(0.25F, 0.25F, 0.75F);
    write("cd.nvdb", ball + grid("Cd", red) + grid("other", blue) + grid("Cd", blue));
    const auto scene = [&](const std::string& keys, const std::string& file = "cd.nvdb") {
        return R"({ "version": 1, "cameras": { "main": { "position": [0, 0, 5], "target": [0, 0, 0] } },
            "assets": { "a": { "file": ")" +
               file + "\"" + keys + R"( } }, "instances": { "a": { "asset": "a" } } })";
    };
    std::set<std::string> hashes;
    const auto colourOf = [&](const std::string& keys) {
        write("scene.json", scene(keys));
        const Scene read = loadScene(folder / "scene.json", {});
        hashes.insert(read.surfaceHash);
        const ColourGrid& colours = read.voxelModels.at(0).colours;
        return ColourSampler(colours).at(glm::dvec3(2.0)).value_or(glm::vec3(0.0F));
    };
    EXPECT_EQ(colourOf(""), red);
    EXPECT_EQ(colourOf(R"(, "colourGrid": "other")"), blue);
    EXPECT_EQ(colourOf(R"(, "colourGrid": "Cd[1]")"), blue);
    EXPECT_EQ(colourOf(R"(, "colourGrid": "")"), glm::vec3(0.0F)) << "none";
    EXPECT_EQ(hashes.size(), 4U);
    const auto problemOf = [&](const std::string& keys, const std::string& file = "cd.nvdb") {
        const auto found = problems(scene(keys, file));
        return found.empty() ? std::string() : found.at(0).pointer + " " + found.at(0).message;
    };
    EXPECT_TRUE(test::containsAll(problemOf(R"(, "colourGrid": "Ce")"),
                                  {"/assets/a/colourGrid ", "found no colour grid 'Ce'", "'ball' (level set of float)",
                                   "'Cd[1]'", "did you mean"}));
    EXPECT_TRUE(test::containsAll(
        problemOf(R"(, "colourGrid": "ball")"),
        {"/assets/a/colourGrid ", "found the colour grid 'ball' (level set of float)", "expected colours"}));
    EXPECT_TRUE(test::containsAll(problemOf(R"(, "grid": "Cd")"),
                                  {"/assets/a/grid ", "found the grid 'Cd' (no kind given, of vec3f)"}));
    write("plain.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    EXPECT_EQ(problemOf(R"(, "colourGrid": "Cd")", "plain.obj"),
              "/assets/a/colourGrid found 'Cd', expected none, as only .vdb and .nvdb files have grids");
    write("cd.nvdb", ball + grid("Cd", glm::vec3(0.5F, std::nanf(""), 0.5F)));
    EXPECT_TRUE(
        test::containsAll(problemOf(R"(, "colourGrid": "Cd")"), {"/assets/a/colourGrid ", "colour grid 'Cd'",
                                                                 "found the colour (0.5, nan, 0.5) at (0, 0, 0)"}));
    EXPECT_TRUE(test::containsAll(problemOf(""), {"/assets/a/file ", "colour grid 'Cd'"}));
    // By itself, named by bare words; and once more from the cache of outlines.
    write("cd.nvdb", ball + grid("paint", blue));
    const OutlineCache cache(folder / "cache");
    for (int i = 0; i < 2; ++i) {
        const Scene alone = loadScene(folder / "cd.nvdb", {{"/assets/model/colourGrid", "paint"}}, &cache);
        EXPECT_EQ(alone.outlined, i == 1);
        EXPECT_TRUE(alone.outlined || !alone.voxelModels.at(0).colours.empty());
    }
    EXPECT_THROW(loadScene(folder / "cd.nvdb", {{"/assets/model/colourGrid", "point"}}, &cache), Error);
}

} // namespace
} // namespace aureole
