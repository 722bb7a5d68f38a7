#include "gpu/features.h"

#include <array>

namespace aureole::gpu {

namespace {

struct Feature {
    const char* name;
    bool needed;
    VkBool32& (*in)(FeatureChain&);
};

#define AUREOLE_FEATURE(needed, part, name)                                                                            \
    Feature {                                                                                                          \
#name, needed, [](FeatureChain & chain) -> VkBool32& { return chain.part.name; }                               \
    }

constexpr std::array kFeatures = {
    AUREOLE_FEATURE(true, core.features, shaderInt64),
    AUREOLE_FEATURE(true, vulkan12, bufferDeviceAddress),
    AUREOLE_FEATURE(true, vulkan12, scalarBlockLayout),
    AUREOLE_FEATURE(true, vulkan12, timelineSemaphore),
    AUREOLE_FEATURE(true, vulkan13, synchronization2),
    AUREOLE_FEATURE(true, vulkan13, subgroupSizeControl),
    AUREOLE_FEATURE(true, vulkan13, computeFullSubgroups),
    AUREOLE_FEATURE(true, vulkan13, maintenance4), // workgroup sizes by specialization constant
    AUREOLE_FEATURE(false, core.features, shaderFloat64),
    AUREOLE_FEATURE(false, core.features, shaderInt16),
    AUREOLE_FEATURE(false, vulkan11, storageBuffer16BitAccess),
    AUREOLE_FEATURE(false, vulkan12, storageBuffer8BitAccess),
    AUREOLE_FEATURE(false, vulkan12, shaderInt8),
    AUREOLE_FEATURE(false, vulkan12, shaderFloat16),
    AUREOLE_FEATURE(false, vulkan12, shaderBufferInt64Atomics),
    AUREOLE_FEATURE(false, vulkan12, shaderSharedInt64Atomics),
    AUREOLE_FEATURE(false, vulkan12, shaderSubgroupExtendedTypes),
};

#undef AUREOLE_FEATURE

} // namespace

FeatureChain::FeatureChain() {
    core.pNext = &vulkan11;
    vulkan11.pNext = &vulkan12;
    vulkan12.pNext = &vulkan13;
}

std::string chooseFeatures(const Instance& instance, VkPhysicalDevice device, FeatureChain& enabled) {
    FeatureChain present;
    instance.vk().vkGetPhysicalDeviceFeatures2(device, &present.core);
    std::string missing;
    for (const Feature& feature : kFeatures) {
        feature.in(enabled) = feature.in(present);
        if (feature.needed && feature.in(present) == VK_FALSE) {
            missing += (missing.empty() ? "" : ", ") + std::string(feature.name);
        }
    }
    return missing;
}

} // namespace aureole::gpu
