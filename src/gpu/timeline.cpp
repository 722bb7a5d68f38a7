#include "gpu/timeline.h"

#include <algorithm>
#include <limits>

namespace aureole::gpu {

double Timeline::nanoseconds(std::uint64_t ticks) const {
    return static_cast<double>((ticks - commands_.front().begin) & mask_) * nanosecondsPerTick_;
}

void Timeline::tell(const std::string& track) const {
    if (commands_.empty()) {
        return;
    }
    const TraceClock::time_point origin = commands_.front().submitted;
    const auto since = [&](TraceClock::time_point time) {
        return std::chrono::duration<double, std::nano>(time - origin).count();
    };
    double least = std::numeric_limits<double>::lowest(); // of the first commands' begin on the host's clock
    double most = std::numeric_limits<double>::max();
    for (const TimedCommands& one : commands_) {
        least = std::max(least, since(one.submitted) - nanoseconds(one.begin));
        most = std::min(most, since(one.waited) - nanoseconds(one.passes.back().second));
    }
    const double shift = (least + most) / 2.0;
    const auto onHost = [&](std::uint64_t ticks) {
        return origin + std::chrono::duration_cast<TraceClock::duration>(
                            std::chrono::duration<double, std::nano>(nanoseconds(ticks) + shift));
    };
    for (const TimedCommands& one : commands_) {
        std::uint64_t begin = one.begin;
        for (const auto& [name, end] : one.passes) {
            addTraceSpan(track, name, onHost(begin), onHost(end));
            begin = end;
        }
    }
}

} // namespace aureole::gpu
