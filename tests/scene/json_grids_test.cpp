// Scenes of several octrees.

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "import/outline_cache.h"
#include "json_test_util.h"
#include "scene/grid_scene.h"
#include "scene/scene_conflicts.h"

namespace aureole {
namespace {

class JsonGrids : public SceneJsonTest {
protected:
    void expectProblem(const std::string& text, const std::string& pointer, const std::string& part) const {
        const std::vector<SceneProblem> found = problems(text);
        ASSERT_FALSE(found.empty()) << text;
        EXPECT_EQ(found[0].pointer, pointer) << join(found);
        EXPECT_NE(found[0].message.find(part), std::string::npos) << join(found);
    }
    static std::string withScene(const std::string& assets, const std::string& instances) {
        return R"({ "version": 1, "cameras": { "main": { "position": [0, 0, 5], "target": [0, 0, 0] } },
                    "materials": { "red": { "albedo": [1, 0, 0] } }, "voxels": { "resolution": 128, "surface": "planes" },
                    "assets": {)" +
               assets + R"(}, "instances": {)" + instances + "}}";
    }
};

TEST_F(JsonGrids, AssetsWithoutVoxelsAreOneOctree) {
    const Scene scene = load(withScene(R"("a": { "sphere": {} }, "b": { "box": {} })",
                                       R"("1": { "asset": "a" }, "2": { "asset": "b", "rotate": [1, 2, 3] })"));
    EXPECT_FALSE(scene.hasGrids());
    EXPECT_TRUE(scene.grids.empty());
    EXPECT_EQ(scene.meshInstances.size(), 2U);
}

TEST_F(JsonGrids, PlacementsThatRaysCannotFollowAreRefused) {
    const std::string own = R"("a": { "box": {}, "voxels": { "resolution": 64 } })";
    const auto placed = [&](const std::string& assets, const std::string& how) {
        return withScene(assets, R"("1": { "asset": "a", )" + how + "}");
    };
    const std::string far = R"("a": { "box": { "min": [-1e12, -1, -1], "max": [1, 1, 1] } })";
    expectProblem(placed(far, R"("scale": 1e12)"), "/instances/1", "to reach some 1.73205e+24 m from the origin");
    expectProblem(placed(far, R"("keys": [{ "frame": 0 }, { "frame": 9, "scale": 1e3 }])"), "/instances/1",
                  "to reach some 1.73205e+15 m from the origin");
    expectProblem(placed(own, R"("scale": [1e12, 1e-12, 1])"), "/instances/1", "1e+24 times as thin");
    expectProblem(placed(own, R"("matrix": [1, 0, 0, 0,  1e9, 1, 0, 0,  0, 0, 1, 0,  0, 0, 0, 1])"), "/instances/1",
                  "1e+18 times as thin");
    expectProblem(placed(own, R"("keys": [{ "frame": 0 }, { "frame": 9, "scale": [1e8, 1e-8, 1] }])"), "/instances/1",
                  "1e+16 times as thin");
    EXPECT_FALSE(load(placed(R"("a": { "box": {} })", R"("scale": [1e8, 1e-8, 1])")).hasGrids())
        << "which is flat among other meshes";
}

/// Instances of an asset share its octree, those of other materials another one, and what has none of its own is one
/// more.
TEST_F(JsonGrids, InstancesShareTheOctreeOfTheirAsset) {
    const Scene scene = load(withScene(R"("a": { "sphere": {}, "voxels": { "resolution": 64 } }, "b": { "box": {} })",
                                       R"("1": { "asset": "a", "scale": [1, -2, 3] }, "2": { "asset": "b" },
                          "3": { "asset": "a", "translate": [5, 0, 0] }, "4": { "asset": "a", "material": "red" })"));
    ASSERT_TRUE(scene.hasGrids());
    ASSERT_EQ(scene.grids.size(), 3U);
    EXPECT_EQ(scene.grids[0].name, "a");
    EXPECT_EQ(scene.grids[0].voxels.resolution, 64U);
    EXPECT_EQ(scene.grids[0].voxels.surface, SurfaceKind::Planes) << "which the scene says";
    EXPECT_EQ(scene.grids[1].meshInstances.at(0).material, 0U) << "red";
    EXPECT_NE(scene.grids[0].meshInstances.at(0).material, 0U);
    EXPECT_EQ(scene.grids[2].name, "");
    EXPECT_EQ(scene.grids[2].voxels.resolution, 128U);
    ASSERT_EQ(scene.gridPlacements.size(), 4U);
    EXPECT_EQ(scene.gridPlacements[0].grid, 0U);
    EXPECT_EQ(scene.gridPlacements[0].worldFromGrid[1][1], -2.0);
    EXPECT_EQ(scene.gridPlacements[1].grid, 0U);
    EXPECT_EQ(scene.gridPlacements[1].name, "3");
    EXPECT_EQ(scene.gridPlacements[2].grid, 1U);
    EXPECT_EQ(scene.gridPlacements[3].grid, 2U);
    EXPECT_EQ(scene.meshInstances.size(), 4U) << "as if all were in one octree";
}

/// Where an asset is placed does not change its voxels, what it is does.
TEST_F(JsonGrids, TheHashOfAnOctreeIsThatOfItsAsset) {
    const auto hashOf = [&](const std::string& radius, const std::string& place) {
        return load(withScene(R"("a": { "sphere": { "radius": )" + radius + R"( }, "voxels": {} })",
                              R"("1": { "asset": "a", "translate": )" + place + " }"))
            .grids.at(0)
            .hash;
    };
    EXPECT_EQ(hashOf("1", "[0, 0, 0]"), hashOf("1", "[1, 2, 3]"));
    EXPECT_NE(hashOf("1", "[0, 0, 0]"), hashOf("2", "[0, 0, 0]"));
}

/// Moving what has an octree of its own, or giving it another, leaves the octree of all others as it is.
TEST_F(JsonGrids, TheHashOfAllOthersIsThatOfThese) {
    const auto hashOf = [&](const std::string& own, const std::string& place, const std::string& other) {
        return load(withScene(R"("a": { "sphere": { "radius": )" + own +
                                  R"( }, "voxels": {} }, "b": { "box": {} }, "c": { "quad": {} })",
                              R"("1": { "asset": "a", "translate": )" + place +
                                  R"( }, "2": { "asset": "b", "translate": )" + other + R"( }, "3": { "asset": "c" })"))
            .grids.at(1)
            .hash;
    };
    const std::string hash = hashOf("1", "[0, 0, 0]", "[0, 0, 0]");
    EXPECT_EQ(hash, hashOf("1", "[1, 2, 3]", "[0, 0, 0]"));
    EXPECT_EQ(hash, hashOf("2", "[0, 0, 0]", "[0, 0, 0]"));
    EXPECT_NE(hash, hashOf("1", "[0, 0, 0]", "[1, 0, 0]"));
}

/// The file of an asset is that of its own octree alone.
TEST_F(JsonGrids, AChangedFileChangesTheHashOfItsOctreeAlone) {
    const auto writeModel = [&](const std::string& name, double x) {
        write(name, "v 0 0 0\nv " + std::to_string(x) + " 0 0\nv 0 1 0\nf 1 2 3\n");
    };
    const auto hashes = [&] {
        const Scene scene = load(withScene(
            R"("a": { "file": "a.obj", "voxels": {} }, "b": { "file": "b.obj", "voxels": {} }, "c": { "file": "c.obj" })",
            R"("1": { "asset": "a" }, "2": { "asset": "b" }, "3": { "asset": "c" })"));
        return std::array{scene.grids.at(0).hash, scene.grids.at(1).hash, scene.grids.at(2).hash};
    };
    for (const char* const name : {"a.obj", "b.obj", "c.obj"}) {
        writeModel(name, 1.0);
    }
    const auto before = hashes();
    std::size_t changed = 0;
    for (const char* const name : {"a.obj", "b.obj", "c.obj"}) {
        writeModel(name, 2.0);
        const auto after = hashes();
        for (std::size_t i = 0; i < after.size(); ++i) {
            EXPECT_EQ(after[i] == before[i], i != changed) << name << ' ' << i;
        }
        writeModel(name, 1.0);
        ++changed;
    }
    EXPECT_EQ(hashes(), before);
}

/// Who makes an octree looks at its meshes, and one asset's may be there while another's is known by its outline.
TEST_F(JsonGrids, WhatIsThereBesideAnOutlineHasItsMeshes) {
    const OutlineCache cache(folder / "cache");
    write("file.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    write("scene.json", withScene(R"("file": { "file": "file.obj", "voxels": {} }, "box": { "box": {}, "voxels": {} })",
                                  R"("1": { "asset": "file" }, "2": { "asset": "box" })"));
    loadScene(sceneFile, {}, &cache);
    const Scene scene = loadScene(sceneFile, {}, &cache);
    ASSERT_TRUE(scene.outlined);
    ASSERT_EQ(scene.grids.size(), 2U);
    std::size_t placed = 0;
    for (std::uint32_t grid = 0; grid < 2; ++grid) {
        const Scene part = sceneOfGrid(scene, grid);
        for (const MeshInstance& instance : part.meshInstances) {
            EXPECT_LT(instance.mesh, part.meshes.size()) << part.asset;
            ++placed;
        }
    }
    EXPECT_EQ(placed, 1U) << "the box";
}

/// Planes know their sides by attributes, and cubes alone have modes and encodings.
TEST_F(JsonGrids, WhatSurfacesAreNotMadeForIsTold) {
    const auto places = [&](const std::string& voxels) {
        const Scene scene = load(withScene(R"("a": { "sphere": {}, "voxels": )" + voxels + R"( }, "b": { "box": {} })",
                                           R"("1": { "asset": "a" }, "2": { "asset": "b" })"));
        std::string all;
        for (const SceneConflict& conflict : findConflicts(scene, {})) {
            all += conflict.pointer + " " + conflict.with + "\n";
        }
        return all;
    };
    EXPECT_EQ(places(R"({ "attributes": "none" })"), "/assets/a/voxels/attributes /assets/a/voxels/surface\n");
    EXPECT_EQ(places(R"({ "attributes": "none", "surface": "cubes" })"), "");
    EXPECT_EQ(places(R"({ "mode": "solid" })"), "/assets/a/voxels/mode /assets/a/voxels/surface\n");
    EXPECT_EQ(places(R"({ "encoding": "dag", "surface": "field" })"),
              "/assets/a/voxels/encoding /assets/a/voxels/surface\n");
    EXPECT_EQ(places(R"({ "mode": "thin", "encoding": "dag", "surface": "cubes" })"), "");
}

/// Solids of glass need all of their voxels; panes are surfaces like others.
TEST_F(JsonGrids, ThinSolidsOfGlassAreTold) {
    Scene scene = load(withScene(R"("a": { "sphere": {}, "voxels": { "mode": "thin", "surface": "cubes" } },
                                    "b": { "box": {} })",
                                 R"("1": { "asset": "a", "material": "red" }, "2": { "asset": "b" })"));
    scene.materials.at(0).model = MaterialModel::ThinGlass;
    EXPECT_TRUE(findConflicts(scene, {}).empty());
    scene.materials.at(0).model = MaterialModel::Dielectric;
    ASSERT_EQ(findConflicts(scene, {}).size(), 1U);
    EXPECT_EQ(findConflicts(scene, {}).front().pointer, "/assets/a/voxels/mode");
}

/// An asset in several materials is several grids, of the same keys.
TEST_F(JsonGrids, KeysOfSeveralGridsAreToldOnce) {
    const Scene scene = load(withScene(R"("a": { "sphere": {}, "voxels": { "mode": "thin", "surface": "field" } })",
                                       R"("1": { "asset": "a" }, "2": { "asset": "a", "material": "red" })"));
    const std::vector<SceneConflict> found = findConflicts(scene, {});
    EXPECT_EQ(std::count_if(found.begin(), found.end(),
                            [](const SceneConflict& conflict) { return conflict.pointer == "/assets/a/voxels/mode"; }),
              1);
}

/// An asset has the mode and the encoding that it says, else those of the scene.
TEST_F(JsonGrids, ModesAndEncodingsAreThoseOfTheAsset) {
    std::string text = withScene(R"("a": { "sphere": {}, "voxels": { "surface": "cubes", "mode": "thin" } },
                                    "b": { "box": {} })",
                                 R"("1": { "asset": "a" }, "2": { "asset": "b" })");
    Scene scene = load(text);
    ASSERT_EQ(scene.grids.size(), 2U);
    EXPECT_EQ(scene.grids[0].voxels.mode, Coverage::Thin);
    EXPECT_EQ(scene.grids[0].voxels.encoding, TreeKind::Tree);
    EXPECT_EQ(scene.grids[1].voxels.mode, Coverage::Conservative);
}

/// What the scene says of voxels is for octrees that do not say it themselves.
TEST_F(JsonGrids, KeysOfTheSceneThatServeNoOctreeAreTold) {
    const auto places = [&](const std::string& voxels, const std::string& more) {
        const Scene scene = load(withScene(R"("b": { "box": {} }, "a": { "sphere": {}, "voxels": )" + voxels + " }",
                                           R"("1": { "asset": "a" })" + more));
        std::string all;
        for (const SceneConflict& conflict : findConflicts(scene, {})) {
            all += conflict.pointer + " ";
        }
        return all;
    };
    EXPECT_EQ(places(R"({ "resolution": 64, "surface": "field" })", ""), "/voxels/resolution /voxels/surface ");
    EXPECT_EQ(places(R"({ "resolution": 64 })", ""), "/voxels/resolution ");
    EXPECT_EQ(places(R"({ "resolution": 64, "surface": "field" })", R"(, "2": { "asset": "b" })"), "");
}

/// Levels are of assets with octrees of their own.
TEST_F(JsonGrids, LevelsOfNoAssetAreTold) {
    const auto places = [&](const std::string& asset, bool levels) {
        Scene scene = load(withScene(R"("b": { "box": {} }, "a": { "sphere": {})" + asset + " }",
                                     R"("1": { "asset": "a" }, "2": { "asset": "b" })"));
        scene.voxels.levels = levels;
        scene.voxels.given.emplace_back("levels");
        std::string all;
        for (const SceneConflict& conflict : findConflicts(scene, {})) {
            all += conflict.pointer + " ";
        }
        return all;
    };
    EXPECT_EQ(places("", true), "/voxels/levels ");
    EXPECT_EQ(places("", false), "");
    EXPECT_EQ(places(R"(, "voxels": {})", true), "");
    EXPECT_EQ(places(R"(, "voxels": { "levels": false })", true), "/voxels/levels ");
}

TEST_F(JsonGrids, WrongVoxelsAndPlacesAreTold) {
    expectProblem(withScene(R"("a": { "sphere": {}, "voxels": { "resolution": 5 } })", R"("1": { "asset": "a" })"),
                  "/assets/a/voxels/resolution", "16 to 16384");
    expectProblem(withScene(R"("a": { "sphere": {}, "voxels": { "normals": "face" } })", R"("1": { "asset": "a" })"),
                  "/assets/a/voxels/normals", "unknown");
    for (const std::string scale : {"0", "[1, 0, 1]", "1e30", "NaN", "\"big\""}) {
        expectProblem(
            withScene(R"("a": { "sphere": {}, "voxels": {} })", R"("1": { "asset": "a", "scale": )" + scale + " }"),
            scale == "NaN" ? "" : "/instances/1/scale", "");
    }
    expectProblem(withScene(R"("a": { "sphere": {}, "voxels": {} })", R"("1": { "asset": "b" })"), "/instances/1/asset",
                  "b");
}

/// An error is for planes: those of the asset that gives it, or of any that has the scene's.
TEST_F(JsonGrids, AnErrorThatServesNoPlanesIsTold) {
    const auto places = [&](const std::string& voxels, bool surfaceChosen) {
        const Scene scene =
            load(withScene(R"("a": { "sphere": {}, "voxels": )" + voxels + " }", R"("1": { "asset": "a" })"));
        SceneUse use;
        use.surfaceChosen = surfaceChosen;
        std::string all;
        for (const SceneConflict& conflict : findConflicts(scene, use)) {
            all += conflict.pointer.ends_with("/error") ? conflict.pointer : "";
        }
        return all;
    };
    EXPECT_EQ(places(R"({ "surface": "cubes", "error": 1 })", false), "/assets/a/voxels/error");
    EXPECT_EQ(places(R"({ "surface": "cubes", "error": 1 })", true), "/assets/a/voxels/error");
    EXPECT_EQ(places(R"({ "surface": "planes", "error": 1 })", false), "");
    EXPECT_EQ(places(R"({ "error": 1 })", true), "");
}

/// The octree of a file has numbers of materials of its own, which would be read as those of the scene.
TEST(Grids, NumberOfMaterialsIsNoneOfAFileBesideOthers) {
    Scene scene;
    scene.film.aovs = AovSet::all();
    scene.grids.resize(2);
    scene.grids[1].name = "a";
    const auto places = [&] {
        std::string all;
        for (const SceneConflict& conflict : findConflicts(scene, {})) {
            all += conflict.pointer + " " + conflict.with + "\n";
        }
        return all;
    };
    EXPECT_EQ(places().find("/assets/a/file"), std::string::npos) << places();
    scene.grids[1].octree.emplace();
    EXPECT_NE(places().find("/film/aovs /assets/a/file"), std::string::npos) << places();
}

} // namespace
} // namespace aureole
