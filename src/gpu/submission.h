#pragma once

// Commands under way. Internal to the module.

#include <memory>
#include <string>
#include <vector>

#include "gpu/context.h"
#include "gpu/device.h"

namespace aureole::gpu {

struct Submission::State {
    State(std::shared_ptr<Context> owner, std::vector<std::string> passNames, std::uint32_t timestampCount);
    ~State();
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    State(State&&) = delete;
    State& operator=(State&&) = delete;

    /// Reads the timestamps and lets go of everything; the commands have run.
    void retire();

    std::shared_ptr<Context> context;
    std::vector<std::string> passes;
    std::uint32_t timestamps; ///< one at each pass's begin and one at the end; on a timeline, one at the begin of all
    TraceClock::time_point submitted = TraceClock::now();
    Work work;
    bool retired = true; ///< no work under way
    std::vector<PassTime> times;

private:
    std::vector<std::uint64_t> readTicks() const;
    void noteOnTimeline(const std::vector<std::uint64_t>& ticks) const;
};

} // namespace aureole::gpu
