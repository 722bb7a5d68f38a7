#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "core/index_ranges.h"

namespace aureole {

/// Hands out a range of samples in pieces, in ascending order, to takers of unequal speed: each gets what it renders in
/// a fraction of a second, or in so much longer that what a piece costs besides rendering stays small; towards the end
/// less, so that all end together. Pieces end at multiples of the batch; where the end is none, what is left of a batch
/// is a piece of its own. For one thread at a time.
class SampleQueue {
public:
    SampleQueue(IndexRange samples, std::uint32_t batch, std::size_t takers);

    /// The next piece for a taker, those that others have given back first; none where all are handed out.
    std::optional<IndexRange> take(std::size_t taker);

    /// A piece is rendered. It took `seconds`, and `overhead` besides, whatever its size.
    void finish(std::size_t taker, IndexRange piece, double seconds, double overhead);

    /// A taker is gone, and with it the piece that it had, if any.
    void abandon(std::size_t taker, std::optional<IndexRange> piece);

    /// From now on, only pieces that were given back are handed out.
    void stop() { end_ = next_; }

    bool hasReturned() const { return !returned_.empty(); }
    /// Whether all that was and will be handed out is rendered.
    bool isDone() const { return next_ >= end_ && returned_.empty() && underWay_ == 0; }

private:
    struct Taker {
        double samplesPerSecond = 0.0; ///< 0: not known yet
        double overhead = 0.0;
        std::uint32_t last = 0; ///< samples of its last piece
        bool isGone = false;
    };

    std::uint32_t wantedSamples(const Taker& taker) const;

    std::uint32_t next_;
    std::uint32_t end_;
    std::uint32_t batch_;
    std::vector<Taker> takers_;
    std::set<IndexRange> returned_;
    std::size_t underWay_ = 0;
};

} // namespace aureole
