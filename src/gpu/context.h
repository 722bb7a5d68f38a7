#pragma once

// The logical device with its queue: what buffers, pipelines, encoders and submissions share and keep alive.
// Internal to the module.

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_set>
#include <vector>

#include "gpu/allocation.h"
#include "gpu/instance.h"
#include "gpu/kernel_figures.h"
#include "gpu/memory_checks.h"
#include "gpu/physical_device.h"
#include "gpu/timeline.h"

namespace aureole::gpu {

/// A command buffer with its pool and the query pools of its timestamps, used again once its commands have run.
struct CommandSlot {
    VkCommandPool pool = VK_NULL_HANDLE;
    VkCommandBuffer commands = VK_NULL_HANDLE;
    std::vector<VkQueryPool> queries; ///< kQueriesPerPool each
};

inline constexpr std::uint32_t kQueriesPerPool = 64;

/// What recorded commands use, kept alive until they have run.
using KeptResources = std::unordered_set<std::shared_ptr<const void>>;

/// Commands under way.
struct Work {
    std::uint64_t value = 0; ///< the timeline semaphore reaches it when the commands have run
    CommandSlot slot;
    KeptResources kept;
};

/// A buffer that its owner let go while commands may still have been using it.
struct ReleasedBuffer {
    std::uint64_t value = 0; ///< the timeline semaphore reaches it when they have run
    Allocation allocation;
};

/// Threads may call it at the same time.
class Context {
public:
    /// `bounds` has every memory access of shaders checked, in a program that has such checks (memory_checks.h);
    /// `figures` has figures of kernels kept; `rays` has what ray_tracer.h takes enabled where the device has it.
    Context(std::unique_ptr<Instance> instance, PhysicalDevice physical, bool bounds, bool figures = false,
            bool rays = false);
    ~Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;
    Context(Context&&) = delete;
    Context& operator=(Context&&) = delete;

    const DeviceFunctions& vk() const { return vk_; }
    VkDevice device() const { return device_; }
    const PhysicalDevice& physical() const { return physical_; }
    const Instance& instance() const { return *instance_; }
    VkPipelineCache pipelineCache() const { return pipelineCache_; }
    const VkPhysicalDeviceMemoryProperties& memory() const { return memory_; }
    /// Null where accesses are not checked. It is used under lock().
    MemoryChecks* bounds() const { return bounds_.get(); }
    [[nodiscard]] std::unique_lock<std::recursive_mutex> lock() const { return std::unique_lock(mutex_); }
    /// Null where no timeline of the run is recorded. It is used under lock().
    Timeline* timeline() const { return commandTimes_.get(); }
    /// Whether figures of kernels are kept, and whether the driver adds to them.
    bool keepsFigures() const { return keepsFigures_; }
    bool driverTells() const { return driverTells_; }
    const std::vector<KernelFigures>& kernels() const { return kernels_; }
    /// Whether buffers may be what hierarchies are built of and lie in.
    bool tracesRays() const { return tracesRays_; }
    /// Keeps the figures of a new pipeline, to which those of the driver come.
    void noteKernel(VkPipeline pipeline, KernelFigures figures);

    /// Gives an object a name in messages and tools, where the instance can.
    void setName(VkObjectType type, std::uint64_t handle, const std::string& name) const;

    /// A slot whose command buffer is ready to be begun.
    CommandSlot takeSlot();
    void returnSlot(CommandSlot slot);

    /// Submits the slot's commands. Returns the value that the timeline semaphore will reach.
    std::uint64_t submit(const CommandSlot& slot);
    bool reached(std::uint64_t value) const;
    /// Throws Error (NoDevice) where the device is lost.
    void waitFor(std::uint64_t value) const;

    /// Throws Error (Internal) where commands that have run reached memory that they must not reach; only where
    /// accesses are checked.
    void checkBounds();

    /// Takes over work that nobody waits for any more.
    void adopt(Work work);
    /// Destroys a buffer once the commands submitted so far have run: shaders reach buffers by address, so that nobody
    /// else knows which commands use it.
    void release(const Allocation& allocation);
    /// Lets go of adopted work that has ended, and of the buffers released before.
    void retire();
    /// Waits for all work and lets go of it. Returns whether that has freed buffers.
    bool drain();
    /// Waits for all work, and from now on lets adopted work end before it returns; saves the pipeline cache.
    /// Called when the Device goes.
    void close();

private:
    void createDevice();
    void createTimeline();
    /// Says what accesses outside of buffers were found, counting them with the validation layer's messages.
    std::string reportBounds();
    void destroy();
    void retireUpTo(std::uint64_t now);
    /// The value that the timeline semaphore has reached; all of them where the device is lost and runs nothing more.
    std::uint64_t reachedValue() const;

    std::unique_ptr<Instance> instance_;
    PhysicalDevice physical_;
    VkPhysicalDeviceMemoryProperties memory_{};
    VkDevice device_ = VK_NULL_HANDLE;
    DeviceFunctions vk_;
    VkQueue queue_ = VK_NULL_HANDLE;
    VkSemaphore timeline_ = VK_NULL_HANDLE;
    VkPipelineCache pipelineCache_ = VK_NULL_HANDLE;
    /// Of all that changes. What retire() lets go of may release buffers itself.
    mutable std::recursive_mutex mutex_;
    std::uint64_t submitted_ = 0;
    std::vector<CommandSlot> freeSlots_;
    std::vector<Work> adopted_;
    std::vector<ReleasedBuffer> released_;
    std::unique_ptr<MemoryChecks> bounds_;
    std::unique_ptr<Timeline> commandTimes_;
    bool keepsFigures_ = false;
    bool driverTells_ = false;
    bool tracesRays_ = false;
    FigureFunctions figures_;
    std::vector<KernelFigures> kernels_;
    bool closed_ = false;
};

} // namespace aureole::gpu
