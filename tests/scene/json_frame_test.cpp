// "frame" of an asset, by a MagicaVoxel file of two frames: a model of one voxel, and one of two.

#include "import/outline_cache.h"
#include "import_files.h"
#include "json_test_util.h"

namespace aureole {
namespace {

class JsonFrame : public SceneJsonTest {
protected:
    void SetUp() override {
        SceneJsonTest::SetUp();
        const auto chunk = [](const std::string& id, const std::vector<std::uint32_t>& numbers) {
            std::string bytes = id;
            test::append(bytes, static_cast<std::uint32_t>(4 * numbers.size()));
            test::append(bytes, std::uint32_t{0});
            return bytes + test::bytesOf(numbers);
        };
        const std::string chunks = chunk("SIZE", {1, 1, 1}) + chunk("XYZI", {1, 0x01000000}) +
                                   chunk("SIZE", {2, 1, 1}) + chunk("XYZI", {2, 0x01000000, 0x01000001});
        std::string file = "VOX ";
        test::append(file, std::uint32_t{150});
        file += "MAIN";
        test::append(file, std::uint32_t{0});
        test::append(file, static_cast<std::uint32_t>(chunks.size()));
        write("walk.vox", file + chunks);
        write("plain.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    }

    static std::string withAsset(const std::string& asset) {
        return R"({ "version": 1, "cameras": { "main": { "position": [0, 0, 5], "target": [0, 0, 0] } },
                    "assets": { "a": )" +
               asset + R"( }, "instances": { "1": { "asset": "a" } } })";
    }
};

TEST_F(JsonFrame, AnAssetShowsTheFrameThatIsAskedFor) {
    const auto widthOf = [&](const std::string& frame) {
        const Scene scene = load(withAsset(R"({ "file": "walk.vox")" + frame + " }"));
        EXPECT_EQ(scene.voxelInstances.size(), 1U);
        return scene.voxelModels.at(scene.voxelInstances.at(0).model).size.x;
    };
    EXPECT_EQ(widthOf(""), 1U);
    EXPECT_EQ(widthOf(R"(, "frame": 0)"), 1U);
    EXPECT_EQ(widthOf(R"(, "frame": 1)"), 2U);
}

/// What is known of the first frame says nothing of the second.
TEST_F(JsonFrame, ACacheChangesNoFrame) {
    const OutlineCache cache(folder / "cache");
    for (const char* const frame : {"", R"(, "frame": 1)"}) {
        const std::string text = withAsset(std::string(R"({ "file": "walk.vox")") + frame + " }");
        write("scene.json", text);
        loadScene(sceneFile, {{"/voxels/resolution", "\"view\""}}, &cache);
        const Scene plain = loadScene(sceneFile, {{"/voxels/resolution", "\"view\""}});
        testing::internal::CaptureStderr();
        const Scene cached = loadScene(sceneFile, {{"/voxels/resolution", "\"view\""}}, &cache);
        EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "an outline is no black picture";
        EXPECT_EQ(cached.outlined, *frame == 0);
        EXPECT_EQ(cached.voxels.resolution, plain.voxels.resolution) << frame;
        EXPECT_EQ(cached.surfaceHash, plain.surfaceHash) << frame;
    }
}

/// A file by itself: its second frame is twice as wide, so that the camera stands elsewhere.
TEST_F(JsonFrame, TheSceneOfAModelIsMadeForItsFrame) {
    const OutlineCache cache(folder / "cache");
    const auto cameraOf = [&](const std::string& frame, const OutlineCache* outlines) {
        return loadScene(folder / "walk.vox", {{"/assets/model/frame", frame}}, outlines).cameras.at(0);
    };
    const Camera first = cameraOf("0", &cache);
    const Camera second = cameraOf("1", nullptr);
    EXPECT_GT(glm::distance(first.target, second.target), 0.1);
    EXPECT_EQ(cameraOf("1", &cache).position, second.position);
    EXPECT_EQ(cameraOf("0", &cache).position, first.position);
    const Scene scene = loadScene(folder / "walk.vox", {{"/assets/model/frame", "1"}}, &cache);
    EXPECT_EQ(scene.voxelModels.at(scene.voxelInstances.at(0).model).size.x, 2U);
    EXPECT_THROW(cameraOf("2", &cache), Error);
}

TEST_F(JsonFrame, FramesThatAreNotThereAreRefused) {
    const auto message = [&](const std::string& asset) {
        const auto found = problems(withAsset(asset));
        EXPECT_EQ(found.size(), 1U);
        return found.at(0).pointer + " " + found.at(0).message;
    };
    EXPECT_EQ(message(R"({ "file": "walk.vox", "frame": 2 })"),
              "/assets/a/frame found 2, expected 0 to 1, the frames of the model");
    EXPECT_EQ(message(R"({ "file": "plain.obj", "frame": 1 })"),
              "/assets/a/frame found 1, expected 0, as the model has one frame only");
}

} // namespace
} // namespace aureole
