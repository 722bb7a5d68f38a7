#include "voxelizer/device_bricks.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <span>
#include <utility>

#include "core/beside.h"
#include "core/error.h"
#include "core/trace.h"
#include "voxel/build/build.h"
#include "voxel/build/material_runs.h"
#include "voxel/tree/cell_code.h"
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
/// lavapipe (Mesa 22.3) silently ends all loops of a subgroup after 65,536 iterations, of which a voxel with fragments
/// of as many materials takes some 32 n^2.
constexpr std::uint32_t kMostOfBlockOnCpu = 32;

} // namespace

DeviceBricks::DeviceBricks(const gpu::Device& device, const BatchLimits& limits)
    : device_(device)
    , limits_(limits) {
    if (device.info().isCpu) {
        limits_.ofBlock = std::min(limits_.ofBlock, kMostOfBlockOnCpu);
    }
}

std::string DeviceBricks::whyNot(const Scene& scene, const VoxelizeOptions& options) const {
    if (!device_.info().hasFloat64) {
        return fmt::format("'{}' does not compute in double", device_.info().name);
    }
    if (options.surface == SurfaceKind::Planes) {
        return "the surface is planes";
    }
    if (options.memory != VoxelizeOptions().memory) {
        return "memory is limited";
    }
    return whatIsBeyond(scene);
}

void DeviceBricks::begin(const Primitives& primitives, const BrickList& bricks, bool thin) {
    kernels_ = std::make_unique<BatchKernels>(device_, limits_, primitives, thin, 6 * (bricks.brickLevels() - 1));
    primitives_ = &primitives;
    bricks_ = &bricks;
    figures_ = {};
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
    for (std::size_t end = chooseEnd(first); end > first + 1; end = chooseEnd(first)) {
        std::vector<BrickVoxels> made = makeBatch(first, end);
        if (!made.empty()) {
            return made;
        }
        ++figures_.inVain;
        entriesAtOnce_ /= 2.0;
    }
    std::vector<BrickVoxels> made = makeBatch(first, first + 1);
    return made.empty() ? makeOnCpu(first) : std::move(made);
}

/// A brick that has more than a batch may have, and those after it that likely have as well, by several cores.
std::vector<BrickVoxels> DeviceBricks::makeOnCpu(std::size_t first) {
    const std::vector<Brick>& all = bricks_->bricks();
    const auto isAsFull = [&](const Brick& brick) {
        return 2 * (brick.end - brick.first) >= all[first].end - all[first].first;
    };
    std::size_t end = first + 1;
    while (end < all.size() && end - first < kMostOnCpu && isAsFull(all[end])) {
        ++end;
    }
    figures_.onCpu += end - first;
    std::vector<BrickVoxels> made(end - first);
    forEachBeside(made.size(), [&](std::size_t i) { made[i] = voxelizeBrick(*primitives_, *bricks_, all[first + i]); });
    return made;
}

namespace {

/// The batch's bricks and their entries, where the device gets them from.
void writeEntries(const BrickList& bricks, std::size_t first, std::size_t end, std::span<shared::VoxelBrick> corners,
                  std::span<shared::VoxelEntry> entries) {
    const std::size_t before = bricks.bricks()[first].first;
    for (std::size_t number = 0; number < end - first; ++number) {
        const Brick& brick = bricks.bricks()[first + number];
        corners[number] = {bricks.cube(brick).origin, 0};
        std::size_t place = brick.first - before;
        for (const std::uint64_t entry : bricks.entries(brick)) {
            entries[place++] = {entryPrimitive(entry), static_cast<std::uint32_t>(number)};
        }
    }
}

/// What a batch has come to, in the order of blocks and voxels; spans are empty for what the scene does not have.
struct MadeBatch {
    std::span<const shared::VoxelLeaf> leaves;
    std::span<const shared::VoxelAttributes> attributes;
    std::span<const shared::VoxelMaterial> materials;
    std::span<const shared::VoxelEmitting> emitting;
    std::vector<std::uint32_t> voxelsBefore; ///< of each leaf
};

VoxelBlock blockOf(const shared::VoxelLeaf& leaf, std::uint64_t code) {
    VoxelBlock block;
    block.code = code;
    block.mask = std::uint64_t{leaf.mask.x} | (std::uint64_t{leaf.mask.y} << 32U);
    block.sum = SurfaceSum(leaf.sum);
    block.average = LeafAverage{leaf.average, {leaf.emission, leaf.material}};
    return block;
}

/// One brick of a batch: leaves from `first` up to `end`.
BrickVoxels brickOf(const MadeBatch& batch, std::size_t first, std::size_t end, std::uint64_t firstBlock,
                    std::uint32_t cellMask) {
    BrickVoxels made;
    made.blocks.reserve(end - first);
    for (std::size_t i = first; i < end; ++i) {
        const shared::VoxelLeaf& leaf = batch.leaves[i];
        VoxelBlock block = blockOf(leaf, firstBlock + (leaf.key & cellMask));
        if (block.mask != 0) { // thin coverage leaves some without
            made.blocks.push_back(block);
        }
    }
    const std::size_t voxelsEnd = end < batch.leaves.size() ? batch.voxelsBefore[end] : batch.attributes.size();
    const std::size_t voxelsFirst = first < batch.leaves.size() ? batch.voxelsBefore[first] : voxelsEnd;
    made.voxels.reserve(voxelsEnd - voxelsFirst);
    for (std::size_t voxel = voxelsFirst; voxel < voxelsEnd; ++voxel) {
        shared::VoxelMaterial material = kPlainMaterial;
        if (!batch.materials.empty()) {
            material = batch.materials[voxel];
            material.emission += 0.0F; // -0 and 0 are equal and must hash alike
        }
        made.voxels.push_back({batch.attributes[voxel], material});
        made.plain = made.plain && isPlain(material);
        if (material.emission != glm::vec3(0.0F)) {
            made.emitting.push_back({batch.emitting[voxel].area, batch.emitting[voxel].share});
        }
    }
    if (!made.plain) {
        made.materials = numberWithin(made.voxels);
    }
    return made;
}

} // namespace

/// Refines the pairs of a batch and finds their blocks and voxels; how many fragments there are, or nothing where the
/// batch has not the room for them.
std::optional<std::uint32_t> DeviceBricks::findVoxels(std::size_t first, std::size_t end) {
    BatchKernels& work = *kernels_;
    const std::vector<Brick>& all = bricks_->bricks();
    const std::size_t entries = all[end - 1].end - all[first].first;
    if (entries > limits_.entries) {
        return std::nullopt;
    }
    writeEntries(*bricks_, first, end, mappedAs<shared::VoxelBrick>(work.bricksOut, end - first),
                 mappedAs<shared::VoxelEntry>(work.entriesOut, entries));
    work.milliseconds = 0.0;
    work.fetchMilliseconds = 0.0;
    work.brickCount = static_cast<std::uint32_t>(end - first);
    const std::uint32_t levels = bricks_->brickLevels();
    std::uint32_t parents = 0;
    auto pairs = static_cast<std::uint32_t>(entries);
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

/// The bricks of a batch that the device has made, which has so many blocks and voxels.
std::vector<BrickVoxels> DeviceBricks::cutBricks(std::size_t first, std::size_t end, std::uint32_t blocks,
                                                 std::uint32_t voxels) const {
    const TraceSpan span("cut bricks");
    const BatchKernels& work = *kernels_;
    MadeBatch batch;
    batch.leaves = mappedAs<const shared::VoxelLeaf>(work.leavesIn, blocks);
    batch.attributes = mappedAs<const shared::VoxelAttributes>(work.attributesIn, voxels);
    batch.materials = mappedAs<const shared::VoxelMaterial>(work.materialsIn, work.materials.size() > 0 ? voxels : 0);
    batch.emitting = mappedAs<const shared::VoxelEmitting>(work.emittingIn, work.emitting.size() > 0 ? voxels : 0);
    // The leaves of the batch's bricks, which go brick by brick, and the voxels before them.
    const std::uint32_t bits = 6 * (bricks_->brickLevels() - 1);
    std::vector<std::size_t> firstLeaf(end - first + 1, 0);
    batch.voxelsBefore.resize(blocks);
    std::uint32_t before = 0;
    for (std::uint32_t i = 0; i < blocks; ++i) {
        const shared::VoxelLeaf& leaf = batch.leaves[i];
        batch.voxelsBefore[i] = before;
        before += static_cast<std::uint32_t>(std::popcount(leaf.mask.x) + std::popcount(leaf.mask.y));
        ++firstLeaf[(leaf.key >> bits) + 1];
    }
    for (std::size_t i = 0; i + 1 < firstLeaf.size(); ++i) {
        firstLeaf[i + 1] += firstLeaf[i];
    }
    std::vector<BrickVoxels> made(end - first);
    // One thread appends the batch before meanwhile.
    forEachBeside(made.size(), [&](std::size_t number) {
        made[number] = brickOf(batch, firstLeaf[number], firstLeaf[number + 1],
                               bricks_->bricks()[first + number].code << bits, (1U << bits) - 1);
    });
    return made;
}

/// The bricks from `first` up to `end`; none where the batch has not the room for them.
std::vector<BrickVoxels> DeviceBricks::makeBatch(std::size_t first, std::size_t end) {
    BatchKernels& work = *kernels_;
    const std::optional<std::uint32_t> pairs = findVoxels(first, end);
    if (!pairs) {
        return {};
    }
    ++figures_.batches;
    figures_.fragments += *pairs;
    const std::uint32_t blocks = *pairs > 0 ? work.total(kBlocks) : 0;
    const std::uint32_t voxels = *pairs > 0 ? work.total(kVoxels) : 0;
    figures_.voxels += voxels;
    figures_.occupancyMilliseconds += work.milliseconds;
    if (voxels > 0) {
        work.makeVoxels(blocks, voxels);
    }
    figures_.milliseconds += work.milliseconds;
    figures_.fetchMilliseconds += work.fetchMilliseconds;
    if (voxels == 0) {
        return std::vector<BrickVoxels>(end - first);
    }
    const std::vector<Brick>& all = bricks_->bricks();
    const auto share = [](std::size_t taken, std::uint32_t room) { return static_cast<double>(taken) / room; };
    const std::size_t entries = all[end - 1].end - all[first].first;
    adapt(entries, std::max({share(*pairs, limits_.fragments), share(blocks, limits_.blocks),
                             share(voxels, limits_.voxels), share(entries, limits_.entries)}));
    return cutBricks(first, end, blocks, voxels);
}

} // namespace aureole::voxelizer
