#include "render/megakernel.h"

#include <cstddef>
#include <cstring>
#include <utility>

#include "core/error.h"
#include "render/workgroups.h"
#include "render_shaders.h"
#include "shared/path/path_work.h"
#include "shared/specialization.h"

namespace aureole {

namespace {

constexpr std::uint32_t kWorkgroupSize = 64;
/// lavapipe (Mesa 22.3) silently ends all loops of a subgroup after 65,536 iterations, so a dispatch stays well below:
/// rounds * (steps + 1).
constexpr std::uint32_t kIterationsPerDispatch = 30000;
/// A ray crosses the largest grid in fewer dispatches than this; after as many without a sign of life, paths are lost.
constexpr std::uint32_t kIdleDispatches = 1000;

constexpr std::uint32_t kGroupsPerMultiprocessor = 24;
constexpr std::uint32_t kGroupsOfCpu = 16;

} // namespace

Megakernel::Megakernel(const gpu::Device& device, const DeviceScene& scene, const shared::PathParams& params,
                       const MegakernelOptions& options)
    : device_(device) {
    workgroups_ = options.workgroups > 0 ? options.workgroups
                                         : workgroupsThatFill(device.info(), kGroupsPerMultiprocessor, kGroupsOfCpu);
    const std::uint32_t fitting = device.info().isCpu ? 128 : kIterationsPerDispatch / (options.stepsPerRound + 1);
    rounds_ = options.rounds > 0 ? options.rounds : fitting;
    const std::uint32_t levels = levelsOfKernels(device.info(), scene.octree().view().levels);
    const FilmLayout& layout = scene.filmLayout();
    gpu::PipelineOptions trace;
    trace.name = "trace_paths";
    trace.shader = shaders::trace_paths();
    trace.pushConstantBytes = sizeof(shared::PathPush);
    trace.specialization = {{SPEC_TRACE_WORKGROUP_SIZE, kWorkgroupSize},
                            {SPEC_TRACE_STEPS_PER_ROUND, options.stepsPerRound},
                            {SPEC_TRACE_OCTREE_ENCODING, scene.octree().view().encoding},
                            {SPEC_TRACE_MATERIAL_MODELS, scene.materialModels()},
                            {SPEC_TRACE_SAMPLER, params.samplerKind},
                            {SPEC_TRACE_SAMPLING, params.sampling},
                            {SPEC_TRACE_FILM_LAYERS, layersOfKernels(device.info(), layout)},
                            {SPEC_TRACE_ONE_CHUNK, scene.octree().isOneChunk() ? 1U : 0U},
                            {SPEC_TRACE_OCTREE_LEVELS, levels}};
    pipeline_ = device_.createPipeline(trace);

    using gpu::MemoryKind;
    counters_ = device.createBuffer(sizeof(shared::PathCounters), MemoryKind::Device, "path counters");
    counterReadback_ =
        device.createBuffer(sizeof(shared::PathCounters), MemoryKind::Readback, "path counters readback");
    // The device's PathLane has no stack in it and is smaller than the host's.
    const std::uint64_t lanes = std::uint64_t{workgroups_} * kWorkgroupSize;
    lanes_ = device.createBuffer(lanes * sizeof(shared::PathLane), MemoryKind::Device, "path lanes");
    if (layout.inPaths()) {
        records_ =
            device.createBuffer(lanes * layout.layers.count * sizeof(float), MemoryKind::Device, "records of lanes");
    }
}

void Megakernel::trace(const PassWork& work, const std::function<void(double)>& onShare, PathTracerStats& stats) {
    shared::PathPush push{};
    push.params = work.params;
    push.counters = counters_.address();
    push.lanes = lanes_.address();
    push.results = work.results;
    push.layers = work.layers;
    push.layerSums = work.layerSums;
    push.records = records_.address();
    push.itemCount = work.items;
    push.rounds = rounds_;
    push.fresh = 1;
    shared::PathCounters counters{};
    std::uint32_t idle = 0;
    while (counters.completed < push.itemCount) {
        gpu::CommandEncoder commands = device_.encoder();
        commands.beginPass("trace");
        // A pass starts with all counters at 0; later dispatches count their rays anew.
        const std::uint64_t cleared = push.fresh != 0 ? 0 : offsetof(shared::PathCounters, rays);
        commands.fill(counters_, cleared, counters_.size() - cleared, 0);
        commands.barrier();
        commands.dispatch(pipeline_, push, workgroups_);
        commands.barrier();
        commands.copy(counters_, 0, counterReadback_, 0, sizeof(counters));
        commands.barrier();
        gpu::Submission submission = device_.submit(std::move(commands));
        submission.wait();
        for (const gpu::PassTime& pass : submission.passTimes()) {
            stats.deviceSeconds += pass.milliseconds / 1000.0;
        }
        const shared::PathCounters before = counters;
        std::memcpy(&counters, counterReadback_.mapped().data(), sizeof(counters));
        stats.rays += counters.rays;
        ++stats.dispatches;
        push.fresh = 0;
        push.exhausted = counters.next >= push.itemCount ? 1 : 0;
        const bool moved = counters.completed > before.completed || push.exhausted == 0 || counters.rays > 0;
        idle = moved ? 0 : idle + 1;
        if (idle > kIdleDispatches) {
            fail(ExitCode::Internal, "path tracer: {} of {} work items never ended",
                 push.itemCount - counters.completed, push.itemCount);
        }
        onShare(static_cast<double>(counters.completed) / push.itemCount);
    }
    if (counters.completed != push.itemCount) {
        fail(ExitCode::Internal, "path tracer: {} work items completed, expected {}", counters.completed,
             push.itemCount);
    }
}

} // namespace aureole
