#include "render/sample_queue.h"

#include <algorithm>

namespace aureole {

namespace {

/// A stop waits for the pieces under way, so they are no longer than need be.
constexpr double kPieceSeconds = 0.25;
constexpr double kLongestPieceSeconds = 4.0;
/// The share of a piece's time that may go to anything but rendering.
constexpr double kOverheadShare = 0.02;
/// A taker's pieces grow no faster than this, because the first ones measure start-up costs.
constexpr double kGrowth = 4.0;
/// A taker gets this share of what its speed promises of the samples that are left; with 1 or less, a piece of several
/// batches never reaches into what is left of a last one.
constexpr double kTail = 0.5;

} // namespace

SampleQueue::SampleQueue(IndexRange samples, std::uint32_t batch, std::size_t takers)
    : next_(samples.first)
    , end_(samples.second)
    , batch_(batch)
    , takers_(takers) {}

std::uint32_t SampleQueue::wantedSamples(const Taker& taker) const {
    double all = 0.0;
    for (const Taker& other : takers_) {
        all += other.isGone ? 0.0 : other.samplesPerSecond;
    }
    if (taker.samplesPerSecond <= 0.0) {
        return batch_;
    }
    const double seconds = std::clamp(taker.overhead / kOverheadShare, kPieceSeconds, kLongestPieceSeconds);
    const double left = static_cast<double>(end_ - next_) * kTail * taker.samplesPerSecond / all;
    const double samples = std::min({taker.samplesPerSecond * seconds, kGrowth * taker.last, left});
    return std::max(static_cast<std::uint32_t>(samples) / batch_, 1U) * batch_;
}

std::optional<IndexRange> SampleQueue::take(std::size_t taker) {
    const std::uint64_t wanted = wantedSamples(takers_.at(taker));
    IndexRange piece;
    if (!returned_.empty()) {
        piece = *returned_.begin();
        returned_.erase(returned_.begin());
        const std::uint64_t cut = std::uint64_t{piece.first} / batch_ * batch_ + wanted;
        if (cut < piece.second) {
            returned_.emplace(static_cast<std::uint32_t>(cut), piece.second);
            piece.second = static_cast<std::uint32_t>(cut);
        }
    } else if (next_ < end_) {
        piece = {next_, static_cast<std::uint32_t>(
                            std::min(std::uint64_t{next_} / batch_ * batch_ + wanted, std::uint64_t{end_}))};
        next_ = piece.second;
    } else {
        return std::nullopt;
    }
    ++underWay_;
    return piece;
}

void SampleQueue::finish(std::size_t taker, IndexRange piece, double seconds, double overhead) {
    const std::uint32_t samples = piece.second - piece.first;
    takers_.at(taker).samplesPerSecond = samples / std::max(seconds, 1e-6);
    takers_.at(taker).overhead = overhead;
    takers_.at(taker).last = samples;
    --underWay_;
}

void SampleQueue::abandon(std::size_t taker, std::optional<IndexRange> piece) {
    takers_.at(taker).isGone = true;
    if (piece) {
        returned_.insert(*piece);
        --underWay_;
    }
}

} // namespace aureole
