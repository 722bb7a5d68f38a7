#include "texture/gray_scott_solver.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <glm/gtc/packing.hpp>

#include "core/divide_up.h"
#include "core/error.h"
#include "shared/gray_scott.h"
#include "shared/specialization.h"
#include "texture_shaders.h"

namespace aureole::texture {

namespace {

constexpr std::uint32_t kMostFused = 32;
/// The dispatches of one submission: a device with a watchdog must not be busy for long.
constexpr std::uint32_t kDispatchesAtOnce = 256;

std::uint32_t borderOf(const GrayScott& model) {
    return model.border == Border::Clamped ? GRAY_SCOTT_CLAMPED : GRAY_SCOTT_PERIODIC;
}

gpu::Shader tiledShader(std::uint32_t rows) {
    switch (rows) {
    case 1:
        return shaders::gray_scott_1();
    case 2:
        return shaders::gray_scott_2();
    case 4:
        return shaders::gray_scott_4();
    case 8:
        return shaders::gray_scott_8();
    default:
        return shaders::gray_scott_16();
    }
}

/// The values that all dispatches have in common; the step's constants are worked out in double. The spread is a
/// multiple of 2^-26, so that fp32 holds 1 - 36 spread exactly: else cells would lose or gain 2^-25 of what they hold
/// at every step, always the same way.
shared::GrayScottPush pushOf(const GrayScott& model) {
    constexpr double kGrid = 0x1p26;
    const double dt = model.timeStep;
    const double scale = kGrid * dt / (6.0 * model.cellSize * model.cellSize);
    const glm::dvec2 spread = glm::round(scale * glm::dvec2(model.diffusion[0], model.diffusion[1])) / kGrid;
    glm::dvec2 keep = 1.0 - 36.0 * spread;
    if (model.varying.empty()) {
        const double feed = model.rates.feed;
        keep -= dt * glm::dvec2(feed, feed + model.rates.kill);
    }
    shared::GrayScottPush push{};
    push.keep = keep;
    push.spread = spread;
    push.step = model.timeStep;
    push.width = model.width;
    push.height = model.height;
    return push;
}

/// What a step takes of u and of v by these rates.
glm::vec2 takenBy(const ReactionRates& rates, float timeStep) {
    return double{timeStep} * glm::dvec2(rates.feed, static_cast<double>(rates.feed) + rates.kill);
}

} // namespace

GrayScottTiling tilingFor(const gpu::DeviceInfo& device) {
    GrayScottTiling tiling;
    if (device.isCpu) {
        // Threads of a software device are few, and its workgroup memory is 32 KiB.
        tiling = {.lanesX = 16, .lanesY = 8, .rows = 4, .fused = 4};
    }
    while (!whyNoTiling(device, tiling).empty() && tiling.lanesY > 2) {
        tiling.lanesY /= 2;
    }
    return tiling;
}

std::string whyNoTiling(const gpu::DeviceInfo& device, const GrayScottTiling& tiling) {
    const std::uint64_t lanes = std::uint64_t{tiling.lanesX} * tiling.lanesY;
    if (lanes == 0 || lanes > device.maxWorkgroupInvocations) {
        return fmt::format("found a workgroup of {}x{}, expected 1 to {} invocations", tiling.lanesX, tiling.lanesY,
                           device.maxWorkgroupInvocations);
    }
    if (!tiling.tiled) {
        return {};
    }
    if (tiling.rows != 1 && tiling.rows != 2 && tiling.rows != 4 && tiling.rows != 8 && tiling.rows != 16) {
        return fmt::format("found {} rows of an invocation, expected 1, 2, 4, 8 or 16", tiling.rows);
    }
    if (tiling.fused < 1 || tiling.fused > kMostFused) {
        return fmt::format("found {} steps of a dispatch, expected 1 to {}", tiling.fused, kMostFused);
    }
    if (tiling.tileWidth() <= 2 * tiling.haloColumns() || tiling.tileHeight() <= 2 * tiling.fused) {
        return fmt::format("found tiles of {}x{} cells, expected more than the halo of {} steps, {}x{}",
                           tiling.tileWidth(), tiling.tileHeight(), tiling.fused, 2 * tiling.haloColumns(),
                           2 * tiling.fused);
    }
    if (tiling.workgroupBytes() > device.workgroupMemoryBytes) {
        return fmt::format("found {} bytes of workgroup memory, expected at most {}", tiling.workgroupBytes(),
                           device.workgroupMemoryBytes);
    }
    return {};
}

GrayScottSolver::GrayScottSolver(gpu::Device device, GrayScott model, Storage storage, const GrayScottTiling& tiling)
    : device_(std::move(device))
    , model_(std::move(model))
    , storage_(storage)
    , tiling_(tiling)
    , pitch_(divideUp(model_.width, 4) * 4) {
    checkModel(model_);
    if (const std::string why = whyNoTiling(device_.info(), tiling_); !why.empty()) {
        fail(ExitCode::BadInput, "reaction-diffusion: {}", why);
    }
    const std::uint64_t bytes = cellBytes() * pitch_ * model_.height;
    for (gpu::Buffer& state : states_) {
        state = device_.createBuffer(bytes, gpu::MemoryKind::Device, "gray_scott.state");
    }
    uploadRates();
    uploadWarp();
    createPipeline();
    setState(Concentrations(std::size_t{model_.width} * model_.height, glm::vec2(0.0F)));
}

void GrayScottSolver::createPipeline() {
    gpu::PipelineOptions options;
    options.name = "gray_scott";
    options.shader = tiling_.tiled ? tiledShader(tiling_.rows) : shaders::gray_scott_untiled();
    options.pushConstantBytes = sizeof(shared::GrayScottPush);
    options.specialization = {{SPEC_GRAY_SCOTT_LANES_X, tiling_.lanesX},
                              {SPEC_GRAY_SCOTT_LANES_Y, tiling_.lanesY},
                              {SPEC_GRAY_SCOTT_HALVES, storage_ == Storage::Half ? 1U : 0U},
                              {SPEC_GRAY_SCOTT_VARYING, model_.varying.empty() ? 0U : 1U},
                              {SPEC_GRAY_SCOTT_BORDER, borderOf(model_)},
                              {SPEC_GRAY_SCOTT_TIMED, model_.overTime.empty() ? 0U : 1U}};
    if (tiling_.tiled) {
        options.specialization.push_back({SPEC_GRAY_SCOTT_HALO, tiling_.fused});
    }
    pipeline_ = device_.createPipeline(options);
}

void GrayScottSolver::uploadWarp() {
    if (model_.warp.empty()) {
        return;
    }
    std::vector<glm::vec2> offsets(std::size_t{pitch_} * model_.height, glm::vec2(0.0F));
    for (std::size_t i = 0; i < model_.warp.size(); ++i) {
        offsets[i / model_.width * pitch_ + i % model_.width] = model_.warp[i];
    }
    offsets_ = device_.createBufferWith(std::span<const glm::vec2>(offsets), "gray_scott.offsets");
    warp_ = device_.createPipeline({.name = "gray_scott_warp",
                                    .shader = shaders::gray_scott_warp(),
                                    .pushConstantBytes = sizeof(shared::GrayScottWarpPush),
                                    .specialization = {{SPEC_GRAY_SCOTT_HALVES, storage_ == Storage::Half ? 1U : 0U},
                                                       {SPEC_GRAY_SCOTT_BORDER, borderOf(model_)}}});
}

void GrayScottSolver::uploadRates() {
    if (!model_.overTime.empty()) {
        std::vector<glm::vec2> times;
        times.reserve(model_.overTime.size());
        for (const ReactionRates& rates : model_.overTime) {
            times.push_back(takenBy(rates, model_.timeStep));
        }
        times_ = device_.createBufferWith(std::span<const glm::vec2>(times), "gray_scott.times");
    }
    if (model_.varying.empty()) {
        return;
    }
    std::vector<glm::vec2> taken(std::size_t{pitch_} * model_.height, glm::vec2(0.0F));
    for (std::size_t i = 0; i < model_.varying.size(); ++i) {
        taken[i / model_.width * pitch_ + i % model_.width] = takenBy(model_.varying[i], model_.timeStep);
    }
    rates_ = device_.createBufferWith(std::span<const glm::vec2>(taken), "gray_scott.rates");
    model_.varying.resize(1); // only whether there are any counts from here on
    model_.varying.shrink_to_fit();
}

void GrayScottSolver::setState(const Concentrations& state) {
    checkState(model_, state);
    std::vector<std::byte> bytes(cellBytes() * pitch_ * model_.height);
    for (std::size_t i = 0; i < state.size(); ++i) {
        const std::size_t place = (i / model_.width * pitch_ + i % model_.width) * cellBytes();
        if (storage_ == Storage::Half) {
            const glm::uint packed = glm::packHalf2x16(state[i]);
            std::memcpy(bytes.data() + place, &packed, sizeof packed);
        } else {
            std::memcpy(bytes.data() + place, &state[i], sizeof state[i]);
        }
    }
    device_.upload(states_[current_], 0, bytes);
    done_ = 0;
}

Concentrations GrayScottSolver::state() const {
    std::vector<std::byte> bytes(cellBytes() * pitch_ * model_.height);
    device_.download(states_[current_], 0, bytes);
    Concentrations state(std::size_t{model_.width} * model_.height);
    for (std::size_t i = 0; i < state.size(); ++i) {
        const std::size_t place = (i / model_.width * pitch_ + i % model_.width) * cellBytes();
        if (storage_ == Storage::Half) {
            glm::uint packed = 0;
            std::memcpy(&packed, bytes.data() + place, sizeof packed);
            state[i] = glm::unpackHalf2x16(packed);
        } else {
            std::memcpy(&state[i], bytes.data() + place, sizeof state[i]);
        }
    }
    return state;
}

Concentrations GrayScottSolver::sampled(std::uint32_t width, std::uint32_t height) const {
    constexpr std::uint32_t kGroup = 16; // a side of a workgroup of gray_scott_sample.comp
    const gpu::Pipeline pipeline =
        device_.createPipeline({.name = "gray_scott_sample",
                                .shader = shaders::gray_scott_sample(),
                                .pushConstantBytes = sizeof(shared::GrayScottSamplePush),
                                .specialization = {{SPEC_GRAY_SCOTT_HALVES, storage_ == Storage::Half ? 1U : 0U},
                                                   {SPEC_GRAY_SCOTT_BORDER, borderOf(model_)}}});
    Concentrations result(std::size_t{width} * height);
    const gpu::Buffer target =
        device_.createBuffer(result.size() * sizeof(result[0]), gpu::MemoryKind::Device, "gray_scott.sampled");
    const shared::GrayScottSamplePush push{
        states_[current_].address(), target.address(), model_.width, model_.height, pitch_, width, height, 0};
    gpu::CommandEncoder commands = device_.encoder();
    commands.dispatch(pipeline, push, divideUp(width, kGroup), divideUp(height, kGroup));
    device_.submit(std::move(commands)).wait();
    device_.download(target, 0, std::as_writable_bytes(std::span(result)));
    return result;
}

void GrayScottSolver::record(gpu::CommandEncoder& commands, std::uint32_t steps) {
    const std::uint32_t most = tiling_.tiled ? tiling_.fused : 1;
    const std::uint32_t across = tiling_.tiled ? tiling_.tileWidth() - 2 * tiling_.haloColumns() : tiling_.lanesX;
    const std::uint32_t down = tiling_.tiled ? tiling_.tileHeight() - 2 * tiling_.fused : tiling_.lanesY;
    shared::GrayScottPush push = pushOf(model_);
    push.rates = rates_.address();
    push.times = times_.address();
    push.lastTime = static_cast<std::uint32_t>(std::max<std::size_t>(model_.overTime.size(), 1) - 1);
    push.pitch = pitch_;
    for (std::uint32_t done = 0; done < steps; done += push.steps) {
        push.steps = std::min(most, steps - done);
        if (!model_.warp.empty()) { // no dispatch goes beyond a warp
            push.steps = std::min(push.steps, model_.warpEvery - done_ % model_.warpEvery);
        }
        push.firstStep = done_;
        push.source = states_[current_].address();
        push.target = states_[current_ ^ 1U].address();
        commands.dispatch(pipeline_, push, divideUp(model_.width, across), divideUp(model_.height, down));
        commands.dispatchBarrier();
        current_ ^= 1U;
        done_ += push.steps;
        if (!model_.warp.empty() && done_ % model_.warpEvery == 0) {
            recordWarp(commands);
        }
    }
}

void GrayScottSolver::recordWarp(gpu::CommandEncoder& commands) {
    constexpr std::uint32_t kGroup = 16; // a side of a workgroup of gray_scott_warp.comp
    const shared::GrayScottWarpPush push{states_[current_].address(),
                                         states_[current_ ^ 1U].address(),
                                         offsets_.address(),
                                         model_.width,
                                         model_.height,
                                         pitch_,
                                         0};
    commands.dispatch(warp_, push, divideUp(model_.width, kGroup), divideUp(model_.height, kGroup));
    commands.dispatchBarrier();
    current_ ^= 1U;
}

void GrayScottSolver::run(std::uint32_t steps) {
    const std::uint32_t atOnce = tiling_.tiled ? tiling_.fused : 1;
    const std::uint32_t most = kDispatchesAtOnce * (model_.warp.empty() ? atOnce : std::min(atOnce, model_.warpEvery));
    while (steps > 0) {
        const std::uint32_t now = std::min(steps, most);
        gpu::CommandEncoder commands = device_.encoder();
        record(commands, now);
        device_.submit(std::move(commands)).wait();
        steps -= now;
    }
}

std::uint64_t GrayScottSolver::bytesOfStep() const {
    return 2 * cellBytes() * model_.width * model_.height;
}

} // namespace aureole::texture
