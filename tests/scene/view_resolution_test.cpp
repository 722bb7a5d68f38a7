// "resolution": "view", by closed forms.

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "json_test_util.h"
#include "scene/instance_numbers.h"
#include "scene/nearest_visible.h"
#include "scene/view_resolution.h"

namespace aureole {
namespace {

/// The least power of two whose voxels are at most so wide across a length.
std::uint32_t powerFor(double length, double voxel) {
    return static_cast<std::uint32_t>(std::exp2(std::ceil(std::log2(length / voxel) - 1e-9)));
}

Camera lookingAlongZ(const glm::dvec3& position) {
    Camera camera;
    camera.name = "main";
    camera.position = position;
    camera.target = position - glm::dvec3(0.0, 0.0, 1.0);
    camera.verticalFov = 2.0 * glm::degrees(std::atan(0.5)); // a picture is as high as it is away
    return camera;
}

PlacedBox boxAt(const glm::dvec3& low, const glm::dvec3& high, const glm::dmat4& transform = glm::dmat4(1.0)) {
    PlacedBox box;
    box.bounds.add(low);
    box.bounds.add(high);
    box.worldFromBox = transform;
    return box;
}

TEST(NearestVisible, IsTheNearestFaceWhereThatIsInThePicture) {
    const Camera camera = lookingAlongZ({0.0, 0.0, 10.0});
    const auto place = nearestVisible(camera, {100, 100}, boxAt(glm::dvec3(-1.0), glm::dvec3(1.0)));
    ASSERT_TRUE(place);
    EXPECT_NEAR(place->distance, 9.0, 1e-12);
    EXPECT_NEAR(place->pixel, 0.09, 1e-12);
    // Twice as many pixels are half as wide, however many there are to the side.
    EXPECT_NEAR(nearestVisible(camera, {800, 200}, boxAt(glm::dvec3(-1.0), glm::dvec3(1.0)))->pixel, 0.045, 1e-12);
}

/// A floor from beneath the camera on comes into the picture where its lower edge meets it.
TEST(NearestVisible, IsCutOffByTheEdgesOfThePicture) {
    const Camera camera = lookingAlongZ({0.0, 1.0, 0.0});
    const PlacedBox floor = boxAt({-100.0, 0.0, -100.0}, {100.0, 0.0, 100.0});
    EXPECT_NEAR(nearestVisible(camera, {64, 64}, floor)->distance, 2.0, 1e-12);
    // A wall on the right, by the width of the picture: twice the height.
    const PlacedBox wall = boxAt({3.0, -5.0, -100.0}, {4.0, 5.0, 100.0});
    EXPECT_NEAR(nearestVisible(camera, {128, 64}, wall)->distance, 3.0, 1e-12);
    EXPECT_FALSE(nearestVisible(camera, {64, 64}, boxAt({-1.0, 0.0, 2.0}, {1.0, 2.0, 3.0}))) << "behind the camera";
    EXPECT_FALSE(nearestVisible(camera, {64, 64}, boxAt({9.0, 0.0, -8.0}, {10.0, 2.0, -7.0}))) << "beside the picture";
}

/// From within a box its walls are seen.
TEST(NearestVisible, OfABoxAroundTheCameraIsTheNearestWallInSight) {
    const Camera camera = lookingAlongZ(glm::dvec3(0.0));
    EXPECT_NEAR(nearestVisible(camera, {64, 64}, boxAt(glm::dvec3(-3.0), glm::dvec3(3.0)))->distance, 3.0, 1e-12);
    EXPECT_NEAR(nearestVisible(camera, {64, 64}, boxAt({-1.0, -9.0, -9.0}, {1.0, 9.0, 9.0}))->distance, 2.0, 1e-12);
}

/// At depth z a lens of radius r moves the edge by r |1 - z / f|.
TEST(NearestVisible, CountsTheLens) {
    Camera camera = lookingAlongZ({0.0, 1.0, 0.0});
    camera.apertureRadius = 0.25;
    camera.focusDistance = 4.0;
    const PlacedBox floor = boxAt({-100.0, 0.0, -100.0}, {100.0, 0.0, 100.0});
    // z / 2 + r (1 - z / f) = 1
    EXPECT_NEAR(nearestVisible(camera, {64, 64}, floor)->distance, (1.0 - 0.25) / (0.5 - 0.25 / 4.0), 1e-12);
    // Beyond the plane in focus: z / 2 + r (z / f - 1) = 4
    const PlacedBox low = boxAt({-100.0, -3.0, -100.0}, {100.0, -3.0, 100.0});
    EXPECT_NEAR(nearestVisible(camera, {64, 64}, low)->distance, (4.0 + 0.25) / (0.5 + 0.25 / 4.0), 1e-12);
}

TEST(NearestVisible, KnowsParallelRaysAndTheWholeSphere) {
    Camera camera = lookingAlongZ({0.0, 0.0, 10.0});
    camera.projection = Projection::Orthographic;
    camera.height = 4.0;
    const auto place = nearestVisible(camera, {50, 100}, boxAt({0.5, -1.0, -1.0}, {2.0, 1.0, 1.0}));
    EXPECT_NEAR(place->distance, 9.0, 1e-12);
    EXPECT_NEAR(place->pixel, 0.04, 1e-12);
    EXPECT_FALSE(nearestVisible(camera, {50, 100}, boxAt({1.5, -1.0, -1.0}, {2.0, 1.0, 1.0})));
    camera.projection = Projection::Equirectangular;
    // The corner (1, 1, 13) of a box behind it.
    const auto around = nearestVisible(camera, {200, 100}, boxAt({1.0, 1.0, 13.0}, {2.0, 2.0, 14.0}));
    EXPECT_NEAR(around->distance, std::sqrt(11.0), 1e-12);
    EXPECT_NEAR(around->pixel, std::sqrt(11.0) * kPi / 100.0, 1e-12);
}

Scene sceneSeen(const std::vector<Camera>& cameras, std::uint32_t height) {
    Scene scene;
    scene.cameras = cameras;
    scene.film.width = 2 * height;
    scene.film.height = height;
    return scene;
}

/// A ball of a radius about the origin, which a matrix places, as an octree of its own.
SeenOctree ballOf(double radius, const glm::dmat4& transform = glm::dmat4(1.0)) {
    SeenOctree octree;
    octree.name = "ball";
    octree.isPlaced = true;
    octree.voxels.resolution = kCountWord;
    SeenAsset ball;
    ball.name = "ball";
    ball.bounds.add(glm::dvec3(-radius));
    ball.bounds.add(glm::dvec3(radius));
    ball.area = 4.0 * kPi * radius * radius;
    ball.worldFromAsset = transform;
    octree.assets = {ball};
    return octree;
}

glm::dmat4 scaledBy(double x, double y, double z) {
    return {{x, 0.0, 0.0, 0.0}, {0.0, y, 0.0, 0.0}, {0.0, 0.0, z, 0.0}, {0.0, 0.0, 0.0, 1.0}};
}

TEST(ViewResolution, OfABallIsThePowerOfTwoForItsNearestFace) {
    for (const double distance : {3.0, 5.0, 20.0, 100.0, 1000.0}) {
        for (const std::uint32_t height : {48U, 360U, 1080U}) {
            const Scene scene = sceneSeen({lookingAlongZ({0.0, 0.0, distance})}, height);
            const auto chosen = chooseResolutions(scene, {ballOf(1.0)}, ~std::uint64_t{0});
            const std::uint32_t wanted = powerFor(2.0, (distance - 1.0) / height);
            EXPECT_EQ(chosen.at(0).view.resolution, std::clamp(wanted, 16U, 16384U)) << distance << ' ' << height;
        }
    }
}

/// An instance that is larger shows larger voxels, by its largest stretch, wherever it is turned; the nearest of all
/// instances, cameras and frames counts.
TEST(ViewResolution, TheMostDemandingOfAllCounts) {
    const std::vector<Camera> cameras = {lookingAlongZ({0.0, 0.0, 81.0}), lookingAlongZ({0.0, 0.0, 33.0})};
    const auto resolutionOf = [&](const std::vector<glm::dmat4>& transforms) {
        SeenOctree octree = ballOf(1.0);
        const SeenAsset ball = octree.assets.front();
        octree.assets.clear();
        for (const glm::dmat4& transform : transforms) {
            octree.assets.push_back(ball);
            octree.assets.back().worldFromAsset = transform;
        }
        return chooseResolutions(sceneSeen(cameras, 160), {octree}).at(0).view.resolution;
    };
    EXPECT_EQ(resolutionOf({glm::dmat4(1.0)}), powerFor(2.0, 32.0 / 160.0)) << "16";
    EXPECT_EQ(resolutionOf({scaledBy(1.0, 6.0, 1.0)}), powerFor(2.0, 32.0 / 160.0 / 6.0)) << "64";
    glm::dmat4 turned = scaledBy(6.0, 1.0, 1.0); // now along y
    std::swap(turned[0][0], turned[0][1]);
    std::swap(turned[1][0], turned[1][1]);
    EXPECT_EQ(resolutionOf({turned}), 64U);
    EXPECT_EQ(resolutionOf({glm::dmat4(1.0), scaledBy(1.0, 6.0, 1.0)}), 64U);
    Scene moving = sceneSeen(cameras, 160);
    Animation animation;
    animation.camera = 1;
    animation.frames = 3;
    animation.kind = AnimationKind::Path;
    animation.keys.resize(2);
    animation.keys[0] = {0, {0.0, 0.0, 33.0}, {0.0, 0.0, 32.0}, {0.0, 1.0, 0.0}, cameras[1].verticalFov, 2.0, 0.0};
    animation.keys[1] = {2, {0.0, 0.0, 3.0}, {0.0, 0.0, 2.0}, {0.0, 1.0, 0.0}, cameras[1].verticalFov, 2.0, 0.0};
    moving.animation = animation;
    const auto chosen = chooseResolutions(moving, {ballOf(1.0)}).at(0).view;
    EXPECT_EQ(chosen.resolution, powerFor(2.0, 2.0 / 160.0));
    EXPECT_NE(chosen.why.find("camera 'main' in frame 2"), std::string::npos) << chosen.why;
}

TEST(ViewResolution, WhatIsOutOfSightMayBeFourTimesAsCoarse) {
    const Scene scene = sceneSeen({lookingAlongZ({0.0, 0.0, -11.0})}, 1000); // the ball is behind
    const auto chosen = chooseResolutions(scene, {ballOf(1.0)}).at(0).view;
    EXPECT_EQ(chosen.resolution, powerFor(2.0, 4.0 * 10.0 / 1000.0));
    EXPECT_NE(chosen.why.find("out of sight"), std::string::npos) << chosen.why;
}

/// A model by itself has as many voxels as it always had, at least.
TEST(ViewResolution, LeavesWhatIsEnough) {
    const Scene scene = sceneSeen({lookingAlongZ({0.0, 0.0, 11.0})}, 1000);
    SeenOctree octree = ballOf(1.0);
    for (const std::uint32_t least : {16U, 200U, 256U, 300U}) {
        octree.least = least;
        EXPECT_EQ(chooseResolutions(scene, {octree}).at(0).view.resolution, std::max(256U, least));
        EXPECT_EQ(chooseResolutions(scene, {octree}, 1).at(0).view.resolution, least);
    }
}

/// The largest gives way until all fit; a shape alone takes less.
TEST(ViewResolution, WhatCostsMostIsHalvedUntilAllFit) {
    const Scene scene = sceneSeen({lookingAlongZ({0.0, 0.0, 11.0})}, 1000);
    const SeenOctree small = ballOf(0.5);
    const SeenOctree large = ballOf(1.0);
    const auto resolutions = [&](std::uint64_t budget, VoxelContent content) {
        std::vector<SeenOctree> octrees = {small, large};
        octrees[1].voxels.attributes = content;
        const auto chosen = chooseResolutions(scene, octrees, budget);
        return std::pair(chosen[0].view.resolution, chosen[1].view.resolution);
    };
    const std::uint32_t one = powerFor(1.0, 10.5 / 1000.0); // 128
    const std::uint32_t two = powerFor(2.0, 10.0 / 1000.0); // 256
    EXPECT_EQ(resolutions(~std::uint64_t{0}, VoxelContent::All), std::pair(one, two));
    // An area of pi in diameters has 2 pi r^2 voxels of 16 bytes: 1.6 MB and 6.6 MB.
    EXPECT_EQ(resolutions(8'300'000, VoxelContent::All), std::pair(one, two));
    EXPECT_EQ(resolutions(8'100'000, VoxelContent::All), std::pair(one, two / 2));
    EXPECT_EQ(resolutions(2'500'000, VoxelContent::None), std::pair(one, two));
    EXPECT_EQ(resolutions(1000, VoxelContent::All), std::pair(16U, 16U));
    const std::string why = chooseResolutions(scene, {large}, 5'000'000).at(0).view.why;
    EXPECT_NE(why.find("256 would take more than the 4 MiB"), std::string::npos) << why;
    EXPECT_EQ(why.find("even so"), std::string::npos) << why;
    SeenOctree model = large;
    model.least = 256; // 6.3 MiB
    const std::string over = chooseResolutions(scene, {model}, 5'000'000).at(0).view.why;
    EXPECT_NE(over.find("take some 6 MiB even so, more than the 4 MiB"), std::string::npos) << over;
}

/// A row of balls of radius 1 as one octree with levels, ball i at z = -at[i]; a picture is as high as it is away and
/// has 256 rows, so that one whose face is d away needs 512 / d voxels across.
SeenOctree rowOf(const std::vector<double>& at, std::uint32_t resolution = kCountWord) {
    SeenOctree octree = ballOf(1.0);
    octree.voxels.levels = true;
    octree.voxels.resolution = resolution;
    const SeenAsset ball = octree.assets.front();
    octree.assets.clear();
    for (std::size_t i = 0; i < at.size(); ++i) {
        SeenAsset& one = octree.assets.emplace_back(ball);
        one.instance = static_cast<std::uint32_t>(10 + i);
        one.worldFromAsset[3] = {0.0, 0.0, -at[i] - 1.0, 1.0};
    }
    return octree;
}

using Levels = std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>>; // resolution, instances

Levels levelsOf(const std::vector<SeenOctree>& octrees, std::uint64_t budget = kViewBytes) {
    Levels levels;
    for (const ChosenResolution& chosen :
         chooseResolutions(sceneSeen({lookingAlongZ(glm::dvec3(0.0))}, 256), octrees, budget)) {
        levels.emplace_back(chosen.view.resolution, chosen.instances);
    }
    return levels;
}

/// The least powers of two for 512 / d, in the order of the levels; 16 is the least of all.
TEST(LevelsOfDetail, AreOfEachInstancesOwnNearestPlace) {
    const std::vector<double> at = {8.0, 2.0, 4.1, 100.0, 1000.0, 3.9, 1.0};
    EXPECT_EQ(levelsOf({rowOf(at)}), (Levels{{512, {16}}, {256, {11, 15}}, {128, {12}}, {64, {10}}, {16, {13, 14}}}));
    SeenOctree one = rowOf(at);
    one.voxels.levels = false;
    EXPECT_EQ(levelsOf({one}), (Levels{{512, {}}}));
    const auto chosen = chooseResolutions(sceneSeen({lookingAlongZ(glm::dvec3(0.0))}, 256), {rowOf(at)});
    ASSERT_EQ(chosen.size(), 5U);
    EXPECT_EQ(chosen[1].view.instances, 2U);
    EXPECT_NE(chosen[1].view.why.find("2 m before camera 'main'"), std::string::npos) << chosen[1].view.why;
}

/// Of one that moves the nearest place counts, whatever stands around it in the list.
TEST(LevelsOfDetail, CountAllPlacesOfAnInstanceThatMoves) {
    SeenOctree octree = rowOf({2.0, 30.0, 9.0, 5.0, 30.0});
    octree.assets[2].instance = octree.assets[1].instance;
    octree.assets[3].instance = octree.assets[1].instance;
    EXPECT_EQ(levelsOf({octree}), (Levels{{256, {10}}, {128, {11}}, {32, {14}}}));
}

/// A given number is what the nearest may have, however odd it is, and asks for none of the memory there is.
TEST(LevelsOfDetail, AreHalvesOfAGivenNumber) {
    const std::vector<double> at = {1.0, 3.0, 4.0, 7.0, 40.0, 1000.0};
    EXPECT_EQ(levelsOf({rowOf(at, 300)}, 1), (Levels{{300, {10, 11}}, {150, {12}}, {75, {13}}, {18, {14, 15}}}));
    EXPECT_EQ(levelsOf({rowOf({1.0}, 300), rowOf({1.0})}, 27'000'000), (Levels{{300, {10}}, {512, {10}}}));
    EXPECT_EQ(levelsOf({rowOf({8.0, 16.0}, 300)}), (Levels{{75, {10}}, {37, {11}}}));
    EXPECT_EQ(levelsOf({rowOf({40.0}, 17)}), (Levels{{17, {10}}}));
}

/// A model by itself has more voxels than pixels; so have its other levels.
TEST(LevelsOfDetail, OfAModelAreFinerToo) {
    SeenOctree octree = rowOf({8.0, 16.0, 32.0});
    EXPECT_EQ(levelsOf({octree}), (Levels{{64, {10}}, {32, {11}}, {16, {12}}}));
    octree.least = 200;
    EXPECT_EQ(levelsOf({octree}), (Levels{{200, {10}}, {100, {11}}, {50, {12}}}));
}

/// A level that is halved becomes one with the next. Three levels of a ball of area 4 pi: 2 * 4 pi / 4 * N^2 voxels of
/// 16 bytes are 26.4, 6.6 and 1.6 MB.
TEST(LevelsOfDetail, BecomeOneWhereMemoryEnds) {
    const std::vector<double> at = {1.0, 2.0, 4.0, 2.5};
    EXPECT_EQ(levelsOf({rowOf(at)}, 35'000'000), (Levels{{512, {10}}, {256, {11, 13}}, {128, {12}}}));
    EXPECT_EQ(levelsOf({rowOf(at)}, 34'000'000), (Levels{{256, {10, 11, 13}}, {128, {12}}}));
    EXPECT_EQ(levelsOf({rowOf(at)}, 8'000'000), (Levels{{128, {10, 11, 12, 13}}}));
    EXPECT_EQ(levelsOf({rowOf(at)}, 1), (Levels{{16, {10, 11, 12, 13}}}));
    // Those of another octree stay apart.
    EXPECT_EQ(levelsOf({rowOf({2.0}), rowOf({1.0})}, 14'000'000), (Levels{{256, {10}}, {256, {10}}}));
}

class ViewResolutionOfScenes : public SceneJsonTest {
protected:
    /// A sphere of radius 1 with its centre at the origin, seen from 11 m; a picture is as high as it is away.
    static std::string withScene(const std::string& voxels, const std::string& assets, const std::string& instances) {
        return R"({ "version": 1, "film": { "size": [160, 90] },
                    "cameras": { "main": { "position": [0, 0, 11], "target": [0, 0, 0],
                                           "verticalFov": 53.13010235415598 } },
                    "voxels": )" +
               voxels + R"(, "assets": {)" + assets + R"(}, "instances": {)" + instances + "}}";
    }
};

TEST_F(ViewResolutionOfScenes, IsThatOfTheSceneOrOfAnAsset) {
    const std::string ball = R"("ball": { "sphere": {} })";
    const std::string one = R"("1": { "asset": "ball" })";
    const Scene scene = load(withScene(R"({ "resolution": "view" })", ball, one));
    EXPECT_EQ(scene.voxels.resolution, powerFor(2.0, 10.0 / 90.0));
    ASSERT_EQ(scene.viewResolutions.size(), 1U);
    // A number says it outright, a film of another size gives another one.
    EXPECT_EQ(load(withScene(R"({ "resolution": 96 })", ball, one)).viewResolutions.size(), 0U);
    SettingsChanges changes;
    changes.size = glm::uvec2(3200, 1800);
    EXPECT_EQ(loadScene(sceneFile, {{"/voxels/resolution", "\"view\""}}, nullptr, changes).voxels.resolution,
              powerFor(2.0, 10.0 / 1800.0));
    // One octree for an asset; the scene's is for the others.
    const Scene several = load(withScene(R"({ "resolution": 96 })",
                                         ball + R"(, "own": { "box": {}, "voxels": { "resolution": "view" } })",
                                         one + R"(, "2": { "asset": "own", "scale": 4 }, "3": { "asset": "own" })"));
    ASSERT_EQ(several.grids.size(), 2U);
    EXPECT_EQ(several.grids[0].voxels.resolution, powerFor(1.0, 9.0 / 90.0 / 4.0));
    EXPECT_EQ(several.grids[1].voxels.resolution, 96U);
    EXPECT_EQ(several.viewResolutions.at(0).asset, "own");
}

/// What moves may be near for a frame alone, at one of its keys.
TEST_F(ViewResolutionOfScenes, WhatMovesIsSeenAtItsKeys) {
    const Scene scene = load(withScene(R"({ "resolution": "view" })", R"("own": { "box": {} })",
                                       R"("1": { "asset": "own", "translate": [0, 0, -200], "keys": [
                                            { "frame": 0 }, { "frame": 1, "translate": [0, 0, 9] },
                                            { "frame": 100 }] })"));
    ASSERT_EQ(scene.grids.size(), 1U);
    EXPECT_EQ(scene.grids[0].voxels.resolution, powerFor(1.0, 1.5 / 90.0));
}

/// Each level is a grid of the same asset, and of its materials; what stands where, and as which number, stays. What
/// has no octree of its own has no levels.
TEST_F(ViewResolutionOfScenes, LevelsAreGridsOfOneAsset) {
    const std::string assets = R"("own": { "box": {}, "voxels": {} }, "rest": { "sphere": {} })";
    const std::string instances =
        R"("1": { "asset": "own", "scale": 8 }, "2": { "asset": "own", "translate": [0, 0, -89.5] },
        "3": { "asset": "own", "translate": [0, 0, -180] }, "4": { "asset": "rest" },
        "5": { "asset": "own", "translate": [0, 0, -89.5], "frame": 0 })";
    const auto loaded = [&](const std::string& levels) {
        return load(withScene(R"({ "resolution": "view")" + levels + "}", assets, instances));
    };
    const Scene one = loaded("");
    const Scene scene = loaded(R"(, "levels": true)");
    ASSERT_EQ(one.grids.size(), 2U);
    ASSERT_EQ(scene.grids.size(), 3U);
    EXPECT_EQ(scene.grids[0].voxels.resolution, one.grids[0].voxels.resolution);
    EXPECT_EQ(scene.grids[1].name, "") << "what was there keeps its number";
    EXPECT_EQ(scene.grids[1].voxels.resolution, one.grids[1].voxels.resolution);
    EXPECT_EQ(scene.grids[2].voxels.resolution, 16U);
    EXPECT_EQ(scene.grids[2].hash, scene.grids[0].hash);
    ASSERT_EQ(scene.grids[2].meshInstances.size(), 1U);
    std::vector<std::uint32_t> grids;
    for (std::size_t i = 0; i < scene.gridPlacements.size(); ++i) {
        grids.push_back(scene.gridPlacements[i].grid);
        EXPECT_EQ(scene.gridPlacements[i].worldFromGrid, one.gridPlacements[i].worldFromGrid);
    }
    EXPECT_EQ(grids, (std::vector<std::uint32_t>{0, 2, 2, 2, 1}));
    EXPECT_EQ(instanceNumbers(scene).instances, instanceNumbers(one).instances);
    EXPECT_EQ(instanceNumbers(scene).assets, instanceNumbers(one).assets);
    EXPECT_EQ(instanceNumbers(scene).assetOf, instanceNumbers(one).assetOf);
    EXPECT_NE(scene.hash, one.hash);
}

/// Other words, and octrees of files, which have theirs.
TEST_F(ViewResolutionOfScenes, WrongValuesAreTold) {
    for (const char* const wrong : {R"("eye")", "1", "true"}) {
        const std::string voxels = std::string(R"({ "resolution": )") + wrong + " }";
        const std::vector<SceneProblem> found =
            problems(withScene(voxels, R"("ball": { "sphere": {} })", R"("1": { "asset": "ball" })"));
        ASSERT_EQ(found.size(), 1U) << join(found);
        EXPECT_EQ(found[0].pointer, "/voxels/resolution");
        EXPECT_NE(found[0].message.find("expected a whole number from 16 to 16384, or 'view'"), std::string::npos)
            << join(found);
    }
}

} // namespace
} // namespace aureole
