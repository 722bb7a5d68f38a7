#pragma once

// Runs the built program as a user would, in a temporary folder.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <sys/types.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "image/image.h"

namespace aureole {

// Exit codes, as the README has them.
inline constexpr int kUsage = 2;
inline constexpr int kBadInput = 3;
inline constexpr int kNoDevice = 4;
inline constexpr int kCannotWrite = 5;
inline constexpr int kOutOfMemory = 6;
inline constexpr int kComparisonFailed = 10;
inline constexpr int kInterrupted = 75;

/// What a run of the program left behind.
struct Outcome {
    int code = -1; ///< exit code, or 128 and the signal that ended it
    std::string out;
    std::string err;
};

using Arguments = std::vector<std::string>;
using Variables = std::map<std::string, std::string>;

class CliTest : public testing::Test {
protected:
    void SetUp() override;
    void TearDown() override;

    /// A path in this test's folder.
    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    /// Writes a file there and returns its path.
    std::string write(const std::string& name, const std::string& text) const;

    /// Starts the program with further environment variables; `finish` waits for it.
    pid_t start(const Arguments& arguments, const Variables& variables = {}) const;
    Outcome finish(pid_t process) const;
    Outcome run(const Arguments& arguments, const Variables& variables = {}) const;
    /// What a started program has written to stderr so far.
    std::string errorsSoFar() const;
    /// Waits until `done`; false where the program ended before. `finish` is still to be called.
    static bool waitUntil(pid_t process, const std::function<bool()>& done);
    /// Waits until the file is there, likewise.
    static bool waitForFile(pid_t process, const std::filesystem::path& file);
    /// Waits until the program has written that to stderr, likewise.
    bool waitForError(pid_t process, const std::string& text) const;

    /// Runs the program and expects it to succeed.
    Outcome expectDone(const Arguments& arguments, const Variables& variables = {}) const;
    /// What `info` says of a file.
    nlohmann::json info(const std::string& file) const;
    /// Runs the program and expects a failure: one that names every one of `fragments` on stderr.
    Outcome expectFailure(int code, const Arguments& arguments, const std::vector<std::string>& fragments,
                          const Variables& variables = {}) const;

    /// The cache folder of all runs but those that get another XDG_CACHE_HOME: one for the whole test program, as a
    /// new one would cost each test the compilation of all pipelines.
    static std::filesystem::path cacheHome();

    /// A cache folder of this test's own, below `folder` in its folder, that has the pipelines compiled so far. For
    /// XDG_CACHE_HOME.
    std::string ownCache(const std::string& folder) const;

    /// Standard streams that programs are started without.
    std::vector<int> closedStreams;
    /// Whether Vulkan's validation watches programs: not where their use of devices is that of other tests.
    bool validates = true;

private:
    std::filesystem::path folder_;
};

/// A grey box of albedo 1/2 that fills the middle of a picture of 32 x 24 pixels, in a sky of radiance 1.
/// Convex and evenly lit, it sends out 1/2 everywhere. Cameras "front" and "back".
std::string boxScene();

/// boxScene in colours whose sums are rounded, so that the order of summation shows.
std::string shadedScene();

/// boxScene with bloom.
std::string bloomScene();

/// A sealed box of albedo 1/2 and emission 1, seen from inside: its radiance is 2.
std::string closedBoxScene();

/// nlohmann::json::parse, which throws for what is no JSON, compiled once for all tests.
nlohmann::json parseJson(const std::string& text);
nlohmann::json readJson(const std::filesystem::path& file);

/// The colour of a pixel of an EXR image.
std::vector<float> pixel(const Image& image, std::uint32_t x, std::uint32_t y);

/// The largest difference of two images' colours. Infinite where their sizes differ.
double largestDifference(const Image& a, const Image& b);

/// The subcommand of a command line: its first word, or the first two of a benchmark; empty where there is none.
std::string commandOf(const Arguments& arguments);

} // namespace aureole
