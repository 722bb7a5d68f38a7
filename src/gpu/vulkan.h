#pragma once

// Vulkan, loaded at run time: the functions that the module calls, and the check of their results.
// Internal to the module.

#include <string_view>

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

namespace aureole::gpu {

#define AUREOLE_LOADER_FUNCTIONS(X)                                                                                    \
    X(vkCreateInstance)                                                                                                \
    X(vkEnumerateInstanceVersion)                                                                                      \
    X(vkEnumerateInstanceLayerProperties)                                                                              \
    X(vkEnumerateInstanceExtensionProperties)

#define AUREOLE_INSTANCE_FUNCTIONS(X)                                                                                  \
    X(vkDestroyInstance)                                                                                               \
    X(vkEnumeratePhysicalDevices)                                                                                      \
    X(vkEnumerateDeviceExtensionProperties)                                                                            \
    X(vkGetPhysicalDeviceProperties)                                                                                   \
    X(vkGetPhysicalDeviceProperties2)                                                                                  \
    X(vkGetPhysicalDeviceFeatures2)                                                                                    \
    X(vkGetPhysicalDeviceMemoryProperties2)                                                                            \
    X(vkGetPhysicalDeviceQueueFamilyProperties)                                                                        \
    X(vkCreateDevice)                                                                                                  \
    X(vkGetDeviceProcAddr)

/// Present only where the instance has VK_EXT_debug_utils.
#define AUREOLE_DEBUG_FUNCTIONS(X)                                                                                     \
    X(vkCreateDebugUtilsMessengerEXT)                                                                                  \
    X(vkDestroyDebugUtilsMessengerEXT)                                                                                 \
    X(vkSetDebugUtilsObjectNameEXT)

#define AUREOLE_DEVICE_FUNCTIONS(X)                                                                                    \
    X(vkDestroyDevice)                                                                                                 \
    X(vkDeviceWaitIdle)                                                                                                \
    X(vkGetDeviceQueue)                                                                                                \
    X(vkQueueSubmit2)                                                                                                  \
    X(vkCreateSemaphore)                                                                                               \
    X(vkDestroySemaphore)                                                                                              \
    X(vkGetSemaphoreCounterValue)                                                                                      \
    X(vkWaitSemaphores)                                                                                                \
    X(vkCreateBuffer)                                                                                                  \
    X(vkDestroyBuffer)                                                                                                 \
    X(vkGetBufferMemoryRequirements)                                                                                   \
    X(vkGetBufferDeviceAddress)                                                                                        \
    X(vkAllocateMemory)                                                                                                \
    X(vkFreeMemory)                                                                                                    \
    X(vkBindBufferMemory)                                                                                              \
    X(vkMapMemory)                                                                                                     \
    X(vkCreateShaderModule)                                                                                            \
    X(vkDestroyShaderModule)                                                                                           \
    X(vkCreateImage)                                                                                                   \
    X(vkDestroyImage)                                                                                                  \
    X(vkGetImageMemoryRequirements)                                                                                    \
    X(vkBindImageMemory)                                                                                               \
    X(vkCreateImageView)                                                                                               \
    X(vkDestroyImageView)                                                                                              \
    X(vkCreateSampler)                                                                                                 \
    X(vkDestroySampler)                                                                                                \
    X(vkCreateDescriptorSetLayout)                                                                                     \
    X(vkDestroyDescriptorSetLayout)                                                                                    \
    X(vkCreateDescriptorPool)                                                                                          \
    X(vkDestroyDescriptorPool)                                                                                         \
    X(vkAllocateDescriptorSets)                                                                                        \
    X(vkUpdateDescriptorSets)                                                                                          \
    X(vkCmdBindDescriptorSets)                                                                                         \
    X(vkCreatePipelineLayout)                                                                                          \
    X(vkDestroyPipelineLayout)                                                                                         \
    X(vkCreateComputePipelines)                                                                                        \
    X(vkDestroyPipeline)                                                                                               \
    X(vkCreatePipelineCache)                                                                                           \
    X(vkDestroyPipelineCache)                                                                                          \
    X(vkGetPipelineCacheData)                                                                                          \
    X(vkCreateCommandPool)                                                                                             \
    X(vkDestroyCommandPool)                                                                                            \
    X(vkResetCommandPool)                                                                                              \
    X(vkAllocateCommandBuffers)                                                                                        \
    X(vkBeginCommandBuffer)                                                                                            \
    X(vkEndCommandBuffer)                                                                                              \
    X(vkCreateQueryPool)                                                                                               \
    X(vkDestroyQueryPool)                                                                                              \
    X(vkGetQueryPoolResults)                                                                                           \
    X(vkCmdResetQueryPool)                                                                                             \
    X(vkCmdWriteTimestamp2)                                                                                            \
    X(vkCmdBindPipeline)                                                                                               \
    X(vkCmdPushConstants)                                                                                              \
    X(vkCmdDispatch)                                                                                                   \
    X(vkCmdDispatchIndirect)                                                                                           \
    X(vkCmdPipelineBarrier2)                                                                                           \
    X(vkCmdCopyBuffer)                                                                                                 \
    X(vkCmdFillBuffer)

#define AUREOLE_DECLARE_FUNCTION(function) PFN_##function function = nullptr;

struct LoaderFunctions {
    PFN_vkGetInstanceProcAddr vkGetInstanceProcAddr = nullptr;
    AUREOLE_LOADER_FUNCTIONS(AUREOLE_DECLARE_FUNCTION)
};

struct InstanceFunctions {
    AUREOLE_INSTANCE_FUNCTIONS(AUREOLE_DECLARE_FUNCTION)
    AUREOLE_DEBUG_FUNCTIONS(AUREOLE_DECLARE_FUNCTION)
};

struct DeviceFunctions {
    AUREOLE_DEVICE_FUNCTIONS(AUREOLE_DECLARE_FUNCTION)
};

#undef AUREOLE_DECLARE_FUNCTION

/// A Vulkan structure of that type, all else zero.
template <typename Structure>
Structure structure(VkStructureType type) {
    Structure made{};
    made.sType = type;
    return made;
}

/// Opens the Vulkan loader of that name. Throws Error (NoDevice) where it is missing or older than Vulkan 1.3.
LoaderFunctions openLoader(const char* library);

/// The machine's Vulkan loader, opened once. Throws as openLoader.
const LoaderFunctions& loader();

/// Throws Error (NoDevice) where the driver lacks a function.
InstanceFunctions loadInstanceFunctions(VkInstance instance);
DeviceFunctions loadDeviceFunctions(const InstanceFunctions& instance, VkDevice device);

/// A result's name, such as "VK_ERROR_DEVICE_LOST".
std::string_view resultName(VkResult result);

/// Throws where a call failed: Error (NoDevice) for a lost device, (OutOfMemory) for want of memory, else (Internal).
/// `object` says what the call was about.
void check(VkResult result, std::string_view call, std::string_view object);

} // namespace aureole::gpu
