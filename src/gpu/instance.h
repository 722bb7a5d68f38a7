#pragma once

// The Vulkan instance with its debug messenger. Internal to the module.

#include <atomic>
#include <cstdint>

#include "gpu/vulkan.h"

namespace aureole::gpu {

class Instance {
public:
    /// `validation` loads the Khronos validation layer with core and synchronization checks, and counts its messages.
    /// Throws Error (NoDevice) where there is no driver, (Usage) where the layer is missing.
    explicit Instance(bool validation);
    ~Instance();
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;
    Instance(Instance&&) = delete;
    Instance& operator=(Instance&&) = delete;

    VkInstance handle() const { return handle_; }
    const InstanceFunctions& vk() const { return vk_; }
    /// Warnings and errors of the validation layer so far.
    std::uint64_t messages() const { return messages_; }

private:
    VkInstance handle_ = VK_NULL_HANDLE;
    InstanceFunctions vk_;
    VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
    std::atomic<std::uint64_t> messages_ = 0;
};

} // namespace aureole::gpu
