#include "core/threads/beside.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.h"

namespace aureole {
namespace {

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

} // namespace
} // namespace aureole
