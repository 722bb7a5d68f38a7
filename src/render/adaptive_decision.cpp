#include "render/adaptive_decision.h"

#include <span>
#include <utility>

#include "core/divide_up.h"
#include "film/tiles.h"
#include "gpu/workgroups.h"
#include "render_shaders.h"
#include "shared/path/adaptive.h"

namespace aureole {

namespace {

constexpr std::uint32_t kStepsWorkgroup = 64;

} // namespace

AdaptiveDecision::AdaptiveDecision(gpu::Device device, glm::uvec2 size, bool isSobol)
    : device_(std::move(device))
    , size_(size)
    , isSobol_(isSobol) {
    using gpu::MemoryKind;
    gpu::PipelineOptions options;
    options.name = "adaptive";
    options.shader = shaders::adaptive();
    options.pushConstantBytes = sizeof(shared::AdaptivePush);
    pipeline_ = device_.createPipeline(options);
    const std::uint64_t pixels = std::uint64_t{size.x} * size.y;
    const glm::uvec2 across = shared::pathTiles(size);
    const std::uint64_t tiles = std::uint64_t{across.x} * across.y;
    pixels_ = device_.createBuffer(pixels * sizeof(shared::PixelEstimate), MemoryKind::Device, "errors of pixels");
    tiles_ = device_.createBuffer(tiles * sizeof(shared::TileEstimate), MemoryKind::Device, "errors of tiles");
    doneAt_ = device_.createBuffer(tiles * sizeof(std::uint32_t), MemoryKind::Device, "tiles that are done");
    for (gpu::Buffer& sums : sums_) {
        sums = device_.createBuffer(tiles * sizeof(float), MemoryKind::Device, "sums of luminances");
    }
}

std::vector<std::uint32_t> AdaptiveDecision::decide(const gpu::Buffer& film, std::vector<std::uint32_t> doneAt,
                                                    std::uint32_t samples, double noise) const {
    device_.upload(doneAt_, 0, std::as_bytes(std::span(doneAt)));
    gpu::CommandEncoder commands = device_.encoder();
    const AdaptiveArrays arrays{film.address(),
                                pixels_.address(),
                                tiles_.address(),
                                doneAt_.address(),
                                {sums_[0].address(), sums_[1].address()}};
    forAdaptiveSteps(arrays, size_, samples, isSobol_, noise, [&](const shared::AdaptivePush& push) {
        const glm::uvec2 groups = gpu::groupsAlong(divideUp(itemsOf(push), kStepsWorkgroup));
        commands.dispatch(pipeline_, push, groups.x, groups.y);
        commands.barrier();
    });
    device_.submit(std::move(commands)).wait();
    device_.download(doneAt_, 0, std::as_writable_bytes(std::span(doneAt)));
    return doneAt;
}

} // namespace aureole
