#include "render/wavefront.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

#include "core/divide_up.h"
#include "core/error.h"
#include "core/log.h"
#include "core/threads/parallel.h"
#include "gpu/workgroups.h"
#include "shared/octree/coarse_depth.h"

namespace aureole {

namespace {

constexpr std::uint32_t kLanesPerMultiprocessor = 1024;
/// On a software device a workgroup is one subgroup: at each barrier it goes from subgroup to subgroup, and what these
/// carry falls out of its caches.
constexpr std::uint32_t kGroupsOfCpu = 4;
/// Slots of a queue: so many that the ends of waves do not count, if the two queues then take no more than this share
/// of the device's memory, and of what is free of it.
constexpr std::uint32_t kCapacity = 1U << 23U;
static_assert(std::uint64_t{kCapacity} * sizeof(shared::WaveSlot) < std::uint64_t{1} << 32U,
              "WAVE_ARRAY counts so far");
constexpr std::uint32_t kCapacityOfCpu = 1U << 14U;
constexpr std::uint64_t kShareOfMemory = 16;
constexpr std::uint64_t kShareOfFree = 4;
/// What each path of a pass finds is kept apart, its radiance in 12 bytes and the layers of the film: of as many paths
/// as take no more than this share of the device's memory, within bounds. While the last ones of a pass end, waves are
/// short and the device is mostly idle.
constexpr std::uint64_t kShareOfMemoryForLight = 32;
constexpr std::uint64_t kLeastBytesAtOnce = (1U << 24U) * sizeof(shared::vec3);
/// What is free of small devices is no more than the queues have, but for one sample of each item, the least.
constexpr std::uint64_t kMostShareOfMemoryForLight = kShareOfMemory;
/// Waves of a software device are short anyway, and a stop waits for a pass.
constexpr std::uint64_t kBytesAtOnceOfCpu = (1U << 18U) * sizeof(shared::vec3);
constexpr std::uint64_t kMostPathsAtOnce = 1U << 27U;
/// A driver takes some 40 ms to get and return a gigabyte, which a short render never earns back: n slots cost a n, and
/// the ends of the waves that P paths then take cost b P / n. The least of both is at sqrt(P b / a) slots; the factor
/// was measured (tests/bench/record/waves.md).
constexpr double kSlotsPerRootOfPaths = 256.0;
constexpr std::uint32_t kWavesPerSubmission = 16;
constexpr std::uint32_t kWavesPerSubmissionOfCpu = 2;
/// Where the rest of a pass will be drained, no more waves are submitted at once than all paths take to begin, or so
/// few: one too many costs as much as its longest ray, and a submission the host's time.
constexpr std::uint32_t kWavesBeforeDrain = 8;
constexpr std::uint32_t kTraceGroupsOfCpu = 32;
/// At the end of a pass waves cost their latency and nothing else. So the last paths are drained in workgroups of one
/// subgroup: a few more than the registers of a multiprocessor hold at once, which measured alike. Compiling the kernel
/// takes a software device longer than it saves.
constexpr std::uint32_t kDrainGroupsPerMultiprocessor = 16;
constexpr std::uint32_t kDrainGroupsOfCpu = 64;
constexpr std::uint32_t kDrainWaves = 64;
constexpr std::uint32_t kDrainWavesOfCpu = 2;
/// The most words of the depths at which camera rays start: crops of vast pictures do without.
constexpr std::uint32_t kMostCoarseWords = 1U << 22U;
constexpr const char* kQueue = "paths of a wave";
/// The counters from here on are of one submission, those before it of a pass.
constexpr std::uint64_t kClearedEachTime = offsetof(shared::WaveCounters, startedRays);
/// Roulette ends paths long before so many waves.
constexpr std::uint32_t kMostWaves = 1U << 20U;

/// Slots of a queue for so many paths, however many fit; 0: very many.
std::uint32_t slotsThatPay(double paths) {
    const double slots = std::clamp<double>(kSlotsPerRootOfPaths * std::sqrt(paths), kCapacityOfCpu, kCapacity);
    return paths > 0.0 ? static_cast<std::uint32_t>(slots) : kCapacity;
}

std::uint64_t bytesOfPath(const FilmLayout& layout) {
    static_assert(WAVE_LAYER_OFFSET(LAYER_ID) == sizeof(shared::vec3));
    return layout.inPaths() ? WAVE_LAYER_OFFSET(layout.layers.count) : sizeof(shared::vec3);
}

void checkEnd(const shared::WaveCounters& counters) {
    if (counters.tracedRays != counters.expectedRays) {
        fail(ExitCode::Internal, "path tracer: {} rays ended, expected {}", counters.tracedRays, counters.expectedRays);
    }
}

} // namespace

gpu::DeviceInfo Wavefront::withFree(gpu::DeviceInfo info, std::uint64_t freeBytes) {
    info.memoryBytes = std::min(info.memoryBytes, kShareOfMemory / kShareOfFree * freeBytes);
    return info;
}

std::uint32_t Wavefront::slotsThatFit(const gpu::DeviceInfo& info, std::uint64_t slotBytes) {
    const std::uint64_t fits = info.memoryBytes / (kShareOfMemory * 2 * slotBytes);
    const std::uint32_t wanted = info.isCpu ? kCapacityOfCpu : kCapacity;
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(fits, kCapacityOfCpu, wanted));
}

std::uint32_t Wavefront::pathsAtOnce(const gpu::DeviceInfo& info, const FilmLayout& layout, std::uint32_t frugality) {
    const std::uint64_t least = std::min(kLeastBytesAtOnce, info.memoryBytes / kMostShareOfMemoryForLight);
    const std::uint64_t share =
        info.isCpu ? kBytesAtOnceOfCpu : std::max(info.memoryBytes / kShareOfMemoryForLight, least);
    const std::uint64_t bytes = std::min(share / frugality, info.maxAllocationBytes);
    return static_cast<std::uint32_t>(std::min(bytes / bytesOfPath(layout), kMostPathsAtOnce));
}

std::uint32_t Wavefront::itemsPerPass(const gpu::DeviceInfo& info, const FilmLayout& layout,
                                      std::uint32_t samplesOfItem, std::uint32_t frugality) {
    return std::max(pathsAtOnce(info, layout, frugality) / samplesOfItem, 1U);
}

Wavefront::Wavefront(const gpu::Device& device, const DeviceScene& scene, const shared::VoxelParams& params,
                     std::uint32_t items, std::uint32_t samplesOfItem, const WavefrontOptions& options)
    : device_(device)
    , options_(options)
    , nodes_(scene.octree().view().nodes[0])
    , leaves_(scene.octree().view().leaves[0])
    , starts_(scene.octree().view().starts)
    , group_(waveWorkgroupSize(device.info()))
    , samplesOfItem_(samplesOfItem)
    , beginGroups_(gpu::workgroupsThatFill(device.info(), kLanesPerMultiprocessor / group_, kGroupsOfCpu))
    , traceGroups_(gpu::workgroupsThatFill(device.info(), kLanesPerMultiprocessor / group_, kTraceGroupsOfCpu))
    , drainGroups_(gpu::workgroupsThatFill(device.info(), kDrainGroupsPerMultiprocessor, kDrainGroupsOfCpu)) {
    const gpu::DeviceInfo info = withFree(device.info(), device.freeBytes());
    const std::uint32_t paths = pathsAtOnce(info, scene.filmLayout(), options.frugality);
    const std::uint32_t most = options.samplesAtOnce == 0 ? samplesOfItem : options.samplesAtOnce;
    samplesAtOnce_ = std::clamp(paths / std::max(items, 1U), 1U, std::min(most, samplesOfItem));
    const WaveTraits traits = waveTraits(scene, params);
    const std::uint64_t slotBytes = waveSlotBytes(queueOf(traits));
    if (options_.capacity == 0) {
        options_.capacity = std::min(slotsThatFit(info, slotBytes * options_.frugality), slotsThatPay(options_.paths));
    }
    options_.capacity = std::clamp(items * samplesAtOnce_, 1U, options_.capacity);
    waitsForDrain_ = options_.drained != WavefrontOptions::kAsSuits;
    options_.drained = (!waitsForDrain_ && info.isCpu) || traits.manyGrids ? 0 : options_.drained;
    options_.drained = std::min(options_.drained, drainGroups_ * info.subgroupSize);
    if (options_.drained > 0) {
        drainUnderWay_ = std::async(std::launch::async, [device, traits] { return makeDrainKernel(device, traits); });
    }
    // A driver takes as long for gigabytes of memory as for a pipeline of its cache.
    concurrently(
        {[&] { kernels_ = makeWaveKernels(device_, traits, options_.rounds); },
         [&] { queues_[0] = device_.createBuffer(options_.capacity * slotBytes, gpu::MemoryKind::Device, kQueue); },
         [&] { queues_[1] = device_.createBuffer(options_.capacity * slotBytes, gpu::MemoryKind::Device, kQueue); },
         [&] { createBuffers(items, bytesOfPath(scene.filmLayout())); }});
    setCamera(scene, params.path);
}

void Wavefront::setCamera(const DeviceScene& scene, const shared::PathParams& path) {
    const shared::CameraParams& camera = path.camera;
    const bool stands = path.cameraPoses == 0; // else depths are others at each time
    coarse_.reset();
    coarseDrawn_ = false;
    if (stands && !scene.hasGrids() && CoarseDepth::suits(camera) &&
        shared::coarseWords(camera.size) <= kMostCoarseWords) {
        coarseMargin_ = std::max(camera.filterRadius - 0.5F, 0.0F);
        coarse_.emplace(device_, scene.coarseCells(), camera.size);
    }
}

std::uint32_t Wavefront::groupsFor(std::uint32_t count) const {
    return std::max(divideUp(count, group_), 1U);
}

void Wavefront::createBuffers(std::uint32_t items, std::uint64_t pathBytes) {
    using gpu::MemoryKind;
    counters_ = device_.createBuffer(sizeof(shared::WaveCounters), MemoryKind::Device, "wave counters");
    counterReadback_ =
        device_.createBuffer(sizeof(shared::WaveCounters), MemoryKind::Readback, "wave counters readback");
    if (options_.drained > 0) {
        drainPaths_ = device_.createBuffer(drainGroups_ * sizeof(std::uint32_t), MemoryKind::Device, "drained paths");
    }
    found_ = device_.createBuffer(std::uint64_t{items} * samplesAtOnce_ * pathBytes, MemoryKind::Device,
                                  "radiance and layers of paths");
}

void Wavefront::recordWave(gpu::CommandEncoder& commands, shared::WavePush& push) const {
    const std::uint32_t now = push.parity;
    push.queue = queues_[now].address();
    push.nextQueue = queues_[1 - now].address();
    commands.dispatch(kernels_.begin, push, std::min(groupsFor(push.capacity), beginGroups_));
    commands.dispatchBarrier();
    const glm::uvec2 traceGroups = gpu::groupsAlong(traceGroups_);
    commands.dispatch(kernels_.trace, push, traceGroups.x, traceGroups.y);
    commands.dispatchBarrier();
    commands.dispatchIndirect(kernels_.shade, push, counters_, offsetof(shared::WaveCounters, shadeGroups));
    commands.dispatchBarrier();
    push.parity = 1 - now;
}

void Wavefront::drawCoarseDepth(std::uint64_t params) {
    if (!coarse_ || coarseDrawn_) {
        return;
    }
    gpu::CommandEncoder commands = device_.encoder();
    const std::uint64_t camera = params + offsetof(shared::VoxelParams, path) + offsetof(shared::PathParams, camera);
    coarse_->record(commands, camera, coarseMargin_);
    behind_.push_back(device_.submit(std::move(commands)));
    coarseDrawn_ = true;
}

gpu::CommandEncoder Wavefront::counted(std::uint64_t cleared,
                                       const std::function<void(gpu::CommandEncoder&)>& record) const {
    gpu::CommandEncoder commands = device_.encoder();
    commands.beginWhole("waves");
    commands.fill(counters_, cleared, counters_.size() - cleared, 0);
    commands.barrier();
    record(commands);
    commands.barrier();
    commands.copy(counters_, 0, counterReadback_, 0, sizeof(shared::WaveCounters));
    return commands;
}

gpu::CommandEncoder Wavefront::recordWaves(shared::WavePush& push, std::uint32_t waves, std::uint64_t cleared) const {
    return counted(cleared, [&](gpu::CommandEncoder& commands) {
        for (std::uint32_t i = 0; i < waves; ++i) {
            recordWave(commands, push);
        }
    });
}

void Wavefront::settle() {
    for (gpu::Submission& submission : behind_) {
        submission.wait();
    }
    behind_.clear();
}

shared::WaveCounters Wavefront::ended(gpu::Submission submission, PathTracerStats& stats) {
    settle(); // they are in front of it
    submission.wait();
    for (const gpu::PassTime& pass : submission.passTimes()) {
        stats.deviceSeconds += pass.milliseconds / 1000.0;
    }
    shared::WaveCounters counters{};
    std::memcpy(&counters, counterReadback_.mapped().data(), sizeof(counters));
    stats.rays += counters.startedRays;
    return counters;
}

/// Whether the kernel that drains is there, or was asked for. A driver may compile it for seconds; until then waves go
/// on without, with the same results.
bool Wavefront::canDrain() {
    if (drainUnderWay_.valid() &&
        (waitsForDrain_ || drainUnderWay_.wait_for(std::chrono::seconds(0)) == std::future_status::ready)) {
        try {
            drain_ = drainUnderWay_.get();
        } catch (const Error& error) {
            if (waitsForDrain_) {
                throw;
            }
            logWarning("{}; waves go on without it", error.what());
        }
    }
    return drain_.has_value();
}

shared::WaveCounters Wavefront::drain(shared::WavePush push, std::uint32_t kept, PathTracerStats& stats) {
    push.queue = queues_[push.parity].address();
    push.nextQueue = queues_[1 - push.parity].address();
    push.drainPaths = drainPaths_.address();
    push.drainSlots = divideUp(kept, drainGroups_);
    push.drainWaves = device_.info().isCpu ? kDrainWavesOfCpu : kDrainWaves;
    shared::WaveCounters counters{};
    std::uint32_t waves = 0;
    for (bool begins = true; begins || counters.leftPaths > 0; begins = false, waves += push.drainWaves) {
        if (waves > kMostWaves) {
            fail(ExitCode::Internal, "path tracer: {} paths never ended", counters.leftPaths);
        }
        const auto record = [&](gpu::CommandEncoder& commands) {
            if (begins) {
                commands.fill(drainPaths_, 0, drainPaths_.size(), push.drainSlots);
                commands.barrier();
            }
            commands.dispatch(*drain_, push, divideUp(kept, push.drainSlots));
        };
        counters = ended(device_.submit(counted(kClearedEachTime, record)), stats);
        ++stats.dispatches;
    }
    return counters;
}

std::uint32_t Wavefront::wavesAtOnce(std::uint32_t toBegin, bool begins) {
    const std::uint32_t most = device_.info().isCpu ? kWavesPerSubmissionOfCpu : kWavesPerSubmission;
    const bool drains = options_.drained > 0 && (begins || canDrain());
    return drains ? std::clamp(toBegin, std::min(kWavesBeforeDrain, most), most) : most;
}

void Wavefront::traceSamples(shared::WavePush& push, const std::function<void(double)>& onShare,
                             PathTracerStats& stats) {
    const std::uint32_t paths = push.items * push.samplesOfItem;
    push.capacity = std::min(options_.capacity, paths);
    push.groupsAcross = gpu::groupsAlong(groupsFor(push.capacity)).x;
    if (options_.groupsAcross > 0) {
        push.groupsAcross = std::min(push.groupsAcross, options_.groupsAcross);
    }
    push.parity = 0;
    std::uint32_t begun = 0;
    for (std::uint32_t wave = 0; wave < kMostWaves;) {
        const std::uint32_t waves = wavesAtOnce(divideUp(paths - begun, push.capacity), begun < paths);
        gpu::CommandEncoder commands = recordWaves(push, waves, wave == 0 ? 0 : kClearedEachTime);
        const shared::WaveCounters counters = ended(device_.submit(std::move(commands)), stats);
        wave += waves;
        stats.dispatches += waves;
        begun = counters.nextPath[push.parity];
        const std::uint32_t kept = counters.keptPaths[push.parity];
        onShare(static_cast<double>(begun - std::min(kept, begun)) / paths);
        if (begun == paths && (kept == 0 || (kept <= options_.drained && canDrain()))) {
            checkEnd(kept > 0 ? drain(push, kept, stats) : counters);
            onShare(1.0);
            return;
        }
    }
    fail(ExitCode::Internal, "path tracer: paths never ended");
}

void Wavefront::trace(const PassWork& work, const std::function<void(double)>& onShare, PathTracerStats& stats) {
    drawCoarseDepth(work.params);
    shared::WavePush push{};
    push.params = work.params;
    push.nodes = nodes_;
    push.leaves = leaves_;
    push.starts = starts_;
    push.coarseDepths = coarse_ ? coarse_->address() : 0;
    push.counters = counters_.address();
    push.radiance = found_.address();
    push.layers = work.layers;
    push.items = work.items;
    for (std::uint32_t first = 0; first < samplesOfItem_; first += samplesAtOnce_) {
        push.firstOfItem = first;
        push.samplesOfItem = std::min(samplesAtOnce_, samplesOfItem_ - first);
        traceSamples(
            push, [&](double share) { onShare((first + share * push.samplesOfItem) / samplesOfItem_); }, stats);
        const shared::WaveSumPush sum{push.params, push.radiance,      work.results,
                                      work.layers, work.layerSums,     push.items,
                                      first,       push.samplesOfItem, 0};
        gpu::CommandEncoder commands = device_.encoder();
        const glm::uvec2 groups = gpu::groupsAlong(groupsFor(push.items));
        commands.dispatch(kernels_.sum, sum, groups.x, groups.y);
        behind_.push_back(device_.submit(std::move(commands)));
    }
}

} // namespace aureole
