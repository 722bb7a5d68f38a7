#pragma once

// The recording of commands. Internal to the module.

#include <memory>
#include <string>
#include <vector>

#include "gpu/context.h"
#include "gpu/device.h"

namespace aureole::gpu {

struct CommandEncoder::State {
    explicit State(std::shared_ptr<Context> owner);
    ~State();
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    State(State&&) = delete;
    State& operator=(State&&) = delete;

    void begin();
    void barrier(VkPipelineStageFlags2 toStages, VkAccessFlags2 toAccess);
    void writeTimestamp();
    /// Closes the recording: the last pass ends, and what was written becomes visible to the host.
    void finish();

    std::shared_ptr<Context> context;
    CommandSlot slot;
    KeptResources kept;
    VkPipeline bound = VK_NULL_HANDLE;
    std::vector<std::string> passes;
    std::uint32_t timestamps = 0;
};

} // namespace aureole::gpu
