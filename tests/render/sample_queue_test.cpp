#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "render/sample_queue.h"

namespace aureole {
namespace {

constexpr std::uint32_t kBatch = 8;

/// What became of a queue whose takers render so many samples a second.
struct Outcome {
    std::vector<std::uint64_t> samples; ///< of each taker
    std::vector<double> ends;           ///< when each had nothing more to do, in seconds
    std::vector<IndexRange> pieces;
};

/// Lets the takers work side by side, each with a clock of its own: the one that is free first takes next. Taker `lost`
/// is gone with its third piece.
Outcome workOff(SampleQueue& queue, const std::vector<double>& speeds, double overhead,
                std::optional<std::size_t> lost = {}) {
    Outcome outcome{std::vector<std::uint64_t>(speeds.size()), std::vector<double>(speeds.size()), {}};
    std::multimap<double, std::pair<std::size_t, IndexRange>> busy;
    std::vector<int> taken(speeds.size());
    const auto take = [&](std::size_t taker, double now) {
        if (const auto piece = queue.take(taker)) {
            busy.emplace(now + overhead + (piece->second - piece->first) / speeds[taker], std::pair(taker, *piece));
            return true;
        }
        outcome.ends[taker] = now;
        return false;
    };
    std::vector<std::size_t> idle;
    for (std::size_t taker = 0; taker < speeds.size(); ++taker) {
        take(taker, 0.0);
    }
    while (!busy.empty()) {
        const double now = busy.begin()->first;
        const auto [taker, piece] = busy.begin()->second;
        busy.erase(busy.begin());
        if (taker == lost && ++taken[taker] == 3) {
            queue.abandon(taker, piece);
            while (!idle.empty() && take(idle.back(), now)) {
                idle.pop_back();
            }
            continue;
        }
        const std::uint32_t samples = piece.second - piece.first;
        outcome.samples[taker] += samples;
        outcome.pieces.push_back(piece);
        queue.finish(taker, piece, samples / speeds[taker], overhead);
        if (!take(taker, now)) {
            idle.push_back(taker);
        }
    }
    std::sort(outcome.pieces.begin(), outcome.pieces.end());
    return outcome;
}

/// Every sample once, cut at whole batches.
void expectAll(const Outcome& outcome, std::uint32_t first, std::uint32_t end) {
    std::uint32_t at = first;
    for (const IndexRange& piece : outcome.pieces) {
        ASSERT_EQ(piece.first, at);
        ASSERT_TRUE(piece.second % kBatch == 0 || piece.second == end) << piece.second;
        at = piece.second;
    }
    EXPECT_EQ(at, end);
}

TEST(SampleQueue, HandsOutEverySampleOnce) {
    for (const auto& [first, end] :
         {std::pair(0U, 1000U), std::pair(5U, 6U), std::pair(13U, 16U), std::pair(3U, 77U)}) {
        SampleQueue queue({first, end}, kBatch, 3);
        expectAll(workOff(queue, {100.0, 70.0, 3.0}, 0.001), first, end);
        EXPECT_TRUE(queue.isDone());
    }
}

TEST(SampleQueue, AnEndWithinABatchIsAPieceOfItsOwn) {
    for (std::uint32_t end = 9; end < 100; ++end) {
        SampleQueue queue({0, end}, kBatch, 1);
        const Outcome outcome = workOff(queue, {1e6}, 0.0);
        const std::uint32_t whole = end / kBatch * kBatch;
        EXPECT_TRUE(std::any_of(outcome.pieces.begin(), outcome.pieces.end(), [&](const IndexRange& piece) {
            return piece.second == whole;
        })) << end;
    }
}

TEST(SampleQueue, KeepsUnequalTakersBusy) {
    const std::vector<double> speeds = {4000.0, 1000.0, 200.0};
    SampleQueue queue({0, 100000}, kBatch, speeds.size());
    const Outcome outcome = workOff(queue, speeds, 0.0);
    expectAll(outcome, 0, 100000);
    // 100,000 samples at 5200 a second: all are done within two per cent of that.
    for (const double end : outcome.ends) {
        EXPECT_NEAR(end, 100000.0 / 5200.0, 0.02 * 100000.0 / 5200.0);
    }
    EXPECT_NEAR(static_cast<double>(outcome.samples[0]), 100000.0 * 4000 / 5200, 2000.0);
}

TEST(SampleQueue, LetsAllEndTogether) {
    const std::vector<double> speeds = {4000.0, 1000.0};
    for (const double overhead : {0.0, 0.04}) { // pieces of a quarter of a second, or of two
        SampleQueue queue({0, 100000}, kBatch, speeds.size());
        const Outcome outcome = workOff(queue, speeds, overhead);
        EXPECT_NEAR(outcome.ends[0], outcome.ends[1], 0.1 + overhead);
    }
}

TEST(SampleQueue, MakesPiecesLongWhereEachCostsMuch) {
    const std::vector<double> speeds = {4000.0, 4000.0};
    SampleQueue queue({0, 400000}, kBatch, speeds.size());
    const Outcome outcome = workOff(queue, speeds, 0.04);
    // 50 seconds each, and the overhead of two per cent and some for the pieces at both ends.
    EXPECT_LT(*std::max_element(outcome.ends.begin(), outcome.ends.end()), 50.0 * 1.04);
    SampleQueue cheap({0, 400000}, kBatch, speeds.size());
    EXPECT_LT(outcome.pieces.size(), workOff(cheap, speeds, 0.001).pieces.size() / 4);
}

TEST(SampleQueue, OthersDoWhatALostTakerHad) {
    const std::vector<double> speeds = {100.0, 90.0, 1.0};
    for (std::size_t lost = 0; lost < speeds.size(); ++lost) {
        SampleQueue queue({0, 4000}, kBatch, speeds.size());
        const Outcome outcome = workOff(queue, speeds, 0.0, lost);
        expectAll(outcome, 0, 4000);
        EXPECT_LT(outcome.samples[lost], 500U);
        EXPECT_TRUE(queue.isDone());
    }
}

TEST(SampleQueue, HandsOutNothingNewOnceStopped) {
    SampleQueue queue({0, 1000}, kBatch, 2);
    const IndexRange first = *queue.take(0);
    const IndexRange second = *queue.take(1);
    queue.stop();
    queue.abandon(1, second);
    EXPECT_TRUE(queue.hasReturned());
    EXPECT_EQ(queue.take(0), second);
    EXPECT_EQ(queue.take(0), std::nullopt);
    EXPECT_FALSE(queue.isDone());
    queue.finish(0, first, 1.0, 0.0);
    queue.finish(0, second, 1.0, 0.0);
    EXPECT_TRUE(queue.isDone());
}

} // namespace
} // namespace aureole
