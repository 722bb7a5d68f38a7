#pragma once

// What Vulkan tells about the machine's devices. Internal to the module.

#include <array>
#include <cstdint>
#include <vector>

#include "gpu/device.h"
#include "gpu/instance.h"

namespace aureole::gpu {

/// What DeviceInfo::hasRayTracing tells that a device has.
inline constexpr std::array kRayTracingExtensions = {VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME,
                                                     VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME,
                                                     VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME};

/// A device before it is opened.
struct PhysicalDevice {
    VkPhysicalDevice handle = VK_NULL_HANDLE;
    DeviceInfo info;
    std::uint32_t queueFamily = 0;
    double nanosecondsPerTick = 1.0;     ///< of a timestamp
    std::uint64_t timestampMask = ~0ULL; ///< the bits of a timestamp that count
    std::uint64_t maxBufferBytes = 0;
    std::uint64_t maxMemoryBytes = 0; ///< of one allocation
    std::uint32_t maxPushConstantBytes = 0;
    std::uint32_t maxGroups[3] = {0, 0, 0}; ///< of a dispatch, along x, y, z
    bool subgroupSizeSelectable = false;    ///< compute pipelines may ask for a subgroup size
    bool memoryBudget = false;              ///< the driver tells how much memory is free
    bool kernelFigures = false;             ///< the driver tells of the kernels that it compiles
};

/// The machine's devices in Vulkan's order, usable or not.
std::vector<PhysicalDevice> listPhysicalDevices(const Instance& instance);

} // namespace aureole::gpu
