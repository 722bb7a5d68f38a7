// A Vulkan layer that makes devices fail, so that tests of the program need no hook in it.
//
//   AUREOLE_TEST_FAULT=lost:D:N      the N-th submission (from 0) to the D-th device that the process opens, and all
//                                    that follows, returns VK_ERROR_DEVICE_LOST
//   AUREOLE_TEST_FAULT=memory:D:N    so does its N-th allocation, and those after it, with
//                                    VK_ERROR_OUT_OF_DEVICE_MEMORY
//   AUREOLE_TEST_FAULT_AFTER=FILE    counting starts when FILE is there
//
// Several faults are separated by commas. The loader finds the layer by VK_ADD_LAYER_PATH and VK_INSTANCE_LAYERS.
// See the loader's "Architecture of the Vulkan Loader Interfaces", layers.

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
    unsigned from = 0; ///< the first call that fails
};

struct DeviceState {
    VkDevice handle = VK_NULL_HANDLE;
    unsigned number = 0; ///< in the order of opening
    PFN_vkGetDeviceProcAddr next = nullptr;
    unsigned submissions = 0;
    unsigned allocations = 0;
    bool lost = false;
};

std::mutex mutex;
std::map<void*, PFN_vkGetInstanceProcAddr> instances; ///< by the loader's dispatch table, as are devices and queues
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

/// Whether a call of that kind fails, of which the device has had `calls`; counts it.
bool fails(const DeviceState& device, const std::string& kind, unsigned& calls) {
    const char* after = std::getenv("AUREOLE_TEST_FAULT_AFTER");
    if (after != nullptr && ::access(after, F_OK) != 0) {
        return false;
    }
    const unsigned call = calls++;
    const char* faults = std::getenv("AUREOLE_TEST_FAULT");
    std::istringstream list(faults != nullptr ? faults : "");
    for (std::string text; std::getline(list, text, ',');) {
        std::istringstream words(text);
        Fault fault;
        char colon = ':';
        std::getline(words, fault.kind, ':');
        words >> fault.device >> colon >> fault.from;
        if (fault.kind == kind && fault.device == device.number && call >= fault.from) {
            return true;
        }
    }
    return false;
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
    return fails(device, "memory", device.allocations)
               ? VK_ERROR_OUT_OF_DEVICE_MEMORY
               : nextOf<PFN_vkAllocateMemory>(device, "vkAllocateMemory")(handle, info, allocator, memory);
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
        instances[tableOf(*instance)] = next;
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
    return instances.at(tableOf(instance))(instance, name);
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
        {"vkAllocateMemory", reinterpret_cast<PFN_vkVoidFunction>(allocateMemory)}};
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
