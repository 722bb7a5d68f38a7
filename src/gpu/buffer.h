#pragma once

// Buffers with their memory. Internal to the module.

#include <memory>

#include "gpu/allocation.h"
#include "gpu/context.h"
#include "gpu/device.h"

namespace aureole::gpu {

struct Buffer::State {
    State(std::shared_ptr<Context> owner, std::uint64_t size, MemoryKind kind, std::string label);
    ~State();
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    State(State&&) = delete;
    State& operator=(State&&) = delete;

    std::shared_ptr<Context> context;
    std::string name;
    std::uint64_t bytes = 0;
    Allocation allocation;

private:
    void release();
};

/// Checks that a range lies within a buffer. Throws Error (Internal) naming the buffer and the call.
void checkRange(const char* call, const std::string& buffer, std::uint64_t size, std::uint64_t offset,
                std::uint64_t bytes);

} // namespace aureole::gpu
