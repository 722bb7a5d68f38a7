#pragma once

// When the device ran its commands, for the timeline of a run (core/trace.h). Internal to the module.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/trace.h"

namespace aureole::gpu {

/// Commands that have run: when the host submitted them and knew that they had ended, and what the device's clock said
/// at the ends of their passes.
struct TimedCommands {
    TraceClock::time_point submitted;
    TraceClock::time_point waited;
    std::uint64_t begin = 0;                                   ///< ticks
    std::vector<std::pair<std::string, std::uint64_t>> passes; ///< name, ticks at its end
};

/// Collects the commands of a device, and puts them on the host's clock once all have run: none began before it was
/// submitted, and none ended after the host knew. Between these bounds, which are some microseconds apart, the clocks'
/// difference is taken in the middle.
class Timeline {
public:
    Timeline(double nanosecondsPerTick, std::uint64_t timestampMask)
        : nanosecondsPerTick_(nanosecondsPerTick)
        , mask_(timestampMask) {}

    void add(TimedCommands commands) { commands_.push_back(std::move(commands)); }
    /// Adds spans to the run's timeline, on a track of that name.
    void tell(const std::string& track) const;

private:
    /// Since the first commands began.
    double nanoseconds(std::uint64_t ticks) const;

    double nanosecondsPerTick_;
    std::uint64_t mask_;
    std::vector<TimedCommands> commands_;
};

} // namespace aureole::gpu
