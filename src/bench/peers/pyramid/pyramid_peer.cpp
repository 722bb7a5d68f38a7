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

/// The push constants of all of its kernels.
struct PyramidPush {
    std::uint64_t input;
    std::uint64_t output;
    glm::uvec2 size;   ///< of the level that is made
    glm::uvec2 source; ///< of the one that is sampled
    glm::vec3 weights; ///< of the level itself
    glm::vec3 below;   ///< of what comes up to it
};

std::uint64_t floatsOf(const glm::uvec2& size) {
    return std::uint64_t{3} * size.x * size.y;
}

gpu::Pipeline makePipeline(const gpu::Device& device, const char* name, const gpu::Shader& shader) {
    return device.createPipeline(
        {.name = name, .shader = shader, .pushConstantBytes = sizeof(PyramidPush), .images = true});
}

void dispatchOver(gpu::CommandEncoder& commands, const gpu::Pipeline& pipeline, const gpu::ImageBinding& images,
                  const PyramidPush& push) {
    images.bind(commands, pipeline);
    commands.dispatch(pipeline, push, divideUp(push.size.x, kWorkgroup.x), divideUp(push.size.y, kWorkgroup.y));
    commands.barrier();
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
    , load_(makePipeline(device, "bench.pyramid_load", shaders::peer_pyramid_load()))
    , down_(makePipeline(device, "bench.pyramid_down", shaders::peer_pyramid_down()))
    , up_(makePipeline(device, "bench.pyramid_up", shaders::peer_pyramid_up()))
    , store_(makePipeline(device, "bench.pyramid_store", shaders::peer_pyramid_store())) {
    for (std::size_t i = 0; i < levels_.size(); ++i) {
        Level& level = levels_[i];
        level.size = i == 0 ? size : (levels_[i - 1].size + 1U) / 2U;
        level.image = gpu::Image(device, level.size.x, level.size.y, fmt::format("bench pyramid {}", i));
        const gpu::Image& above = i == 0 ? level.image : levels_[i - 1].image;
        level.down.emplace(above, above, level.image);
    }
    for (std::size_t i = 0; i < levels; ++i) {
        levels_[i].up.emplace(levels_[i + 1].image, levels_[i].image, levels_[i].image);
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
    PyramidPush push{input, output, levels_[0].size, levels_[0].size, {}, {}};
    dispatchOver(commands, load_, *levels_[0].down, push);
    for (std::size_t i = 1; i < levels_.size(); ++i) {
        push.size = levels_[i].size;
        push.source = levels_[i - 1].size;
        dispatchOver(commands, down_, *levels_[i].down, push);
    }
    for (std::size_t i = levels_.size() - 1; i-- > 0;) {
        push.size = levels_[i].size;
        push.source = levels_[i + 1].size;
        push.weights = weightsOf(i);
        push.below = i + 2 == levels_.size() ? weightsOf(i + 1) : glm::vec3(1.0F);
        dispatchOver(commands, i == 0 ? store_ : up_, *levels_[i].up, push);
    }
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
