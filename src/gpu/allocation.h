#pragma once

// Vulkan buffers, each with device memory of its own. Internal to the module.

#include <cstddef>
#include <cstdint>
#include <string>

#include "gpu/device.h"
#include "gpu/vulkan.h"

namespace aureole::gpu {

class Context;

/// A Vulkan buffer and its memory, which someone has to let go of.
struct Allocation {
    VkBuffer buffer = VK_NULL_HANDLE;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    std::uint64_t address = 0;   ///< on the device, a multiple of 16
    std::byte* mapped = nullptr; ///< null where the host does not reach it
};

/// The index of the memory type that suits the kind best, out of those allowed by `typeBits`. Among equals the first,
/// which Vulkan's order makes the one with the fewest other properties.
/// Throws Error (NoDevice) where the device has none.
std::uint32_t chooseMemoryType(const VkPhysicalDeviceMemoryProperties& memory, std::uint32_t typeBits, MemoryKind kind);

/// The bytes free on the largest device-local heap, as far as the driver tells, else its size.
std::uint64_t freeDeviceBytes(const Context& context);

/// Makes a buffer of `bytes` > 0 with its memory. What is made is in `made` when it throws, too, for free() or
/// Context::release(). Where bounds are checked it starts on a page of its own (memory_checks.h).
/// Throws Error (OutOfMemory) with the size that was asked for and what is free.
void allocate(Context& context, std::uint64_t bytes, MemoryKind kind, const std::string& name, Allocation& made);

/// Destroys what is there at once.
void free(const Context& context, const Allocation& allocation);

} // namespace aureole::gpu
