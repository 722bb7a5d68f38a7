#pragma once

// Vulkan 1.3 compute without descriptors: shaders get 64-bit buffer addresses through push constants.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "gpu/shader.h"

namespace aureole::gpu {

/// What a machine's Vulkan device is.
struct DeviceInfo {
    std::uint32_t index = 0; ///< in Vulkan's order
    std::string name;
    std::string uuid; ///< 32 hexadecimal digits
    std::string driver;
    std::string apiVersion;
    bool isCpu = false;                   ///< a software device, such as lavapipe
    bool isDiscrete = false;              ///< a graphics card of its own
    std::uint64_t memoryBytes = 0;        ///< of the largest device-local heap
    std::uint64_t maxAllocationBytes = 0; ///< of one allocation
    std::uint32_t subgroupSize = 0;       ///< what the driver takes by itself
    std::uint32_t minSubgroupSize = 0;    ///< what a pipeline can require: powers of two from here
    std::uint32_t maxSubgroupSize = 0;    ///< up to here
    std::uint32_t workgroupMemoryBytes = 0;
    std::uint32_t maxWorkgroupInvocations = 0;
    std::uint32_t multiprocessors = 0; ///< where the driver tells (NVIDIA, AMD), else 0
    /// The most subgroups that a multiprocessor holds at a time, where the driver tells (NVIDIA), else 0.
    std::uint32_t subgroupsPerMultiprocessor = 0;
    bool hasFloat64 = false;    ///< shaders may compute in double
    bool hasRayTracing = false; ///< hierarchies and pipelines of its own for rays (ray_tracer.h)
    std::string unusable;       ///< why aureole cannot use it; empty where it can
};

/// Messages of the validation layer in this process so far, those about devices that are gone included. A program that
/// ran with validation and finds any here has failed.
std::uint64_t totalValidationMessages();

/// All devices, usable or not. Throws Error (NoDevice) where Vulkan itself is missing.
std::vector<DeviceInfo> listDevices();

struct DeviceRequest {
    std::string selector{}; ///< "", an index, "uuid:..." or a part of the name
    bool allowCpu = false;  ///< take a software device even where a hardware one is there
    /// Khronos validation layer, core and synchronization; messages are counted. The environment variable
    /// AUREOLE_VALIDATION=1 switches it on as well.
    bool validation = false;
    /// Has every memory access of shaders checked, in programs of tests (memory_checks.h): commands after which one was
    /// outside of its buffer, or of an array, end with Error (Internal). "bounds" in AUREOLE_VALIDATION does it too.
    bool bounds = false;
    /// Keeps figures of each kernel, what the driver tells of it among them where it does: Device::kernels().
    bool kernelFigures = false;
    /// Makes ready for ray_tracer.h, where the device has what that takes.
    bool rayTracing = false;
    /// So many pipelines stay with the device when their owners have gone, to be handed out again without compiling.
    std::size_t keptPipelines = 64;
};

/// Figures of a kernel by name.
struct KernelFigures {
    std::string name;                                       ///< of the pipeline
    std::uint32_t workgroup = 0;                            ///< its invocations
    std::vector<std::pair<std::string, double>> fromDriver; ///< such as "Register Count", under the driver's own names
    std::vector<std::pair<std::string, double>> fromOwner;  ///< PipelineOptions::figures
};

class Buffer;
class Pipeline;
class KeptPipelines;
class CommandEncoder;
class RayTracer;
class Image;
class ImageBinding;

/// Where a buffer's memory lies.
enum class MemoryKind {
    Device,   ///< fast for the device, not mapped
    Upload,   ///< mapped, written by the host
    Readback, ///< mapped, read by the host
};

/// A buffer with its memory; move-only owner. Addressed by the device through `address()`.
class Buffer {
public:
    Buffer() = default;
    Buffer(Buffer&&) noexcept = default;
    Buffer& operator=(Buffer&&) noexcept = default;
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer() = default;

    /// The device address of its first byte, a multiple of 16; 0 where the buffer was default-constructed.
    std::uint64_t address() const;
    std::uint64_t size() const;
    /// Host memory of an Upload or Readback buffer; empty for a Device buffer. What the host writes is seen by commands
    /// submitted afterwards; what commands write is seen by the host once they were waited for.
    std::span<std::byte> mapped() const;

private:
    friend class Device;
    friend class CommandEncoder;
    friend class RayTracer;
    struct State;
    std::shared_ptr<State> state_;
};

/// A specialization constant: 32 bits (int, uint, bool as 0 or 1).
struct Specialization {
    std::uint32_t id = 0;
    std::uint32_t value = 0;
};

struct PipelineOptions {
    std::string name{}; ///< for messages and timings
    Shader shader{};
    std::uint32_t pushConstantBytes = 0; ///< at most 128
    std::vector<Specialization> specialization{};
    std::uint32_t requiredSubgroupSize = 0;                ///< 0: the driver's choice; else full subgroups of this size
    bool images = false;                                   ///< set 0 is that of an ImageBinding (image.h)
    std::vector<std::pair<std::string, double>> figures{}; ///< that benchmarks tell beside the driver's, by name
};

/// A compute pipeline; move-only owner, of which those of the same options may share what the driver has compiled.
class Pipeline {
public:
    Pipeline() = default;
    Pipeline(Pipeline&&) noexcept = default;
    Pipeline& operator=(Pipeline&&) noexcept = default;
    Pipeline(const Pipeline&) = delete;
    Pipeline& operator=(const Pipeline&) = delete;
    ~Pipeline() = default;

private:
    friend class Device;
    friend class CommandEncoder;
    friend class KeptPipelines;
    friend class ImageBinding;
    struct State;
    std::shared_ptr<State> state_;
};

/// The device time of one pass.
struct PassTime {
    std::string name;
    double milliseconds = 0.0;
};

/// Records commands; made by Device::encoder(), consumed by Device::submit(). What submitted commands use stays alive
/// until they have run, whatever becomes of the owners. Until they are submitted, the buffers that shaders reach by
/// their address are the caller's to keep. Wrong arguments (ranges outside a buffer, a push constant of another size,
/// default-constructed objects) throw Error (Internal).
class CommandEncoder {
public:
    CommandEncoder(CommandEncoder&&) noexcept;
    CommandEncoder& operator=(CommandEncoder&&) noexcept;
    CommandEncoder(const CommandEncoder&) = delete;
    CommandEncoder& operator=(const CommandEncoder&) = delete;
    ~CommandEncoder();

    /// Dispatches groupsX x groupsY x groupsZ workgroups. `push` is a trivially copyable struct of push constants, of
    /// the size that the pipeline was made with.
    template <typename Push>
    requires std::is_trivially_copyable_v<Push>
    void dispatch(const Pipeline& pipeline, const Push& push, std::uint32_t groupsX, std::uint32_t groupsY = 1,
                  std::uint32_t groupsZ = 1) {
        dispatchBytes(pipeline, std::as_bytes(std::span(&push, 1)), groupsX, groupsY, groupsZ);
    }
    void dispatchBytes(const Pipeline& pipeline, std::span<const std::byte> push, std::uint32_t groupsX,
                       std::uint32_t groupsY, std::uint32_t groupsZ);
    /// Dispatches as many workgroups as three 32-bit words at `offset`, a multiple of 4, of `groups` say when the
    /// commands run: along x, y and z, each no more than the device allows.
    template <typename Push>
    requires std::is_trivially_copyable_v<Push>
    void dispatchIndirect(const Pipeline& pipeline, const Push& push, const Buffer& groups, std::uint64_t offset) {
        dispatchIndirectBytes(pipeline, std::as_bytes(std::span(&push, 1)), groups, offset);
    }
    void dispatchIndirectBytes(const Pipeline& pipeline, std::span<const std::byte> push, const Buffer& groups,
                               std::uint64_t offset);

    /// Makes all earlier writes (shaders, copies, fills, host) visible to all later commands. The start and the end of
    /// the commands are barriers too: submissions run in order, each sees what the earlier ones wrote, and so does
    /// the host once it has waited.
    void barrier();
    /// Makes the writes of earlier dispatches visible to later dispatches, and to nothing else: cheaper than barrier().
    void dispatchBarrier();
    void copy(const Buffer& source, std::uint64_t sourceOffset, const Buffer& target, std::uint64_t targetOffset,
              std::uint64_t bytes);
    /// Fills with a repeated 32-bit word; offset and size in multiples of 4 bytes.
    void fill(const Buffer& target, std::uint64_t offset, std::uint64_t bytes, std::uint32_t word);
    /// Starts a timed pass that lasts until the next one or the end of the commands. Put a barrier before it where the
    /// commands of two passes must not overlap in time.
    void beginPass(std::string name);
    /// Starts a timed pass that lasts until the end of the commands, whatever passes begin in it: their timestamps
    /// would cost some time themselves.
    void beginWhole(std::string name);

private:
    friend class Device;
    friend class RayTracer;
    friend class Image;
    friend class ImageBinding;
    struct State;
    explicit CommandEncoder(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

/// Commands under way. It may go before they have run.
class Submission {
public:
    Submission() = default;
    /// Waits for the commands to end. Throws Error (NoDevice) where the device is lost.
    void wait();
    bool finished() const;
    /// The times of the passes; call after wait().
    std::vector<PassTime> passTimes() const;

private:
    friend class Device;
    struct State;
    std::shared_ptr<State> state_;
};

/// A device with its queue. Threads may make, record, submit and copy at the same time, each with encoders, submissions
/// and buffers of its own; kernels() is for one thread. Move-only owner; everything made from it keeps it alive.
class Device {
public:
    /// Opens the device that the request names: without a selector, the hardware device with the most memory (discrete
    /// ones first); a software device only with allowCpu, or where there is no other. Where a selector fits several,
    /// the same order decides. Logs which one runs. Throws Error (NoDevice) telling what was found, (Usage) where
    /// validation is asked for and not installed.
    static Device open(const DeviceRequest& request);

    /// Opens several: the selector may be a list with commas, or "all", which means every hardware device, and with
    /// allowCpu every software device where there is no hardware one. The same name twice opens a device twice, each
    /// time with memory of its own. Throws as open, and Error (Usage) where different names are of one device.
    static std::vector<Device> openAll(const DeviceRequest& request);

    const DeviceInfo& info() const;

    /// Figures of the pipelines made so far, in their order; nothing unless the request asked for them.
    const std::vector<KernelFigures>& kernels() const;

    /// The bytes that are free of DeviceInfo::memoryBytes now, as far as the driver tells, else all of them.
    std::uint64_t freeBytes() const;

    /// The contents are undefined. A buffer of 0 bytes has an address and no contents.
    /// Throws Error (OutOfMemory) with the size that was asked for and what is free.
    Buffer createBuffer(std::uint64_t bytes, MemoryKind kind, const std::string& name) const;
    /// Throws Error (Internal) with the driver's result, or where the device does not have the subgroup size.
    Pipeline createPipeline(const PipelineOptions& options) const;

    CommandEncoder encoder() const;
    Submission submit(CommandEncoder&& commands) const;

    /// Copies host memory to a Device buffer through the staging ring, and waits.
    void upload(const Buffer& target, std::uint64_t offset, std::span<const std::byte> bytes) const;
    /// Copies a Device buffer to host memory, and waits.
    void download(const Buffer& source, std::uint64_t offset, std::span<std::byte> bytes) const;

    /// A Device buffer holding a copy of the span.
    template <typename T>
    requires std::is_trivially_copyable_v<T> Buffer createBufferWith(std::span<const T> values, const std::string& name)
    const {
        Buffer buffer = createBuffer(values.size_bytes(), MemoryKind::Device, name);
        upload(buffer, 0, std::as_bytes(values));
        return buffer;
    }

    /// Keeps what the driver has compiled for the next run, as the end of the device does.
    void savePipelines() const;

    /// Messages of the validation layer about this device so far (warnings and errors); each is also logged as an
    /// error.
    std::uint64_t validationMessages() const;

private:
    struct State;
    static Device openChosen(const DeviceRequest& request,
                             const std::function<std::size_t(std::span<const DeviceInfo>)>& choose);

    std::shared_ptr<State> state_;
};

} // namespace aureole::gpu
