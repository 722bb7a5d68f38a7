#include "voxelizer/device_bricks.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "core/error.h"
#include "core/threads/beside.h"
#include "core/trace.h"
#include "voxel/build/build.h"
#include "voxel/build/grid.h"
#include "voxel/surface/field_distances.h"
#include "voxelizer/device_triangles.h"

namespace aureole::voxelizer {

namespace {

/// The share of what a batch may have that the next one is to have.
constexpr double kAimedShare = 0.75;
/// No batch is to have more times as many entries as the one before.
constexpr double kMostGrowth = 4.0;
/// What the first batch is to have of fragments, before anything is known of the scene.
constexpr double kFirstShare = 1.0 / 64.0;
/// Bricks that the CPU makes at a time; the same everywhere, as last bits hang on who makes which.
constexpr std::size_t kMostOnCpu = 16;
/// lavapipe (Mesa 22.3) silently ends all loops of a subgroup after so many iterations. Its invocations take those of
/// the one that has most at each turn of a loop together.
constexpr std::uint64_t kMostIterationsOnCpu = 65536;
/// Samples of a block of planes, each of which takes some 160 of these.
constexpr std::uint32_t kMostSamplesOnCpu = 384;
/// How far planes may lie from the surface there, as voxels are searched around for that far.
constexpr double kMostErrorOnCpu = 4.0;
/// And of fields, those of a block that are only near, 2 for each material.
constexpr std::uint32_t kMostNearOnCpu = 256;

/// The most fragments of a block that a voxel may go through on lavapipe: for a fragment that all six sides of the
/// voxel cut, and those of other voxels passed over, a hundred iterations, each time. That is once for each material,
/// of planes once for each lamp that may meet other surfaces, and up to nine times besides.
std::uint32_t mostOfBlockOnCpu(std::uint64_t materials, bool meetsLamps) {
    const auto iterations = [&](std::uint64_t fragments) {
        return 100 * fragments * (std::min(fragments, materials) + (meetsLamps ? fragments : 0) + 9);
    };
    std::uint32_t most = 1;
    while (iterations(most + 1) <= kMostIterationsOnCpu) {
        ++most;
    }
    return most;
}

/// A voxel of planes goes through the fragments of its block once for each lamp that may meet other surfaces: one
/// invocation of more than so many would hold up the device for seconds.
constexpr std::uint32_t kMostOfLamps = 512;

/// What any device can go through, and lavapipe.
void boundLoops(const BatchKind& kind, const Scene& scene, bool isCpu, BatchLimits& limits) {
    const bool meetsLamps =
        kind.error && std::any_of(scene.meshInstances.begin(), scene.meshInstances.end(),
                                  [&](const MeshInstance& instance) { return emits(scene, instance); });
    if (meetsLamps) {
        limits.ofBlock = std::min(limits.ofBlock, kMostOfLamps);
    }
    if (!isCpu) {
        return;
    }
    limits.ofBlock = std::min(limits.ofBlock, mostOfBlockOnCpu(scene.materials.size(), meetsLamps));
    limits.nearBlock = std::min(limits.nearBlock, kMostNearOnCpu);
    if (kind.error) {
        limits.samples = std::min(limits.samples, kMostSamplesOnCpu);
    }
}

} // namespace

DeviceBricks::DeviceBricks(const gpu::Device& device, const BatchLimits& limits)
    : device_(device)
    , given_(limits)
    , limits_(limits) {}

std::string DeviceBricks::name() const {
    return fmt::format("{}, driver {}", device_.info().name, device_.info().driver);
}

std::string DeviceBricks::whyNot(const Scene& scene, const VoxelizeOptions& options) const {
    if (!device_.info().hasFloat64) {
        return fmt::format("'{}' does not compute in double", device_.info().name);
    }
    if (device_.info().isCpu && options.surface == SurfaceKind::Planes && options.error > kMostErrorOnCpu) {
        return fmt::format("planes may lie {} voxels from the surface, on a software device", options.error);
    }
    if (options.memory != VoxelizeOptions().memory) {
        return "memory is limited";
    }
    return whatIsBeyond(scene);
}

void DeviceBricks::prepare(SurfaceKind surface) {
    if (!pipelines_.valid() || surface != prepared_) {
        prepared_ = surface;
        pipelines_ = std::async(std::launch::async, [this, surface] {
            const TraceSpan span("voxeliser's kernels");
            return BatchPipelines(device_, given_, surface);
        });
    }
}

void DeviceBricks::begin(const Primitives& primitives, const BrickList& bricks, const VoxelizeOptions& options,
                         bool branches) {
    prepare(options.surface);
    BatchKind kind;
    kind.thin = options.coverage == Coverage::Thin;
    kind.field = options.surface == SurfaceKind::Field;
    kind.bits = 6 * (bricks.brickLevels() - 1);
    limits_ = given_;
    if (options.surface == SurfaceKind::Planes) {
        kind.error = options.error;
        kind.planeLevels = mostPlaneLevels(bricks, octreeLevels(primitives.grid().size));
        limits_.blocks = std::min(limits_.blocks, limits_.planeBlocks);
    }
    boundLoops(kind, primitives.scene(), device_.info().isCpu, limits_);
    kernels_ = std::make_unique<BatchKernels>(device_, limits_, primitives, kind, std::move(pipelines_));
    primitives_ = &primitives;
    bricks_ = &bricks;
    branches_ = branches;
    figures_ = {};
    fullOfPoints_ = 0;
    entriesAtOnce_ = std::max(1.0, kFirstShare * static_cast<double>(std::min(limits_.fragments, limits_.entries)));
}

/// The brick behind the last one of the batch that begins with `first`.
std::size_t DeviceBricks::chooseEnd(std::size_t first) const {
    const std::vector<Brick>& all = bricks_->bricks();
    const auto most = static_cast<std::size_t>(std::min<double>(entriesAtOnce_, limits_.entries));
    std::size_t end = first + 1;
    while (end < all.size() && end - first < limits_.bricks && all[end].end - all[first].first <= most) {
        ++end;
    }
    return end;
}

/// Chooses how many entries the next batch has by what share of its room one of so many has taken.
void DeviceBricks::adapt(std::size_t entries, double share) {
    const double growth = std::min(kMostGrowth, kAimedShare / std::max(share, 1e-6));
    entriesAtOnce_ = std::max(1.0, static_cast<double>(entries) * growth);
}

std::vector<BrickVoxels> DeviceBricks::make(std::size_t first) {
    const Batch batch = next_.valid() ? next_.get() : runNext(first);
    if (batch.end < bricks_->bricks().size()) {
        next_ = std::async(std::launch::async, [this, begin = batch.end] { return runNext(begin); });
    }
    return batch.onCpu ? makeOnCpu(batch) : cutBricks(batch);
}

BatchFigures DeviceBricks::figures() const {
    BatchFigures figures = figures_;
    figures.onCpu += fullOfPoints_;
    return figures;
}

void DeviceBricks::end() {
    next_ = {}; // waits for it
    kernels_.reset();
}

/// Has the device make as many bricks from `first` on as a batch has room for.
DeviceBricks::Batch DeviceBricks::runNext(std::size_t first) {
    const TraceSpan span("run batch");
    for (std::size_t end = chooseEnd(first); end > first + 1; end = chooseEnd(first)) {
        if (const std::optional<Batch> batch = runBatch(first, end)) {
            return *batch;
        }
        ++figures_.inVain;
        entriesAtOnce_ /= 2.0;
    }
    if (const std::optional<Batch> batch = runBatch(first, first + 1)) {
        return *batch;
    }
    Batch full;
    full.first = first;
    full.end = endOfFull(first);
    full.onCpu = true;
    figures_.onCpu += full.end - first;
    return full;
}

/// The end of the bricks that are the CPU's where the one at `first` has more than a batch may have: those after it
/// that likely have as well.
std::size_t DeviceBricks::endOfFull(std::size_t first) const {
    const std::vector<Brick>& all = bricks_->bricks();
    const auto isAsFull = [&](const Brick& brick) {
        return 2 * (brick.end - brick.first) >= all[first].end - all[first].first;
    };
    std::size_t end = first + 1;
    while (end < all.size() && end - first < kMostOnCpu && isAsFull(all[end])) {
        ++end;
    }
    return end;
}

std::vector<BrickVoxels> DeviceBricks::makeOnCpu(const Batch& batch) const {
    std::vector<BrickVoxels> made(batch.end - batch.first);
    forEachBeside(made.size(), [&](std::size_t i) { made[i] = makeOnCpu(bricks_->bricks()[batch.first + i]); });
    return made;
}

BrickVoxels DeviceBricks::makeOnCpu(const Brick& brick) const {
    const std::optional<double>& error = kernels_->kind.error;
    return error ? voxelizeBrickPlanes(*primitives_, *bricks_, brick, *error, octreeLevels(primitives_->grid().size))
                 : voxelizeBrick(*primitives_, *bricks_, brick);
}

namespace {

/// Puts a batch's bricks and their entries where the device gets them from.
class EntryWriter {
public:
    /// `emitting`: of DeviceTriangles.
    EntryWriter(const std::vector<bool>& emitting, std::span<shared::VoxelBrick> corners,
                std::span<shared::VoxelEntry> entries)
        : emitting_(emitting)
        , corners_(corners)
        , entries_(entries) {}

    void addBrick(const glm::ivec3& corner) { corners_[bricks_++] = {corner, 0}; }
    /// Of the last brick.
    void addTriangle(std::uint32_t triangle) {
        entries_[written_++] = {triangle, bricks_ - 1};
        emits_ = emits_ || (!emitting_.empty() && emitting_[triangle]);
    }
    /// Whether any of them emits.
    bool emits() const { return emits_; }

private:
    const std::vector<bool>& emitting_;
    std::span<shared::VoxelBrick> corners_;
    std::span<shared::VoxelEntry> entries_;
    std::uint32_t bricks_ = 0;
    std::size_t written_ = 0;
    bool emits_ = false;
};

} // namespace

/// Hands the bricks of a batch to the device, with their entries, of fields with the triangles near them; false where
/// the batch has not the room for these.
bool DeviceBricks::writeEntries(std::size_t first, std::size_t end) {
    BatchKernels& work = *kernels_;
    const std::span<const Brick> batch = std::span(bricks_->bricks()).subspan(first, end - first);
    std::uint64_t count = batch.back().end - batch.front().first;
    std::vector<std::vector<std::uint32_t>> near(work.kind.field && count <= limits_.entries ? batch.size() : 0);
    forEachBeside(near.size(), [&](std::size_t i) { near[i] = trianglesNear(*primitives_, *bricks_, batch[i]); });
    if (!near.empty()) {
        count = std::accumulate(near.begin(), near.end(), std::uint64_t{0},
                                [](std::uint64_t sum, const auto& triangles) { return sum + triangles.size(); });
    }
    if (count > limits_.entries) {
        return false;
    }
    EntryWriter writer(work.scene.emitting, mappedAs<shared::VoxelBrick>(work.bricksOut, batch.size()),
                       mappedAs<shared::VoxelEntry>(work.entriesOut, count));
    for (std::size_t i = 0; i < batch.size(); ++i) {
        writer.addBrick(bricks_->cube(batch[i]).origin);
        if (work.kind.field) {
            std::for_each(near[i].begin(), near[i].end(),
                          [&](std::uint32_t triangle) { writer.addTriangle(triangle); });
        } else {
            for (const std::uint64_t entry : bricks_->entries(batch[i])) {
                writer.addTriangle(entryPrimitive(entry));
            }
        }
    }
    work.emits = writer.emits();
    work.brickCount = static_cast<std::uint32_t>(batch.size());
    work.entryCount = static_cast<std::uint32_t>(count);
    return true;
}

/// Refines the pairs of a batch and finds their blocks and voxels; how many fragments there are, or nothing where the
/// batch has not the room for them.
std::optional<std::uint32_t> DeviceBricks::findVoxels(std::size_t first, std::size_t end) {
    BatchKernels& work = *kernels_;
    if (!writeEntries(first, end)) {
        return std::nullopt;
    }
    work.milliseconds = 0.0;
    work.fetchMilliseconds = 0.0;
    const std::uint32_t levels = bricks_->brickLevels();
    std::uint32_t parents = 0;
    std::uint32_t pairs = work.entryCount;
    for (std::uint32_t level = 0; level < levels; ++level) {
        const std::uint32_t children = work.refine(level, levels, pairs, parents);
        if (level + 1 < levels) {
            parents = std::exchange(pairs, children);
            if (pairs > limits_.fragments) {
                return std::nullopt;
            }
        }
    }
    return pairs == 0 || work.findBlocks(levels - 1, pairs) ? std::optional(pairs) : std::nullopt;
}

/// The bricks of a batch that the device has made.
std::vector<BrickVoxels> DeviceBricks::cutBricks(const Batch& batch) {
    const TraceSpan span("cut bricks");
    std::vector<BrickVoxels> made(batch.end - batch.first);
    if (batch.voxels == 0) {
        return made;
    }
    const FetchedBatch& fetched = kernels_->fetched[batch.number % kernels_->fetched.size()];
    const Buffer& attributes = kernels_->fetchedAttributes[batch.number % kernels_->fetchedAttributes.size()];
    MadeBatch all;
    all.leaves = mappedAs<const shared::VoxelLeaf>(fetched.leaves, batch.blocks);
    all.attributes = mappedAs<shared::VoxelAttributes>(attributes, batch.voxels);
    if (fetched.materials.size() > 0) {
        all.materials = mappedAs<const std::uint32_t>(fetched.materials, batch.voxels);
    }
    if (batch.emits) {
        all.emitting = mappedAs<const shared::VoxelEmitting>(fetched.emitting, batch.voxels);
    }
    if (kernels_->kind.field) {
        all.distances = mappedAs<const shared::CornerDistances>(
            kernels_->fetchedDistances[batch.number % kernels_->fetchedDistances.size()], batch.voxels);
    }
    if (kernels_->kind.error) {
        all.slabs = mappedAs<const shared::SurfaceSlab>(fetched.slabs, batch.voxels);
        for (std::uint32_t i = 0; i < kernels_->kind.planeLevels; ++i) {
            all.planes.push_back(mappedAs<const shared::PlaneCell>(fetched.cells.at(i), batch.blocks));
        }
    }
    const std::uint32_t bits = kernels_->kind.bits;
    const auto firstLeaf = [&](std::size_t number) { // leaves go brick by brick
        return static_cast<std::size_t>(
            std::partition_point(all.leaves.begin(), all.leaves.end(),
                                 [&](const shared::VoxelLeaf& leaf) { return leaf.key >> bits < number; }) -
            all.leaves.begin());
    };
    // One thread appends the batch before meanwhile, and one runs the next.
    forEachBeside(made.size(), [&](std::size_t number) {
        BrickVoxels& brick = made[number];
        const Brick& place = bricks_->bricks()[batch.first + number];
        const BrickLeaves leaves = {firstLeaf(number), firstLeaf(number + 1), place.code << bits, (1U << bits) - 1};
        if (kernels_->kind.error) {
            brick = cutPlanes(all, leaves, place);
            return;
        }
        brick = brickOf(all, leaves);
        // Now, before the next brick's blocks take the place of these in the core's memory.
        if (branches_ && !brick.blocks.empty()) {
            brick.branch = makeBranch(brick.blocks, bricks_->brickLevels());
            brick.blocks = {};
        }
    });
    return made;
}

/// The CPU merges no more of a brick that has too many points for it.
BrickVoxels DeviceBricks::cutPlanes(const MadeBatch& batch, const BrickLeaves& leaves, const Brick& brick) {
    if (batch.pointsOf(leaves) <= limits_.points) {
        return planesOf(batch, leaves);
    }
    ++fullOfPoints_;
    return makeOnCpu(brick);
}

/// Makes the bricks from `first` up to `end`; nothing where the batch has not the room for them.
std::optional<DeviceBricks::Batch> DeviceBricks::runBatch(std::size_t first, std::size_t end) {
    BatchKernels& work = *kernels_;
    const std::optional<std::uint32_t> pairs = findVoxels(first, end);
    if (!pairs) {
        return std::nullopt;
    }
    Batch batch;
    batch.first = first;
    batch.end = end;
    batch.blocks = *pairs > 0 ? work.total(kBlocks) : 0;
    batch.voxels = *pairs > 0 ? work.total(kVoxels) : 0;
    batch.emits = work.emits;
    batch.number = figures_.batches;
    ++figures_.batches;
    figures_.emitting += batch.emits ? 1 : 0;
    figures_.fragments += *pairs;
    figures_.voxels += batch.voxels;
    figures_.occupancyMilliseconds += work.milliseconds;
    if (batch.voxels > 0) {
        work.makeVoxels(batch.blocks, batch.voxels, batch.number);
        const auto share = [](std::size_t taken, std::uint32_t room) { return static_cast<double>(taken) / room; };
        const std::size_t entries = bricks_->bricks()[end - 1].end - bricks_->bricks()[first].first;
        adapt(entries, std::max({share(*pairs, limits_.fragments), share(batch.blocks, limits_.blocks),
                                 share(batch.voxels, limits_.voxels), share(work.entryCount, limits_.entries)}));
    }
    figures_.milliseconds += work.milliseconds;
    figures_.fetchMilliseconds += work.fetchMilliseconds;
    return batch;
}

} // namespace aureole::voxelizer
