#include "stream/stream_kernels.h"

#include "core/divide_up.h"
#include "gpu/workgroups.h"
#include "stream_shaders.h"

namespace aureole {

namespace {

constexpr std::uint32_t kWorkgroupSize = 256; // of all of them
constexpr std::uint32_t kRowsOfCompaction = 4;

template <typename Push>
gpu::Pipeline makePipeline(const gpu::Device& device, const char* name, const gpu::Shader& shader) {
    gpu::PipelineOptions options;
    options.name = name;
    options.shader = shader;
    options.pushConstantBytes = sizeof(Push);
    options.requiredSubgroupSize = device.info().subgroupSize;
    return device.createPipeline(options);
}

template <typename Push>
void dispatchFor(gpu::CommandEncoder& commands, const gpu::Pipeline& pipeline, const Push& push,
                 std::uint32_t perGroup = kWorkgroupSize) {
    const glm::uvec2 groups = gpu::groupsAlong(divideUp(push.count, perGroup));
    commands.dispatch(pipeline, push, groups.x, groups.y);
}

} // namespace

std::uint32_t streamPlaces(const glm::uvec2& size) {
    return (size.x + 7) / 8 * ((size.y + 3) / 4) * 32;
}

StreamKernels::StreamKernels(const gpu::Device& device)
    : primary_(makePipeline<shared::StreamCameraPush>(device, "stream_primary", shaders::stream_primary()))
    , scatter_(makePipeline<shared::StreamScatterPush>(device, "stream_scatter", shaders::stream_scatter()))
    , compact_(makePipeline<shared::StreamMovePush>(device, "stream_compact", shaders::stream_compact()))
    , keys_(makePipeline<shared::StreamMovePush>(device, "stream_keys", shaders::stream_keys()))
    , gather_(makePipeline<shared::StreamMovePush>(device, "stream_gather", shaders::stream_gather()))
    , byPixel_(makePipeline<shared::StreamMovePush>(device, "stream_by_pixel", shaders::stream_by_pixel()))
    , reciprocals_(makePipeline<shared::StreamMovePush>(device, "stream_reciprocals", shaders::stream_reciprocals())) {}

void StreamKernels::makePrimary(gpu::CommandEncoder& commands, const shared::StreamCameraPush& push) const {
    dispatchFor(commands, primary_, push);
}

void StreamKernels::scatter(gpu::CommandEncoder& commands, const shared::StreamScatterPush& push) const {
    dispatchFor(commands, scatter_, push);
}

void StreamKernels::compact(gpu::CommandEncoder& commands, std::uint64_t source, std::uint64_t target,
                            std::uint64_t number, std::uint32_t count) const {
    const shared::StreamMovePush push{source, target, number, count, 0};
    dispatchFor(commands, compact_, push, kWorkgroupSize * kRowsOfCompaction);
}

void StreamKernels::makeKeys(gpu::CommandEncoder& commands, std::uint64_t source, const scan::SortArrays& keys,
                             std::uint32_t count, std::uint32_t bits) const {
    dispatchFor(commands, keys_, shared::StreamMovePush{source, keys.keys, keys.values, count, bits});
}

void StreamKernels::gather(gpu::CommandEncoder& commands, std::uint64_t source, std::uint64_t numbers,
                           std::uint64_t target, std::uint32_t count) const {
    dispatchFor(commands, gather_, shared::StreamMovePush{source, target, numbers, count, 0});
}

void StreamKernels::byPixel(gpu::CommandEncoder& commands, std::uint64_t rays, std::uint64_t hits, std::uint64_t target,
                            std::uint32_t count) const {
    dispatchFor(commands, byPixel_, shared::StreamMovePush{hits, target, rays, count, 0});
}

void StreamKernels::reciprocals(gpu::CommandEncoder& commands, std::uint64_t rays, std::uint64_t target,
                                std::uint32_t count) const {
    dispatchFor(commands, reciprocals_, shared::StreamMovePush{rays, target, 0, count, 0});
}

} // namespace aureole
