#include "gpu/physical_device.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "core/error.h"
#include "core/trace.h"
#include "gpu/features.h"

namespace aureole::gpu {

namespace {

constexpr std::uint32_t kMaxPushConstantBytes = 128; // what every device has, and so what aureole uses

std::string hexadecimal(const std::uint8_t* bytes, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
        text += fmt::format("{:02x}", bytes[i]);
    }
    return text;
}

std::string versionText(std::uint32_t version) {
    return fmt::format("{}.{}.{}", VK_API_VERSION_MAJOR(version), VK_API_VERSION_MINOR(version),
                       VK_API_VERSION_PATCH(version));
}

std::vector<VkExtensionProperties> listExtensions(const Instance& instance, VkPhysicalDevice device) {
    std::uint32_t count = 0;
    check(instance.vk().vkEnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr),
          "vkEnumerateDeviceExtensionProperties", "Vulkan");
    std::vector<VkExtensionProperties> extensions(count);
    check(instance.vk().vkEnumerateDeviceExtensionProperties(device, nullptr, &count, extensions.data()),
          "vkEnumerateDeviceExtensionProperties", "Vulkan");
    return extensions;
}

bool hasExtension(const std::vector<VkExtensionProperties>& extensions, const char* name) {
    return std::any_of(extensions.begin(), extensions.end(), [&](const VkExtensionProperties& extension) {
        return std::strcmp(extension.extensionName, name) == 0;
    });
}

/// Adds to the list of what a device lacks.
void lack(DeviceInfo& info, const std::string& what) {
    info.unusable += (info.unusable.empty() ? "lacks " : ", ") + what;
}

void readMultiprocessors(const Instance& instance, VkPhysicalDevice device,
                         const std::vector<VkExtensionProperties>& extensions, DeviceInfo& info) {
    auto properties = structure<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
    auto nvidia = structure<VkPhysicalDeviceShaderSMBuiltinsPropertiesNV>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SM_BUILTINS_PROPERTIES_NV);
    auto amd = structure<VkPhysicalDeviceShaderCorePropertiesAMD>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_PROPERTIES_AMD);
    if (hasExtension(extensions, VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME)) {
        properties.pNext = &nvidia;
    } else if (hasExtension(extensions, VK_AMD_SHADER_CORE_PROPERTIES_EXTENSION_NAME)) {
        properties.pNext = &amd;
    } else {
        return;
    }
    instance.vk().vkGetPhysicalDeviceProperties2(device, &properties);
    info.multiprocessors =
        nvidia.shaderSMCount + amd.shaderEngineCount * amd.shaderArraysPerEngineCount * amd.computeUnitsPerShaderArray;
    info.subgroupsPerMultiprocessor = nvidia.shaderWarpsPerSM;
}

/// A family with compute and timestamps; one without graphics where there is such, so that a desktop stays smooth.
void chooseQueueFamily(const Instance& instance, PhysicalDevice& device) {
    std::uint32_t count = 0;
    instance.vk().vkGetPhysicalDeviceQueueFamilyProperties(device.handle, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    instance.vk().vkGetPhysicalDeviceQueueFamilyProperties(device.handle, &count, families.data());
    bool found = false;
    for (std::uint32_t i = 0; i < count; ++i) {
        const VkQueueFamilyProperties& family = families[i];
        const bool graphics = (family.queueFlags & VK_QUEUE_GRAPHICS_BIT) != 0;
        if ((family.queueFlags & VK_QUEUE_COMPUTE_BIT) == 0 || family.timestampValidBits == 0 || (found && graphics)) {
            continue;
        }
        found = true;
        device.queueFamily = i;
        device.timestampMask = family.timestampValidBits >= 64 ? ~0ULL : (1ULL << family.timestampValidBits) - 1;
        if (!graphics) {
            return;
        }
    }
    if (!found) {
        lack(device.info, "a compute queue with timestamps");
    }
}

void readMemory(const Instance& instance, PhysicalDevice& device) {
    auto memory = structure<VkPhysicalDeviceMemoryProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2);
    instance.vk().vkGetPhysicalDeviceMemoryProperties2(device.handle, &memory);
    for (std::uint32_t i = 0; i < memory.memoryProperties.memoryHeapCount; ++i) {
        const VkMemoryHeap& heap = memory.memoryProperties.memoryHeaps[i];
        if ((heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0) {
            device.info.memoryBytes = std::max<std::uint64_t>(device.info.memoryBytes, heap.size);
        }
    }
}

void checkSubgroups(const VkPhysicalDeviceVulkan11Properties& properties, DeviceInfo& info) {
    struct Operation {
        VkSubgroupFeatureFlagBits bit;
        const char* name;
    };
    constexpr Operation kNeeded[] = {{VK_SUBGROUP_FEATURE_BASIC_BIT, "basic"},
                                     {VK_SUBGROUP_FEATURE_VOTE_BIT, "vote"},
                                     {VK_SUBGROUP_FEATURE_ARITHMETIC_BIT, "arithmetic"},
                                     {VK_SUBGROUP_FEATURE_BALLOT_BIT, "ballot"},
                                     {VK_SUBGROUP_FEATURE_SHUFFLE_BIT, "shuffle"},
                                     {VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT, "relative shuffle"}};
    const bool inCompute = (properties.subgroupSupportedStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0;
    for (const Operation& operation : kNeeded) {
        if (!inCompute || (properties.subgroupSupportedOperations & operation.bit) == 0) {
            lack(info, fmt::format("subgroup operations ({})", operation.name));
        }
    }
}

void readProperties(const Instance& instance, PhysicalDevice& device) {
    auto properties = structure<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
    auto vulkan11 =
        structure<VkPhysicalDeviceVulkan11Properties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES);
    auto vulkan12 =
        structure<VkPhysicalDeviceVulkan12Properties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES);
    auto vulkan13 =
        structure<VkPhysicalDeviceVulkan13Properties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES);
    properties.pNext = &vulkan11;
    vulkan11.pNext = &vulkan12;
    vulkan12.pNext = &vulkan13;
    instance.vk().vkGetPhysicalDeviceProperties2(device.handle, &properties);

    const VkPhysicalDeviceLimits& limits = properties.properties.limits;
    device.nanosecondsPerTick = static_cast<double>(limits.timestampPeriod);
    device.maxBufferBytes = vulkan13.maxBufferSize;
    device.maxMemoryBytes = vulkan11.maxMemoryAllocationSize;
    device.maxPushConstantBytes = std::min(limits.maxPushConstantsSize, kMaxPushConstantBytes);
    std::copy_n(limits.maxComputeWorkGroupCount, 3, device.maxGroups);
    device.subgroupSizeSelectable = (vulkan13.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0;

    DeviceInfo& info = device.info;
    info.uuid = hexadecimal(vulkan11.deviceUUID, VK_UUID_SIZE);
    info.driver = fmt::format("{} {}", vulkan12.driverName, vulkan12.driverInfo);
    info.maxAllocationBytes = std::min(device.maxBufferBytes, device.maxMemoryBytes);
    info.subgroupSize = vulkan11.subgroupSize;
    info.minSubgroupSize = vulkan13.minSubgroupSize;
    info.maxSubgroupSize = vulkan13.maxSubgroupSize;
    info.workgroupMemoryBytes = limits.maxComputeSharedMemorySize;
    info.maxWorkgroupInvocations = std::min(limits.maxComputeWorkGroupInvocations, limits.maxComputeWorkGroupSize[0]);
    checkSubgroups(vulkan11, info);
}

PhysicalDevice describe(const Instance& instance, VkPhysicalDevice handle, std::uint32_t index) {
    PhysicalDevice device;
    device.handle = handle;
    VkPhysicalDeviceProperties properties;
    instance.vk().vkGetPhysicalDeviceProperties(handle, &properties);
    device.info.index = index;
    device.info.name = properties.deviceName;
    device.info.apiVersion = versionText(properties.apiVersion);
    device.info.isCpu = properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    device.info.isDiscrete = properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
    readMemory(instance, device);
    if (properties.apiVersion < VK_API_VERSION_1_3) {
        lack(device.info, "Vulkan 1.3");
        return device; // the structures of 1.3 must not be asked for
    }
    readProperties(instance, device);
    chooseQueueFamily(instance, device);
    FeatureChain features;
    if (const std::string missing = chooseFeatures(instance, handle, features); !missing.empty()) {
        lack(device.info, missing);
    }
    device.info.hasFloat64 = features.core.features.shaderFloat64 == VK_TRUE;
    const std::vector<VkExtensionProperties> extensions = listExtensions(instance, handle);
    device.memoryBudget = hasExtension(extensions, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
    device.kernelFigures = hasExtension(extensions, VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME);
    // Their features come with the extensions.
    device.info.hasRayTracing = std::all_of(kRayTracingExtensions.begin(), kRayTracingExtensions.end(),
                                            [&](const char* name) { return hasExtension(extensions, name); });
    readMultiprocessors(instance, handle, extensions, device.info);
    return device;
}

} // namespace

std::vector<PhysicalDevice> listPhysicalDevices(const Instance& instance) {
    const TraceSpan span("list devices");
    std::uint32_t count = 0;
    const VkResult result = instance.vk().vkEnumeratePhysicalDevices(instance.handle(), &count, nullptr);
    if (result == VK_ERROR_INITIALIZATION_FAILED) {
        return {}; // what loaders say where no driver finds a device
    }
    check(result, "vkEnumeratePhysicalDevices", "Vulkan");
    std::vector<VkPhysicalDevice> handles(count);
    check(instance.vk().vkEnumeratePhysicalDevices(instance.handle(), &count, handles.data()),
          "vkEnumeratePhysicalDevices", "Vulkan");
    std::vector<PhysicalDevice> devices;
    devices.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        devices.push_back(describe(instance, handles[i], i));
    }
    return devices;
}

std::vector<DeviceInfo> listDevices() {
    const Instance instance({});
    std::vector<DeviceInfo> infos;
    for (PhysicalDevice& device : listPhysicalDevices(instance)) {
        infos.push_back(std::move(device.info));
    }
    return infos;
}

} // namespace aureole::gpu
