#include "stream/stream_tracer.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "core/divide_up.h"
#include "core/error.h"
#include "gpu/workgroups.h"
#include "shared/path/pixel_tiles.h"
#include "shared/specialization.h"
#include "stream_shaders.h"

namespace aureole {

namespace {

constexpr std::uint32_t kTraceWorkgroupSize = 256;
constexpr std::uint32_t kGroupsPerMultiprocessor = 8; // measured on an H200; of registers it could hold no more
constexpr std::uint32_t kGroupsOfCpu = 4;
/// lavapipe (Mesa 22.3) silently ends all loops of a subgroup after 65,536 iterations, so a dispatch stays well below.
constexpr std::uint32_t kIterationsPerDispatch = 30000;
constexpr std::uint32_t kIterationsOfSurface = 60; ///< of a look at one
constexpr std::uint32_t kStepsToLook = 6;
constexpr std::uint32_t kStepsWithoutLook = 64; // where nothing is looked at between rounds
constexpr std::uint32_t kMostDispatches = 100000;

std::array<shared::uvec2, REACH_ENTRIES> reachTable() {
    std::array<shared::uvec2, REACH_ENTRIES> table{};
    for (std::uint32_t entry = 0; entry < REACH_ENTRIES; ++entry) {
        table.at(entry) = shared::reachableCells(entry);
    }
    return table;
}

StreamTracerOptions fitting(const gpu::DeviceInfo& info, StreamTracerOptions options) {
    if (options.workgroupSize == 0) {
        options.workgroupSize = std::min(kTraceWorkgroupSize, info.maxWorkgroupInvocations);
    }
    if (options.workgroups == 0) {
        options.workgroups = gpu::workgroupsThatFill(info, kGroupsPerMultiprocessor, kGroupsOfCpu);
    }
    if (options.stepsPerRound == 0) {
        options.stepsPerRound =
            options.persistent || options.hasReach || options.surfaces ? kStepsToLook : kStepsWithoutLook;
    }
    if (options.rounds == 0) {
        const std::uint32_t iterations = options.stepsPerRound + 1 + (options.surfaces ? kIterationsOfSurface : 0);
        options.rounds = std::max(kIterationsPerDispatch / iterations, 1U);
    }
    return options;
}

} // namespace

RayStream startedAt(std::uint64_t depths, const shared::CameraParams& camera, RayStream stream) {
    stream.depths = depths;
    stream.eye = camera.position;
    stream.tilesAcross = shared::pathTiles(camera.size).x;
    return stream;
}

StreamTracer::StreamTracer(const gpu::Device& device, const DeviceOctree& octree, const StreamTracerOptions& options)
    : device_(device)
    , options_(fitting(device.info(), options))
    , octree_(octree.viewAddress())
    , nodes_(octree.view().nodes[0])
    , leaves_(octree.view().leaves[0])
    , starts_(octree.view().starts) {
    gpu::PipelineOptions trace;
    trace.name = options_.persistent ? "traverse_persistent" : "traverse_thread";
    trace.shader = options_.persistent ? shaders::traverse_persistent() : shaders::traverse_thread();
    trace.pushConstantBytes = sizeof(shared::StreamTracePush);
    trace.requiredSubgroupSize = device.info().subgroupSize;
    trace.specialization = {{SPEC_TRACE_WORKGROUP_SIZE, options_.workgroupSize},
                            {SPEC_TRACE_STEPS_PER_ROUND, options_.stepsPerRound},
                            {SPEC_TRACE_REFILL_THRESHOLD, options_.refill},
                            {SPEC_TRACE_OCTREE_ENCODING, octree.view().encoding},
                            {SPEC_TRACE_HAS_REACH, options_.hasReach ? 1U : 0U},
                            {SPEC_TRACE_SURFACES, options_.surfaces ? 1U : 0U},
                            {SPEC_TRACE_COUNTING, options_.counting ? 1U : 0U},
                            {SPEC_TRACE_COARSE_START, options_.coarseStart ? 1U : 0U},
                            {SPEC_TRACE_ONE_CHUNK, octree.isOneChunk() ? 1U : 0U},
                            {SPEC_TRACE_OCTREE_LEVELS, octree.view().levels}};
    pipeline_ = device_.createPipeline(trace);
    reachable_ = device_.createBufferWith(std::span<const shared::uvec2>(reachTable()), "reachable cells");
    counters_ = device_.createBuffer(sizeof(shared::StreamCounters), gpu::MemoryKind::Device, "ray counters");
    if (options_.persistent) {
        const std::uint64_t lanes = std::uint64_t{options_.workgroups} * options_.workgroupSize;
        lanes_ = device_.createBuffer(lanes * sizeof(std::uint32_t), gpu::MemoryKind::Device, "ray lanes");
    }
}

void StreamTracer::recordDispatch(gpu::CommandEncoder& commands, const RayStream& stream, bool fresh) const {
    constexpr std::uint64_t kUnfinished = offsetof(shared::StreamCounters, unfinished);
    if (fresh) {
        commands.fill(counters_, 0, counters_.size(), 0);
    } else {
        commands.fill(counters_, kUnfinished, sizeof(std::uint32_t), 0);
    }
    commands.barrier();
    shared::StreamTracePush push{};
    push.octree = octree_;
    push.nodes = nodes_;
    push.leaves = leaves_;
    push.starts = starts_;
    push.reachable = reachable_.address();
    push.rays = stream.rays;
    push.hits = stream.hits;
    push.lanes = lanes_.address();
    push.counters = counters_.address();
    push.count = stream.count;
    push.rounds = options_.rounds;
    push.fresh = fresh ? 1 : 0;
    push.reach = stream.reach;
    push.depths = stream.depths;
    push.eye = stream.eye;
    push.tilesAcross = stream.tilesAcross;
    if (options_.persistent) {
        commands.dispatch(pipeline_, push, options_.workgroups);
    } else {
        const glm::uvec2 groups = gpu::groupsAlong(divideUp(stream.count, options_.workgroupSize));
        commands.dispatch(pipeline_, push, groups.x, groups.y);
    }
    commands.barrier();
}

void StreamTracer::record(gpu::CommandEncoder& commands, const RayStream& stream) const {
    for (std::uint32_t i = 0; i < dispatches_; ++i) {
        recordDispatch(commands, stream, i == 0);
    }
}

shared::StreamCounters StreamTracer::run(const RayStream& stream) {
    shared::StreamCounters counters{};
    for (dispatches_ = 1; dispatches_ <= kMostDispatches; ++dispatches_) {
        gpu::CommandEncoder commands = device_.encoder();
        recordDispatch(commands, stream, dispatches_ == 1);
        device_.submit(std::move(commands)).wait();
        if (finished(stream)) {
            device_.download(counters_, 0, std::as_writable_bytes(std::span(&counters, 1)));
            return counters;
        }
    }
    fail(ExitCode::Internal, "ray stream: some of {} rays never ended", stream.count);
}

bool StreamTracer::finished(const RayStream& stream) const {
    shared::StreamCounters counters{};
    device_.download(counters_, 0, std::as_writable_bytes(std::span(&counters, 1)));
    return counters.unfinished == 0 && (!options_.persistent || counters.next >= stream.count);
}

} // namespace aureole
