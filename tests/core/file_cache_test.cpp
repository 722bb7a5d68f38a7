#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/cache/file_cache.h"
#include "core/error.h"

namespace aureole {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class FileCacheTest : public ::testing::Test {
protected:
    void SetUp() override {
        folder = fs::temp_directory_path() / ("aureole_file_cache_" + std::to_string(::getpid()));
        fs::remove_all(folder);
    }
    void TearDown() override { fs::remove_all(folder); }

    static void put(const FileCache& cache, const std::string& name, std::size_t bytes) {
        cache.store(name, bytes, [&](const fs::path& path) { std::ofstream(path) << std::string(bytes, 'x'); });
    }
    /// Makes a file look as if it was used that long ago.
    void age(const std::string& name, std::chrono::seconds seconds) const {
        fs::last_write_time(folder / name, fs::file_time_type::clock::now() - seconds);
    }

    fs::path folder;
};

TEST_F(FileCacheTest, GivesWhatWasStored) {
    const FileCache cache(folder / "deep" / "down", 1000, "things");
    EXPECT_FALSE(cache.find("a"));
    EXPECT_FALSE(fs::exists(folder)); // looking makes nothing
    put(cache, "a", 10);
    ASSERT_TRUE(cache.find("a"));
    EXPECT_EQ(fs::file_size(*cache.find("a")), 10U);
    cache.discard("a", "of no reason");
    EXPECT_FALSE(cache.find("a"));
}

TEST_F(FileCacheTest, TheLeastRecentlyUsedGoFirst) {
    const FileCache cache(folder, 100, "things");
    put(cache, "a", 40);
    put(cache, "b", 40);
    age("a", 300s);
    age("b", 200s);
    ASSERT_TRUE(cache.find("a")); // now a is the younger one
    put(cache, "c", 40);
    EXPECT_TRUE(cache.find("a"));
    EXPECT_FALSE(cache.find("b"));
    EXPECT_TRUE(cache.find("c"));
}

/// The folder is not looked through for each file, but what other processes put there goes all the same.
TEST_F(FileCacheTest, FilesOfOthersGoAfterSomeStores) {
    const FileCache cache(folder, 1000, "things");
    put(cache, "first", 1);
    put(FileCache(folder, 1000, "things"), "of another", 990);
    age("of another", 300s);
    for (int i = 0; i < 300; ++i) {
        put(cache, std::to_string(i), 1);
    }
    EXPECT_FALSE(cache.find("of another"));
    EXPECT_TRUE(cache.find("first"));
}

TEST_F(FileCacheTest, HalfWrittenFilesGoOnceTheyAreAbandoned) {
    const FileCache cache(folder, 100, "things");
    fs::create_directories(folder);
    for (const char* name : {"old.part1", "new.part2"}) {
        std::ofstream(folder / name) << std::string(90, 'x');
    }
    age("old.part1", 1h);
    put(cache, "a", 60);
    EXPECT_TRUE(cache.find("a"));
    EXPECT_FALSE(fs::exists(folder / "old.part1"));
    EXPECT_TRUE(fs::exists(folder / "new.part2"));
}

/// As where the clock was ahead when they were made, or has been set back.
TEST_F(FileCacheTest, FilesOfTheFutureCountAsUsedNow) {
    const FileCache cache(folder, 100, "things");
    put(cache, "a", 40);
    std::ofstream(folder / "left.part1") << "half";
    age("a", -48h);
    age("left.part1", -48h);
    put(FileCache(folder, 100, "things"), "b", 40); // as the next process, which looks through the folder
    for (const char* const name : {"a", "left.part1"}) {
        ASSERT_TRUE(fs::exists(folder / name)) << name;
        EXPECT_LE(fs::last_write_time(folder / name), fs::file_time_type::clock::now()) << name;
    }
}

TEST_F(FileCacheTest, WhatIsTooLargeIsNotStored) {
    const FileCache cache(folder, 100, "things");
    put(cache, "small", 60);
    put(cache, "large", 101);
    EXPECT_TRUE(cache.find("small")); // and pushes nothing out
    EXPECT_FALSE(cache.find("large"));
    const FileCache vast(folder, ~std::uint64_t{0}, "things");
    vast.store("vast", std::uint64_t{1} << 60U, [](const fs::path&) { FAIL() << "the disk has no exbibyte"; });
}

TEST_F(FileCacheTest, FailuresOnlyCostTheEntry) {
    fs::create_directories(folder);
    std::ofstream(folder / "file") << "in the way";
    const FileCache blocked(folder / "file", 100, "things");
    put(blocked, "a", 10);
    EXPECT_FALSE(blocked.find("a"));
    EXPECT_EQ(fs::file_size(folder / "file"), 10U);

    const FileCache below(folder / "file" / "deep", 100, "things");
    put(below, "a", 10);
    EXPECT_FALSE(below.find("a"));
    EXPECT_FALSE(below.lock("a").isHeld());

    const FileCache tooLong(folder / std::string(256, 'n'), 100, "things");
    put(tooLong, "a", 10);
    EXPECT_FALSE(tooLong.find("a"));

    const FileCache nowhere({}, 100, "things");
    put(nowhere, "a", 10);
    EXPECT_FALSE(nowhere.find("a"));

    const FileCache cache(folder, 100, "things");
    cache.store("a", 10, [](const fs::path&) { fail(ExitCode::CannotWrite, "the disk is full"); });
    EXPECT_FALSE(cache.find("a"));
    EXPECT_THROW(cache.store("a", 10, [](const fs::path&) { fail(ExitCode::Interrupted, "stop"); }), Error);
}

} // namespace
} // namespace aureole
