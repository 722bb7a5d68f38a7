#pragma once

// Commands under way. Internal to the module.

#include <memory>
#include <string>
#include <vector>

#include "gpu/context.h"
#include "gpu/device.h"

namespace aureole::gpu {

struct Submission::State {
    State(std::shared_ptr<Context> owner, std::vector<std::string> passNames);
    ~State();
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    State(State&&) = delete;
    State& operator=(State&&) = delete;

    /// Reads the timestamps and lets go of everything; the commands have run.
    void retire();

    std::shared_ptr<Context> context;
    std::vector<std::string> passes;
    Work work;
    bool retired = true; ///< no work under way
    std::vector<PassTime> times;
};

} // namespace aureole::gpu
