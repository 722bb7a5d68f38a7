#pragma once

// The Vulkan instance with its debug messenger. Internal to the module.

#include <atomic>
#include <cstdint>
#include <string>

#include "gpu/validation.h"
#include "gpu/vulkan.h"

namespace aureole::gpu {

class Instance {
public:
    /// Loads the Khronos validation layer where it is asked for, and counts its messages.
    /// Throws Error (NoDevice) where there is no driver, (Usage) where the layer is missing.
    explicit Instance(const Validation& validation);
    ~Instance();
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;
    Instance(Instance&&) = delete;
    Instance& operator=(Instance&&) = delete;

    VkInstance handle() const { return handle_; }
    const InstanceFunctions& vk() const { return vk_; }
    /// Warnings and errors of the validation layer, and reports of checks in shaders, so far.
    std::uint64_t messages() const { return messages_; }
    /// Logs an error that shaders themselves found and counts it as one of them.
    void countMessage(const std::string& message);

private:
    VkInstance handle_ = VK_NULL_HANDLE;
    InstanceFunctions vk_;
    VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
    std::atomic<std::uint64_t> messages_ = 0;
};

} // namespace aureole::gpu
