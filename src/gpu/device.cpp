#include "gpu/device.h"

#include <utility>

#include "core/error.h"
#include "core/log.h"
#include "core/trace.h"
#include "gpu/allocation.h"
#include "gpu/buffer.h"
#include "gpu/encoder.h"
#include "gpu/kept_pipelines.h"
#include "gpu/pipeline.h"
#include "gpu/pipeline_cache.h"
#include "gpu/selection.h"
#include "gpu/submission.h"
#include "gpu/transfer.h"
#include "gpu/validation.h"

namespace aureole::gpu {

struct Device::State {
    explicit State(std::size_t keptPipelines)
        : pipelines(keptPipelines) {}
    ~State() {
        pipelines.clear();
        if (context) {
            context->close();
        }
    }
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    State(State&&) = delete;
    State& operator=(State&&) = delete;

    std::shared_ptr<Context> context;
    StagingRing staging;
    KeptPipelines pipelines;
};

namespace {

/// The name of a buffer for messages, of one that was never made too.
template <typename State>
std::string nameOf(const std::shared_ptr<State>& buffer) {
    return buffer ? buffer->name : "default-constructed";
}

void logChoice(const DeviceInfo& info, const Validation& validation) {
    logInfo("device {}: {}, driver {}, Vulkan {}{}{}{}", info.index, info.name, info.driver, info.apiVersion,
            info.isCpu ? "; a software device: it runs on the CPU" : "", validation.layer ? "; validation is on" : "",
            validation.bounds ? "; every memory access of shaders is checked" : "");
}

} // namespace

Device Device::open(const DeviceRequest& request) {
    return openChosen(request, [&](std::span<const DeviceInfo> infos) { return selectDevice(infos, request); });
}

std::vector<Device> Device::openAll(const DeviceRequest& request) {
    std::vector<Device> devices;
    // The first listing tells how many; the order is Vulkan's each time.
    std::vector<std::size_t> places = {0};
    for (std::size_t i = 0; i < places.size(); ++i) {
        devices.push_back(openChosen(request, [&](std::span<const DeviceInfo> infos) {
            if (i == 0) {
                places = selectDevices(infos, request);
            }
            return places[i];
        }));
    }
    return devices;
}

Device Device::openChosen(const DeviceRequest& request,
                          const std::function<std::size_t(std::span<const DeviceInfo>)>& choose) {
    const TraceSpan span("open device");
    const Validation validation = chooseValidation(request);
    auto instance = std::make_unique<Instance>(validation);
    std::vector<PhysicalDevice> devices = listPhysicalDevices(*instance);
    std::vector<DeviceInfo> infos;
    infos.reserve(devices.size());
    for (const PhysicalDevice& device : devices) {
        infos.push_back(device.info);
    }
    const std::size_t chosen = choose(infos);
    logChoice(infos[chosen], validation);
    Device device;
    device.state_ = std::make_shared<State>(request.keptPipelines);
    device.state_->context = std::make_shared<Context>(std::move(instance), std::move(devices[chosen]),
                                                       validation.bounds, request.kernelFigures, request.rayTracing);
    return device;
}

const DeviceInfo& Device::info() const {
    return state_->context->physical().info;
}

const std::vector<KernelFigures>& Device::kernels() const {
    return state_->context->kernels();
}

std::uint64_t Device::freeBytes() const {
    return freeDeviceBytes(*state_->context);
}

Buffer Device::createBuffer(std::uint64_t bytes, MemoryKind kind, const std::string& name) const {
    Buffer buffer;
    buffer.state_ = std::make_shared<Buffer::State>(state_->context, bytes, kind, name);
    return buffer;
}

Pipeline Device::createPipeline(const PipelineOptions& options) const {
    Pipeline pipeline;
    pipeline.state_ = state_->pipelines.get(state_->context, options);
    return pipeline;
}

CommandEncoder Device::encoder() const {
    auto state = std::make_unique<CommandEncoder::State>(state_->context);
    state->begin();
    return CommandEncoder(std::move(state));
}

Submission Device::submit(CommandEncoder&& commands) const {
    const std::unique_ptr<CommandEncoder::State> recorded = std::move(commands.state_);
    if (!recorded || recorded->context != state_->context) {
        fail(ExitCode::Internal, "submit: commands that were submitted before, or recorded for another device");
    }
    recorded->finish();
    state_->context->retire();
    Submission submission;
    submission.state_ =
        std::make_shared<Submission::State>(state_->context, std::move(recorded->passes), recorded->timestamps);
    submission.state_->work.value = state_->context->submit(recorded->slot);
    submission.state_->work.slot = std::exchange(recorded->slot, {});
    submission.state_->work.kept = std::move(recorded->kept);
    submission.state_->retired = false;
    return submission;
}

void Device::upload(const Buffer& target, std::uint64_t offset, std::span<const std::byte> bytes) const {
    const TraceSpan span("upload");
    checkRange("upload", nameOf(target.state_), target.size(), offset, bytes.size());
    state_->staging.upload(*this, target, offset, bytes);
}

void Device::download(const Buffer& source, std::uint64_t offset, std::span<std::byte> bytes) const {
    const TraceSpan span("download");
    checkRange("download", nameOf(source.state_), source.size(), offset, bytes.size());
    state_->staging.download(*this, source, offset, bytes);
}

void Device::savePipelines() const {
    savePipelineCache(*state_->context);
}

std::uint64_t Device::validationMessages() const {
    return state_->context->instance().messages();
}

} // namespace aureole::gpu
