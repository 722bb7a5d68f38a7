#include "core/file.h"

#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/error.h"

namespace aureole {
namespace {

namespace fs = std::filesystem;

class FileTest : public ::testing::Test {
protected:
    void SetUp() override {
        folder = fs::temp_directory_path() / ("aureole_core_" + std::to_string(::getpid()));
        fs::create_directories(folder);
    }
    void TearDown() override { fs::remove_all(folder); }
    fs::path folder;
};

ExitCode codeOf(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.code();
    }
    return ExitCode::Done;
}

TEST_F(FileTest, AtomicWriteRoundTrips) {
    const fs::path path = folder / "data";
    const std::vector<std::byte> bytes = {std::byte{1}, std::byte{0}, std::byte{255}};
    writeFileAtomically(path, bytes);
    EXPECT_EQ(readFile(path, 100), bytes);
}

TEST_F(FileTest, FailedWriteLeavesTheOldFileAndNoTemporary) {
    const fs::path path = folder / "data";
    writeFileAtomically(path, std::vector<std::byte>{std::byte{7}});
    EXPECT_THROW(writeFileAtomically(path,
                                     [](const fs::path& temporary) {
                                         std::ofstream(temporary) << "half";
                                         throw std::runtime_error("stopped");
                                     }),
                 std::runtime_error);
    EXPECT_EQ(readFile(path, 100).size(), 1U);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 1);
}

/// Else a link could be put there in a folder that others may write to, or a process of another machine that has the
/// same number would write to the same file.
TEST_F(FileTest, NobodyKnowsTheNameOfATemporaryBefore) {
    std::set<fs::path> names;
    for (int i = 0; i < 20; ++i) {
        writeFileAtomically(folder / "data", [&](const fs::path& temporary) {
            names.insert(temporary);
            EXPECT_TRUE(temporary.extension().string().starts_with(".part")) << "which FileCache knows them by";
            EXPECT_EQ(temporary.parent_path(), folder);
            std::ofstream(temporary) << "data";
        });
    }
    EXPECT_EQ(names.size(), 20U);
}

TEST_F(FileTest, FailedWriteNamesTheFileNotTheTemporary) {
    const fs::path path = folder / "data";
    try {
        writeFileAtomically(path, [](const fs::path& temporary) {
            fail(ExitCode::CannotWrite, "{}: cannot be written: the disk is full", temporary.string());
        });
        ADD_FAILURE() << "written";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::CannotWrite);
        EXPECT_EQ(error.what(), path.string() + ": cannot be written: the disk is full");
    }
    EXPECT_TRUE(fs::is_empty(folder));
}

TEST_F(FileTest, AtomicWriteFollowsLinks) {
    fs::create_directory(folder / "there");
    fs::create_symlink("there/middle", folder / "link");
    fs::create_symlink("data", folder / "there" / "middle");
    for (const auto value : {std::byte{1}, std::byte{2}}) { // of a file that is not there yet, and of one that is
        const std::vector<std::byte> bytes = {value};
        checkWritable(folder / "link");
        writeFileAtomically(folder / "link", bytes);
        EXPECT_TRUE(fs::is_symlink(folder / "link"));
        EXPECT_TRUE(fs::is_symlink(folder / "there" / "middle"));
        EXPECT_EQ(readFile(folder / "there" / "data", 100), bytes);
    }
    fs::create_symlink(folder / "none" / "data", folder / "astray");
    EXPECT_EQ(codeOf([&] { checkWritable(folder / "astray"); }), ExitCode::CannotWrite);
    fs::create_symlink("circle", folder / "circle");
    EXPECT_EQ(codeOf([&] { checkWritable(folder / "circle"); }), ExitCode::CannotWrite);
}

TEST_F(FileTest, AtomicWriteKeepsPermissions) {
    const fs::path path = folder / "data";
    for (const auto mode : {0640, 0400, 0666, 0000}) {
        writeFileAtomically(path, std::vector<std::byte>{std::byte{7}});
        fs::permissions(path, static_cast<fs::perms>(mode));
        writeFileAtomically(path, std::vector<std::byte>{std::byte{8}});
        EXPECT_EQ(fs::status(path).permissions(), static_cast<fs::perms>(mode));
    }
}

TEST_F(FileTest, AFileWithoutAFolderIsInTheCurrentOne) {
    EXPECT_EQ(folderOf("a/b.txt"), "a");
    EXPECT_EQ(folderOf("/b.txt"), "/");
    EXPECT_EQ(folderOf("b.txt"), ".");
}

TEST_F(FileTest, ErrorsHaveTheirCodes) {
    EXPECT_EQ(codeOf([&] { readFile(folder / "absent", 10); }), ExitCode::BadInput);
    EXPECT_EQ(codeOf([&] { readFile(folder, 10); }), ExitCode::BadInput);
    std::ofstream(folder / "big") << "12345678901";
    EXPECT_EQ(codeOf([&] { readFile(folder / "big", 10); }), ExitCode::BadInput);
    EXPECT_EQ(codeOf([&] { checkWritable(folder); }), ExitCode::CannotWrite);
    EXPECT_EQ(codeOf([&] { checkWritable(folder / "none" / "out.exr"); }), ExitCode::CannotWrite);
    EXPECT_EQ(codeOf([&] { checkWritable("/dev/full"); }), ExitCode::CannotWrite);
    EXPECT_EQ(codeOf([&] { checkWritable("/proc/out.exr"); }), ExitCode::CannotWrite);
    EXPECT_EQ(codeOf([&] { writeFileAtomically(folder / "none" / "x", std::vector<std::byte>{}); }),
              ExitCode::CannotWrite);
    EXPECT_NO_THROW(checkWritable(folder / "out.exr"));
}

} // namespace
} // namespace aureole
