#include "bench/peers/pyramid/pyramid_peer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "bench_shaders.h"
#include "core/divide_up.h"

namespace aureole::bench {

namespace {

constexpr glm::uvec2 kWorkgroup(32, 8);

/// The push constants of pyramid_down.comp.
struct DownPush {
    std::uint64_t source;
    std::uint64_t target;
    glm::uvec2 size;
};

/// The push constants of pyramid_up.comp.
struct UpPush {
    std::uint64_t below;
    std::uint64_t own;
    std::uint64_t target;
    glm::uvec2 size;
    glm::vec3 weights;
    glm::vec3 belowWeights;
};

std::uint64_t floatsOf(const glm::uvec2& size) {
    return std::uint64_t{3} * size.x * size.y;
}

template <typename Push>
void dispatchOver(gpu::CommandEncoder& commands, const gpu::Pipeline& pipeline, const Push& push,
                  const glm::uvec2& size) {
    commands.dispatch(pipeline, push, divideUp(size.x, kWorkgroup.x), divideUp(size.y, kWorkgroup.y), 3);
    commands.dispatchBarrier();
}

/// Levels whose pixels are not wider than half of the kernel, or of the image.
std::size_t levelsFor(const glm::uvec2& size, const BloomKernel& kernel) {
    const std::uint32_t reach =
        std::min(std::max(kernel.width, kernel.height) / 2, std::max(std::min(size.x, size.y) / 2, 2U));
    return std::max(static_cast<std::size_t>(std::bit_width(reach)) - 1, std::size_t{1});
}

/// What the pyramid makes of one pixel, as it depends on where it stands: the mean over some places.
class PixelResponses {
public:
    PixelResponses(const gpu::Device& device, const KernelSamples& samples, std::uint32_t reach, std::size_t levels)
        : device_(&device)
        , samples_(&samples)
        , side_(divideUp(2 * reach + 8, 1U << levels) << levels)
        , pyramid_(device, {side_, side_}, levels)
        , image_(device.createBuffer(bytes(), gpu::MemoryKind::Device, "bench pixel"))
        , result_(device.createBuffer(bytes(), gpu::MemoryKind::Device, "bench response")) {
        gpu::CommandEncoder commands = device.encoder();
        commands.fill(image_, 0, image_.size(), 0);
        device.submit(std::move(commands)).wait();
        const float one = 1.0F;
        for (std::size_t plane = 0; plane < 3; ++plane) {
            device.upload(image_, sizeof(float) * index(plane, placeOf(plane)), std::as_bytes(std::span(&one, 1)));
        }
    }

    std::vector<double> of(std::size_t level, std::size_t levels) {
        std::vector<BlurWeights> weights(levels + 1, BlurWeights{});
        weights[level] = {1.0, 1.0, 1.0};
        pyramid_.setWeights(std::move(weights));
        gpu::CommandEncoder commands = device_->encoder();
        pyramid_.execute(commands, result_.address(), image_.address());
        device_->submit(std::move(commands)).wait();
        std::vector<float> planes(floatsOf({side_, side_}));
        device_->download(result_, 0, std::as_writable_bytes(std::span(planes)));
        std::vector<double> response;
        for (const glm::ivec2& offset : samples_->offsets()) {
            double sum = 0.0;
            for (std::size_t plane = 0; plane < 3; ++plane) {
                sum += planes[index(plane, placeOf(plane) + offset)];
            }
            response.push_back(sum / 3.0);
        }
        return response;
    }

private:
    std::uint64_t bytes() const { return sizeof(float) * floatsOf({side_, side_}); }
    /// In each plane at another place of the cells of the first levels.
    glm::ivec2 placeOf(std::size_t plane) const {
        constexpr std::array<glm::ivec2, 3> kAside = {{{0, 0}, {1, 3}, {2, 1}}};
        return glm::ivec2(side_ / 2) + kAside.at(plane);
    }
    std::size_t index(std::size_t plane, const glm::ivec2& place) const {
        return (plane * side_ + static_cast<std::size_t>(place.y)) * side_ + static_cast<std::size_t>(place.x);
    }

    const gpu::Device* device_;
    const KernelSamples* samples_;
    std::uint32_t side_;
    PyramidPeer pyramid_;
    gpu::Buffer image_;
    gpu::Buffer result_;
};

} // namespace

PyramidPeer::PyramidPeer(const gpu::Device& device, const glm::uvec2& size, std::size_t levels)
    : levels_(levels + 1)
    , weights_(levels + 1)
    , down_(device.createPipeline({.name = "bench.pyramid_down",
                                   .shader = shaders::peer_pyramid_down(),
                                   .pushConstantBytes = sizeof(DownPush)}))
    , up_(device.createPipeline(
          {.name = "bench.pyramid_up", .shader = shaders::peer_pyramid_up(), .pushConstantBytes = sizeof(UpPush)})) {
    levels_[0].size = size;
    std::uint64_t floats = 0;
    for (std::size_t i = 1; i < levels_.size(); ++i) {
        levels_[i] = {(levels_[i - 1].size + 1U) / 2U, floats};
        floats += floatsOf(levels_[i].size);
    }
    planes_ = device.createBuffer(floats * sizeof(float), gpu::MemoryKind::Device, "bench pyramid");
    for (std::size_t i = 1; i < levels_.size(); ++i) {
        levels_[i].address = planes_.address() + levels_[i].address * sizeof(float);
    }
}

void PyramidPeer::setWeights(std::vector<BlurWeights> weights) {
    weights_ = std::move(weights);
}

std::string PyramidPeer::name() const {
    return fmt::format("pyramid, {} levels", levels_.size() - 1);
}

void PyramidPeer::execute(gpu::CommandEncoder& commands, std::uint64_t output, std::uint64_t input) {
    const auto weightsOf = [this](std::size_t level) {
        return glm::vec3(weights_[level][0], weights_[level][1], weights_[level][2]);
    };
    for (std::size_t i = 1; i < levels_.size(); ++i) {
        const DownPush push{i == 1 ? input : levels_[i - 1].address, levels_[i].address, levels_[i - 1].size};
        dispatchOver(commands, down_, push, levels_[i].size);
    }
    for (std::size_t i = levels_.size() - 1; i-- > 0;) {
        const bool isLowest = i + 2 == levels_.size();
        const UpPush push{levels_[i + 1].address,
                          i == 0 ? input : levels_[i].address,
                          i == 0 ? output : levels_[i].address,
                          levels_[i].size,
                          weightsOf(i),
                          isLowest ? weightsOf(i + 1) : glm::vec3(1.0F)};
        dispatchOver(commands, up_, push, levels_[i].size);
    }
    commands.barrier();
}

std::unique_ptr<BlurSum> fitPyramid(const gpu::Device& device, const glm::uvec2& size, const BloomKernel& kernel) {
    const std::size_t levels = levelsFor(size, kernel);
    const KernelSamples samples(kernel);
    BlurResponses responses = {imageResponse(samples)};
    {
        PixelResponses pixel(device, samples, std::max(kernel.width, kernel.height) / 2, levels);
        for (std::size_t level = 1; level <= levels; ++level) {
            responses.push_back(pixel.of(level, levels));
        }
    }
    auto pyramid = std::make_unique<PyramidPeer>(device, size, levels);
    pyramid->setWeights(fitBlurs(samples, responses).weights);
    return pyramid;
}

} // namespace aureole::bench
