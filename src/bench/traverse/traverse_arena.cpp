#include "bench/traverse/traverse_arena.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "core/error.h"

namespace aureole::bench {

namespace {

using gpu::MemoryKind;

constexpr std::uint32_t kSeed = 1;
constexpr std::uint32_t kAmbientStream = 100; ///< beside the bounces' numbers
constexpr float kAmbientReach = 1.0F / 16.0F; ///< of the longest side
const glm::dvec3 kLight(0.3, 0.85, 0.43);

std::uint32_t bounceOf(RaySet set) {
    return static_cast<std::uint32_t>(set) - static_cast<std::uint32_t>(RaySet::Bounce1) + 1;
}

} // namespace

const std::vector<std::string>& raySetNames() {
    static const std::vector<std::string> kNames = {"primary", "ambient", "shadow", "bounce1",
                                                    "bounce2", "bounce3", "bounce4"};
    return kNames;
}

TraverseArena::TraverseArena(const gpu::Device& device, const TraverseScene& source, const TraverseScene& scene,
                             bool coarse)
    : device_(device)
    , scene_(&scene)
    , source_(&source != &scene ? std::optional<DeviceOctree>(std::in_place, device, source.octree) : std::nullopt)
    , octree_(device, scene.octree)
    , kernels_(device)
    , pixels_(scene.camera.size.x * scene.camera.size.y)
    , places_(streamPlaces(scene.camera.size)) {
    const std::uint64_t rayBytes = std::uint64_t{places_} * sizeof(shared::RayRecord);
    const std::uint64_t hitBytes = std::uint64_t{places_} * sizeof(shared::HitRecord);
    const auto make = [&](std::uint64_t bytes, const char* name) {
        return device.createBuffer(bytes, MemoryKind::Device, name);
    };
    camera_ = device.createBufferWith(std::span<const shared::CameraParams>(&scene.camera, 1), "bench camera");
    from_ = {make(rayBytes, "bench source rays"), make(hitBytes, "bench source hits")};
    now_ = {make(rayBytes, "bench rays"), make(hitBytes, "bench hits of voxels")};
    queue_ = make(rayBytes, "bench queue");
    number_ = make(sizeof(std::uint32_t), "bench queue length");
    hits_ = make(hitBytes, "bench hits");
    hitsByPixel_ = make(std::uint64_t{pixels_} * sizeof(shared::HitRecord), "bench hits by pixel");
    if (coarse && CoarseDepth::suits(scene.camera) && !hasSurfacesWithin(scene.octree)) {
        coarseCells_ = CoarseCells(device, scene.octree);
        coarse_.emplace(device, coarseCells_, scene.camera.size);
    }
}

float TraverseArena::reach() const {
    return kAmbientReach *
           std::ldexp(static_cast<float>(scene_->resolution), -2 * static_cast<int>(scene_->octree.levels));
}

StreamTracerOptions TraverseArena::tracing() const {
    StreamTracerOptions options;
    options.hasReach = set_ == RaySet::Ambient;
    options.surfaces = hasSurfacesWithin(scene_->octree);
    return options;
}

RayStream TraverseArena::streamOf(const gpu::Buffer& rays, std::uint32_t count) const {
    return {rays.address(), hits_.address(), count, reach()};
}

RayStream TraverseArena::coarseStart() const {
    return startedAt(coarse_->address(), scene_->camera, inPlaces());
}

void TraverseArena::recordCoarseDepth(gpu::CommandEncoder& commands) const {
    constexpr float kMargin = 1.0F / 64; // rays go through their pixels' centres
    coarse_->record(commands, camera_.address(), kMargin);
}

void TraverseArena::recordMaking(gpu::CommandEncoder& commands) const {
    if (set_ == RaySet::Primary) {
        const float voxel = std::ldexp(1.0F, -2 * static_cast<int>(scene_->octree.levels));
        shared::StreamCameraPush push{};
        push.octree = source().viewAddress();
        push.camera = camera_.address();
        push.target = now_.rays.address();
        push.boxLow = glm::vec3(1.0F);
        push.boxHigh = glm::vec3(1.0F) + glm::vec3(scene_->octree.grid.size) * voxel; // exact
        push.count = places_;
        kernels_.makePrimary(commands, push);
    } else {
        shared::StreamScatterPush push{};
        push.octree = source().viewAddress();
        push.source = from_.rays.address();
        push.hits = from_.hits.address();
        push.target = now_.rays.address();
        push.count = places_;
        push.kind = set_ == RaySet::Shadow ? STREAM_SCATTER_LIGHT : STREAM_SCATTER_COSINE;
        push.seed = kSeed;
        push.bounce = set_ == RaySet::Ambient ? kAmbientStream : bounceOf(set_);
        push.light = glm::vec3(glm::normalize(kLight));
        kernels_.scatter(commands, push);
    }
    commands.barrier();
}

void TraverseArena::recordCompaction(gpu::CommandEncoder& commands) const {
    commands.fill(number_, 0, number_.size(), 0);
    commands.barrier();
    kernels_.compact(commands, now_.rays.address(), queue_.address(), number_.address(), places_);
    commands.barrier();
}

void TraverseArena::recordSorting(gpu::CommandEncoder& commands) {
    const scan::SortArrays input{keys_.address(), numbers_.address()};
    const scan::SortArrays output{sortedKeys_.address(), sortedNumbers_.address()};
    kernels_.makeKeys(commands, queue_.address(), input, live_, mortonBits_);
    commands.barrier();
    sortPlan_->execute(commands, input, output, live_);
    commands.barrier();
    kernels_.gather(commands, queue_.address(), output.values, sorted_.address(), live_);
    commands.barrier();
}

void TraverseArena::make(RaySet set) {
    // A bounce starts where the one before ended; all others start from the primary hits.
    if (set != RaySet::Primary && (set_ == RaySet::Primary || set_ >= RaySet::Bounce1)) {
        std::swap(from_, now_);
    }
    set_ = set;
    gpu::CommandEncoder commands = device_.encoder();
    // A ray that compaction lost would else be one of the set before.
    commands.fill(queue_, 0, queue_.size(), 0);
    recordMaking(commands);
    recordCompaction(commands);
    device_.submit(std::move(commands)).wait();
    device_.download(number_, 0, std::as_writable_bytes(std::span(&live_, 1)));
    if (hasCoarseStart()) {
        gpu::CommandEncoder drawing = device_.encoder();
        recordCoarseDepth(drawing);
        device_.submit(std::move(drawing)).wait();
    }
    StreamTracerOptions toVoxels = tracing();
    toVoxels.surfaces = false;
    StreamTracer plain(device_, source(), toVoxels);
    plain.run({now_.rays.address(), now_.hits.address(), places_, reach()});
}

void TraverseArena::sort(std::uint32_t mortonBits) {
    mortonBits_ = mortonBits;
    if (!sortPlan_) {
        const std::uint64_t count = places_;
        keys_ = device_.createBuffer(8 * count, MemoryKind::Device, "bench ray keys");
        numbers_ = device_.createBuffer(4 * count, MemoryKind::Device, "bench ray numbers");
        sortedKeys_ = device_.createBuffer(8 * count, MemoryKind::Device, "bench sorted ray keys");
        sortedNumbers_ = device_.createBuffer(4 * count, MemoryKind::Device, "bench sorted ray numbers");
        sorted_ = device_.createBuffer(queue_.size(), MemoryKind::Device, "bench sorted queue");
        scan::SortOptions options;
        options.maximumCount = count;
        options.endBit = 3 + 3 * mortonBits;
        sortPlan_ = scan::planSort(device_, options);
    }
    gpu::CommandEncoder commands = device_.encoder();
    recordSorting(commands);
    device_.submit(std::move(commands)).wait();
}

PreparationTimes TraverseArena::time(std::uint32_t repeats, bool sorted, bool coarse) {
    PreparationTimes times;
    times.making =
        chainedMicroseconds(device_, repeats, [&](gpu::CommandEncoder& commands) { recordMaking(commands); });
    times.compaction =
        chainedMicroseconds(device_, repeats, [&](gpu::CommandEncoder& commands) { recordCompaction(commands); });
    if (sorted) {
        times.sorting =
            chainedMicroseconds(device_, repeats, [&](gpu::CommandEncoder& commands) { recordSorting(commands); });
    }
    if (coarse) {
        times.depths =
            chainedMicroseconds(device_, repeats, [&](gpu::CommandEncoder& commands) { recordCoarseDepth(commands); });
    }
    return times;
}

std::vector<shared::HitRecord> TraverseArena::byPixel(const RayStream& stream) const {
    gpu::CommandEncoder commands = device_.encoder();
    commands.fill(hitsByPixel_, 0, hitsByPixel_.size(), kNoHit);
    commands.barrier();
    kernels_.byPixel(commands, stream.rays, stream.hits, hitsByPixel_.address(), stream.count);
    commands.barrier();
    device_.submit(std::move(commands)).wait();
    std::vector<shared::HitRecord> result(pixels_);
    device_.download(hitsByPixel_, 0, std::as_writable_bytes(std::span(result)));
    return result;
}

std::vector<shared::RayRecord> TraverseArena::rays() const {
    std::vector<shared::RayRecord> rays(places_);
    device_.download(now_.rays, 0, std::as_writable_bytes(std::span(rays)));
    return rays;
}

std::vector<shared::HitRecord> TraverseArena::expectedHits() const {
    StreamTracer plain(device_, octree_, tracing());
    shared::StreamCounters counts{};
    return tracedHits(plain, inPlaces(), counts);
}

std::vector<shared::HitRecord> TraverseArena::tracedHits(StreamTracer& tracer, const RayStream& stream,
                                                         shared::StreamCounters& counts) const {
    gpu::CommandEncoder commands = device_.encoder();
    commands.fill(hits_, 0, hits_.size(), kNoHit);
    device_.submit(std::move(commands)).wait();
    counts = tracer.run(stream);
    return byPixel(stream);
}

std::vector<shared::HitRecord> TraverseArena::hitsOf(const RayStream& stream,
                                                     const std::function<void(gpu::CommandEncoder&)>& trace) const {
    gpu::CommandEncoder commands = device_.encoder();
    commands.fill(hits_, 0, hits_.size(), kNoHit);
    commands.barrier();
    trace(commands);
    device_.submit(std::move(commands)).wait();
    return byPixel(stream);
}

TraverseArena::Sample TraverseArena::sample(std::uint32_t most) const {
    constexpr std::uint32_t kRun = 64;
    Sample sample;
    const std::uint32_t runs = std::max(std::min(most, live_) / kRun, 1U);
    const std::uint32_t length = std::min(kRun, live_);
    const gpu::Buffer reciprocals =
        device_.createBuffer(std::uint64_t{live_} * sizeof(glm::vec3), MemoryKind::Device, "bench reciprocals");
    gpu::CommandEncoder commands = device_.encoder();
    kernels_.reciprocals(commands, queue_.address(), reciprocals.address(), live_);
    commands.barrier();
    device_.submit(std::move(commands)).wait();
    sample.rays.resize(std::size_t{runs} * length);
    sample.reciprocals.resize(sample.rays.size());
    for (std::uint32_t run = 0; run < runs; ++run) {
        const std::uint64_t first = std::uint64_t{live_ - length} * run / std::max(runs - 1, 1U);
        const std::size_t at = std::size_t{run} * length;
        device_.download(queue_, first * sizeof(shared::RayRecord),
                         std::as_writable_bytes(std::span(sample.rays).subspan(at, length)));
        device_.download(reciprocals, first * sizeof(glm::vec3),
                         std::as_writable_bytes(std::span(sample.reciprocals).subspan(at, length)));
    }
    return sample;
}

Spread traceSpread(const gpu::Device& device, std::uint32_t repeats, StreamTracer& tracer, const RayStream& stream,
                   const std::function<void(gpu::CommandEncoder&)>& before) {
    constexpr int kTries = 4; // how many dispatches rays need may vary, where they need more than one
    for (int attempt = 0; attempt < kTries; ++attempt) {
        tracer.run(stream);
        const Spread time = chainedSpread(device, repeats, [&](gpu::CommandEncoder& commands) {
            if (before) {
                before(commands);
            }
            tracer.record(commands, stream);
        });
        if (tracer.finished(stream)) {
            return time;
        }
    }
    fail(ExitCode::Internal, "bench traverse: found rays unfinished in the timed runs");
}

} // namespace aureole::bench
