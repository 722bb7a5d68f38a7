// Pictures of a scene whose place a symbolic link takes once the scene has been looked at: it is not followed out of
// the scene's folder.

#include <filesystem>
#include <string>

#include "cli_test.h"
#include "image/exr/exr.h"
#include "image/image_file.h"
#include "scene/load.h"
#include "session/bloom.h"
#include "session/file_conflicts.h"

namespace aureole {

namespace {

namespace fs = std::filesystem;

constexpr float kInside = 2.0F;
constexpr float kOutside = 5.0F;

class SceneLinksTest : public CliTest {
protected:
    void SetUp() override {
        CliTest::SetUp();
        fs::create_directories(path("scene/pictures"));
        fs::create_directories(path("outside"));
        writePicture("scene/pictures/a.exr", kInside);
        writePicture("outside/a.exr", kOutside);
    }

    void writePicture(const std::string& name, float value) const {
        Image picture = makeImage(8, 8, {"R", "G", "B"});
        for (Channel& channel : picture.channels) {
            channel.values.assign(channel.values.size(), value);
        }
        writeExr(path(name), picture);
    }

    /// Loads a scene that has these members more.
    Scene load(const std::string& members) const {
        return loadScene(write("scene/scene.json", R"({"version": 1, "assets": {"ball": {"sphere": {}}},
"instances": {"ball": {"asset": "ball"}}, "cameras": {"main": {"position": [0, 0, 4], "target": [0, 0, 0]}}, )" +
                                                       members + "}"),
                         {});
    }

    /// Puts a link to the outside in the place of the folder or the file.
    void swapFolder() const {
        fs::rename(path("scene/pictures"), path("scene/was"));
        fs::create_directory_symlink("../outside", path("scene/pictures"));
    }
    void swapFile() const {
        fs::remove(path("scene/pictures/a.exr"));
        fs::create_symlink("../../outside/a.exr", path("scene/pictures/a.exr"));
    }

    template <typename Action>
    void expectRefused(const Action& action) const {
        try {
            action();
            ADD_FAILURE() << "no error";
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ExitCode::BadInput);
            const std::string message = error.what();
            EXPECT_NE(message.find("scene/pictures/a.exr"), std::string::npos) << message;
            EXPECT_NE(message.find("outside/a.exr"), std::string::npos) << message;
        }
    }
};

TEST_F(SceneLinksTest, KernelsAreNotTakenFromElsewhere) {
    const Scene file = load(R"("bloom": {"kernel": "pictures/a.exr"})");
    const Scene aperture = load(R"("bloom": {"kernel": "aperture", "aperture": {"image": "pictures/a.exr"}})");
    EXPECT_EQ(makeBloomKernel(file.bloom, {8, 8}, 0.1).width, 8U);
    EXPECT_TRUE(findBloomFileConflicts(aperture).empty());
    swapFolder();
    for (const Scene* scene : {&file, &aperture}) {
        expectRefused([&] { makeBloomKernel(scene->bloom, {8, 8}, 0.1); });
        EXPECT_EQ(findBloomFileConflicts(*scene).size(), 1U);
    }
}

TEST_F(SceneLinksTest, NorAreReliefs) {
    const Scene scene = load(R"("finish": {"relief": {"image": "pictures/a.exr"}})");
    EXPECT_TRUE(findReliefConflicts(scene).empty());
    swapFile();
    EXPECT_EQ(findReliefConflicts(scene).size(), 1U);
}

TEST_F(SceneLinksTest, WhoeverNamesAPictureInACommandMayUseLinks) {
    swapFile();
    BloomSettings settings;
    settings.kernel = path("scene/pictures/a.exr");
    EXPECT_EQ(makeBloomKernel(settings, {8, 8}, 0.1).width, 8U);
    expectRefused([&] { readImage(settings.kernel, Links::Refuse); });
}

} // namespace

} // namespace aureole
