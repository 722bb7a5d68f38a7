#pragma once

#include <chrono>

namespace aureole {

/// Time since it was made, on a clock that is never set.
class Stopwatch {
public:
    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
};

} // namespace aureole
