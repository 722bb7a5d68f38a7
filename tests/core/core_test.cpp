#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <omp.h>
#include <unistd.h>

#include "core/beside.h"
#include "core/error.h"
#include "core/extension.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/log.h"
#include "core/parallel.h"
#include "core/plural.h"
#include "core/progress.h"
#include "core/shared_progress.h"
#include "core/suggest.h"

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

TEST(Error, MessagesGoOnBehindZeroBytes) {
    using namespace std::string_literals;
    const Error error(ExitCode::BadInput, "a.ply: found 'v\0\0', expected 'vertex'"s);
    EXPECT_STREQ(error.what(), "a.ply: found 'v\\x00\\x00', expected 'vertex'");
}

TEST(Plural, OneHasNone) {
    EXPECT_EQ(countOf(0, "part"), "0 parts");
    EXPECT_EQ(countOf(1, "part"), "1 part");
    EXPECT_EQ(countOf(2, "further part"), "2 further parts");
}

TEST(Extension, IsInLowerCaseWithItsDot) {
    EXPECT_EQ(lowerExtension("folder.d/Model.Old.AVO"), ".avo");
    EXPECT_EQ(lowerExtension("folder.d/model"), "");
    EXPECT_EQ(lowerExtension(".avo"), ""); // a hidden file without
    EXPECT_EQ(lowerExtension("a.\xc3\x84Z"), ".\xc3\x84z");
}

TEST(Parallel, VisitsEveryIndexOnce) {
    std::vector<std::atomic<int>> visits(1001);
    parallelFor(1001, 7, [&](std::int64_t i) { ++visits[static_cast<std::size_t>(i)]; });
    for (const auto& count : visits) {
        EXPECT_EQ(count, 1);
    }
}

// Threads that a loop does not need would only be waited for.
TEST(Parallel, ASingleChunkStaysOnItsThread) {
    const auto threadsOf = [](std::int64_t count, std::int64_t grain) {
        std::atomic<int> most{0};
        parallelFor(count, grain, [&](std::int64_t) { most = std::max(most.load(), omp_get_num_threads()); });
        return most.load();
    };
    EXPECT_EQ(threadsOf(7, 7), 1);
    EXPECT_EQ(threadsOf(7, 100), 1);
    EXPECT_EQ(threadsOf(8, 7), omp_get_max_threads());
}

TEST(Parallel, RethrowsWhatABodyThrows) {
    EXPECT_THROW(parallelFor(100, 1,
                             [](std::int64_t i) {
                                 if (i == 50) {
                                     fail(ExitCode::BadInput, "at {}", i);
                                 }
                             }),
                 Error);
}

TEST(Beside, VisitsEveryIndexOnce) {
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{1000}}) {
        std::vector<std::atomic<int>> visits(count);
        forEachBeside(count, [&](std::size_t i) { ++visits[i]; });
        for (const std::atomic<int>& visit : visits) {
            EXPECT_EQ(visit, 1) << count;
        }
    }
}

TEST(Beside, ThrowsWhatABodyThrowsAndBeginsNoMore) {
    std::atomic<std::size_t> begun{0};
    EXPECT_THROW(forEachBeside(100000,
                               [&](std::size_t i) {
                                   ++begun;
                                   if (i == 10) {
                                       fail(ExitCode::BadInput, "number {}", i);
                                   }
                                   std::this_thread::sleep_for(std::chrono::microseconds(10));
                               }),
                 Error);
    EXPECT_LT(begun, 100000U);
}

TEST(Suggest, FindsSlipsAndOnlySlips) {
    const std::vector<std::string> names = {"albedo", "emission", "roughness"};
    EXPECT_EQ(nearestName("albdeo", names), "albedo");
    EXPECT_EQ(nearestName("roughnes", names), "roughness");
    EXPECT_EQ(nearestName("turbidity", names), "");
    const std::vector<std::string> brief = {"c", "m", "obj", "back"};
    EXPECT_EQ(nearestName("zz", brief), "") << "nothing of it is there";
    EXPECT_EQ(nearestName("x", brief), "");
    EXPECT_EQ(nearestName("ojb", brief), "obj");
    EXPECT_EQ(nearestName("bak", brief), "back");
    EXPECT_EQ(didYouMean("emision", names), " (did you mean 'emission'?)");
}

/// Distances take the product of the lengths: hours for such words.
TEST(Suggest, LooksForNothingNearAWordThatNobodyTypes) {
    const std::string name(4'000'000, 'a');
    EXPECT_EQ(nearestName(std::string(4'000'000, 'b'), std::vector{name}), "");
    EXPECT_EQ(nearestName(std::string(250, 'b'), std::vector{name}), "");
    EXPECT_EQ(nearestName(name.substr(0, 250), std::vector{name.substr(0, 251)}), name.substr(0, 251));
}

TEST(Suggest, FindsPartsAndInitials) {
    const std::vector<std::string> keys = {"far", "verticalFov", "lightGroup", "samplesPerPixel", "albedo", "scale"};
    EXPECT_EQ(nearestName("fov", keys), "verticalFov") << "not 'far', of which as many letters are another's";
    EXPECT_EQ(nearestName("FOV", keys), "verticalFov");
    EXPECT_EQ(nearestName("group", keys), "lightGroup");
    EXPECT_EQ(nearestName("spp", keys), "samplesPerPixel");
    EXPECT_EQ(nearestName("albedoColour", keys), "albedo");
    EXPECT_EQ(nearestName("fr", keys), "far") << "a slip comes first";
    const std::vector<std::string> options = {"--max-depth", "--time", "--tonemap"};
    EXPECT_EQ(nearestName("--depth", options), "--max-depth");
    EXPECT_EQ(nearestName("--time-limit", options), "--time");
    EXPECT_EQ(nearestName("--", options), "");
}

TEST(Hash, DependsOnEveryByteAndNotOnSplitting) {
    Hasher whole;
    whole.add("abcdef");
    Hasher split;
    split.add("abc");
    split.add("def");
    EXPECT_EQ(whole.hex(), split.hex());
    Hasher other;
    other.add("abcdeg");
    EXPECT_NE(whole.hex(), other.hex());
    EXPECT_EQ(whole.hex().size(), 16U);
}

TEST(Progress, FormatsDurations) {
    EXPECT_EQ(formatDuration(0.84), "0.8 s");
    EXPECT_EQ(formatDuration(125), "2 min 05 s");
    EXPECT_EQ(formatDuration(3 * 3600 + 7 * 60), "3 h 07 min");
}

TEST(Progress, JsonHasItsFigures) {
    setProgressStyle(ProgressStyle::Json);
    testing::internal::CaptureStderr();
    Progress progress("work", 8);
    std::this_thread::sleep_for(std::chrono::milliseconds(110)); // it shows at most ten times a second
    progress.update(2, "for people", {{"rays_per_second", 1234567.0}, {"other", 0.5}});
    const std::string line = testing::internal::GetCapturedStderr();
    setProgressStyle(ProgressStyle::None);
    EXPECT_TRUE(line.starts_with(R"({"stage":"work","done":2,"total":8,"seconds":)")) << line;
    EXPECT_TRUE(line.ends_with(",\"rays_per_second\":1.23457e+06,\"other\":0.5}\n")) << line;
}

TEST(Progress, WithJsonTheLogIsObjectsToo) {
    setProgressStyle(ProgressStyle::Json);
    testing::internal::CaptureStderr();
    logWarning("{} says \"no\"\n\x1b[31m", "b\xff\\d");
    logInfo("done");
    const std::string lines = testing::internal::GetCapturedStderr();
    setProgressStyle(ProgressStyle::None);
    EXPECT_EQ(lines, "{\"log\":\"warning\",\"message\":\"b\xEF\xBF\xBD\\\\d says \\\"no\\\"\\n\\u001b[31m\"}\n"
                     "{\"log\":\"info\",\"message\":\"done\"}\n");
    testing::internal::CaptureStderr();
    logWarning("plain");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "warning: plain\n");
}

TEST(Progress, JsonTellsOfTheLastUpdateHoweverSoon) {
    setProgressStyle(ProgressStyle::Json);
    testing::internal::CaptureStderr();
    {
        Progress progress("work", 8);
        progress.update(2);
        progress.update(7, "for people", {{"rate", 0.5}});
    }
    const std::string line = testing::internal::GetCapturedStderr();
    setProgressStyle(ProgressStyle::None);
    EXPECT_TRUE(line.starts_with(R"({"stage":"work","done":7,"total":8,"seconds":)")) << line;
    EXPECT_TRUE(line.ends_with(",\"rate\":0.5}\n")) << line;
    EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1) << line;
}

TEST(Progress, ManyThreadsAddUp) {
    setProgressStyle(ProgressStyle::Json);
    testing::internal::CaptureStderr();
    {
        SharedProgress progress("work", 401);
        parallelFor(401, 1, [&](std::int64_t) { progress.add(1); });
    }
    const std::string lines = testing::internal::GetCapturedStderr();
    setProgressStyle(ProgressStyle::None);
    EXPECT_NE(lines.find(R"("done":401,"total":401)"), std::string::npos) << lines;
}

} // namespace
} // namespace aureole
