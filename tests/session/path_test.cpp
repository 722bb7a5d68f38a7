// Names that are unusual, as long as the system allows, and longer.

#include "cli_test.h"
#include "faults.h"

namespace aureole {

namespace {

namespace fs = std::filesystem;

class PathTest : public FaultyRenderTest {
protected:
    PathTest() { validates = false; }

    /// A folder in this test's folder whose path has so many bytes.
    std::string longFolder(std::size_t bytes) const {
        constexpr std::size_t kPart = 200;
        std::string folder = path("long");
        while (folder.size() + kPart + 1 < bytes) {
            folder.append("/").append(kPart, 'x');
        }
        return folder.append("/").append(std::max(bytes, folder.size() + 2) - folder.size() - 1, 'y');
    }

    /// Whatever a render reads and writes, in one folder.
    void expectRendersIn(const std::string& folder, const std::string& name) const {
        noteFault();
        const std::string base = folder + "/" + name;
        const fs::path inside = fs::relative(folder, path(""));
        write((inside / (name + ".mtl")).string(), "newmtl red\nKd 1 0 0\n");
        write((inside / (name + ".obj")).string(),
              "mtllib " + name + ".mtl\nusemtl red\nv 0 0 0\nv 2 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n");
        write((inside / (name + ".json")).string(),
              R"({"version": 1, "assets": {"model": {"file": ")" + name +
                  R"(.obj"}}, "instances": {"model": {"asset": "model"}}, "cameras": {"main": {"position": [1, 1, 4],
                  "target": [0, 0, 0]}}, "film": {"size": [16, 12]}, "voxels": {"resolution": 16}})");
        const Variables cache = {{"XDG_CACHE_HOME", ownCache((inside / "cache").string())}};
        const auto render = [&](const std::string& samples, const std::string& option) {
            expectDone({"render", base + ".json", "-o", base + ".exr", "--spp", samples, option, base + ".ckpt",
                        "--stats-json", base + ".stats.json"},
                       cache);
            return readJson(base + ".stats.json");
        };
        EXPECT_EQ(render("8", "--checkpoint").at("scene"), base + ".json");
        const nlohmann::json resumed = render("16", "--resume");
        EXPECT_EQ(resumed.at("resumed_samples"), 8);
        EXPECT_EQ(resumed.at("octree_cached"), true);
        EXPECT_EQ(info(base + ".exr").at("file"), base + ".exr");
    }
};

TEST_F(PathTest, SpacesAndOtherAlphabetsAreLettersLikeOthers) {
    expectRendersIn(path("two words \xc3\xa4\xe8\xaa\x9e"), "it's \xd0\xbf\xd1\x83\xd1\x82\xd1\x8c \xf0\x9f\x8c\x9e");
}

TEST_F(PathTest, FourThousandBytesAreNotTooMany) {
    // The longest name is that of an octree in the cache, while it is written.
    expectRendersIn(longFolder(4000), "a");
}

/// Wherever a path stands, the message says what is wrong with it.
TEST_F(PathTest, TooLongOnesAreClearErrors) {
    const std::string folder = longFolder(4200);
    const std::string name = path(std::string(256, 'n'));
    const std::string out = path("out.exr");
    const auto refused = [&](int code, const Arguments& arguments) {
        noteFault();
        expectFailure(code, arguments, {"File name too long"});
    };
    for (const std::string& base : {folder + "/a", name}) {
        for (const char* const extension : {".json", ".obj", ".avo"}) {
            refused(kBadInput, {"render", base + extension, "-o", out});
        }
        refused(kBadInput, {"validate", base + ".json"});
        refused(kBadInput, {"info", base + ".exr"});
        refused(kBadInput, {"merge", base + ".exr", "-o", out});
        refused(kBadInput, {"bloom", base + ".exr", "-o", out});
        refused(kBadInput, {"render", scene_, "-o", out, "--resume", base + ".ckpt", "--checkpoint", checkpoint_});
        refused(kCannotWrite, {"render", scene_, "-o", base + ".exr"});
        refused(kCannotWrite, {"render", scene_, "-o", base + "#.exr", "--frames", "0:1", "--skip-existing", "--set",
                               R"(/animation={"turntable": {"frames": 4}})"});
        refused(kCannotWrite, {"render", scene_, "-o", out, "--checkpoint", base + ".ckpt"});
        refused(kCannotWrite, {"render", scene_, "-o", out, "--resume", base + ".ckpt"});
        refused(kCannotWrite, {"render", scene_, "-o", out, "--stats-json", base + ".json"});
        refused(kCannotWrite, {"voxelize", scene_, "-o", base + ".avo"});
    }
    EXPECT_FALSE(fs::exists(out));
}

} // namespace

} // namespace aureole
