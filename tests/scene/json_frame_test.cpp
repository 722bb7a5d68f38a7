// "frame" of an instance, by a MagicaVoxel file of two frames: a model of one voxel, and one of two.

#include "import/outline_cache.h"
#include "json_test_util.h"
#include "scene/value_keys.h"
#include "vox_bytes.h"

namespace aureole {
namespace {

class JsonFrame : public SceneJsonTest {
protected:
    void SetUp() override {
        SceneJsonTest::SetUp();
        write("walk.vox", test::vox::voxFile(test::vox::model(1, 1, 1, {{0, 0, 0, 1}}) +
                                             test::vox::model(2, 1, 1, {{0, 0, 0, 1}, {1, 0, 0, 1}})));
        write("plain.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    }

    /// Two instances, of which the second says more, and what else the scene says.
    static std::string withSecond(const std::string& keys, const std::string& more = "",
                                  const std::string& file = "walk.vox", const std::string& ofAsset = "") {
        return R"({ "version": 1, "cameras": { "main": { "position": [0, 0, 5], "target": [0, 0, 0] } },
                    "assets": { "a": { "file": ")" +
               file + "\"" + ofAsset + R"( } }, "instances": { "1": { "asset": "a" }, "2": { "asset": "a")" + keys +
               R"( } })" + more + " }";
    }

    static std::uint32_t widthOf(const Scene& scene, std::size_t instance) {
        return scene.voxelModels.at(scene.voxelInstances.at(instance).model).size.x;
    }
};

constexpr const char* kBothWays = R"(, "animation": { "values": { "/instances/2/frame": [[0, 0], [1, 1], [3, 0]] } })";

SettingsChanges atFrame(std::uint32_t frame) {
    SettingsChanges changes;
    changes.frame = frame;
    return changes;
}

TEST_F(JsonFrame, AnInstanceShowsTheFrameThatIsAskedFor) {
    EXPECT_EQ(widthOf(load(withSecond("")), 1), 1U);
    EXPECT_EQ(widthOf(load(withSecond(R"(, "frame": 0)")), 1), 1U);
    const Scene scene = load(withSecond(R"(, "frame": 1)"));
    EXPECT_EQ(scene.voxelInstances.size(), 2U);
    EXPECT_EQ(widthOf(scene, 0), 1U);
    EXPECT_EQ(widthOf(scene, 1), 2U);
}

/// Octrees of an asset's own: instances at one frame share theirs.
TEST_F(JsonFrame, EachFrameIsAnOctreeOfItsOwn) {
    const auto gridsAt = [&](const std::string& keys) {
        return load(withSecond(keys, "", "walk.vox", R"(, "voxels": {})")).grids.size();
    };
    EXPECT_EQ(gridsAt(""), 1U);
    EXPECT_EQ(gridsAt(R"(, "frame": 0)"), 1U);
    EXPECT_EQ(gridsAt(R"(, "frame": 1)"), 2U);
}

/// Keys give whole frames, rounded between them; a picture by itself goes without.
TEST_F(JsonFrame, AnimationsGiveFramesToInstances) {
    write("scene.json", withSecond("", kBothWays));
    const Scene still = loadScene(sceneFile, {});
    EXPECT_EQ(still.animation->frames, 4U);
    EXPECT_EQ(widthOf(still, 1), 1U);
    constexpr std::array<std::uint32_t, 4> kWidths = {1, 2, 2, 1}; // 0.5 is rounded up
    for (std::uint32_t frame = 0; frame < kWidths.size(); ++frame) {
        const Scene scene = loadScene(sceneFile, {}, nullptr, atFrame(frame));
        EXPECT_EQ(widthOf(scene, 0), 1U);
        EXPECT_EQ(widthOf(scene, 1), kWidths.at(frame)) << frame;
        EXPECT_EQ(scene.hash, still.hash) << "frames of one animation";
        EXPECT_EQ(scene.surfaceHash == still.surfaceHash, kWidths.at(frame) == 1) << frame;
        EXPECT_EQ(showsOthers(scene, 0, frame), kWidths.at(frame) != 1) << frame;
    }
    write("still.json", withSecond(R"(, "frame": 1)", kBothWays));
    EXPECT_EQ(widthOf(loadScene(folder / "still.json", {}), 1), 2U);
    EXPECT_EQ(widthOf(loadScene(folder / "still.json", {}, nullptr, atFrame(0)), 1), 1U);
}

/// An outline is that of all frames.
TEST_F(JsonFrame, ACacheChangesNoFrame) {
    const OutlineCache cache(folder / "cache");
    const std::vector<SceneOverride> view = {{"/voxels/resolution", "\"view\""}};
    write("scene.json", withSecond("", kBothWays));
    loadScene(sceneFile, view, &cache);
    for (std::uint32_t frame = 0; frame < 2; ++frame) {
        const Scene plain = loadScene(sceneFile, view, nullptr, atFrame(frame));
        testing::internal::CaptureStderr();
        const Scene cached = loadScene(sceneFile, view, &cache, atFrame(frame));
        EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "an outline is no black picture";
        EXPECT_TRUE(cached.outlined);
        EXPECT_EQ(cached.voxels.resolution, plain.voxels.resolution) << frame;
        EXPECT_EQ(cached.surfaceHash, plain.surfaceHash) << frame;
    }
}

/// A file by itself: frame n shows its frame n, before a camera that has all of them in the picture.
TEST_F(JsonFrame, AModelIsAnAnimationOfItsFrames) {
    const OutlineCache cache(folder / "cache");
    const std::filesystem::path file = folder / "walk.vox";
    const Scene first = loadScene(file, {}, &cache);
    EXPECT_EQ(first.animation->frames, 2U);
    EXPECT_EQ(widthOf(first, 0), 1U);
    EXPECT_NEAR(first.cameras.at(0).target.x, 1.0, 0.1) << "the middle of both frames, as it is seen";
    const Scene second = loadScene(file, {}, nullptr, atFrame(1));
    EXPECT_EQ(widthOf(second, 0), 2U);
    EXPECT_EQ(second.cameras.at(0).position, first.cameras.at(0).position);
    EXPECT_EQ(loadScene(file, {}, &cache, atFrame(1)).surfaceHash, second.surfaceHash);
    EXPECT_EQ(widthOf(loadScene(file, {{"/instances/model/frame", "1"}}), 0), 2U);
    EXPECT_FALSE(loadScene(folder / "plain.obj", {}).animation);
}

TEST_F(JsonFrame, FramesThatAreNotThereAreRefused) {
    const auto message = [&](const std::string& text) {
        const auto found = problems(text);
        EXPECT_EQ(found.size(), 1U);
        return found.empty() ? "" : found.at(0).pointer + " " + found.at(0).message;
    };
    const auto keyed = [](const std::string& keys, const std::string& file = "walk.vox") {
        return withSecond("", R"(, "animation": { "values": { )" + keys + " } }", file);
    };
    EXPECT_EQ(message(withSecond(R"(, "frame": 2)")),
              "/instances/2/frame found 2, expected 0 to 1, the frames of the asset");
    EXPECT_EQ(message(withSecond(R"(, "frame": 1)", "", "plain.obj")),
              "/instances/2/frame found 1, expected 0, as the asset has one frame only");
    EXPECT_EQ(message(keyed(R"("/instances/2/frame": [[0, 0], [9, 2]])")),
              "/animation/values/~1instances~12~1frame/1/1 found 2, expected a whole number from 0 to 1");
    EXPECT_NE(message(keyed(R"("/instances/2/frame": [[0, 0]])", "plain.obj")).find("one frame only"),
              std::string::npos);
    const std::string misspelt = message(keyed(R"("/instances/3/frame": [[0, 0]])"));
    EXPECT_NE(misspelt.find("/instances/NAME/frame (did you mean '/instances/"), std::string::npos) << misspelt;
    // One mistake is told once, not of keys that are right as well.
    EXPECT_EQ(message(withSecond(R"(, "frame": 2)", kBothWays)),
              "/instances/2/frame found 2, expected 0 to 1, the frames of the asset");
    EXPECT_EQ(message(withSecond(R"(, "frame": -1)", kBothWays)).find("/instances/2/frame found -1"), 0U);
}

} // namespace
} // namespace aureole
