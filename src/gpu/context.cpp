#include "gpu/context.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "core/error.h"
#include "core/trace.h"
#include "gpu/features.h"
#include "gpu/pipeline_cache.h"

namespace aureole::gpu {

namespace {

/// The extensions that a device is made with, and the features that belong to them.
struct ChosenExtensions {
    std::vector<const char*> names;
    VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR kernelFigures =
        structure<VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR>(
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR);
    VkPhysicalDeviceAccelerationStructureFeaturesKHR hierarchies =
        structure<VkPhysicalDeviceAccelerationStructureFeaturesKHR>(
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR);
    VkPhysicalDeviceRayTracingPipelineFeaturesKHR rayPipelines =
        structure<VkPhysicalDeviceRayTracingPipelineFeaturesKHR>(
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR);

    void addMemoryBudget() { names.push_back(VK_EXT_MEMORY_BUDGET_EXTENSION_NAME); }

    /// These two put their features at the end of the chain, which then points into this object.
    void addKernelFigures(FeatureChain& features) {
        names.push_back(VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME);
        kernelFigures.pipelineExecutableInfo = VK_TRUE;
        kernelFigures.pNext = std::exchange(features.vulkan13.pNext, &kernelFigures);
    }

    void addRayTracing(FeatureChain& features) {
        names.insert(names.end(), kRayTracingExtensions.begin(), kRayTracingExtensions.end());
        hierarchies.accelerationStructure = VK_TRUE;
        rayPipelines.rayTracingPipeline = VK_TRUE;
        hierarchies.pNext = &rayPipelines;
        rayPipelines.pNext = std::exchange(features.vulkan13.pNext, &hierarchies);
    }
};

} // namespace

Context::Context(std::unique_ptr<Instance> instance, PhysicalDevice physical, bool bounds, bool figures, bool rays)
    : instance_(std::move(instance))
    , physical_(std::move(physical))
    , keepsFigures_(figures)
    , driverTells_(figures && physical_.kernelFigures)
    , tracesRays_(rays && physical_.info.hasRayTracing) {
    try {
        createDevice();
        if (tracing()) {
            commandTimes_ = std::make_unique<Timeline>(physical_.nanosecondsPerTick, physical_.timestampMask);
        }
        if (bounds) {
            bounds_ = memoryChecks()(*this);
        }
    } catch (...) {
        destroy();
        throw;
    }
}

Context::~Context() {
    destroy();
}

void Context::createDevice() {
    const TraceSpan span("logical device");
    const InstanceFunctions& vk = instance_->vk();
    auto memory = structure<VkPhysicalDeviceMemoryProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2);
    vk.vkGetPhysicalDeviceMemoryProperties2(physical_.handle, &memory);
    memory_ = memory.memoryProperties;

    FeatureChain features;
    chooseFeatures(*instance_, physical_.handle, features);
    const float priority = 1.0F;
    auto queue = structure<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
    queue.queueFamilyIndex = physical_.queueFamily;
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    ChosenExtensions extensions;
    if (physical_.memoryBudget) {
        extensions.addMemoryBudget();
    }
    if (driverTells_) {
        extensions.addKernelFigures(features);
    }
    if (tracesRays_) {
        extensions.addRayTracing(features);
    }
    auto info = structure<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
    info.pNext = &features.core;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
    info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.names.size());
    info.ppEnabledExtensionNames = extensions.names.data();
    check(vk.vkCreateDevice(physical_.handle, &info, nullptr, &device_), "vkCreateDevice", physical_.info.name);
    vk_ = loadDeviceFunctions(vk, device_);
    if (driverTells_) {
        figures_ = loadFigureFunctions(vk, device_);
    }
    vk_.vkGetDeviceQueue(device_, physical_.queueFamily, 0, &queue_);
    createTimeline();
    pipelineCache_ = loadPipelineCache(*this);
}

void Context::createTimeline() {
    auto timeline = structure<VkSemaphoreTypeCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
    timeline.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
    auto semaphore = structure<VkSemaphoreCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO);
    semaphore.pNext = &timeline;
    check(vk_.vkCreateSemaphore(device_, &semaphore, nullptr, &timeline_), "vkCreateSemaphore", physical_.info.name);
}

void Context::destroy() {
    if (device_ == VK_NULL_HANDLE) {
        return;
    }
    if (vk_.vkDestroyDevice == nullptr) {
        return; // the driver lacked a function, so that nothing can be called
    }
    const TraceSpan span("end device");
    bounds_.reset();
    for (const CommandSlot& slot : freeSlots_) {
        for (VkQueryPool pool : slot.queries) {
            vk_.vkDestroyQueryPool(device_, pool, nullptr);
        }
        vk_.vkDestroyCommandPool(device_, slot.pool, nullptr);
    }
    vk_.vkDestroyPipelineCache(device_, pipelineCache_, nullptr);
    vk_.vkDestroySemaphore(device_, timeline_, nullptr);
    vk_.vkDestroyDevice(device_, nullptr);
    device_ = VK_NULL_HANDLE;
}

void Context::noteKernel(VkPipeline pipeline, KernelFigures figures) {
    const auto locked = lock();
    if (driverTells_) {
        figures.fromDriver = readKernelFigures(figures_, device_, pipeline, figures.name);
    }
    kernels_.push_back(std::move(figures));
}

void Context::setName(VkObjectType type, std::uint64_t handle, const std::string& name) const {
    if (instance_->vk().vkSetDebugUtilsObjectNameEXT == nullptr) {
        return;
    }
    auto info = structure<VkDebugUtilsObjectNameInfoEXT>(VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT);
    info.objectType = type;
    info.objectHandle = handle;
    info.pObjectName = name.c_str();
    check(instance_->vk().vkSetDebugUtilsObjectNameEXT(device_, &info), "vkSetDebugUtilsObjectNameEXT", name);
}

CommandSlot Context::takeSlot() {
    CommandSlot slot;
    if (auto locked = lock(); !freeSlots_.empty()) {
        slot = std::move(freeSlots_.back());
        freeSlots_.pop_back();
        locked.unlock();
        check(vk_.vkResetCommandPool(device_, slot.pool, 0), "vkResetCommandPool", "commands");
        return slot;
    }
    auto pool = structure<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
    pool.flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT;
    pool.queueFamilyIndex = physical_.queueFamily;
    check(vk_.vkCreateCommandPool(device_, &pool, nullptr, &slot.pool), "vkCreateCommandPool", "commands");
    auto info = structure<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
    info.commandPool = slot.pool;
    info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    info.commandBufferCount = 1;
    const VkResult result = vk_.vkAllocateCommandBuffers(device_, &info, &slot.commands);
    if (result != VK_SUCCESS) {
        vk_.vkDestroyCommandPool(device_, slot.pool, nullptr);
        check(result, "vkAllocateCommandBuffers", "commands");
    }
    return slot;
}

void Context::returnSlot(CommandSlot slot) {
    const auto locked = lock();
    freeSlots_.push_back(std::move(slot));
}

std::uint64_t Context::submit(const CommandSlot& slot) {
    const auto locked = lock();
    auto commands = structure<VkCommandBufferSubmitInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO);
    commands.commandBuffer = slot.commands;
    auto signal = structure<VkSemaphoreSubmitInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO);
    signal.semaphore = timeline_;
    signal.value = submitted_ + 1;
    signal.stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    auto info = structure<VkSubmitInfo2>(VK_STRUCTURE_TYPE_SUBMIT_INFO_2);
    info.commandBufferInfoCount = 1;
    info.pCommandBufferInfos = &commands;
    info.signalSemaphoreInfoCount = 1;
    info.pSignalSemaphoreInfos = &signal;
    check(vk_.vkQueueSubmit2(queue_, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit2", physical_.info.name);
    return ++submitted_;
}

bool Context::reached(std::uint64_t value) const {
    std::uint64_t now = 0;
    check(vk_.vkGetSemaphoreCounterValue(device_, timeline_, &now), "vkGetSemaphoreCounterValue", physical_.info.name);
    return now >= value;
}

void Context::waitFor(std::uint64_t value) const {
    auto info = structure<VkSemaphoreWaitInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO);
    info.semaphoreCount = 1;
    info.pSemaphores = &timeline_;
    info.pValues = &value;
    check(vk_.vkWaitSemaphores(device_, &info, std::numeric_limits<std::uint64_t>::max()), "vkWaitSemaphores",
          physical_.info.name);
}

std::uint64_t Context::reachedValue() const {
    std::uint64_t now = 0;
    return vk_.vkGetSemaphoreCounterValue(device_, timeline_, &now) == VK_SUCCESS ? now : submitted_;
}

std::string Context::reportBounds() {
    const auto locked = lock();
    std::string reports = bounds_ ? bounds_->takeReports() : "";
    if (!reports.empty()) {
        instance_->countMessage(reports);
    }
    return reports;
}

void Context::checkBounds() {
    const std::string reports = reportBounds();
    if (!reports.empty()) {
        fail(ExitCode::Internal, "memory accesses out of bounds:\n{}", reports);
    }
}

void Context::adopt(Work work) {
    const auto locked = lock();
    adopted_.push_back(std::move(work));
    if (closed_) {
        drain();
    }
}

void Context::release(const Allocation& allocation) {
    const auto locked = lock();
    released_.push_back({submitted_, allocation});
    if (closed_) {
        drain();
    } else {
        retire();
    }
}

void Context::retire() {
    const auto locked = lock();
    if (!adopted_.empty() || !released_.empty()) {
        retireUpTo(reachedValue());
    }
}

void Context::retireUpTo(std::uint64_t now) {
    const auto buffers = std::partition(released_.begin(), released_.end(),
                                        [&](const ReleasedBuffer& released) { return released.value > now; });
    for (auto released = buffers; released != released_.end(); ++released) {
        if (bounds_) {
            bounds_->remove(released->allocation.address);
        }
        free(*this, released->allocation);
    }
    released_.erase(buffers, released_.end());

    const auto works =
        std::partition(adopted_.begin(), adopted_.end(), [&](const Work& work) { return work.value > now; });
    // What the work kept may release buffers when it goes, so the lists are settled first.
    const std::vector<Work> ended(std::make_move_iterator(works), std::make_move_iterator(adopted_.end()));
    adopted_.erase(works, adopted_.end());
    for (const Work& work : ended) {
        returnSlot(work.slot);
    }
}

bool Context::drain() {
    const auto locked = lock();
    retire();
    if (adopted_.empty() && released_.empty()) {
        return false;
    }
    vk_.vkDeviceWaitIdle(device_); // fails where the device is lost, and then nothing runs any more either
    while (!adopted_.empty() || !released_.empty()) {
        retireUpTo(submitted_); // again for the buffers that only the work kept
    }
    return true;
}

void Context::close() {
    const auto locked = lock();
    closed_ = true;
    vk_.vkDeviceWaitIdle(device_);
    reportBounds();
    drain();
    if (commandTimes_) {
        commandTimes_->tell(fmt::format("device {}: {}", physical_.info.index, physical_.info.name));
    }
    savePipelineCache(*this);
}

} // namespace aureole::gpu
