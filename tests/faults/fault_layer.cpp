// A Vulkan layer that makes devices fail, so that tests of the program need no hook in it.
//
//   AUREOLE_TEST_FAULT=lost:D:N      the N-th submission (from 0) to the D-th device that the process opens, and all
//                                    that follows, returns VK_ERROR_DEVICE_LOST
//   AUREOLE_TEST_FAULT=memory:D:N    so does its N-th allocation, and those after it, with
//                                    VK_ERROR_OUT_OF_DEVICE_MEMORY
//   AUREOLE_TEST_FAULT=heap:D:N      it has no more than N MiB of memory, and tells so: allocations beyond return
//                                    that too
//   AUREOLE_TEST_FAULT=gpu:0:0       no fault: all devices say that they are GPUs, as software devices are treated
//                                    otherwise in places
//   AUREOLE_TEST_FAULT_AFTER=FILE    counting starts when FILE is there
//
// Several faults are separated by commas. The loader finds the layer by VK_ADD_LAYER_PATH and VK_INSTANCE_LAYERS.
// See the loader's "Architecture of the Vulkan Loader Interfaces", layers.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

#include <unistd.h>

#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

namespace {

struct Fault {
    std::string kind;
    unsigned device = 0;
    unsigned number = 0; ///< of the first call that fails, or of the mebibytes that there are
};

struct DeviceState {
    VkDevice handle = VK_NULL_HANDLE;
    unsigned number = 0; ///< in the order of opening
    PFN_vkGetDeviceProcAddr next = nullptr;
    unsigned submissions = 0;
    unsigned allocations = 0;
    std::map<VkDeviceMemory, VkDeviceSize> allocated{};
    bool lost = false;
};

std::mutex mutex;
struct InstanceState {
    PFN_vkGetInstanceProcAddr next = nullptr;
    PFN_vkGetPhysicalDeviceMemoryProperties2 memory = nullptr;
    PFN_vkGetPhysicalDeviceProperties properties = nullptr;
};
std::map<void*, InstanceState> instances; ///< by the loader's dispatch table, as are devices and queues
std::map<void*, DeviceState> devices;
unsigned opened = 0;

template <typename Handle>
void* tableOf(Handle handle) {
    void* table = nullptr;
    std::memcpy(&table, reinterpret_cast<const void*>(handle), sizeof(table));
    return table;
}

template <typename Handle>
DeviceState& stateOf(Handle handle) {
    const std::lock_guard lock(mutex);
    return devices.at(tableOf(handle));
}

template <typename Function>
Function nextOf(const DeviceState& device, const char* name) {
    return reinterpret_cast<Function>(device.next(device.handle, name));
}

/// The faults of that kind that a device is to have now.
std::vector<Fault> faultsOf(unsigned device, const std::string& kind) {
    std::vector<Fault> found;
    const char* after = std::getenv("AUREOLE_TEST_FAULT_AFTER");
    const char* faults = std::getenv("AUREOLE_TEST_FAULT");
    const bool waits = after != nullptr && ::access(after, F_OK) != 0;
    std::istringstream list(faults != nullptr && !waits ? faults : "");
    for (std::string text; std::getline(list, text, ',');) {
        std::istringstream words(text);
        Fault fault;
        char colon = ':';
        std::getline(words, fault.kind, ':');
        words >> fault.device >> colon >> fault.number;
        if (fault.kind == kind && fault.device == device) {
            found.push_back(fault);
        }
    }
    return found;
}

/// Whether a call of that kind fails, of which the device has had `calls`; counts it.
bool fails(const DeviceState& device, const std::string& kind, unsigned& calls) {
    const std::vector<Fault> faults = faultsOf(device.number, kind);
    if (faults.empty()) {
        return false;
    }
    const unsigned call = calls++;
    return std::any_of(faults.begin(), faults.end(), [&](const Fault& fault) { return call >= fault.number; });
}

/// The bytes of memory that a device is to have.
VkDeviceSize heapBytes(unsigned device) {
    VkDeviceSize bytes = ~VkDeviceSize{0};
    for (const Fault& fault : faultsOf(device, "heap")) {
        bytes = std::min(bytes, VkDeviceSize{fault.number} << 20U);
    }
    return bytes;
}

VkDeviceSize allocatedBytes(const DeviceState& device) {
    VkDeviceSize bytes = 0;
    for (const auto& [memory, size] : device.allocated) {
        bytes += size;
    }
    return bytes;
}

VKAPI_ATTR VkResult VKAPI_CALL queueSubmit2(VkQueue queue, std::uint32_t count, const VkSubmitInfo2* infos,
                                            VkFence fence) {
    DeviceState& device = stateOf(queue);
    if (!device.lost && fails(device, "lost", device.submissions)) {
        // Nothing runs on a lost device, and what it used may be destroyed.
        nextOf<PFN_vkDeviceWaitIdle>(device, "vkDeviceWaitIdle")(device.handle);
        device.lost = true;
    }
    return device.lost ? VK_ERROR_DEVICE_LOST
                       : nextOf<PFN_vkQueueSubmit2>(device, "vkQueueSubmit2")(queue, count, infos, fence);
}

VKAPI_ATTR VkResult VKAPI_CALL waitSemaphores(VkDevice handle, const VkSemaphoreWaitInfo* info, std::uint64_t timeout) {
    const DeviceState& device = stateOf(handle);
    return device.lost ? VK_ERROR_DEVICE_LOST
                       : nextOf<PFN_vkWaitSemaphores>(device, "vkWaitSemaphores")(handle, info, timeout);
}

VKAPI_ATTR VkResult VKAPI_CALL getSemaphoreCounterValue(VkDevice handle, VkSemaphore semaphore, std::uint64_t* value) {
    const DeviceState& device = stateOf(handle);
    return device.lost
               ? VK_ERROR_DEVICE_LOST
               : nextOf<PFN_vkGetSemaphoreCounterValue>(device, "vkGetSemaphoreCounterValue")(handle, semaphore, value);
}

VKAPI_ATTR VkResult VKAPI_CALL deviceWaitIdle(VkDevice handle) {
    const DeviceState& device = stateOf(handle);
    const VkResult result = nextOf<PFN_vkDeviceWaitIdle>(device, "vkDeviceWaitIdle")(handle);
    return device.lost ? VK_ERROR_DEVICE_LOST : result;
}

VKAPI_ATTR VkResult VKAPI_CALL allocateMemory(VkDevice handle, const VkMemoryAllocateInfo* info,
                                              const VkAllocationCallbacks* allocator, VkDeviceMemory* memory) {
    DeviceState& device = stateOf(handle);
    const std::lock_guard lock(mutex);
    if (fails(device, "memory", device.allocations) ||
        allocatedBytes(device) + info->allocationSize > heapBytes(device.number)) {
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    }
    const VkResult result = nextOf<PFN_vkAllocateMemory>(device, "vkAllocateMemory")(handle, info, allocator, memory);
    if (result == VK_SUCCESS) {
        device.allocated[*memory] = info->allocationSize;
    }
    return result;
}

VKAPI_ATTR void VKAPI_CALL freeMemory(VkDevice handle, VkDeviceMemory memory, const VkAllocationCallbacks* allocator) {
    DeviceState& device = stateOf(handle);
    const std::lock_guard lock(mutex);
    device.allocated.erase(memory);
    nextOf<PFN_vkFreeMemory>(device, "vkFreeMemory")(handle, memory, allocator);
}

/// Of all devices, that the first one's memory is short.
VKAPI_ATTR void VKAPI_CALL getMemoryProperties(VkPhysicalDevice physical, VkPhysicalDeviceMemoryProperties2* memory) {
    const std::lock_guard lock(mutex);
    instances.at(tableOf(physical)).memory(physical, memory);
    VkDeviceSize used = 0;
    for (const auto& [table, device] : devices) {
        used += device.number == 0 ? allocatedBytes(device) : 0;
    }
    auto* budget = static_cast<VkPhysicalDeviceMemoryBudgetPropertiesEXT*>(memory->pNext);
    while (budget != nullptr && budget->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT) {
        budget = static_cast<VkPhysicalDeviceMemoryBudgetPropertiesEXT*>(budget->pNext);
    }
    for (std::uint32_t i = 0; heapBytes(0) != ~VkDeviceSize{0} && i < memory->memoryProperties.memoryHeapCount; ++i) {
        VkDeviceSize& size = memory->memoryProperties.memoryHeaps[i].size;
        size = std::min(size, heapBytes(0));
        if (budget != nullptr) {
            budget->heapBudget[i] = size;
            budget->heapUsage[i] = used;
        }
    }
}

VKAPI_ATTR void VKAPI_CALL getProperties(VkPhysicalDevice physical, VkPhysicalDeviceProperties* properties) {
    const std::lock_guard lock(mutex);
    instances.at(tableOf(physical)).properties(physical, properties);
    if (!faultsOf(0, "gpu").empty()) {
        properties->deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
    }
}

/// The loader's link to the next layer or the driver, among the extensions of a create info.
template <typename Link, typename Info>
Link* linkOf(const Info* info, VkStructureType type) {
    auto* link = reinterpret_cast<Link*>(const_cast<void*>(info->pNext));
    while (link != nullptr && (link->sType != type || link->function != VK_LAYER_LINK_INFO)) {
        link = reinterpret_cast<Link*>(const_cast<void*>(link->pNext));
    }
    return link;
}

VKAPI_ATTR VkResult VKAPI_CALL createInstance(const VkInstanceCreateInfo* info, const VkAllocationCallbacks* allocator,
                                              VkInstance* instance) {
    auto* link = linkOf<VkLayerInstanceCreateInfo>(info, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
    const PFN_vkGetInstanceProcAddr next = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    const auto create = reinterpret_cast<PFN_vkCreateInstance>(next(nullptr, "vkCreateInstance"));
    const VkResult result = create(info, allocator, instance);
    if (result == VK_SUCCESS) {
        const std::lock_guard lock(mutex);
        // Asked for later, the loader would name this layer's own.
        const auto memory = reinterpret_cast<PFN_vkGetPhysicalDeviceMemoryProperties2>(
            next(*instance, "vkGetPhysicalDeviceMemoryProperties2"));
        const auto properties =
            reinterpret_cast<PFN_vkGetPhysicalDeviceProperties>(next(*instance, "vkGetPhysicalDeviceProperties"));
        instances[tableOf(*instance)] = {next, memory, properties};
    }
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL createDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo* info,
                                            const VkAllocationCallbacks* allocator, VkDevice* handle) {
    auto* link = linkOf<VkLayerDeviceCreateInfo>(info, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
    const VkLayerDeviceLink next = *link->u.pLayerInfo;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    const auto create =
        reinterpret_cast<PFN_vkCreateDevice>(next.pfnNextGetInstanceProcAddr(nullptr, "vkCreateDevice"));
    const VkResult result = create(physical, info, allocator, handle);
    if (result == VK_SUCCESS) {
        const std::lock_guard lock(mutex);
        devices[tableOf(*handle)] = {*handle, opened++, next.pfnNextGetDeviceProcAddr};
    }
    return result;
}

PFN_vkVoidFunction ownFunction(const char* name);

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL getDeviceProcAddr(VkDevice handle, const char* name) {
    const PFN_vkVoidFunction own = ownFunction(name);
    return own != nullptr ? own : stateOf(handle).next(handle, name);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL getInstanceProcAddr(VkInstance instance, const char* name) {
    const PFN_vkVoidFunction own = ownFunction(name);
    if (own != nullptr || instance == VK_NULL_HANDLE) {
        return own;
    }
    const std::lock_guard lock(mutex);
    return instances.at(tableOf(instance)).next(instance, name);
}

PFN_vkVoidFunction ownFunction(const char* name) {
    static const std::map<std::string, PFN_vkVoidFunction> functions = {
        {"vkGetInstanceProcAddr", reinterpret_cast<PFN_vkVoidFunction>(getInstanceProcAddr)},
        {"vkGetDeviceProcAddr", reinterpret_cast<PFN_vkVoidFunction>(getDeviceProcAddr)},
        {"vkCreateInstance", reinterpret_cast<PFN_vkVoidFunction>(createInstance)},
        {"vkCreateDevice", reinterpret_cast<PFN_vkVoidFunction>(createDevice)},
        {"vkQueueSubmit2", reinterpret_cast<PFN_vkVoidFunction>(queueSubmit2)},
        {"vkWaitSemaphores", reinterpret_cast<PFN_vkVoidFunction>(waitSemaphores)},
        {"vkGetSemaphoreCounterValue", reinterpret_cast<PFN_vkVoidFunction>(getSemaphoreCounterValue)},
        {"vkDeviceWaitIdle", reinterpret_cast<PFN_vkVoidFunction>(deviceWaitIdle)},
        {"vkAllocateMemory", reinterpret_cast<PFN_vkVoidFunction>(allocateMemory)},
        {"vkFreeMemory", reinterpret_cast<PFN_vkVoidFunction>(freeMemory)},
        {"vkGetPhysicalDeviceMemoryProperties2", reinterpret_cast<PFN_vkVoidFunction>(getMemoryProperties)},
        {"vkGetPhysicalDeviceProperties", reinterpret_cast<PFN_vkVoidFunction>(getProperties)}};
    const auto found = functions.find(name);
    return found == functions.end() ? nullptr : found->second;
}

} // namespace

extern "C" VK_LAYER_EXPORT VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* pVersionStruct) {
    pVersionStruct->loaderLayerInterfaceVersion = 2;
    pVersionStruct->pfnGetInstanceProcAddr = getInstanceProcAddr;
    pVersionStruct->pfnGetDeviceProcAddr = getDeviceProcAddr;
    pVersionStruct->pfnGetPhysicalDeviceProcAddr = nullptr;
    return VK_SUCCESS;
}
