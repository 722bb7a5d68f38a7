// The program's side of what a worker asks for: files of the scene's folder, and no others.

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "import/folder_files.h"
#include "import_files.h"
#include "sandbox/settings.h"

namespace aureole {

namespace {

namespace fs = std::filesystem;

class FolderFilesTest : public testing::Test {
protected:
    void SetUp() override {
        folder_.write("scene/m.obj", "v 0 0 0\n");
        folder_.write("scene/a.mtl", "inside");
        folder_.write("secret", "outside");
    }

    FolderFiles open() const { return {folder_.path() / "scene/m.obj", {}}; }

    test::TemporaryFolder folder_;
};

std::string textOf(const InputFile& file) {
    const std::vector<std::byte> bytes = file.readAll(1000);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST_F(FolderFilesTest, GivesWhatTheModelRefersTo) {
    FolderFiles files = open();
    EXPECT_EQ(textOf(files.openAsset()), "v 0 0 0\n");
    EXPECT_EQ(textOf(files.open(files.resolve("a.mtl", "line 1"))), "inside");
    EXPECT_EQ(files.references().size(), 1U);
}

TEST_F(FolderFilesTest, NothingThatWasNotAskedForBefore) {
    FolderFiles files = open();
    const fs::path inside = fs::canonical(folder_.path() / "scene/a.mtl");
    for (const fs::path& path : {inside, fs::path("/etc/passwd")}) {
        EXPECT_TRUE(test::containsAll(test::messageOf([&] { files.open(path); }),
                                      {"m.obj", path.string(), "does not refer to"}));
    }
    EXPECT_TRUE(test::containsAll(test::messageOf([&] { files.resolve("../secret", "line 1"); }),
                                  {"line 1", "leaves the scene folder"}));
}

TEST_F(FolderFilesTest, ALinkThatTakesAFilesPlaceIsNotFollowed) {
    FolderFiles files = open();
    const fs::path path = files.resolve("a.mtl", "line 1");
    fs::remove(path);
    fs::create_symlink("../secret", path);
    EXPECT_TRUE(test::containsAll(test::messageOf([&] { files.open(path); }), {path.string(), "secret"}));
}

TEST_F(FolderFilesTest, ALinkThatTakesAFoldersPlaceIsNotFollowed) {
    folder_.write("scene/sub/b.mtl", "inside");
    folder_.write("other/b.mtl", "outside");
    FolderFiles files = open();
    const fs::path path = files.resolve("sub/b.mtl", "line 1");
    fs::remove_all(path.parent_path());
    fs::create_symlink("../other", path.parent_path());
    EXPECT_TRUE(test::containsAll(test::messageOf([&] { files.open(path); }), {path.string(), "other"}));
}

TEST_F(FolderFilesTest, TheHashIsOfWhatIsOpened) {
    const auto hashOf = [&] {
        FolderFiles files = open();
        files.hashAsset();
        files.open(files.resolve("a.mtl", ""));
        return files.hash();
    };
    const std::string before = hashOf();
    EXPECT_EQ(hashOf(), before);
    folder_.write("scene/a.mtl", "insidf");
    EXPECT_NE(hashOf(), before);
}

TEST_F(FolderFilesTest, TheTimeOfAWorkerIsThatOfItsFilesToo) {
    FolderFiles files = open();
    const fs::path path = files.resolve("a.mtl", "");
    sandbox::configure({.isolation = sandbox::Isolation::Strict, .seconds = 0.0, .worker = {}});
    const std::string ofAsset = test::messageOf([&] { files.hashAsset(); });
    const std::string ofFile = test::messageOf([&] { files.open(path); });
    sandbox::configure({});
    EXPECT_TRUE(test::containsAll(ofAsset, {"m.obj", "longer than 0 s", "--asset-time"}));
    EXPECT_TRUE(test::containsAll(ofFile, {"a.mtl", "longer than 0 s", "--asset-time"}));
}

} // namespace

} // namespace aureole
