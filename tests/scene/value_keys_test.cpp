// Numbers of bloom and finish that change from frame to frame.

#include "scene/value_keys.h"

#include <set>

#include <gtest/gtest.h>

#include "json_test_util.h"
#include "scene/load.h"

namespace aureole {
namespace {

class ValueKeysTest : public SceneJsonTest {
protected:
    Scene with(const std::string& values, const SettingsChanges& changes = {}) {
        write("scene.json", minimalScene());
        return loadScene(sceneFile,
                         {{"/animation/values", values},
                          {"/bloom", R"({"gaussians": [{"weight": 1, "sigma": 1}, {"weight": 2, "sigma": 2}]})"},
                          {"/finish", R"({"bulge": {"amount": 0.5}, "distortion": {"k1": 0.1}, "vignette": 0.25})"}},
                         nullptr, changes);
    }
};

TEST_F(ValueKeysTest, GoOnStraightLinesAndStandBeyondThem) {
    const Scene scene = with(R"({"/bloom/sharpen": [[2, 0.25], [6, 0.75], [8, 0]], "/finish/vignette": [[3, 0.5]],
        "/bloom/aperture/blades": [[0, 0], [8, 8]], "/bloom/gaussians/1/sigma": [[0, 2], [4, 4]],
        "/finish/bulge/centre/1": [[0, 0], [10, 1]]})");
    ASSERT_TRUE(scene.animation);
    EXPECT_EQ(scene.animation->frames, 11U) << "the last key's is the last frame";
    const std::array<double, 11> expected = {0.25, 0.25, 0.25, 0.375, 0.5, 0.625, 0.75, 0.375, 0, 0, 0};
    for (std::uint32_t frame = 0; frame < expected.size(); ++frame) {
        const Look look = lookAtFrame(scene, frame);
        EXPECT_DOUBLE_EQ(look.bloom.sharpen, expected.at(frame)) << frame;
        EXPECT_EQ(look.finish.vignette, 0.5);
        EXPECT_DOUBLE_EQ(look.finish.bulge->centre.y, frame / 10.0);
        EXPECT_EQ(look.finish.bulge->centre.x, 0.5);
    }
    EXPECT_EQ(lookAtFrame(scene, 2).bloom.gaussians[1].sigma, 3.0);
    EXPECT_EQ(lookAtFrame(scene, 2).bloom.gaussians[0].sigma, 1.0);
    // There is no aperture of one or two blades.
    EXPECT_EQ(lookAtFrame(scene, 0).bloom.aperture.blades, 0U);
    EXPECT_EQ(lookAtFrame(scene, 1).bloom.aperture.blades, 3U);
    EXPECT_EQ(lookAtFrame(scene, 7).bloom.aperture.blades, 7U);
    // The camera stands, and the scene's own are as they are.
    EXPECT_EQ(cameraAtFrame(scene, 5).position, scene.cameras[0].position);
    EXPECT_EQ(scene.bloom.sharpen, 0.0);
    EXPECT_TRUE(changesWithin(scene, "/bloom/", "/bloom/sharpen"));
    EXPECT_FALSE(changesWithin(scene, "/bloom/sharpen", "/bloom/sharpen"));
}

/// Every number of the tables can be moved, and nothing else.
TEST_F(ValueKeysTest, ReachEveryNumber) {
    Look look;
    look.finish.palette.emplace();
    look.finish.relief.emplace();
    look.finish.thinFilm.emplace();
    look.finish.bulge.emplace();
    look.finish.distortion.emplace();
    look.finish.grain.emplace();
    std::set<std::string> numbers;
    forEachLookTable(look, [&](const std::string& path, const auto& fields, const auto& /*settings*/) {
        for (const auto& field : fields) {
            if (numberAt(look, path + "/" + std::string(field.key)) != nullptr) {
                numbers.insert(path + "/" + std::string(field.key));
            }
        }
    });
    EXPECT_EQ(numbers.size(), 45U);
    for (const char* pointer :
         {"/bloom/sharpen", "/bloom/kernelScale", "/bloom/kernelSize", "/bloom/airy/fNumber", "/bloom/aperture/dust",
          "/bloom/eye/adaptation", "/bloom/gaussians/3/weight", "/finish/vignette", "/finish/palette/low",
          "/finish/relief/angle", "/finish/thinFilm/thickness", "/finish/distortion/k2", "/finish/grain/size"}) {
        EXPECT_TRUE(numbers.contains(pointer)) << pointer;
    }
    EXPECT_FALSE(numbers.contains("/bloom/padding"));
    EXPECT_EQ(numberAt(Look{}, "/finish/grain/size"), nullptr);
}

TEST_F(ValueKeysTest, WhatAnOptionSetsStaysSo) {
    SettingsChanges changes;
    changes.finish = [](FinishSettings finish) {
        finish.vignette = 0.75;
        return finish;
    };
    const std::string values =
        R"({"/finish/vignette": [[0, 0], [4, 0.5]], "/finish/distortion/k1": [[0, 0], [4, 0.2]]})";
    const Scene scene = with(values, changes);
    EXPECT_EQ(lookAtFrame(scene, 4).finish.vignette, 0.75);
    EXPECT_EQ(lookAtFrame(scene, 4).finish.distortion->k1, 0.2);
    EXPECT_EQ(lookAtFrame(with(values), 4).finish.vignette, 0.5);
}

TEST_F(ValueKeysTest, NumbersThatDoNotGoTogetherAreNamed) {
    const auto found =
        problems(minimalScene(), {{"/finish", R"({"distortion": {"k1": 0.1}})"},
                                  {"/animation/values", R"({"/finish/distortion/k1": [[0, 0], [7, -0.5]]})"}});
    ASSERT_EQ(found.size(), 1U) << join(found);
    EXPECT_EQ(found[0].pointer, "/animation/values");
    EXPECT_NE(found[0].message.find("twice at frame 7"), std::string::npos) << found[0].message;
}

TEST_F(ValueKeysTest, WhatIsWrongIsNamed) {
    struct Bad {
        const char* keys;
        const char* place; // within them
        const char* message;
    };
    const Bad bad[] = {
        {R"({"/bloom/sharpen": []})", "~1bloom~1sharpen", "found an array of 0, expected at least one [frame, value]"},
        {R"({"/bloom/sharpen": 0.5})", "~1bloom~1sharpen", "found 0.5, expected an array"},
        {R"({"/bloom/sharpen": [0]})", "~1bloom~1sharpen/0", "found 0, expected [frame, value]"},
        {R"({"/bloom/sharpen": [[0, 1, 2]]})", "~1bloom~1sharpen/0", "found an array of 3, expected [frame, value]"},
        {R"({"/bloom/sharpen": [[1, 2]]})", "~1bloom~1sharpen/0/1", "found 2, expected a number from 0 to 1"},
        {R"({"/bloom/sharpen": [[1, "a"]]})", "~1bloom~1sharpen/0/1", "found 'a', expected a number from 0 to 1"},
        {R"({"/bloom/sharpen": [[0.5, 0]]})", "~1bloom~1sharpen/0/0",
         "found 0.5, expected a whole number from 0 to 999999"},
        {R"({"/bloom/sharpen": [[4, 0], [4, 1]]})", "~1bloom~1sharpen/1",
         "found frame 4 after frame 4, expected ascending frames"},
        {R"({"/bloom/aperture/blades": [[0, 5], [1, 2]]})", "~1bloom~1aperture~1blades/1/1",
         "found 2, expected 0 or a whole number from 3 to 64"},
        {R"({"/finish/vignette": [[0, -1]]})", "~1finish~1vignette/0/1", "found -1, expected a number from 0 to 0.99"},
    };
    for (const Bad& one : bad) {
        const auto found = problems(minimalScene(), {{"/bloom", "{}"}, {"/animation/values", one.keys}});
        ASSERT_EQ(found.size(), 1U) << one.keys << '\n' << join(found);
        EXPECT_EQ(found[0].pointer, std::string("/animation/values/") + one.place) << found[0].message;
        EXPECT_TRUE(found[0].message.starts_with(one.message)) << found[0].message;
    }
}

/// What does not bloom has no use for them. A bloom that is only switched off keeps its keys, as it keeps the rest.
TEST_F(ValueKeysTest, OfBloomNeedABloom) {
    const std::string keys = R"({"/bloom/sharpen": [[0, 1]], "/finish/vignette": [[0, 0.5]]})";
    const auto found = problems(minimalScene(), {{"/animation/values", keys}});
    ASSERT_EQ(found.size(), 1U) << join(found);
    EXPECT_EQ(found[0].pointer, "/animation/values/~1bloom~1sharpen");
    EXPECT_NE(found[0].message.find("without bloom"), std::string::npos) << found[0].message;
    EXPECT_TRUE(problems(minimalScene(), {{"/bloom", R"({"enabled": false})"}, {"/animation/values", keys}}).empty());
}

} // namespace
} // namespace aureole
