// "frame" of an asset, by a MagicaVoxel file of two frames: a model of one voxel, and one of two.

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
