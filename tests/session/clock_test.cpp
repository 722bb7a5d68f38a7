// The clock is set back while the program runs: nothing that it does, or says of time, goes by that clock.

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <functional>
#include <sstream>

#include <sys/stat.h>

#include "cli_test.h"
#include "core/stopwatch.h"
#include "faults.h"

namespace aureole {

namespace {

namespace fs = std::filesystem;

class ClockTest : public FaultyRenderTest {
protected:
    ClockTest() { validates = false; }

    Arguments command(const Arguments& more) const {
        Arguments arguments = {"render",  scene_,  "-o",         path("out.exr"), "--checkpoint", checkpoint_,
                               "--every", "0.02s", "--progress", "json",          "--stats-json", path("stats.json")};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    }

    /// As waitUntil, but not for long: with a wrong clock, what is waited for might never come.
    static bool waitAWhile(pid_t process, const std::function<bool()>& done) {
        const Stopwatch waited;
        bool isDone = false;
        waitUntil(process, [&] {
            isDone = done();
            return isDone || waited.seconds() > 60.0;
        });
        return isDone;
    }

    ino_t checkpointFile() const {
        struct stat status {};
        return ::stat(checkpoint_.c_str(), &status) == 0 ? status.st_ino : 0;
    }

    /// Nothing is as long as the clock was set back.
    static void expectTrueTimes(const Outcome& outcome, const nlohmann::json& stats) {
        double last = 0.0;
        std::istringstream lines(outcome.err);
        for (std::string text; std::getline(lines, text);) {
            const nlohmann::json line = parseJson(text);
            if (!line.contains("stage") || line.at("stage") != "render") {
                continue;
            }
            const double seconds = line.at("seconds");
            EXPECT_GE(seconds, last) << line;
            EXPECT_GE(line.at("eta"), 0.0) << line;
            last = seconds;
        }
        EXPECT_GT(last, 0.0);
        EXPECT_LT(last, 3600.0);
        for (const auto& [stage, seconds] : stats.at("seconds").items()) {
            EXPECT_GE(seconds, 0.0) << stage;
            EXPECT_LT(seconds, 3600.0) << stage;
        }
    }
};

TEST_F(ClockTest, SetBackChangesNeitherCheckpointsNorTheirTimes) {
    const std::string trigger = path("trigger");
    const pid_t process = start(command({"--spp", "100000000", "--backend", "reference"}), withClockSetBack(trigger));
    ASSERT_TRUE(waitAWhile(process, [&] { return fs::exists(checkpoint_); })) << errorsSoFar();
    std::ofstream(trigger) << "now";
    for (int i = 0; i < 3; ++i) {
        const ino_t before = checkpointFile();
        EXPECT_TRUE(waitAWhile(process, [&] { return checkpointFile() != before; })) << "no checkpoint any more";
    }
    ::kill(process, SIGINT);
    const Outcome outcome = finish(process);
    EXPECT_EQ(outcome.code, kInterrupted) << outcome.err;
    const nlohmann::json stats = readJson(path("stats.json"));
    expectTrueTimes(outcome, stats);
    const auto picture = valuesOf(path("out.exr"));
    const std::string samples = std::to_string(stats.at("samples").get<int>());
    expectDone(command({"--spp", samples, "--backend", "reference", "--resume", checkpoint_}));
    EXPECT_EQ(valuesOf(path("out.exr")), picture);
}

TEST_F(ClockTest, SetBackALimitOfTimeHolds) {
    const pid_t process = start(command({"--spp", "100000000", "--time", "0.5s", "--backend", "reference"}),
                                withClockSetBack(checkpoint_));
    if (!waitAWhile(process, [&] { return fs::exists(path("out.exr")); })) {
        ::kill(process, SIGKILL);
    }
    const Outcome outcome = finish(process);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    expectTrueTimes(outcome, readJson(path("stats.json")));
}

/// What the cache has is then of the future, and still good.
TEST_F(ClockTest, SetBackTheCacheStaysGood) {
    const Variables cache = {{"XDG_CACHE_HOME", ownCache("cache")}};
    expectDone(command({"--spp", "8"}), cache);
    const auto picture = valuesOf(path("out.exr"));
    Variables late = withClockSetBack(scene_);
    late.insert(cache.begin(), cache.end());
    expectDone(command({"--spp", "8"}), late);
    EXPECT_TRUE(readJson(path("stats.json")).at("octree_cached").get<bool>());
    EXPECT_EQ(valuesOf(path("out.exr")), picture);
    // It was stamped by the program's own clock, so that was late indeed.
    const fs::directory_iterator octrees(path("cache") + "/aureole/octrees");
    EXPECT_TRUE(std::any_of(octrees, {}, [](const fs::directory_entry& entry) {
        return entry.last_write_time() < fs::file_time_type::clock::now() - std::chrono::hours(20);
    }));
    expectDone(command({"--spp", "8", "--resolution", "20"}), late); // makes room, among files of the future
    EXPECT_FALSE(readJson(path("stats.json")).at("octree_cached").get<bool>());
}

} // namespace

} // namespace aureole
