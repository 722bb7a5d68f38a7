// Animations of model files that pose assets.

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "json_test_util.h"
#include "scene/value_keys.h"
#include "settings/changes.h"
#include "waving_model.h"

namespace aureole {
namespace {

class JsonClips : public SceneJsonTest {
protected:
    void SetUp() override {
        SceneJsonTest::SetUp();
        write("waving.gltf", wavingModel());
    }
    static std::string sceneOf(const std::string& animation, const std::string& more = "",
                               const std::string& file = "waving.gltf") {
        return R"({ "version": 1, "cameras": { "main": { "position": [0, 0, 5], "target": [0, 0, 0] } },
                    "assets": { "flag": { "file": ")" +
               file + R"(", "animation": )" + animation + R"( }, "ball": { "sphere": {}, "voxels": {} } },
                    "instances": { "flag": { "asset": "flag", "scale": 2 }, "ball": { "asset": "ball" } })" +
               more + "}";
    }
    Scene loadFrame(const std::string& animation, std::uint32_t frame, const std::string& more = "") const {
        write("scene.json", sceneOf(animation, more));
        SettingsChanges changes;
        changes.frame = frame;
        return loadScene(sceneFile, {}, nullptr, changes);
    }
    /// By how many degrees the flag is turned.
    static double angleOf(const Scene& scene) {
        for (const MeshInstance& instance : scene.meshInstances) {
            if (scene.meshes[instance.mesh].positions.size() == 3) {
                return glm::degrees(std::atan2(instance.worldFromMesh[0].y, instance.worldFromMesh[0].x));
            }
        }
        return -1.0;
    }
    void expectProblem(const std::string& text, const std::string& pointer, const std::string& part) const {
        const std::vector<SceneProblem> found = problems(text);
        ASSERT_FALSE(found.empty()) << text;
        EXPECT_EQ(found[0].pointer, pointer) << join(found);
        EXPECT_NE(found[0].message.find(part), std::string::npos) << join(found);
    }
};

TEST_F(JsonClips, AFrameShowsAMomentOfTheClip) {
    const std::string clip = R"({ "clip": "wave", "framesPerSecond": 10, "start": 0.5 })";
    EXPECT_NEAR(angleOf(load(sceneOf(clip))), 22.5, 1e-4) << "without a frame, that of the first";
    EXPECT_NEAR(angleOf(loadFrame(clip, 0)), 22.5, 1e-4);
    EXPECT_NEAR(angleOf(loadFrame(clip, 5)), 45.0, 1e-4);
    EXPECT_NEAR(angleOf(loadFrame(clip, 19)), 18.0, 1e-4) << "begins again, as it is 2 s long";
    const std::string once = R"({ "clip": "wave", "framesPerSecond": 10, "loop": false })";
    EXPECT_NEAR(angleOf(loadFrame(once, 15)), 67.5, 1e-4);
    EXPECT_NEAR(angleOf(loadFrame(once, 21, R"(, "animation": { "values": { "/finish/vignette": [[0, 0.9], [30, 0]] } },
                                               "finish": { "vignette": 0.5 })")),
                90.0, 1e-4)
        << "stays behind its end";
}

TEST_F(JsonClips, TheSceneHasTheFramesOfARound) {
    const Scene scene = load(sceneOf(R"({ "clip": "wave" })"));
    ASSERT_TRUE(scene.animation);
    EXPECT_EQ(scene.animation->frames, 48U) << "2 s of 24";
    EXPECT_FALSE(scene.animation->movesCamera());
    EXPECT_FALSE(showsOthers(scene, 0, 1)) << "the flag is an octree that moves";
    const Scene posed = load(sceneOf(R"({ "clip": "wave" }, "share": false)"));
    EXPECT_TRUE(showsOthers(posed, 0, 1));
    EXPECT_FALSE(showsOthers(posed, 3, 3));
    EXPECT_EQ(load(sceneOf(R"({ "clip": "wave", "loop": false, "start": 0.5 })")).animation->frames, 37U)
        << "the last one stands";
    const Scene turns = load(sceneOf(R"({ "clip": "wave" }, "share": false)",
                                     R"(, "animation": { "turntable": { "frames": 7, "centre": [0, 0, 0] } })"));
    EXPECT_EQ(turns.animation->frames, 7U);
    EXPECT_TRUE(showsOthers(turns, 0, 1));
}

/// What does not move is found in the cache, whatever moves beside it.
TEST_F(JsonClips, OnlyThePosedOctreeIsAnother) {
    const std::string clip = R"({ "clip": "wave", "framesPerSecond": 12 }, "share": false)";
    const Scene first = loadFrame(clip, 0);
    const Scene second = loadFrame(clip, 1);
    const Scene round = loadFrame(clip, 24, R"(, "animation": { "values": { "/finish/vignette": [[0, 0.9], [30, 0]] } },
                                               "finish": { "vignette": 0.5 })");
    ASSERT_EQ(first.grids.size(), 2U);
    EXPECT_EQ(first.grids[0].hash, second.grids[0].hash) << "the ball";
    EXPECT_NE(first.grids[1].hash, second.grids[1].hash);
    EXPECT_NE(first.surfaceHash, second.surfaceHash);
    EXPECT_EQ(first.grids[1].hash, round.grids[1].hash) << "one round later";
    EXPECT_EQ(first.hash, second.hash) << "of the scene";
}

TEST_F(JsonClips, WhatIsWrongIsReported) {
    expectProblem(sceneOf(R"({ "clip": "weave" })"), "/assets/flag/file",
                  "found no animation 'weave', expected one of 'wave'");
    expectProblem(sceneOf("{}"), "/assets/flag/animation", "clip");
    expectProblem(sceneOf(R"({ "clip": "" })"), "/assets/flag/animation/clip", "the name of an animation");
    expectProblem(sceneOf(R"({ "clip": "wave", "framesPerSecond": 0 })"), "/assets/flag/animation/framesPerSecond",
                  "0");
    expectProblem(sceneOf(R"({ "clip": "wave", "speed": 2 })"), "/assets/flag/animation/speed", "");
    write("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    expectProblem(sceneOf(R"({ "clip": "wave" })", "", "a.obj"), "/assets/flag/animation", ".gltf and .glb");
}

} // namespace
} // namespace aureole
