#pragma once

#include <cstdint>

#include "core/progress.h"
#include "core/stopwatch.h"
#include "ranks/crew.h"

namespace aureole {

/// Tells the other ranks how far this one is, and shows on rank 0 how far all are together. Work is counted in samples
/// of each pixel, of all pictures.
class RankProgress {
public:
    /// This rank has `all` to do.
    RankProgress(Crew& crew, double all);

    /// So much of it turned out to be done before.
    void skip(double samples) { own_.all -= samples; }
    /// A range or a frame begins, after so many samples of those before.
    void begin(double before, std::uint64_t raysBefore);
    /// As OnSamples.
    void update(double samples, std::uint64_t rays);
    /// While this rank waits for others.
    void show();

private:
    Crew* crew_;
    RankStanding own_;
    double before_ = 0.0;
    std::uint64_t raysBefore_ = 0;
    Progress bar_;
    Stopwatch clock_;
};

} // namespace aureole
