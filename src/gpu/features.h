#pragma once

// The device features that aureole needs, or uses where they are. Internal to the module.

#include <string>

#include "gpu/instance.h"

namespace aureole::gpu {

/// The feature structures, chained. Not copied: they point at each other.
struct FeatureChain {
    FeatureChain();
    ~FeatureChain() = default;
    FeatureChain(const FeatureChain&) = delete;
    FeatureChain& operator=(const FeatureChain&) = delete;
    FeatureChain(FeatureChain&&) = delete;
    FeatureChain& operator=(FeatureChain&&) = delete;

    VkPhysicalDeviceFeatures2 core = structure<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
    VkPhysicalDeviceVulkan11Features vulkan11 =
        structure<VkPhysicalDeviceVulkan11Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES);
    VkPhysicalDeviceVulkan12Features vulkan12 =
        structure<VkPhysicalDeviceVulkan12Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
    VkPhysicalDeviceVulkan13Features vulkan13 =
        structure<VkPhysicalDeviceVulkan13Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES);
};

/// Fills `enabled` with the needed features, and with the useful ones that the device has. Returns the names of the
/// needed ones that it lacks, separated by ", "; empty where it has them all. The device is of Vulkan 1.3.
std::string chooseFeatures(const Instance& instance, VkPhysicalDevice device, FeatureChain& enabled);

} // namespace aureole::gpu
