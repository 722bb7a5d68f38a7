#pragma once

// Buffers with their memory. Internal to the module.

#include <memory>

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
    VkBuffer handle = VK_NULL_HANDLE;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    std::uint64_t bytes = 0;
    std::uint64_t address = 0;
    std::byte* mapped = nullptr;

private:
    void create(std::uint64_t allocated, MemoryKind kind);
    void release();
};

/// The index of the memory type that suits the kind best, out of those allowed by `typeBits`. Among equals the first,
/// which Vulkan's order makes the one with the fewest other properties.
/// Throws Error (NoDevice) where the device has none.
std::uint32_t chooseMemoryType(const VkPhysicalDeviceMemoryProperties& memory, std::uint32_t typeBits, MemoryKind kind);

/// Checks that a range lies within a buffer. Throws Error (Internal) naming the buffer and the call.
void checkRange(const char* call, const std::string& buffer, std::uint64_t size, std::uint64_t offset,
                std::uint64_t bytes);

} // namespace aureole::gpu
