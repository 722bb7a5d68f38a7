// "keys" of instances.

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "json_test_util.h"
#include "scene/view.h"

namespace aureole {
namespace {

class JsonMotion : public SceneJsonTest {
protected:
    /// A still ball and a block with more keys, and what else the scene says.
    static std::string withKeys(const std::string& keys, const std::string& more = "") {
        return R"({ "version": 1, "cameras": { "main": { "position": [0, 0, 5], "target": [0, 0, 0] } },
                    "assets": { "ball": { "sphere": {} }, "block": { "box": {} } },
                    "instances": { "still": { "asset": "ball" }, "moves": { "asset": "block")" +
               keys + " } }" + more + " }";
    }
    void expectProblem(const std::string& keys, const std::string& pointer, const std::string& part) const {
        const std::vector<SceneProblem> found = problems(withKeys(keys));
        ASSERT_FALSE(found.empty()) << keys;
        EXPECT_EQ(found[0].pointer, pointer) << join(found);
        EXPECT_NE(found[0].message.find(part), std::string::npos) << join(found);
    }
};

glm::dvec3 pointAt(const Scene& scene, double moment, const glm::dvec3& point) {
    const GridPlacement& placement = scene.gridPlacements.at(0);
    return {transformAt(scene, placement.motion, placement.worldFromGrid, moment) * glm::dvec4(point, 1.0)};
}

void expectPoint(const Scene& scene, double moment, const glm::dvec3& point, const glm::dvec3& expected) {
    EXPECT_LT(glm::length(pointAt(scene, moment, point) - expected), 1e-12) << moment;
}

/// What moves is an octree of its own, with the scene's settings, and what stands is one beside it.
TEST_F(JsonMotion, WhatMovesIsAnOctreeOfItsOwn) {
    const Scene scene =
        load(withKeys(R"(, "translate": [0, 1, 0], "keys": [{ "frame": 2 }, { "frame": 6, "translate": [4, 1, 0] }])",
                      R"(, "voxels": { "resolution": 64 })"));
    ASSERT_EQ(scene.grids.size(), 2U);
    EXPECT_EQ(scene.grids[0].name, "block");
    EXPECT_EQ(scene.grids[0].voxels.resolution, 64U);
    ASSERT_EQ(scene.gridPlacements.size(), 2U);
    EXPECT_EQ(scene.gridPlacements[0].motion, 0U);
    EXPECT_EQ(scene.gridPlacements[1].motion, kNone);
    ASSERT_TRUE(scene.animation) << "up to the last key";
    EXPECT_EQ(scene.animation->frames, 7U);
    EXPECT_FALSE(scene.animation->movesCamera());
    std::size_t moving = 0;
    for (const MeshInstance& instance : scene.meshInstances) {
        moving += instance.motion == 0 ? 1 : 0;
    }
    EXPECT_EQ(moving, 1U) << "for the reference backend";
    expectPoint(scene, 0.0, glm::dvec3(0.0), {0, 1, 0});
    expectPoint(scene, 3.0, glm::dvec3(0.0), {1, 1, 0});
    expectPoint(scene, 9.0, glm::dvec3(0.0), {4, 1, 0});
    EXPECT_EQ(scene.grids[1].hash,
              load(withKeys(R"(, "keys": [{ "frame": 0 }])", R"(, "voxels": { "resolution": 64 })")).grids[1].hash)
        << "keys voxelise nothing again";
}

/// Turns about one axis are as many as are said, others go the shorter way; scales go evenly; easings by their powers.
TEST_F(JsonMotion, KeysTurnStretchAndEase) {
    const Scene turns = load(withKeys(R"(, "keys": [{ "frame": 0 }, { "frame": 4, "rotate": [0, 0, 720] },
                          { "frame": 8, "rotate": [0, 0, 360], "scale": [3, 1, 1] }])"));
    expectPoint(turns, 1.0, {1, 0, 0}, {-1, 0, 0});
    expectPoint(turns, 0.5, {1, 0, 0}, {0, 1, 0});
    expectPoint(turns, 6.0, {1, 0, 0}, {-2, 0, 0});
    const Scene shorter = load(withKeys(R"(, "rotate": { "axis": [1, 1, 1], "angle": 120 }, "keys": [{ "frame": 0 },
                                            { "frame": 2, "rotate": { "axis": [1, 1, 1], "angle": -180 } }])"));
    expectPoint(shorter, 0.0, {1, 0, 0}, {0, 1, 0});
    expectPoint(shorter, 1.0, glm::dvec3(1.0), glm::dvec3(1.0));
    const Scene mixed = load(withKeys(R"(, "keys": [{ "frame": 0, "rotate": [350, 0, 0] },
                                            { "frame": 2, "rotate": { "axis": [0, 1, 0], "angle": 0 } },
                                            { "frame": 4, "rotate": [0, 90, 0] },
                                            { "frame": 6, "rotate": [90, 0, 0] }])"));
    // From a right angle about Y to one about X: by acos(1 / 3) about the axis between, on the way.
    expectPoint(mixed, 5.0, {1, 1, 0}, {1, 1, 0});
    EXPECT_NEAR(pointAt(mixed, 5.0, {0, 0, 1}).z, 1.0 / 3.0, 1e-12);
    EXPECT_NEAR(pointAt(mixed, 1.0, {0, 1, 0}).z, std::sin(glm::radians(175.0)), 1e-12) << "all the way back";
    const std::array<std::pair<const char*, double>, 4> eases = {
        {{"none", 0.25}, {"in", 0.0625}, {"out", 0.4375}, {"both", 0.15625}}};
    for (const auto& [ease, share] : eases) {
        const Scene scene = load(withKeys(R"(, "keys": [{ "frame": 0, "ease": ")" + std::string(ease) +
                                          R"(" }, { "frame": 4, "translate": [0, 8, 0] }])"));
        expectPoint(scene, 1.0, glm::dvec3(0.0), {0, 8.0 * share, 0});
    }
}

/// The bounds of a motion hold what moves at any time, on all sides of what turns in its place too.
TEST_F(JsonMotion, BoundsHoldAllThatMoves) {
    for (const char* const keys : {R"([{ "frame": 0, "translate": [1, 2, 3] },
            { "frame": 3, "rotate": [30, 400, 50], "scale": [2, 1, 0.5], "ease": "both" },
            { "frame": 5, "rotate": { "axis": [1, 2, 0], "angle": 170 }, "translate": [-4, 0, 0] },
            { "frame": 9, "rotate": { "axis": [1, 2, 0], "angle": 170 }, "translate": [5, 0, 1], "scale": 3 }])",
                                   R"([{ "frame": 0 }, { "frame": 9, "rotate": [0, 90, 0] }])"}) {
        const Scene scene = load(withKeys(std::string(R"(, "keys": )") + keys));
        const Bounds block{glm::dvec3(-0.5), glm::dvec3(0.5)};
        const Bounds bounds = boundsOfMotion(scene.motions.at(0), block);
        for (double moment = -1.0; moment < 10.0; moment += 0.0625) {
            for (unsigned corner = 0; corner < 8; ++corner) {
                const glm::dvec3 at = pointAt(scene, moment, block.corner(corner));
                EXPECT_TRUE(bounds.holds(at + 1e-9) || bounds.holds(at - 1e-9) || bounds.holds(at)) << keys << moment;
            }
        }
        EXPECT_LT(glm::length(bounds.extent()), 30.0) << "and not much more";
    }
}

/// Lights that a model brings go with its instance.
TEST_F(JsonMotion, LightsMoveWithTheirInstance) {
    Scene scene =
        load(withKeys(R"(, "keys": [{ "frame": 0 }, { "frame": 2, "translate": [2, 0, 0], "rotate": [0, 0, 90] }])"));
    PunctualLight light;
    light.position = {1, 0, 0};
    light.direction = {1, 0, 0};
    light.motion = 0;
    scene.lights = {light};
    const PunctualLight moved = lightsAt(scene, 2.0).at(0);
    EXPECT_LT(glm::length(moved.position - glm::dvec3(2, 1, 0)), 1e-12);
    EXPECT_LT(glm::length(moved.direction - glm::dvec3(0, 1, 0)), 1e-12);
    EXPECT_EQ(lightsAt(scene, std::nullopt).at(0).position, light.position);
}

TEST_F(JsonMotion, WrongKeysAreNamed) {
    const std::string keys = "/instances/moves/keys";
    expectProblem(R"(, "keys": [])", keys, "expected at least one key");
    expectProblem(R"(, "keys": 3)", keys, "expected an array");
    expectProblem(R"(, "keys": [{}])", keys + "/0", "frame");
    expectProblem(R"(, "keys": [{ "frame": 1.5 }])", keys + "/0/frame", "found 1.5");
    expectProblem(R"(, "keys": [{ "frame": 4 }, { "frame": 3 }])", keys + "/1", "found frame 3 after frame 4");
    expectProblem(R"(, "keys": [{ "frame": 4 }, { "frame": 4 }])", keys + "/1", "found frame 4 after frame 4");
    expectProblem(R"(, "keys": [{ "frame": 0, "scale": 0 }])", keys + "/0/scale", "other than 0");
    expectProblem(R"(, "keys": [{ "frame": 0, "scale": 1e30 }])", keys + "/0/scale", "1e+30");
    expectProblem(R"(, "keys": [{ "frame": 0, "translate": [0, 1e30, 0] }])", keys + "/0/translate/1", "1e+30");
    expectProblem(R"(, "keys": [{ "frame": 0 }, { "frame": 1, "scale": [1, -1, 1] }])", keys + "/1/scale", "flat");
    expectProblem(R"(, "keys": [{ "frame": 0, "rotate": { "axis": [0, 0, 0], "angle": 3 } }])", keys + "/0/rotate/axis",
                  "above 0");
    expectProblem(R"(, "keys": [{ "frame": 0, "ease": "slow" }])", keys + "/0/ease", "'slow'");
    expectProblem(R"(, "keys": [{ "frame": 0, "turn": 3 }])", keys + "/0/turn", "");
    expectProblem(R"(, "matrix": [1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1], "keys": [{ "frame": 0 }])", keys, "matrix");
    expectProblem(R"(, "scale": 0, "keys": [{ "frame": 0 }])", "/instances/moves/scale", "other than 0");
    const std::vector<SceneProblem> cameras = problems(
        R"({ "version": 1, "cameras": { "a": { "position": [0, 0, 5], "target": [0, 0, 0] },
             "b": { "position": [0, 5, 5], "target": [0, 0, 0] } }, "assets": { "ball": { "sphere": {} } },
             "instances": { "moves": { "asset": "ball", "keys": [{ "frame": 0 }] } } })");
    ASSERT_EQ(cameras.size(), 1U);
    EXPECT_NE(cameras[0].message.find("'camera'"), std::string::npos) << cameras[0].message;
}

/// A frame that is not read is told once, and is no frame 0 that stands before or behind others.
TEST_F(JsonMotion, AWrongFrameIsToldAlone) {
    const auto told = [&](const std::string& keys) {
        const auto ofInstance = problems(withKeys(R"(, "keys": [)" + keys + "]"));
        const auto ofPath = problems(withKeys("", R"(, "animation": { "path": { "keys": [)" + keys + "] } }"));
        EXPECT_EQ(ofInstance.size(), ofPath.size()) << keys << '\n' << join(ofInstance) << '\n' << join(ofPath);
        return ofInstance.size();
    };
    for (const std::string bad : {R"({ "frame": "x" })", R"({ "frame": -1 })", "{}"}) {
        EXPECT_EQ(told(R"({ "frame": 0 }, )" + bad), 1U) << bad;
        EXPECT_EQ(told(bad + R"(, { "frame": 0 })"), 1U) << bad;
        EXPECT_EQ(told(R"({ "frame": 4 }, )" + bad + R"(, { "frame": 5 })"), 1U) << bad;
        EXPECT_EQ(told(R"({ "frame": 4 }, )" + bad + R"(, { "frame": 4 })"), 2U) << bad << " also not ascending";
        EXPECT_EQ(told(bad + ", " + bad), 2U) << bad;
    }
}

/// The settings of the shutter, and what it makes of a frame.
TEST_F(JsonMotion, TheShutterIsOpenAroundAFrame) {
    const std::string keys = R"(, "keys": [{ "frame": 0 }, { "frame": 2 }])";
    const Scene scene = load(withKeys(keys, R"(, "film": { "shutterOpen": -0.25, "shutterClose": 0.5 })"));
    View view = defaultView(scene);
    EXPECT_FALSE(shutterTimes(scene, view)) << "a picture that is no frame";
    view.moment = 2.0;
    EXPECT_EQ(shutterTimes(scene, view)->open, 1.75);
    EXPECT_EQ(shutterTimes(scene, view)->close, 2.5);
    EXPECT_FALSE(shutterTimes(load(withKeys(keys)), view)->blurs());
    const std::vector<SceneProblem> found =
        problems(withKeys(keys, R"(, "film": { "shutterOpen": 0.5, "shutterClose": 0.25 })"));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].pointer, "/film/shutterClose");
}

} // namespace
} // namespace aureole
