#include "core/threads/parallel.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>
#include <omp.h>

#include "core/error.h"

namespace aureole {
namespace {

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

} // namespace
} // namespace aureole
