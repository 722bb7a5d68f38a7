#include "core/beside.h"

#include <algorithm>
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

TEST(Behind, FollowsWhatIsDoneInOrder) {
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{1000}}) {
        std::vector<std::size_t> order;
        std::vector<std::atomic<int>> visits(count);
        std::vector<std::size_t> squares(count);
        forEachBehind(
            count,
            [&](std::size_t i) {
                order.push_back(i);
                std::this_thread::sleep_for(std::chrono::microseconds(10)); // who does not wait comes too early
                squares[i] = i * i;
            },
            [&](std::size_t i) { visits[i] += squares[i] == i * i ? 1 : 2; });
        EXPECT_EQ(order.size(), count);
        EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
        for (const std::atomic<int>& visit : visits) {
            EXPECT_EQ(visit, 1) << count;
        }
    }
}

TEST(Behind, ThrowsWhatEitherThrows) {
    const auto failAt = [](std::size_t at) {
        return [at](std::size_t i) {
            if (i == at) {
                fail(ExitCode::BadInput, "number {}", i);
            }
        };
    };
    const std::size_t none = 1000;
    EXPECT_THROW(forEachBehind(none, failAt(10), failAt(none)), Error);
    EXPECT_THROW(forEachBehind(none, failAt(none), failAt(10)), Error);
    EXPECT_THROW(forEachBehind(1, failAt(none), failAt(0)), Error);
}

} // namespace
} // namespace aureole
