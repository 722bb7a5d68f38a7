#pragma once

// The recording of commands. Internal to the module.

#include <memory>
#include <string>
#include <vector>

#include "gpu/context.h"
#include "gpu/device.h"

namespace aureole::gpu {

/// A kind of accesses to memory.
struct Accesses {
    VkPipelineStageFlags2 stages;
    VkAccessFlags2 access;
};

struct CommandEncoder::State {
    explicit State(std::shared_ptr<Context> owner);
    ~State();
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    State(State&&) = delete;
    State& operator=(State&&) = delete;

    void begin();
    /// Earlier writes of the first kind become visible to later accesses of the second.
    void barrier(const Accesses& from, const Accesses& to);
    /// Binds a pipeline, unless it is bound, and sets its push constants.
    void bind(const std::shared_ptr<Pipeline::State>& pipeline, std::span<const std::byte> push);
    void writeTimestamp();
    /// Closes the recording: the last pass ends, and what was written becomes visible to the host.
    void finish();

    std::shared_ptr<Context> context;
    CommandSlot slot;
    KeptResources kept;
    VkPipeline bound = VK_NULL_HANDLE;
    std::vector<std::string> passes;
    std::uint32_t timestamps = 0;
    bool wholeOnly = false; ///< passes start no timings of their own any more
};

} // namespace aureole::gpu
