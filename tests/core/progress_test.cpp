#include "core/progress.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "core/log.h"
#include "core/shared_progress.h"
#include "core/threads/parallel.h"

namespace aureole {
namespace {

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
