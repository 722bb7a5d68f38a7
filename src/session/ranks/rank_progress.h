#pragma once

// How far the ranks of a job are.

#include <cstdint>

#include "ranks/crew.h"
#include "session/render_bar.h"

namespace aureole {

/// Tells the other ranks how far this one is, and shows on rank 0 how far all are together. Work is counted in samples
/// of each pixel, of all pictures.
class RankProgress {
public:
    /// `all` is the work of this rank.
    RankProgress(Crew& crew, double all);

    /// Takes away work that turned out to be done before.
    void skip(double samples) { own_.all -= samples; }
    /// A range or a frame begins, after `before` samples and `raysBefore` rays of those before it.
    void begin(double before, std::uint64_t raysBefore);
    /// Tells of the samples and rays of this range or frame so far, as OnSamples (session/loop.h) does.
    void update(double samples, std::uint64_t rays);
    /// Shows the progress, also while this rank waits for others.
    void show();

private:
    Crew* crew_;
    RankStanding own_;
    double before_ = 0.0;
    std::uint64_t raysBefore_ = 0;
    RenderBar bar_;
};

} // namespace aureole
